//! The netlist with all mutants in it, made by Yosys `mutate`.
//!
//! Mutants are of single bits of cell ports: inverted, stuck at 0 or 1, or exchanged for another bit of
//! the same port. Input `mutant` selects one; 0 is the original.

use std::fs;

use serde::Serialize;
use tempfile::TempDir;

use super::equivalence::BUFFERED;
use crate::cosim::study::{YosysError, flattening, run_yosys};

/// Name of the module that Yosys writes, and of the input that selects a mutant.
pub const MUTATED: &str = "mutated";
pub const SELECTOR: &str = "mutant";
/// Bits of the selector.
pub const SELECTOR_BITS: u32 = 16;
/// Mutants at most.
pub const MOST: u32 = (1 << SELECTOR_BITS) - 1;

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mutant {
    /// Value of the selector.
    pub number: u32,
    /// `inv`, `const0`, `const1`, `cnot0`, `cnot1`.
    pub mode: String,
    /// Cell, port and bit in the netlist.
    pub place: String,
    /// Lines of the RTL that the cell came from, `file:line.column-line.column`.
    pub sources: Vec<String>,
    /// The Yosys command without its selector.
    #[serde(skip)]
    pub command: String,
}

impl Mutant {
    /// Reads a line of `mutate -list`; none when the mutant would not be one of behaviour: a clock, the
    /// power-up contents of a memory (`mkns cosim --flat` checks those), or the enable of an asynchronous
    /// read port, which Yosys wants to be constant.
    fn read(line: &str, number: u32) -> Option<Self> {
        if line.contains("meminit") || line.contains("mem.cc") {
            return None;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let values = |option: &'static str| {
            let pairs = words.windows(2).filter(move |pair| pair[0] == option);
            pairs.map(|pair| pair[1].to_owned())
        };
        let value = |option| values(option).next();
        let port = value("-port").filter(|port| !port.ends_with("CLK"))?;
        if line.contains("$memrd") && port == "EN" {
            return None;
        }
        let selector = words.iter().position(|word| *word == "-ctrl")?;
        let mut command = words.clone();
        command.drain(selector..selector + 4);
        Some(Self {
            number,
            mode: value("-mode")?,
            place: format!("{} {port}[{}]", value("-cell")?, value("-portbit")?),
            sources: values("-src").collect(),
            command: command.join(" "),
        })
    }

    /// The register whose output is changed, if it is one.
    pub(super) fn register(&self) -> Option<&str> {
        let cell = self.place.split(' ').next()?;
        (self.place.contains(" Q[") && self.command.contains("-port Q ")).then_some(cell)
    }

    /// The command that adds it to a netlist beside others.
    fn selected(&self) -> String {
        let Self {
            number, command, ..
        } = self;
        let arguments = command.trim_start_matches("mutate ");
        format!("mutate -ctrl {SELECTOR} {SELECTOR_BITS} {number} {arguments}")
    }
}

/// All mutants in one netlist.
pub struct Netlist {
    pub(super) folder: TempDir,
    /// Inputs of the module cut open, of 32 bits each, on which totals of event counters come from their
    /// memories.
    pub(super) totals: Vec<String>,
    /// Verilog of the module [`MUTATED`].
    pub text: String,
    pub mutants: Vec<Mutant>,
}

