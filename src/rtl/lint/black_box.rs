//! Blocks as black boxes, so that a whole network is checked for its wiring alone.
//!
//! Verilator elaborates every block of a network anew, some 2 s of processor time and 50 MB each, to
//! find what it found when it checked the block by itself.

use std::fs;
use std::io;
use std::path::Path;

use mkns_scratch::Scratch;

/// The files that become empty.
const BLOCKS: [&str; 4] = [
    "rtl/adapter_block.v",
    "rtl/rok_block.v",
    "rtl/switch_block.v",
    "rtl/terminal_block.v",
];

/// What an empty module would be blamed for.
const WAIVED: [&str; 3] = ["UNDRIVEN", "UNUSEDSIGNAL", "UNUSEDPARAM"];

/// Sources of a network with empty blocks; the empty ones go away with this value.
pub struct BlackBoxes {
    _folder: Scratch,
    pub sources: Vec<String>,
}

impl BlackBoxes {
    /// Empties the blocks among the sources of an output folder.
    pub fn new(folder: &Path, sources: &[String]) -> io::Result<Self> {
        let empty = Scratch::new("lint")?;
        let mut list = Vec::new();
        for source in sources {
            if !BLOCKS.contains(&source.as_str()) {
                list.push(source.clone());
                continue;
            }
            let text = fs::read_to_string(folder.join(source))?;
            let path = empty.path().join(source.replace("rtl/", ""));
            fs::write(&path, emptied(&text))?;
            list.push(path.to_string_lossy().into_owned());
        }
        Ok(Self {
            _folder: empty,
            sources: list,
        })
    }
}

/// A module reduced to its header; unchanged when it has none.
fn emptied(text: &str) -> String {
    let Some((header, _)) = text.split_once("\n);\n") else {
        return text.to_owned();
    };
    let off = WAIVED.map(|warning| format!("/* verilator lint_off {warning} */\n"));
    let on = WAIVED.map(|warning| format!("/* verilator lint_on {warning} */\n"));
    let end = "\n);\nendmodule\n\n`default_nettype wire\n";
    format!("{}{header}{end}{}", off.concat(), on.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_emptied_module_keeps_its_ports_only() {
        let text = "module m (\n    input wire a\n);\n    wire b = a;\nendmodule\n";
        let empty = emptied(text);
        assert!(empty.contains("module m (\n    input wire a\n);\nendmodule\n"));
        assert!(!empty.contains("wire b"));
    }
}
