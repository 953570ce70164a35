//! Whether a mutant that no run killed can be told from the original at all.
//!
//! Both are cut open at their memories, which hold the same as long as both wrote the same: what is read
//! is a free input of both, what is written an output to compare. From a reset on, Berkeley ABC looks for
//! inputs after which an output differs, of any number of cycles (`lcorr` and `scorr` by induction, `pdr`).

use std::process::Command;

use super::netlist::{MUTATED, Mutant, Netlist};
use crate::cosim::study::{YosysError, run_yosys};

/// Seconds for what induction leaves of a proof.
const PATIENCE: u32 = 60;

/// The input that resets a block.
const RESET: &str = "rst";

/// What is proved of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// It is the original.
    Same,
    /// Nothing, and why.
    Nothing(String),
}

/// Compares a mutant with the original.
pub fn compare(netlist: &Netlist, mutant: &Mutant) -> Result<Proof, YosysError> {
    if mutant.is_of_memory() {
        let reason = "a port of a memory, which the comparison leaves out";
        return Ok(Proof::Nothing(reason.to_owned()));
    }
    let folder = netlist.folder.path();
    let script = format!(
        "read_rtlil cut.il\ncopy {MUTATED} original\n{}\nrename {MUTATED} changed\n\
         expose -evert original changed\n\
         miter -equiv -make_assert -flatten original changed both\nhierarchy -top both\n\
         chformal -assert -delay 1\nopt_clean\ntechmap\nopt_clean\nsetundef -init -zero\naigmap\n\
         opt_clean\nwrite_aiger both.aig\n",
        mutant.command
    );
    match run_yosys(folder, "compare", &script) {
        Ok(()) => {}
        Err(YosysError::Failed(said)) => {
            let last = said.lines().next_back().unwrap_or_default();
            return Ok(Proof::Nothing(format!("cannot be compared: {last}")));
        }
        Err(error) => return Err(error),
    }
    let commands = format!(
        "read both.aig; strash; scleanup; lcorr; scleanup; scorr; scleanup; pdr -T {PATIENCE}"
    );
    let abc = Command::new("berkeley-abc")
        .current_dir(folder)
        .args(["-c", &commands])
        .output();
    Ok(match abc {
        Ok(output) => verdict(&String::from_utf8_lossy(&output.stdout)),
        Err(error) => Proof::Nothing(format!("cannot be compared: berkeley-abc: {error}")),
    })
}

/// What ABC's last words mean.
fn verdict(said: &str) -> Proof {
    if said.contains("Property proved.") {
        return Proof::Same;
    }
    let frame = said.split("was asserted in frame ").nth(1);
    let cycles = frame.map(|rest| rest.chars().take_while(char::is_ascii_digit).collect());
    Proof::Nothing(match cycles {
        Some::<String>(cycles) => {
            format!("differs {cycles} cycles after a reset, but the inputs may be illegal")
        }
        None => format!("no answer in {PATIENCE} s"),
    })
}

/// The module in RTLIL with its reset held during the first cycle, so that a comparison starts with what a
/// reset leaves behind.
pub(super) fn reset_first(text: &str) -> Result<String, YosysError> {
    let is_input = |line: &&str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        matches!(words[..], ["wire", "input", _, name] if name == format!("\\{RESET}"))
    };
    let Some(line) = text.lines().find(is_input) else {
        return Err(YosysError::Failed(format!("no input is called {RESET}")));
    };
    let pin = line.replace(RESET, "reset_pin");
    let widths: String = [
        "A_SIGNED 0",
        "A_WIDTH 1",
        "B_SIGNED 0",
        "B_WIDTH 1",
        "Y_WIDTH 1",
    ]
    .map(|parameter| format!("    parameter \\{parameter}\n"))
    .concat();
    let held = format!(
        "{pin}\n  wire \\{RESET}\n  wire \\in_first_cycle\n\
         \x20 cell $initstate \\starts\n    connect \\Y \\in_first_cycle\n  end\n\
         \x20 cell $or \\holds\n{widths}    connect \\A \\reset_pin\n    connect \\B \\in_first_cycle\n    \
         connect \\Y \\{RESET}\n  end"
    );
    Ok(text.replacen(line, &held, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_proof_counts_as_one() {
        assert_eq!(
            verdict("...\nProperty proved.  Time = 0.1 sec"),
            Proof::Same
        );
        let differs = "Output 0 of miter \"both\" was asserted in frame 12.  Time = 0.5 sec";
        let Proof::Nothing(reason) = verdict(differs) else {
            panic!("a counterexample is no proof")
        };
        assert!(reason.starts_with("differs 12 cycles"), "{reason}");
        let silent = verdict("Property UNDECIDED.  Time = 60.00 sec");
        assert!(matches!(silent, Proof::Nothing(_)));
    }

    #[test]
    fn the_reset_is_held_in_the_first_cycle() {
        let text = "module \\mutated\n  wire input 1 \\clk\n  wire input 2 \\rst\nend\n";
        let held = reset_first(text).expect("it has a reset");
        assert!(
            held.contains("  wire input 2 \\reset_pin\n  wire \\rst\n"),
            "{held}"
        );
        assert!(held.contains("connect \\B \\in_first_cycle\n    connect \\Y \\rst\n"));
        assert!(reset_first("module \\mutated\nend\n").is_err());
    }
}