impl Netlist {
    /// Mutates `top` of the sources; `seed` decides which `count` of all possible mutants.
    pub fn build(
        sources: &[(String, String)],
        top: &str,
        parameters: &[(String, String)],
        count: u32,
        seed: u64,
    ) -> Result<Self, YosysError> {
        let folder = tempfile::Builder::new().prefix("mkns-mutate-").tempdir()?;
        fs::write(folder.path().join("buffered.v"), BUFFERED)?;
        let flatten = flattening(folder.path(), sources, top, parameters)?;
        // Register bits that keep their reset value are none to begin with. Twice as many mutants as
        // wanted: some are left out when the list is read. `cut.il` is for the comparison of survivors:
        // its memories are in a module of their own, and no register is part of a wire only, because
        // `expose` leaves such registers closed.
        let constants = "opt -full -nodffe\nopt_dff -nodffe -sat\n".repeat(2);
        let script = format!(
            "{flatten}opt_clean\nrename -top {MUTATED}\n{constants}dffunmap -srst-only\n\
             opt -full -nodffe -nosdff\nwreduce\nopt_clean\n\
             opt -full -nodffe -nosdff\nwrite_rtlil clean.il\ndesign -save clean\n\
             splitnets -driver\nmemory_collect\nopt_clean\nsubmod -name memories t:$mem_v2\nblackbox memories\n\
             write_rtlil cut.il\ndesign -load clean\n\
             mutate -list {} -seed {} -ctrl {SELECTOR} {SELECTOR_BITS} 1 -o list.txt\n",
            2 * count,
            seed & 0x7fff_ffff
        );
        run_yosys(folder.path(), "list", &script)?;
        let list = fs::read_to_string(folder.path().join("list.txt"))?;
        let mut mutants = Vec::new();
        for line in list.lines() {
            mutants.extend(Mutant::read(line, mutants.len() as u32 + 1));
        }
        mutants.truncate(count as usize);
        let commands: Vec<String> = mutants.iter().map(Mutant::selected).collect();
        let script = format!(
            "read_rtlil clean.il\n{}\ncheck -assert\nwrite_verilog -noattr mutated.v\n",
            commands.join("\n")
        );
        run_yosys(folder.path(), "apply", &script)?;
        let cut = fs::read_to_string(folder.path().join("cut.il"))?;
        Ok(Self {
            totals: totals(&cut),
            text: fs::read_to_string(folder.path().join("mutated.v"))?,
            folder,
            mutants,
        })
    }
}

/// The inputs that stand for what is read from memories named `total` (`counter_group.v`): outputs of
/// the cell that holds all memories.
fn totals(cut: &str) -> Vec<String> {
    let lines = cut.lines().map(str::trim);
    let memories = lines
        .skip_while(|line| *line != r"cell \memories \memories")
        .take_while(|line| *line != "end");
    let words = memories.map(|line| line.split_whitespace().collect::<Vec<_>>());
    words
        .filter_map(|words| match words[..] {
            ["connect", port, source] if is_total(source) => {
                Some(format!("in_memories.{}", port.trim_start_matches('\\')))
            }
            _ => None,
        })
        .collect()
}

fn is_total(source: &str) -> bool {
    source.contains(r"$memrd$\total$") && source.ends_with("_DATA")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "mutate -ctrl mutant 16 7 -mode inv -module mutated -cell $procmux$4 \
                        -port B -portbit 25 -ctrlbit 45 -src queue_bank.v:89.13-89.25 -src x.v:1.2";

    #[test]
    fn a_listed_mutant_is_read_and_selected_by_its_own_number() {
        let mutant = Mutant::read(LINE, 3).expect("a mutant");
        assert_eq!((mutant.mode.as_str(), mutant.number), ("inv", 3));
        assert_eq!(mutant.place, "$procmux$4 B[25]");
        assert_eq!(mutant.sources, ["queue_bank.v:89.13-89.25", "x.v:1.2"]);
        let selected = mutant.selected();
        assert!(selected.starts_with("mutate -ctrl mutant 16 3 -mode inv -module mutated -cell"));
        assert!(!mutant.command.contains("-ctrl "));
        assert!(mutant.command.contains("-ctrlbit 45"));
    }

    #[test]
    fn totals_are_outputs_of_the_memories_and_of_no_other_cell() {
        let read = r"\core.counters.$memrd$\total$counter_group.v:60$12_DATA";
        let cut = format!(
            "module \\mutated\n  cell $add $1\n    connect \\A {read}\n  end\n  \
             cell \\memories \\memories\n    connect \\n1 {read}\n    connect \\n2 \\clk\n  end\nend\n"
        );
        assert_eq!(totals(&cut), ["in_memories.n1"]);
    }

    #[test]
    fn clocks_and_power_up_contents_are_no_mutants() {
        assert_eq!(Mutant::read(&LINE.replace("-port B", "-port CLK"), 1), None);
        let enable = LINE
            .replace("$procmux", "$memrd")
            .replace("-port B", "-port EN");
        assert_eq!(Mutant::read(&enable, 1), None);
        assert_eq!(
            Mutant::read(&LINE.replace("$procmux$4", "$meminit$4"), 1),
            None
        );
    }
}
