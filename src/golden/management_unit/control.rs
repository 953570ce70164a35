//! 8.4: who has the control port.

use super::pins::{ControlAnswers, UnitInputs};
use super::state::{ManagementUnit, Operation, State};
use crate::control_port::ControlPins;

/// wstrb of the unit: the whole word.
const WHOLE_WORD: u32 = 15;

impl ManagementUnit {
    /// What `link_window` sees.
    pub(super) fn to_window(&self, inputs: &UnitInputs) -> ControlPins {
        let at = &self.state;
        if !at.owner {
            return inputs.master;
        }
        let writes = at.kept.operation == Operation::Write;
        ControlPins {
            awaddr: at.kept.address,
            awvalid: at.asking && writes,
            wdata: self.word,
            wstrb: WHOLE_WORD,
            wvalid: at.asking && writes,
            bready: true,
            araddr: at.kept.address,
            arvalid: at.asking && !writes,
            rready: at.finished,
        }
    }

    /// What the pins see.
    pub(super) fn to_master(&self, inputs: &UnitInputs) -> ControlAnswers {
        let shows = !self.state.owner;
        let window = inputs.window;
        ControlAnswers {
            awready: shows && window.awready,
            wready: shows && window.wready,
            bvalid: shows && window.bvalid,
            arready: shows && window.arready,
            rvalid: shows && window.rvalid,
            ..window
        }
    }

    /// `pin_writes` and `pin_reads`.
    pub(super) fn clock_pins(&mut self, at: &State, inputs: &UnitInputs) {
        if at.owner {
            return;
        }
        let (master, window, next) = (&inputs.master, &inputs.window, &mut self.state);
        if master.awvalid && master.wvalid && window.awready {
            next.pin_writes = true;
        }
        if window.bvalid && master.bready {
            next.pin_writes = false;
        }
        if master.arvalid && window.arready {
            next.pin_reads = true;
        }
        if window.rvalid && master.rready {
            next.pin_reads = false;
        }
    }
}

/// Whether the control port is at rest.
pub(super) fn is_at_rest(at: &State, inputs: &UnitInputs) -> bool {
    let (master, window) = (&inputs.master, &inputs.window);
    let shows_write = master.awvalid && master.wvalid;
    let no_write = !at.pin_writes && !shows_write;
    let write_ends = at.pin_writes && window.bvalid && master.bready;
    let no_read = !at.pin_reads && !master.arvalid;
    let read_ends = at.pin_reads && window.rvalid && master.rready;
    (no_write || write_ends) && (no_read || read_ends)
}
