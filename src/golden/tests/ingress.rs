//! 3.1, and 6.4 of the source and the CRC of terminals.

use super::modules::{adapter, awake, beat, offer, parameters, ready, terminal};
use crate::header::with_crc;
use crate::{Beat, HostInputs};
use mkns_spec::BlockParameters;

const DESTINATION: u64 = 0b010;

fn length(bytes: u64) -> u64 {
    bytes << 40
}

#[test]
fn a_header_only_packet_is_on_the_cores_pin_three_cycles_after_it_was_taken() {
    let mut host = awake(&adapter(parameters()), 1);
    host.clock(&offer(&beat(&[DESTINATION, 7], 0xff, true)));
    assert_eq!(host.counter(0), 1, "committed");
    assert_eq!(host.to_core(), None, "t + 1: in the buffer");
    host.clock(&ready());
    assert_eq!(host.to_core(), None, "t + 2: memory output");
    host.clock(&ready());
    let flit = host.to_core().expect("t + 3");
    assert!(flit.last && !flit.bad);
    // Node address 4 with q = 1 in field 0.
    assert_eq!(flit.data.low(), with_crc(DESTINATION | 5 << 20, false));
    assert_eq!(flit.data.0[1], 0);
    host.clock(&ready());
    assert_eq!(host.to_core(), None);
}

#[test]
fn a_terminal_stamps_its_whole_address_and_leaves_the_train_out_of_the_crc() {
    let mut host = awake(&terminal(&parameters()), 0);
    host.clock(&offer(&beat(&[0b10_01], 0xff, true)));
    host.clock(&ready());
    host.clock(&ready());
    let flit = host.to_core().expect("t + 3");
    let crc = with_crc(4 << 20, false) >> 58;
    assert_eq!(flit.data.low(), 0b10_01 | 4 << 20 | crc << 58);
}

#[test]
fn a_flit_without_a_credit_waits_for_one() {
    let mut host = awake(&adapter(parameters()), 0);
    // C = 4 packets go; the fifth waits.
    for _ in 0..5 {
        host.clock(&offer(&beat(&[DESTINATION], 0xff, true)));
    }
    let mut flits = usize::from(host.to_core().is_some());
    for _ in 0..6 {
        host.clock(&ready());
        flits += usize::from(host.to_core().is_some());
    }
    // The first was on the pin in the third of the five cycles above.
    assert_eq!(flits, 2);
    host.clock(&HostInputs {
        rx_credit: 1,
        ..ready()
    });
    assert_eq!(
        host.to_core(),
        None,
        "the credit counts from the next cycle"
    );
    host.clock(&ready());
    assert!(host.to_core().is_some());
}

#[test]
fn a_host_channel_is_a_channel_of_the_core() {
    let block = BlockParameters {
        virtual_channels: 4,
        ..parameters()
    };
    let mut module = adapter(block);
    module.route_channels = 2;
    let mut host = awake(&module, 0);
    // Source 4: digits 0, 1. Destination 2: digit 2, swapped 1. e = 0, with destination 3 1 xor 3 = 2.
    for (destination, channel) in [(2, 0), (4, 2), (5, 2)] {
        // Digits of 4 are 0, 1: swapped 0, 2, e = 1 xor 2 = 3; of 5 they are 1, 1: e = 1 xor 2 xor 2 = 1.
        host.clock(&offer(&beat(&[destination], 0xff, true)));
        host.clock(&ready());
        host.clock(&ready());
        assert_eq!(host.to_core().expect("t + 3").channel, channel);
    }
}

/// What is counted for a packet.
fn counted(beats: &[Beat]) -> Vec<usize> {
    let block = BlockParameters {
        host_timeout: 0,
        layers: 2,
        ..parameters()
    };
    let mut host = awake(&adapter(block), 0);
    let mut errors = 0;
    for beat in beats {
        errors |= host.clock(&offer(beat));
    }
    let counted: Vec<usize> = (0..14).filter(|&c| host.counter(c) == 1).collect();
    let is_dropped = counted != [0];
    assert_eq!(errors, if is_dropped { 1 << 4 } else { 0 });
    let mut leaves = false;
    for _ in 0..4 {
        leaves |= host.to_core().is_some();
        host.clock(&ready());
    }
    assert_eq!(leaves, !is_dropped);
    counted
}

