//! The netlist with all mutants in it, made by Yosys `mutate`.
//!
//! Mutants are of single bits of cell ports: inverted, stuck at 0 or 1, or exchanged for another bit of
//! the same port. Input `mutant` selects one; 0 is the original.

use std::fs;

use mkns_scratch::Scratch;
use serde::Serialize;

use crate::scoring::{YosysError, flattening, run_yosys};

/// Name of the module that Yosys writes, and of the input that selects a mutant.
pub const MUTATED: &str = "mutated";
pub const SELECTOR: &str = "mutant";
/// Bits of the selector.
pub const SELECTOR_BITS: u32 = 16;
/// Mutants at most.
pub const MOST: u32 = (1 << SELECTOR_BITS) - 1;

/// Rules for Yosys `techmap`, in the folder of a netlist.
const MASK_FILE: &str = "mask_writes.v";

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

    /// Whether it is of a memory and not of logic.
    pub(super) fn is_of_memory(&self) -> bool {
        ["memrd", "memwr"]
            .iter()
            .any(|cell| self.place.contains(cell))
    }

    /// The command that adds it to a netlist beside others.
    pub(super) fn selected(&self) -> String {
        let Self {
            number, command, ..
        } = self;
        let arguments = command.trim_start_matches("mutate ");
        format!("mutate -ctrl {SELECTOR} {SELECTOR_BITS} {number} {arguments}")
    }
}

/// All mutants in one netlist.
pub struct Netlist {
    pub(super) folder: Scratch,
    /// Verilog of the module [`MUTATED`].
    pub text: String,
    pub mutants: Vec<Mutant>,
}

impl Netlist {
    /// Keeps the mutants of these numbers only; the text stays as it is. An error is a number that none has.
    pub fn keep(&mut self, numbers: &[u32]) -> Result<(), u32> {
        let known = |number: &&u32| self.mutants.iter().any(|mutant| mutant.number == **number);
        if let Some(unknown) = numbers.iter().find(|number| !known(number)) {
            return Err(*unknown);
        }
        (self.mutants).retain(|mutant| numbers.contains(&mutant.number));
        Ok(())
    }

    /// Mutates `top` of the sources; `seed` decides which `count` of all possible mutants, or of those in the file of
    /// one module.
    pub fn build(
        sources: &[(String, String)],
        top: &str,
        parameters: &[(String, String)],
        (count, seed): (u32, u64),
        module: Option<&str>,
    ) -> Result<Self, YosysError> {
        let folder = Scratch::new("mutate")?;
        let flatten = flattening(folder.path(), sources, top, parameters)?;
        // Register bits that keep their reset value are none to begin with. Twice as many mutants as
        // wanted: some are left out when the list is read. `cut.il` is for the comparison of survivors:
        // its memories are in a module of their own, with single bits as pins so that no pin is wider than what
        // is connected to it, and what is not written to them is 0; a table that is never written is logic.
        let constants = "opt -full -nodffe\nopt_dff -nodffe -sat\n".repeat(2);
        let cells = module.map_or_else(String::new, |module| format!(" a:src=*{module}.v:*"));
        let script = format!(
            "{flatten}opt_clean\nrename -top {MUTATED}\n{constants}dffunmap -srst-only\n\
             opt -full -nodffe -nosdff\nwreduce\nopt_clean\n\
             opt -full -nodffe -nosdff\nwrite_rtlil clean.il\ndesign -save clean\n\
             memory_collect\nmemory_map -rom-only\nopt_clean\n\
             techmap -max_iter 1 -map {MASK_FILE} t:$mem_v2 r:WR_PORTS>0 %i\nopt_clean\n\
             splitnets\nsubmod -name memories t:$mem_v2\nblackbox memories\n\
             write_rtlil cut.il\ndesign -load clean\n\
             mutate -list {} -seed {} -ctrl {SELECTOR} {SELECTOR_BITS} 1 -o list.txt{cells}\n",
            2 * count,
            seed & 0x7fff_ffff
        );
        fs::write(folder.path().join(MASK_FILE), include_str!("mask_writes.v"))?;
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
        Ok(Self {
            text: fs::read_to_string(folder.path().join("mutated.v"))?,
            folder,
            mutants,
        })
    }
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
