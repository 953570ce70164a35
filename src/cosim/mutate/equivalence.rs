//! Whether a mutant that no run killed can be told from the original at all.
//!
//! Both are cut open at registers and memories, whose outputs become free inputs; a SAT solver then
//! looks for a state and inputs for which any output or next state differs. None: the mutant is the
//! same circuit. One: the state may be out of reach, so the solver is asked again about states in
//! which no event counter is high.

use super::netlist::{MUTATED, Mutant, Netlist};
use crate::cosim::study::{YosysError, run_yosys};

/// Seconds for one proof.
const PATIENCE: u32 = 120;

/// Event counters that have reached 2 to the power of this are high: none does in a regression.
pub const HIGH: u32 = 16;

/// What is proved of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// It is the original.
    Same,
    /// It is, as long as every total that is read from an event counter's memory is below 2^[`HIGH`].
    SameWhileLow,
    /// Nothing, and why.
    Nothing(String),
}

/// What the solver says of two circuits.
enum Verdict {
    Same,
    Other(String),
}

/// Stands a buffer behind a register, so that a changed output is one of the buffer and the registers of
/// both circuits remain pairs.
pub(super) const BUFFERED: &str = r#"(* techmap_celltype = "$dff" *)
module buffered (CLK, D, Q);
    parameter WIDTH = 0;
    parameter CLK_POLARITY = 1;
    input CLK;
    input [WIDTH-1:0] D;
    output [WIDTH-1:0] Q;
    wire [WIDTH-1:0] held;
    plain_register #(.WIDTH(WIDTH), .CLK_POLARITY(CLK_POLARITY)) register (.CLK(CLK), .D(D), .Q(held));
    \$pos #(.A_SIGNED(0), .A_WIDTH(WIDTH), .Y_WIDTH(WIDTH)) buffer (.A(held), .Y(Q));
endmodule
"#;

/// Compares a mutant with the original.
pub fn compare(netlist: &Netlist, mutant: &Mutant) -> Result<Proof, YosysError> {
    let reason = match compare_when(netlist, mutant, "")? {
        Verdict::Same => return Ok(Proof::Same),
        Verdict::Other(reason) => reason,
    };
    let low = |total: &String| format!(" -set {total}[31:{HIGH}] {}\'d0", 32 - HIGH);
    let all_low: String = netlist.totals.iter().map(low).collect();
    if all_low.is_empty() {
        return Ok(Proof::Nothing(reason));
    }
    Ok(match compare_when(netlist, mutant, &all_low)? {
        Verdict::Same => Proof::SameWhileLow,
        Verdict::Other(reason) => Proof::Nothing(reason),
    })
}

/// Compares the two in all states that the options of `sat` allow.
fn compare_when(netlist: &Netlist, mutant: &Mutant, states: &str) -> Result<Verdict, YosysError> {
    let folder = netlist.folder.path();
    let (prepare, change) = match mutant.register() {
        Some(cell) => (
            format!(
                "techmap -map buffered.v {MUTATED}/c:{}\nchtype -set $dff t:plain_register\n",
                cell.replace(['[', ']', '\\'], "?")
            ),
            mutant
                .command
                .replace(&format!("-cell {cell} "), &format!("-cell {cell}.buffer "))
                .replace("-port Q ", "-port Y "),
        ),
        None => (String::new(), mutant.command.clone()),
    };
    let script = format!(
        "read_rtlil cut.il\n{prepare}copy {MUTATED} original\n{change}\nrename {MUTATED} changed\n\
         expose -evert -evert-dff original changed\n\
         miter -equiv -make_assert -flatten original changed both\nhierarchy -top both\n\
         opt -full\nsat -verify -prove-asserts -set-def-inputs{states} -timeout {PATIENCE} both\n"
    );
    match run_yosys(folder, "compare", &script) {
        Ok(()) => Ok(Verdict::Same),
        Err(YosysError::Failed(said)) => Ok(Verdict::Other(reason(&said))),
        Err(error) => Err(error),
    }
}

/// Why nothing is proved, from what Yosys said last.
fn reason(said: &str) -> String {
    if said.contains("proof did fail") {
        "differs in a state that may be out of reach".to_owned()
    } else if said.contains("proof did time out") {
        format!("no answer in {PATIENCE} s")
    } else {
        let last = said.lines().next_back().unwrap_or_default();
        format!("cannot be compared: {last}")
    }
}
