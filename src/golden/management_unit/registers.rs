//! 8.5: the registers, and through them the window.

use mkns_cable::RegisterAccess;

use super::notice::NoticeEvents;
use super::pins::UnitInputs;
use super::state::{ManagementUnit, State};

/// Numbers of registers: the first of each group.
const SEND: u32 = 0;
const RECEIVED: u32 = 8;
const MANAGEMENT: u32 = 16;
const KEY: u32 = 17;
const DROPPED: u32 = 19;
const NOTICE: u32 = 24;
const END: u32 = 32;

/// Bits of MANAGEMENT.
const DUE: u32 = 1 << 2;
const ARMED: u32 = 1 << 3;

/// Whether the table of 8.5 has this access.
pub fn has_register(write: bool, n: u32) -> bool {
    match write {
        true => [SEND..RECEIVED, MANAGEMENT..DROPPED, NOTICE..END]
            .iter()
            .any(|range| range.contains(&n)),
        false => (RECEIVED..=MANAGEMENT).contains(&n) || n == DROPPED,
    }
}

impl ManagementUnit {
    pub(super) fn clock_registers(&mut self, at: &State, inputs: &UnitInputs) {
        let starts = inputs.register.filter(|_| at.register.is_none());
        self.state.register = starts.map(|access| match access.write {
            true => {
                self.write(at, &access);
                0
            }
            false => self.read(at, access.address),
        });
    }

    /// Of a notice, all but its words.
    pub(super) fn clock_notice(&mut self, at: &State, inputs: &UnitInputs) {
        let access = inputs.register.filter(|_| at.register.is_none());
        let written = access.filter(|access| access.write && access.address == MANAGEMENT);
        let acknowledged = written.filter(|access| access.wdata & DUE != 0);
        self.state.notice = at.notice.after(NoticeEvents {
            link_up: inputs.link_up & self.links,
            acknowledged: acknowledged.map(|access| access.wdata & ARMED != 0),
            leaves: at.place > self.ports && self.ends(inputs),
        });
    }

    /// The words of SEND, NOTICE and RECEIVED.
    pub(super) fn clock_window(&mut self, at: &State, inputs: &UnitInputs) {
        let outgoing = self.outgoing(at, inputs);
        if let Some((number, word)) = outgoing.filter(|_| self.is_to_window(at)) {
            self.received[number] = word;
        }
        let write = inputs.register.filter(|access| access.write);
        let Some(access) = write.filter(|_| at.register.is_none()) else {
            return;
        };
        match access.address {
            n @ SEND..RECEIVED if !at.sending => self.send[n as usize] = access.wdata,
            n @ NOTICE..END => self.told[(n - NOTICE) as usize] = access.wdata,
            _ => {}
        }
    }

    fn write(&mut self, at: &State, access: &RegisterAccess) {
        let next = &mut self.state;
        match access.address {
            MANAGEMENT => {
                // A bit that changes nothing leaves what the phase does in this cycle.
                if access.wdata & 1 == 1 && !at.sending {
                    next.sending = true;
                }
                if access.wdata & 2 == 2 && at.received {
                    next.received = false;
                }
            }
            n @ KEY..DROPPED => next.key[(n - KEY) as usize] = access.wdata,
            _ => {}
        }
    }

    fn read(&self, at: &State, n: u32) -> u32 {
        match n {
            RECEIVED..MANAGEMENT => self.received[(n - RECEIVED) as usize],
            MANAGEMENT => {
                u32::from(at.sending) | u32::from(at.received) << 1 | u32::from(at.notice.due) << 2
            }
            DROPPED => at.dropped.into(),
            _ => 0,
        }
    }
}
