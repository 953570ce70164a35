//! Beats of the PCIe-side streams on packed words: the one place that offers and takes them.
//!
//! Knows where the bits lie and nothing of what a beat means.

use super::flit::Data;
use super::pins::{Pins, StreamPins, get_bits, set_bits};

/// A valid beat on the pins of a PCIe port.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StreamBeat {
    /// tdata; words above the width of a beat are 0.
    pub data: Data,
    /// tkeep: one bit a byte.
    pub keep: u64,
    pub last: bool,
    pub user: bool,
}

impl Pins {
    /// The beat on a port's pins of a stream ([`Pins::ingress`], [`Pins::egress`]), when its tvalid is 1.
    pub fn beat(&self, stream: &StreamPins, words: &[u64], port: usize) -> Option<StreamBeat> {
        let bit = |word: usize| words[word] >> port & 1 == 1;
        if !bit(stream.valid) {
            return None;
        }
        let first = stream.data + port * self.beat_words;
        let bytes = self.beat_words * 8;
        Some(StreamBeat {
            data: Data::of(&words[first..first + self.beat_words]),
            keep: get_bits(&words[stream.keep..], port * bytes, bytes),
            last: bit(stream.last),
            user: bit(stream.user),
        })
    }

    /// Puts a beat onto a port's pins of a stream; without one tvalid becomes 0 and the rest stays.
    pub fn set_beat(
        &self,
        stream: &StreamPins,
        words: &mut [u64],
        port: usize,
        beat: Option<&StreamBeat>,
    ) {
        let mut set = |word: usize, value: bool| {
            words[word] = words[word] & !(1 << port) | u64::from(value) << port;
        };
        set(stream.valid, beat.is_some());
        let Some(beat) = beat else {
            return;
        };
        set(stream.last, beat.last);
        set(stream.user, beat.user);
        let bytes = self.beat_words * 8;
        set_bits(&mut words[stream.keep..], port * bytes, bytes, beat.keep);
        let first = stream.data + port * self.beat_words;
        beat.data
            .copy_to(&mut words[first..first + self.beat_words]);
    }

    /// Sets a port's tready of a stream.
    pub fn set_ready(&self, stream: &StreamPins, words: &mut [u64], port: usize, ready: bool) {
        let word = &mut words[stream.ready];
        *word = *word & !(1 << port) | u64::from(ready) << port;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockModule, PokShape};
    use mkns_routing::AddressLayout;
    use mkns_spec::BlockParameters;

    #[test]
    fn a_beat_that_is_put_on_the_pins_is_read_back_and_touches_no_other_port() {
        let parameters = BlockParameters {
            pcie_bits: 128,
            ..BlockParameters::default()
        };
        let layout = AddressLayout { fields: Vec::new() };
        let terminal = BlockModule::terminal(PokShape::new(2, true), &layout, &parameters);
        let pins = Pins::new(&terminal);
        let mut words = vec![0; pins.input_words];
        let beat = |mark| StreamBeat {
            data: Data::of(&[mark, mark + 1]),
            keep: 0x0fff,
            last: true,
            user: false,
        };
        for port in 0..2 {
            pins.set_beat(&pins.ingress, &mut words, port, Some(&beat(port as u64)));
        }
        pins.set_beat(&pins.ingress, &mut words, 0, None);
        assert_eq!(pins.beat(&pins.ingress, &words, 0), None);
        assert_eq!(pins.beat(&pins.ingress, &words, 1), Some(beat(1)));
    }
}
