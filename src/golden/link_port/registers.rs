//! 7.9: registers.

use mkns_cable::EndInputs;

use super::state::{KEPT, LinkPort, State};

/// Words of the table behind PEER.
const STATE: u32 = 16;
const CRC_ERRORS: u32 = 17;
const REPLAYS: u32 = 18;
const DEATHS: u32 = 19;
const LOST_FLITS: u32 = 20;
const EXPECTED_PEER: u32 = 21;
const CONTROL: u32 = 22;
const INJECT: u32 = 23;

impl LinkPort {
    pub(super) fn registers(&mut self, at: &State, inputs: &EndInputs) {
        let registers = &at.registers;
        let next = &mut self.state.registers;
        next.ready = false;
        next.rdata = 0;
        if let Some(contents) = at.carrier.taken() {
            match registers.reading {
                1 => next.reading = 2,
                2 => {
                    next.rdata = at.core_word().unwrap_or(contents.word);
                    next.ready = true;
                    next.reading = 0;
                }
                _ => {}
            }
        }
        let Some(access) = inputs.register else {
            return;
        };
        if registers.ready || registers.reading != 0 {
            return;
        }
        if access.write {
            next.ready = true;
            match access.address {
                EXPECTED_PEER => next.expected_peer = access.wdata & KEPT,
                CONTROL => next.disabled = access.wdata & 1 == 1,
                INJECT => next.inject = !registers.inject,
                _ => {}
            }
        } else {
            next.index = access.address;
            next.reading = 1;
        }
    }
}

impl State {
    /// The word at `reg_index` that the link side holds.
    pub(super) fn link_word(&self, line_rx_up: bool) -> u32 {
        let session = &self.session;
        match self.registers.index {
            index @ 0..STATE => session.peer[index as usize].into(),
            STATE => {
                let flags = [(session.up, 5), (line_rx_up, 6), (session.full, 7)];
                let flags = flags
                    .iter()
                    .fold(0, |bits, (is_set, bit)| bits | u32::from(*is_set) << bit);
                session.reason | flags | u32::from(session.session) << 8
            }
            CRC_ERRORS => session.crc_errors.into(),
            REPLAYS => session.replays.into(),
            DEATHS => session.deaths.into(),
            _ => 0,
        }
    }

    /// The word at `reg_index` that the core side holds, if it does.
    fn core_word(&self) -> Option<u32> {
        match self.registers.index {
            LOST_FLITS => Some(self.core.lost.into()),
            EXPECTED_PEER => Some(self.registers.expected_peer),
            CONTROL => Some(self.registers.disabled.into()),
            _ => None,
        }
    }
}
