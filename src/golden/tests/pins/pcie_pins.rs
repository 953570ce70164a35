//! The pins of PCIe ports: beats that a host offers and takes, and the counters of what it did.

use super::testbench::{PinTestbench, Sent};
use crate::beat::low_ones;

/// A beat: the low word of its data, above which the words count up; tkeep, tlast, tuser.
pub type Beat = (u64, u64, bool, bool);

/// PCIe counters.
pub const PACKETS_IN: u32 = 0;
pub const KEEP: u32 = 1;
pub const RESERVED: u32 = 2;
pub const LAYER: u32 = 3;
pub const DESTINATION: u32 = 4;
pub const OVER_LENGTH: u32 = 5;
pub const TOO_SHORT: u32 = 6;
pub const TOO_LONG: u32 = 7;
pub const ABORTED: u32 = 8;
pub const PACKETS_OUT: u32 = 9;
pub const CRC_FAULT: u32 = 10;
pub const LENGTH_FAULT: u32 = 11;
pub const BAD: u32 = 12;
pub const TIMEOUT_DROPS: u32 = 13;

impl PinTestbench {
    /// Bytes and words of a beat.
    fn beat_size(&self) -> (u32, usize) {
        let bits = self.module.parameters.pcie_bits;
        (bits / 8, bits as usize / 64)
    }

    /// Puts a beat on the pins of one PCIe port; the others offer none.
    pub fn put_beat(&mut self, port: usize, (data, keep, last, user): Beat) {
        let (bytes, words) = self.beat_size();
        let at = self.at.ingress;
        for word in 0..words {
            self.inputs[at.data + port * words + word] = data + word as u64;
        }
        self.inputs[at.keep] = keep << (bytes as usize * port);
        self.inputs[at.valid] = 1 << port;
        self.inputs[at.last] = u64::from(last) << port;
        self.inputs[at.user] = u64::from(user) << port;
    }

    /// Offers beats one after the other as fast as they are taken; returns what left meanwhile.
    pub fn offer(&mut self, port: usize, beats: &[Beat]) -> Vec<Sent> {
        self.offer_with(port, beats, Self::tick)
    }

    /// Offers beats one after the other, each cycle by `tick`; returns what left meanwhile.
    pub fn offer_with(
        &mut self,
        port: usize,
        beats: &[Beat],
        tick: fn(&mut Self) -> Vec<Sent>,
    ) -> Vec<Sent> {
        let mut sent = Vec::new();
        for &beat in beats {
            self.put_beat(port, beat);
            let is_taken = (0..200).any(|_| {
                sent.extend(tick(self));
                self.outputs[self.at.ingress.ready] >> port & 1 == 1
            });
            assert!(is_taken, "never taken:\n{}", self.block.describe());
        }
        self.inputs[self.at.ingress.valid] = 0;
        sent
    }

    /// The packet of these beats is dropped, and counted under `cause` alone.
    pub fn expect_drop(&mut self, port: usize, beats: &[Beat], cause: u32) {
        let mut counters = || {
            (PACKETS_IN..=ABORTED)
                .map(|counter| self.pcie_counter(port as u32, counter))
                .collect()
        };
        let before: Vec<u32> = counters();
        let mut sent = self.offer(port, beats);
        sent.extend(self.run(30));
        assert_eq!(sent, [], "{beats:?}");
        for counter in PACKETS_IN..=ABORTED {
            let grown = self.pcie_counter(port as u32, counter) - before[counter as usize];
            assert_eq!(grown, u32::from(counter == cause), "{counter} {beats:?}");
        }
    }

    /// Whether the hosts take beats.
    pub fn set_ready(&mut self, ready: bool) {
        self.inputs[self.at.egress.ready] = if ready { 3 } else { 0 };
    }

    /// The beat on a host's pins in the last cycle.
    pub fn beat(&self, port: usize) -> Option<Beat> {
        let (bytes, words) = self.beat_size();
        let at = &self.at.egress;
        let bit = |word: usize| self.outputs[word] >> port & 1 == 1;
        bit(at.valid).then(|| {
            let data = self.outputs[at.data + port * words];
            let keep = self.outputs[at.keep] >> (bytes as usize * port) & low_ones(bytes);
            (data, keep, bit(at.last), bit(at.user))
        })
    }

    /// Beats that a host takes in the next cycles.
    pub fn collect(&mut self, port: usize, cycles: usize) -> Vec<Beat> {
        let mut taken = Vec::new();
        for _ in 0..cycles {
            self.tick();
            if self.inputs[self.at.egress.ready] >> port & 1 == 1 {
                taken.extend(self.beat(port));
            }
        }
        taken
    }

    /// Sends a packet from network port 0, flit by flit; the words of a flit above its low one are 0.
    pub fn send_packet(&mut self, channel: usize, flits: &[u64]) {
        for (place, &flit) in flits.iter().enumerate() {
            self.tick_sending(0, channel, place + 1 == flits.len(), flit);
        }
    }
}
