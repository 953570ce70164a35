//! The packed words of a cycle as flits and credits of network ports, and back.

use mkns_design::{LinkPins, Pins, get_bits, set_bits};

use crate::{Data, Flit};

/// The flit on the `rx_*` or `tx_*` pins of a port; with V = 1 its channel is 0 whatever `rx_vc` says
/// (1.2, 6.1).
pub fn flit(pins: &Pins, at: &LinkPins, words: &[u64], port: usize) -> Option<Flit> {
    let is_one = |signal: usize| get_bits(&words[signal..], port, 1) == 1;
    if !is_one(at.valid) {
        return None;
    }
    let data = at.data + port * pins.flit_words;
    let mut flit = Flit {
        channel: 0,
        last: is_one(at.last),
        bad: is_one(at.bad),
        data: Data::of(&words[data..data + pins.flit_words]),
    };
    if pins.channels > 1 {
        let bit = port * pins.channel_bits;
        flit.channel = get_bits(&words[at.channel..], bit, pins.channel_bits) as usize;
    }
    Some(flit)
}

/// Puts a flit on the pins of a port; without one all fields are 0.
pub fn set_flit(pins: &Pins, at: &LinkPins, words: &mut [u64], port: usize, flit: Option<&Flit>) {
    let mut set = |signal: usize, bits: usize, value: u64| {
        set_bits(&mut words[signal..], port * bits, bits, value);
    };
    let nothing = Flit::default();
    let shown = flit.unwrap_or(&nothing);
    set(at.valid, 1, u64::from(flit.is_some()));
    set(at.channel, pins.channel_bits, shown.channel as u64);
    set(at.last, 1, u64::from(shown.last));
    set(at.bad, 1, u64::from(shown.bad));
    let data = at.data + port * pins.flit_words;
    shown.data.copy_to(&mut words[data..data + pins.flit_words]);
}

/// The `tx_credit` or `rx_credit` pins of a port, bit v; `signal` is their first word.
pub fn credit(pins: &Pins, signal: usize, words: &[u64], port: usize) -> u32 {
    get_bits(&words[signal..], port * pins.channels, pins.channels) as u32
}

/// Puts credits on the `tx_credit` or `rx_credit` pins of a port.
pub fn set_credit(pins: &Pins, signal: usize, words: &mut [u64], port: usize, credit: u32) {
    let bit = port * pins.channels;
    set_bits(&mut words[signal..], bit, pins.channels, u64::from(credit));
}
