//! Which packets of every flow were sent and which have arrived: each once and in order, or, while
//! cables fail, as far as is tolerated. Packets carry their number, so two counters a flow are enough.

use std::collections::{HashMap, HashSet};

use mkns_design::mask;

use super::packet_identity::PacketIdentity;

/// Bits of a packet's number within its flow.
const SEQUENCE_BITS: usize = 24;

/// What may happen to packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tolerance {
    /// Nothing.
    #[default]
    Exact,
    /// They get lost, or arrive marked bad.
    Losses,
    /// They get lost, arrive marked bad, and overtake others of their flow on detours.
    LossesAndDetours,
}

#[derive(Debug, Clone, Copy, Default)]
struct Flow {
    sent: u32,
    received: u32,
}

/// The flows of a network.
#[derive(Debug, Default)]
pub struct Flows {
    /// Blocks choose among ports: most flows are unordered.
    pub adaptive: bool,
    /// By source and destination host. Never printed in its own order.
    flows: HashMap<(u32, u32), Flow>,
    /// Identities that later packets of their flow have overtaken.
    overtaken: HashSet<u64>,
    /// Packets sent, those that arrived, and those that are not expected any more.
    pub sent: u64,
    pub received: u64,
    pub written_off: u64,
}

impl Flows {
    /// Notes a packet that is sent; gives its number in the flow.
    pub fn send(&mut self, source: u32, destination: u32) -> PacketIdentity {
        let flow = self.flows.entry((source, destination)).or_default();
        let sequence = flow.sent & mask(SEQUENCE_BITS) as u32;
        flow.sent += 1;
        self.sent += 1;
        PacketIdentity {
            source,
            destination,
            sequence,
        }
    }

    /// Whether packets of a flow may overtake each other: three of four flows in an adaptive network.
    pub fn is_unordered(&self, source: u32, destination: u32) -> bool {
        self.adaptive && (source ^ destination) & 3 != 0
    }

    /// Notes a packet that arrived whole.
    pub fn receive(
        &mut self,
        identity: PacketIdentity,
        tolerance: Tolerance,
    ) -> Result<(), String> {
        let (source, host) = (identity.source, identity.destination);
        let unordered = self.is_unordered(source, host);
        let flow = self.flows.get_mut(&(source, host)).ok_or_else(|| {
            format!("host {host} received a packet from host {source}, which has sent none to it")
        })?;
        let numbers = mask(SEQUENCE_BITS) as u32;
        let expected = flow.received & numbers;
        let ahead = identity.sequence.wrapping_sub(expected) & numbers;
        let early = ahead > 0 && ahead < 1 << (SEQUENCE_BITS - 1);
        if early && (unordered || tolerance != Tolerance::Exact) {
            let overtaken = (0..ahead).map(|behind| PacketIdentity {
                sequence: (expected + behind) & numbers,
                ..identity
            });
            if unordered || tolerance == Tolerance::LossesAndDetours {
                self.overtaken.extend(overtaken.map(PacketIdentity::word));
            }
            flow.received += ahead + 1;
        } else if ahead == 0 {
            flow.received += 1;
        } else if !self.overtaken.remove(&identity.word()) {
            let what = if early { "too early" } else { "a second time" };
            return Err(format!(
                "host {host}: packet {} from host {source} arrives {what}; expected number {expected}",
                identity.sequence
            ));
        }
        self.received += 1;
        Ok(())
    }

    /// Expects no more of what is missing, and exact order from here on.
    pub fn write_off(&mut self) {
        self.overtaken.clear();
        self.written_off += self.missing();
        for flow in self.flows.values_mut() {
            flow.received = flow.sent;
        }
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.flows.len() as u64
    }

    /// Packets that have not arrived and are still expected.
    pub fn missing(&self) -> u64 {
        self.sent - self.received - self.written_off
    }

    /// The next packet of the flow with the lowest numbers from which one is missing.
    pub fn first_missing(&self) -> Option<PacketIdentity> {
        let short = self
            .flows
            .iter()
            .filter(|(_, flow)| flow.received < flow.sent);
        let (&(source, destination), flow) = short.min_by_key(|(ends, _)| **ends)?;
        Some(PacketIdentity {
            source,
            destination,
            sequence: flow.received,
        })
    }
}
