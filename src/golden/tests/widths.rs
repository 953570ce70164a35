//! 3.3.

use super::modules::{adapter, arrival, awake, beat, flit, offer, parameters, ready};
use crate::header::with_crc;
use crate::{Beat, HostPort};
use mkns_spec::BlockParameters;

/// A port with beats of `pcie_bits` and flits of `flit_bits`.
fn port(pcie_bits: u32, flit_bits: u32) -> HostPort {
    let block = BlockParameters {
        pcie_bits,
        flit_bits,
        ..parameters()
    };
    awake(&adapter(block), 0)
}

/// The words of the flits that the core gets, and whether each was the last.
fn flits(host: &mut HostPort, beats: &[Beat], words: usize) -> Vec<(Vec<u64>, bool)> {
    let mut flits = Vec::new();
    for cycle in 0..20 {
        match beats.get(cycle) {
            Some(beat) => host.clock(&offer(beat)),
            None => host.clock(&ready()),
        };
        if let Some(flit) = host.to_core() {
            flits.push((flit.data.0[..words].to_vec(), flit.last));
        }
    }
    flits
}

#[test]
fn a_header_only_packet_takes_one_cycle_more() {
    for (pcie, flit, ones) in [(128, 64, 0xffff), (64, 128, 0xff)] {
        let mut host = port(pcie, flit);
        host.clock(&offer(&beat(&[0b010], ones, true)));
        for _ in 0..3 {
            assert_eq!(host.to_core(), None);
            host.clock(&ready());
        }
        assert!(host.to_core().is_some(), "t + 4");
    }
}

#[test]
fn a_wide_beat_is_as_many_flits_as_it_has_bytes_for() {
    let mut host = port(256, 64);
    let all = u64::from(u32::MAX);
    // 17 bytes: a beat of three pieces; what the host writes above the header is ignored.
    let beats = [
        beat(&[17 << 40, 9, 9, 9], all, false),
        beat(&[1, 2, 3, 4], 0x1_ffff, true),
    ];
    let flits = flits(&mut host, &beats, 1);
    let payload = [(vec![1], false), (vec![2], false), (vec![3], true)];
    assert_eq!(flits[0], (vec![with_crc(17 << 40 | 4 << 20, false)], false));
    assert_eq!(flits[1..], payload);
}

#[test]
fn a_keep_fault_in_any_beat_of_a_piece_is_counted_once() {
    let mut host = port(64, 256);
    let beats = [
        beat(&[16 << 40], 0xff, false),
        beat(&[1], 0x7f, false),
        beat(&[2], 0xff, true),
    ];
    assert_eq!(flits(&mut host, &beats, 4), []);
    assert_eq!(host.counter(1), 1);
    let mut host = port(128, 64);
    let beats = [
        beat(&[16 << 40, 0], 0xffff, false),
        beat(&[1, 2], 0xfeff, true),
    ];
    assert_eq!(flits(&mut host, &beats, 1), []);
    assert_eq!(host.counter(1), 1);
}

/// The beats that the host gets from flits.
fn beats(host: &mut HostPort, words: &[(&[u64], bool)]) -> Vec<Beat> {
    let mut beats = Vec::new();
    for cycle in 0..20 {
        match words.get(cycle) {
            Some((words, last)) => {
                let mut arriving = flit(0, *last);
                arriving.data.0[..words.len()].copy_from_slice(words);
                host.clock(&arrival(&arriving));
            }
            None => {
                host.clock(&ready());
            }
        }
        beats.extend(host.beat());
    }
    beats
}

#[test]
fn a_wide_flit_leaves_as_the_beats_it_has_bytes_for() {
    let mut host = port(64, 256);
    let header = with_crc(41 << 40, false);
    let packet: [(&[u64], bool); 3] = [
        (&[header], false),
        (&[1, 2, 3, 4], false),
        (&[5, 6, 7, 8], true),
    ];
    let mut expected = vec![beat(&[header], 0xff, false)];
    expected.extend((1..=5).map(|n| beat(&[n], 0xff, false)));
    expected.push(beat(&[6], 1, true));
    assert_eq!(beats(&mut host, &packet), expected);
}

#[test]
fn narrow_flits_fill_a_beat() {
    let mut host = port(256, 64);
    let all = u64::from(u32::MAX);
    let header = with_crc(19 << 40, false);
    let packet: [(&[u64], bool); 4] = [
        (&[header], false),
        (&[1], false),
        (&[2], false),
        (&[3], true),
    ];
    // 8 + 8 + 3 bytes.
    let expected = [
        beat(&[header], all, false),
        beat(&[1, 2, 3], 0x7_ffff, true),
    ];
    assert_eq!(beats(&mut host, &packet), expected);
}

#[test]
fn a_flit_is_on_the_pins_three_cycles_after_the_cores() {
    for (pcie, width) in [(128, 64), (64, 128)] {
        let mut host = port(pcie, width);
        host.clock(&arrival(&flit(with_crc(0, false), true)));
        for _ in 0..2 {
            assert_eq!(host.beat(), None);
            host.clock(&ready());
        }
        assert!(host.beat().is_some(), "t + 3");
    }
}
