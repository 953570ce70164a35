//! Whether a mutant that no run killed can be told from the original at all.
//!
//! Both are cut open at their memories, which hold the same as long as both wrote the same: what is read
//! is a free input of both, what is written an output to compare, data and address in cycles that write.
//! From a reset on, Berkeley ABC looks for inputs after which an output differs, of any number of cycles
//! (`lcorr` and `scorr` by induction, `pdr`).

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use mkns_scratch::Limits;

use super::netlist::{MUTATED, Mutant, Netlist, SELECTOR, SELECTOR_BITS};
use crate::scoring::{YosysError, run_yosys};

/// Seconds of processor time for what induction leaves of a proof.
const PATIENCE: u32 = 60;

/// Seconds of processor time for a whole proof: induction has no limit of its own.
const LONGEST: u64 = 120;

/// One output, 1 in any cycle but the first in which the two differ. The reset is held in the first, so that
/// they are compared in what a reset leaves behind.
const FRAME: &str = "\
.outputs differs
.names never
.latch never first re in_clk 1
.names reset_pin first in_rst
1- 1
-1 1
.names first trigger differs
01 1
";

/// What is proved of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// It is the original.
    Same,
    /// Nothing, and why.
    Nothing(String),
}

/// The original beside the module with some of the mutants in it, as a circuit of gates and registers.
pub struct Comparison<'a> {
    netlist: &'a Netlist,
    /// Numbers of the mutants in it.
    numbers: Vec<u32>,
    /// In BLIF, or why there is none.
    circuit: Result<String, String>,
}

impl<'a> Comparison<'a> {
    /// Makes the circuit: in one go for all, because Yosys takes longer for it than ABC for a proof.
    pub fn new(netlist: &'a Netlist, mutants: &[&Mutant]) -> Result<Self, YosysError> {
        let comparable = mutants.iter().filter(|mutant| !mutant.is_of_memory());
        let commands: Vec<String> = comparable.map(|mutant| mutant.selected()).collect();
        // Only the memories' pins become outputs: a wire inside that differs is no difference.
        let script = format!(
            "read_rtlil cut.il\ncopy {MUTATED} original\nselect original\n\
             add -input {SELECTOR} {SELECTOR_BITS}\nselect -clear\n{}\nrename {MUTATED} changed\n\
             expose -evert original/t:memories changed/t:memories\n\
             miter -equiv -flatten original changed both\n\
             hierarchy -top both\nopt_clean\ntechmap\nsetundef -init -zero\naigmap\nopt_clean\n\
             write_blif both.blif\n",
            commands.join("\n")
        );
        let folder = netlist.folder.path();
        let circuit = match run_yosys(folder, "compare", &script) {
            Ok(()) => Ok(fs::read_to_string(folder.join("both.blif"))?),
            Err(YosysError::Failed(said)) => {
                Err(said.lines().next_back().unwrap_or_default().to_owned())
            }
            Err(error) => return Err(error),
        };
        Ok(Self {
            netlist,
            numbers: mutants.iter().map(|mutant| mutant.number).collect(),
            circuit,
        })
    }

    /// Compares one of the mutants that it was made of with the original.
    ///
    /// # Panics
    /// When it was not made of this one: the selector would select nothing, which equals the original.
    pub fn prove(&self, mutant: &Mutant) -> Result<Proof, YosysError> {
        assert!(
            self.numbers.contains(&mutant.number),
            "{mutant:?} is not in the circuit"
        );
        if mutant.is_of_memory() {
            let reason = "a port of a memory, which the comparison leaves out";
            return Ok(Proof::Nothing(reason.to_owned()));
        }
        let circuit = match &self.circuit {
            Ok(circuit) => circuit,
            Err(reason) => return Ok(Proof::Nothing(format!("cannot be compared: {reason}"))),
        };
        let folder = self.netlist.folder.path();
        let file = format!("{}.blif", mutant.number);
        fs::write(folder.join(&file), selecting(circuit, mutant.number))?;
        let commands = format!(
            "read_blif {file}; strash; scleanup; lcorr; scleanup; scorr; scleanup; pdr -T {PATIENCE}"
        );
        Ok(match run_abc(folder, &commands) {
            Ok(said) => verdict(&said),
            Err(error) => Proof::Nothing(format!("cannot be compared: berkeley-abc: {error}")),
        })
    }
}

/// What Berkeley ABC says, until it has taken [`LONGEST`].
fn run_abc(folder: &Path, commands: &str) -> io::Result<String> {
    let mut command = Command::new("berkeley-abc");
    command
        .current_dir(folder)
        .env("TMPDIR", folder)
        .args(["-c", commands]);
    let limits = Limits {
        cpu_seconds: Some(LONGEST),
        ..Limits::default()
    };
    Ok(limits.run(&mut command, &mut |_| {})?.output)
}

/// The circuit with one mutant selected, inside [`FRAME`].
fn selecting(circuit: &str, number: u32) -> String {
    let selector = format!("in_{SELECTOR}[");
    let mut text = String::with_capacity(circuit.len() + 1024);
    for line in circuit.lines() {
        if let Some(inputs) = line.strip_prefix(".inputs ") {
            let names = inputs.split(' ');
            let kept = names.filter(|name| !name.starts_with(&selector) && *name != "in_rst");
            text += ".inputs reset_pin";
            kept.for_each(|name| {
                text.push(' ');
                text += name;
            });
            text.push('\n');
        } else if line.starts_with(".outputs ") {
            text += FRAME;
            for bit in 0..SELECTOR_BITS {
                let value = if number >> bit & 1 == 1 { "1\n" } else { "" };
                let _ = write!(text, ".names {selector}{bit}]\n{value}");
            }
        } else {
            text += line;
            text.push('\n');
        }
    }
    text
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
        None => format!("no answer in {LONGEST} s"),
    })
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
    fn a_number_takes_the_place_of_the_selector_and_the_reset_is_held() {
        let circuit = ".model both\n.inputs in_rst in_mutant[0] in_mutant[1] in_x\n\
                       .outputs trigger\n.names in_x trigger\n1 1\n.end\n";
        let text = selecting(circuit, 2);
        assert!(text.starts_with(".model both\n.inputs reset_pin in_x\n.outputs differs\n"));
        assert!(
            text.contains(".names in_mutant[0]\n.names in_mutant[1]\n1\n.names in_mutant[2]\n")
        );
        assert!(text.contains(".names reset_pin first in_rst\n"));
        assert!(text.ends_with(".names in_x trigger\n1 1\n.end\n"));
    }
}
