//! Where the lint tools are, and how each is asked about one top module.

use std::process::Command;

use serde::Serialize;

use mkns_diag::tools::{
    existing, in_path, no_verilator, no_yosys, verilator_program, verilator_root, yosys,
};

/// A program that reads Verilog and complains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tool {
    /// `verilator --lint-only -Wall`
    Verilator,
    /// `iverilog -g2005 -Wall`
    Icarus,
    /// `hierarchy -check; proc; check -assert`
    Yosys,
}

impl Tool {
    pub const ALL: [Self; 3] = [Self::Verilator, Self::Icarus, Self::Yosys];

    pub fn name(self) -> &'static str {
        match self {
            Self::Verilator => "verilator",
            Self::Icarus => "iverilog",
            Self::Yosys => "yosys",
        }
    }

    /// Largest network, in blocks, that this tool is given as a whole.
    pub fn largest_network(self) -> usize {
        match self {
            Self::Verilator => 1000,
            Self::Icarus | Self::Yosys => 100,
        }
    }

    /// What is said where it cannot be used.
    pub fn absence(self) -> String {
        match self {
            Self::Verilator => no_verilator(),
            Self::Yosys => no_yosys(),
            Self::Icarus => format!("{} is not installed", self.name()),
        }
    }

    /// How to get a missing tool.
    pub fn remedy(self) -> &'static str {
        "run `mkns setup`, which installs it"
    }

    /// The command that checks `top` of the sources in the working folder; `None` when the tool is
    /// not there. Paths are relative because Yosys, as WebAssembly, sees no other folder.
    pub fn command(self, top: &str, sources: &[String]) -> Option<Command> {
        match self {
            Self::Verilator => {
                let root = verilator_root().ok()?;
                let mut command = Command::new(existing(verilator_program(&root))?);
                command.env("VERILATOR_ROOT", root);
                command.args(["--lint-only", "-Wall", "--language", "1364-2005"]);
                command.args(["--top-module", top]).args(sources);
                Some(command)
            }
            Self::Icarus => {
                let mut command = Command::new(in_path("iverilog")?);
                command.args(["-g2005", "-Wall", "-t", "null", "-s", top]);
                command.args(sources);
                Some(command)
            }
            Self::Yosys => {
                let mut command = Command::new(yosys()?);
                let files = sources.join(" ");
                command.args(["-q", "-p"]).arg(format!(
                    "read_verilog {files}; hierarchy -check -top {top}; proc; check -assert"
                ));
                Some(command)
            }
        }
    }
}
