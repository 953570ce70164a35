//! 3.4, and 6.4 of the source and the CRC of terminals; the rest of 3.1 is told on the pins.

use super::modules::{adapter, awake, beat, offer, parameters, ready, terminal};
use crate::HostInputs;
use crate::header::with_crc;
use mkns_spec::BlockParameters;

const DESTINATION: u64 = 0b010;

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

/// An adapter block of three layers that chooses, x = 1 reached by layers 0 and 2, x = 2 by none.
fn choosing() -> (mkns_design::BlockModule, crate::LayerMasks) {
    let block = BlockParameters {
        layers: 3,
        layer_select: Some(mkns_spec::LayerSelect::Mask),
        virtual_channels: 2,
        ..parameters()
    };
    let mut module = adapter(block);
    module.masks = mkns_design::NodeShape::of_masks(&module.parameters, &module.layout);
    let contents = mkns_design::LayerChoice {
        masks: vec![0b111, 0b101, 0, 0],
        entry_channels: vec![0, 0, 1],
    };
    let masks = crate::LayerMasks::new(&module, Some(&contents)).expect("it chooses");
    (module, masks)
}

#[test]
fn a_hint_picks_a_layer_of_the_mask_and_its_entry_channel_a_cycle_later() {
    let (module, masks) = choosing();
    let mut host = awake(&module, 0);
    // Source 4 and destination 2 reversed, 4: e is the hint reversed, 0 or 8, and k is 0 or 1 of layers 0 and 2.
    for (hint, layer) in [(0, 0), (1, 2), (7, 2)] {
        let packet = beat(&[DESTINATION | hint << 53], 0xff, true);
        let with_masks = |inputs| HostInputs {
            masks: Some(&masks),
            ..inputs
        };
        host.clock(&with_masks(offer(&packet)));
        for _ in 0..2 {
            host.clock(&with_masks(ready()));
            assert_eq!(host.to_core(), None);
        }
        host.clock(&with_masks(ready()));
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
    let (module, masks) = choosing();
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
            masks: Some(&masks),
            ..inputs
        });
        assert_eq!(host.to_core(), None);
    }
    assert_eq!((host.counter(0), host.counter(3), errors), (0, 1, 1 << 4));
}
