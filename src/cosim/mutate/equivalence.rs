//! Whether a mutant that no run killed can be told from the original at all.
//!
//! Both are cut open at registers and memories, whose outputs become free inputs; a SAT solver then
//! looks for a state and inputs for which any output or next state differs. None: the mutant is the
//! same circuit. One: the state may be out of reach, so the mutant is listed for review.

use super::netlist::{MUTATED, Mutant, Netlist};
use crate::cosim::study::{YosysError, run_yosys};

/// Seconds for one proof.
const PATIENCE: u32 = 120;

/// Whether the mutant is proved to be the original.
pub fn is_equivalent(netlist: &Netlist, mutant: &Mutant) -> Result<bool, YosysError> {
    let script = format!(
        "read_rtlil cut.il\ncopy {MUTATED} original\n{}\nrename {MUTATED} changed\n\
         expose -evert -evert-dff original changed\n\
         miter -equiv -make_assert -flatten original changed both\nhierarchy -top both\n\
         opt -full\nsat -verify -prove-asserts -set-def-inputs -timeout {PATIENCE} both\n",
        mutant.command
    );
    match run_yosys(netlist.folder.path(), "compare", &script) {
        Ok(()) => Ok(true),
        // A difference, a state too large for the time, or a mutated register, which has no
        // counterpart to compare with.
        Err(YosysError::Failed(_)) => Ok(false),
        Err(error) => Err(error),
    }
}
