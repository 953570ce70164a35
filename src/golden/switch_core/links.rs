//! Links that come and go, and the channel on which packets leave: `link_up` (section 1.2) and the `step`
//! matrix (w of section 1.6). Knows nothing of flits.

use super::key_set::{KeySet, Lanes};
use super::state::NONE;
use super::{SwitchCore, bits};
use crate::golden::flit::Flit;
use crate::routing::BlockTables;

impl<F: Flit, K: KeySet> SwitchCore<F, K> {
    /// Row of the `step` matrix.
    pub fn step_row(&self, input: usize) -> u32 {
        self.step[input]
    }

    /// Replaces a row of the `step` matrix at the end of the cycle.
    pub fn write_step_row(&mut self, input: usize, row: u32) {
        self.step[input] = row & self.shape.all_ports();
        self.derive_channel_members();
    }

    #[inline]
    pub(super) fn set_link_up(&mut self, link_up: u32) {
        if link_up != self.link_up {
            self.change_link_up(link_up);
        }
    }

    #[cold]
    fn change_link_up(&mut self, link_up: u32) {
        self.link_up = link_up;
        let down = !link_up & self.shape.all_ports();
        self.down_keys = self.shape.keys_of_inputs(down);
        self.discard_begun_packets(down);
    }

    /// Outputs that are down throw away the rest of what they have begun. Packets that begin later
    /// on such an output are marked when they are popped.
    fn discard_begun_packets(&mut self, down: u32) {
        for output in bits(down) {
            for channel in 0..self.shape.channels {
                let channel = &mut self.output_channels[K::key(output, channel)];
                channel.discard |= channel.lock != NONE;
            }
        }
    }

    #[inline]
    pub(super) fn link_is_up(&self, port: usize) -> bool {
        self.link_up >> port & 1 == 1
    }

    /// w(i,o,v) of section 1.6.
    pub(super) fn outgoing_channel(&self, output: usize, key: usize) -> usize {
        let step = self.step[K::port_of(key)] >> output & 1;
        (K::channel_of(key) + step as usize).min(self.shape.channels - 1)
    }

    pub(super) fn derive_channel_members(&mut self) {
        let all: K = self.shape.keys_of_inputs(self.shape.all_ports());
        for key in all.keys() {
            self.output_channels[key].members = K::EMPTY;
        }
        for output in 0..self.shape.ports {
            for key in all.keys() {
                let outgoing = self.outgoing_channel(output, key);
                let place = K::key(output, outgoing);
                self.output_channels[place].members.insert(key);
            }
            let flow = self.outputs[output].flow;
            if flow != NONE {
                let outgoing = self.outgoing_channel(output, usize::from(flow));
                self.outputs[output].flow_place = K::key(output, outgoing) as u8;
            }
        }
    }
}

/// The `STEP` parameter as rows of bits; all 0 without tables.
pub(super) fn initial_step<K: KeySet>(tables: Option<&BlockTables>) -> K::PerPort<u32> {
    let mut rows = K::PerPort::filled(0);
    if let Some(tables) = tables {
        for (row, bits) in tables.step.iter().enumerate() {
            for (output, _) in bits.iter().enumerate().filter(|(_, set)| **set) {
                rows[row] |= 1 << output;
            }
        }
    }
    rows
}