#[test]
fn the_first_fault_decides_the_cause() {
    let single = |low| [beat(&[low], 0xff, true)];
    assert_eq!(counted(&single(DESTINATION)), [0]);
    assert_eq!(counted(&[beat(&[DESTINATION], 0x7f, true)]), [1]);
    assert_eq!(counted(&single(DESTINATION | 1 << 56)), [2]);
    assert_eq!(counted(&single(DESTINATION | 1 << 57)), [2]);
    assert_eq!(counted(&single(DESTINATION | 2 << 53)), [3]);
    assert_eq!(counted(&single(DESTINATION | 1 << 53)), [0]);
    assert_eq!(counted(&single(0b110)), [4], "x has three values");
    assert_eq!(counted(&single(1 << 3)), [4], "outside all fields");
    assert_eq!(counted(&single(length(25))), [5], "1 + 4 flits");
    assert_eq!(counted(&single(length(24))), [6]);
    let header = |bytes| beat(&[length(bytes)], 0xff, false);
    let payload = |keep, last| beat(&[1], keep, last);
    assert_eq!(counted(&[header(0), payload(0xff, true)]), [7]);
    assert_eq!(
        counted(&[header(9), payload(0xff, false), payload(1, true)]),
        [0]
    );
    assert_eq!(
        counted(&[header(9), payload(0x7f, false), payload(1, true)]),
        [1]
    );
    assert_eq!(
        counted(&[header(9), payload(0xff, false), payload(2, true)]),
        [1]
    );
    assert_eq!(
        counted(&[header(9), payload(0xff, false), payload(0, true)]),
        [1]
    );
    assert_eq!(
        counted(&[header(9), payload(0xff, false), payload(3, true)]),
        [7]
    );
    assert_eq!(
        counted(&[header(8), payload(0xff, false), payload(1, true)]),
        [7]
    );
    assert_eq!(counted(&[header(9), payload(0xff, true)]), [6]);
    assert_eq!(counted(&[header(3), payload(3, true)]), [6]);
    let abort = Beat {
        user: true,
        ..payload(1, true)
    };
    assert_eq!(counted(&[header(1), abort]), [8]);
    let late = Beat {
        user: true,
        ..payload(3, true)
    };
    assert_eq!(
        counted(&[header(1), late]),
        [7],
        "within a beat the order counts"
    );
}

#[test]
fn a_full_buffer_takes_no_beats() {
    let mut host = awake(&adapter(parameters()), 0);
    // N = 8. Nothing leaves while a packet is not committed.
    host.clock(&offer(&beat(&[length(24)], 0xff, false)));
    for _ in 0..2 {
        host.clock(&offer(&beat(&[0], 0xff, false)));
    }
    host.clock(&offer(&beat(&[0], 0xff, true)));
    for _ in 0..12 {
        host.clock(&offer(&beat(&[length(0)], 0xff, true)));
    }
    // The first packet left with the four credits; then one flit is in the memory output and eight in
    // the buffer.
    assert_eq!(host.counter(0), 1 + 1 + 8);
    assert!(!host.tready());
}

/// An adapter block of three layers that chooses, x = 1 reached by layers 0 and 2, x = 2 by none.
fn choosing() -> (mkns_design::BlockModule, crate::Paths) {
    let block = BlockParameters {
        layers: 3,
        layer_select: Some(mkns_spec::LayerSelect::Mask),
        virtual_channels: 2,
        ..parameters()
    };
    let mut module = adapter(block);
    module.masks = mkns_design::MaskShape::of(&module.parameters, &module.layout);
    let contents = mkns_design::LayerChoice {
        masks: vec![0b111, 0b101, 0, 0],
        entry_channels: vec![0, 0, 1],
    };
    let paths = crate::Paths::new(&module, Some(&contents)).expect("it chooses");
    (module, paths)
}

#[test]
fn a_hint_picks_a_layer_of_the_mask_and_its_entry_channel_a_cycle_later() {
    let (module, paths) = choosing();
    let mut host = awake(&module, 0);
    // Source 4 and destination 2 reversed, 4: e is the hint reversed, 0 or 8, and k is 0 or 1 of layers 0 and 2.
    for (hint, layer) in [(0, 0), (1, 2), (7, 2)] {
        let packet = beat(&[DESTINATION | hint << 53], 0xff, true);
        let with_paths = |inputs| HostInputs {
            paths: Some(&paths),
            ..inputs
        };
        host.clock(&with_paths(offer(&packet)));
        for _ in 0..2 {
            host.clock(&with_paths(ready()));
            assert_eq!(host.to_core(), None);
        }
        host.clock(&with_paths(ready()));
        let flit = host.to_core().expect("t + 4");
        assert_eq!(
            flit.data.low(),
            with_crc(DESTINATION | 4 << 20 | layer << 53, false)
        );
        assert_eq!(flit.channel, (layer / 2) as usize);
    }
}

#[test]
fn a_packet_to_an_empty_mask_is_dropped_and_counted() {
    let (module, paths) = choosing();
    let mut host = awake(&module, 0);
    let mut errors = 0;
    for inputs in [
        offer(&beat(&[0b100], 0xff, true)),
        ready(),
        ready(),
        ready(),
        ready(),
    ] {
        errors |= host.clock(&HostInputs {
            paths: Some(&paths),
            ..inputs
        });
        assert_eq!(host.to_core(), None);
    }
    assert_eq!((host.counter(0), host.counter(3), errors), (0, 1, 1 << 4));
}
