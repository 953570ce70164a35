//! Flits and credits of a port in the packed words of a block.

use mkns_design::{LinkPins, Pins, get_bits, set_bits};

use crate::Flit;

/// The flit on a port's `rx_*` or `tx_*` pins, when its valid is 1.
pub fn read_flit(words: &[u64], at: &LinkPins, pins: &Pins, port: usize) -> Option<Flit> {
    let is_one = |signal: usize| get_bits(&words[signal..], port, 1) == 1;
    if !is_one(at.valid) {
        return None;
    }
    let mut flit = Flit {
        last: is_one(at.last),
        bad: is_one(at.bad),
        ..Flit::default()
    };
    if pins.channels > 1 {
        let bit = port * pins.channel_bits;
        flit.channel = get_bits(&words[at.channel..], bit, pins.channel_bits) as usize;
    }
    let data = at.data + port * pins.flit_words;
    flit.data.0[..pins.flit_words].copy_from_slice(&words[data..data + pins.flit_words]);
    Some(flit)
}

/// Puts a flit onto a port's pins; without one all fields are 0.
pub fn write_flit(words: &mut [u64], at: &LinkPins, pins: &Pins, port: usize, flit: &Option<Flit>) {
    let mut set = |signal: usize, bits: usize, value: u64| {
        set_bits(&mut words[signal..], port * bits, bits, value);
    };
    let shown = flit.unwrap_or_default();
    set(at.valid, 1, u64::from(flit.is_some()));
    set(at.channel, pins.channel_bits, shown.channel as u64);
    set(at.last, 1, u64::from(shown.last));
    set(at.bad, 1, u64::from(shown.bad));
    let data = at.data + port * pins.flit_words;
    words[data..data + pins.flit_words].copy_from_slice(&shown.data.0[..pins.flit_words]);
}

/// `tx_credit` or `rx_credit` of a port, bit v.
pub fn read_credit(words: &[u64], signal: usize, pins: &Pins, port: usize) -> u32 {
    get_bits(&words[signal..], port * pins.channels, pins.channels) as u32
}

/// Sets `tx_credit` or `rx_credit` of a port, bit v.
pub fn write_credit(words: &mut [u64], signal: usize, pins: &Pins, port: usize, credit: u32) {
    let bit = port * pins.channels;
    set_bits(&mut words[signal..], bit, pins.channels, u64::from(credit));
}
