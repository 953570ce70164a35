//! What the boards have for nodes: lines of links, a clock, pins.

use super::LinkCore;

/// What is plugged into a block's hosts' side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pcie {
    /// Nothing: the node tests itself; a switch block has no hosts.
    None,
    /// Xilinx XDMA, AXI4-Stream mode.
    Xdma,
    /// A LitePCIe stand-alone core.
    LitePcie,
}

impl Pcie {
    /// What `--pcie` calls it.
    pub fn option(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Xdma => "xdma",
            Self::LitePcie => "litepcie",
        }
    }

    /// Hosts that it carries, at most: channels of XDMA; channels that the interrupts of LitePCIe suffice for.
    pub fn most_hosts(self) -> u32 {
        match self {
            Self::None => u32::MAX,
            Self::Xdma => 4,
            Self::LitePcie => 8,
        }
    }
}

/// How a board carries the links of a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodeBoard {
    pub board: &'static str,
    /// What carries links, the usual first.
    pub lines: &'static [LinkCore],
    /// What the hosts' side of a node can be, the usual first.
    pub pcie: &'static [Pcie],
    /// Rate of the node's clock, Hz.
    pub clock_hz: u32,
    /// Signals of the top that hold the node in reset, each at this level. On cards the clocks of links do so, too.
    pub resets: &'static [(&'static str, bool)],
    /// Ticks of a link port (64 cycles of its clock) until it asks again, and until it sends again what nobody
    /// acknowledges: longer where a word takes more than a cycle (docs/microarchitecture.md, section 7).
    pub ticks: [u32; 2],
    /// Lanes of cages by number of the link: first lanes of all cages before second ones.
    pub lanes: &'static [Lane],
    /// Pins and clocks of the hosts' side, of lines on side a or the only one, on side b. Those of lanes are paragraphs,
    /// one a link.
    pins: [&'static str; 3],
}

/// A transceiver of UltraScale+ and its reference clock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lane {
    pub gt: &'static str,
    pub quad: &'static str,
    /// Column of the device, `left` or `right`.
    pub column: &'static str,
    /// MHz
    pub reference: &'static str,
    pub cage: u32,
    /// First of its cage, whose PLL the others use.
    pub is_first: bool,
}

const fn lane(gt: &'static str, is_first: bool, cage: &Lane) -> Lane {
    Lane {
        gt,
        is_first,
        ..*cage
    }
}

const fn cage(
    cage: u32,
    quad: &'static str,
    column: &'static str,
    reference: &'static str,
) -> Lane {
    Lane {
        gt: "",
        quad,
        column,
        reference,
        cage,
        is_first: false,
    }
}

const VCU118_QSFP1: Lane = cage(0, "Quad_X1Y12", "right", "156.25");
const VCU118_QSFP2: Lane = cage(1, "Quad_X1Y13", "right", "156.25");
const ALVEO_U50_QSFP: Lane = cage(0, "Quad_X0Y7", "left", "161.1328125");

/// A constraint file of a board's lines, kept in the program.
macro_rules! pins {
    ($file:literal) => {
        include_str!(concat!("../../constraints/boards/", $file))
    };
}

/// All boards that nodes fit on.
pub static NODE_BOARDS: [NodeBoard; 4] = [
    NodeBoard {
        board: "ulx3s",
        lines: &[LinkCore::Ribbon],
        pcie: &[Pcie::None],
        clock_hz: 25_000_000,
        resets: &[("button", true), ("locked", false)],
        // a word takes eight cycles
        ticks: [48, 63],
        lanes: &[],
        pins: ["", pins!("ulx3s/ribbon_a.lpf"), pins!("ulx3s/ribbon_b.lpf")],
    },
    NodeBoard {
        board: "ecp5_evn",
        lines: &[LinkCore::Symbols8b10b],
        pcie: &[Pcie::None],
        clock_hz: 36_000_000,
        resets: &[("button_n", false), ("locked", false)],
        ticks: [9, 17],
        lanes: &[],
        pins: [
            "",
            pins!("ecp5_evn/serdes.lpf"),
            pins!("ecp5_evn/serdes.lpf"),
        ],
    },
    NodeBoard {
        board: "vcu118",
        lines: &[LinkCore::Aurora64b66b, LinkCore::TenGbaseR],
        pcie: &[Pcie::Xdma, Pcie::LitePcie, Pcie::None],
        clock_hz: 125_000_000,
        resets: &[("button", true)],
        ticks: [7, 14],
        lanes: &[
            lane("X1Y48", true, &VCU118_QSFP1),
            lane("X1Y52", true, &VCU118_QSFP2),
            lane("X1Y49", false, &VCU118_QSFP1),
            lane("X1Y53", false, &VCU118_QSFP2),
            lane("X1Y50", false, &VCU118_QSFP1),
            lane("X1Y54", false, &VCU118_QSFP2),
            lane("X1Y51", false, &VCU118_QSFP1),
            lane("X1Y55", false, &VCU118_QSFP2),
        ],
        pins: [pins!("vcu118/pcie.xdc"), pins!("vcu118/links.xdc"), ""],
    },
    NodeBoard {
        board: "alveo_u50",
        lines: &[LinkCore::Aurora64b66b, LinkCore::TenGbaseR],
        // LitePCIe's generator does not know this device's PCIe block
        pcie: &[Pcie::Xdma, Pcie::None],
        clock_hz: 100_000_000,
        resets: &[],
        ticks: [7, 14],
        lanes: &[
            lane("X0Y28", true, &ALVEO_U50_QSFP),
            lane("X0Y29", false, &ALVEO_U50_QSFP),
            lane("X0Y30", false, &ALVEO_U50_QSFP),
            lane("X0Y31", false, &ALVEO_U50_QSFP),
        ],
        pins: [
            pins!("alveo_u50/pcie.xdc"),
            pins!("alveo_u50/links.xdc"),
            "",
        ],
    },
];

impl NodeBoard {
    /// What the board of this name has.
    pub fn named(board: &str) -> Option<&'static Self> {
        NODE_BOARDS.iter().find(|place| place.board == board)
    }

    /// Signals that hold the node in reset, and their level as a digit.
    pub(super) fn reset_levels(&self) -> Vec<(&'static str, u8)> {
        let resets = self.resets.iter();
        resets
            .map(|(signal, level)| (*signal, u8::from(*level)))
            .collect()
    }

    /// Whether anything holds the node in reset, of what its top brings into the clock.
    pub(super) fn reset_level(&self) -> String {
        let active = self.resets.iter().map(|(signal, level)| match level {
            true => format!("{signal}_here"),
            false => format!("!{signal}_here"),
        });
        let links = (!self.lanes.is_empty()).then(|| "|unstable".to_owned());
        active.chain(links).collect::<Vec<_>>().join(" || ")
    }

    /// Links that the board has connectors for: an Aurora channel has a cage of its own.
    pub fn links(&self, lines: LinkCore) -> usize {
        match lines {
            LinkCore::Aurora64b66b => self.lanes.iter().filter(|lane| lane.is_first).count(),
            LinkCore::TenGbaseR => self.lanes.len(),
            LinkCore::Ribbon | LinkCore::Symbols8b10b => 1,
        }
    }

    /// Pins and clocks of the hosts' side and of this many links, for the given side of a ribbon.
    pub(super) fn constraints(&self, side: Option<&str>, pcie: Pcie, links: usize) -> String {
        let [hosts, first_side, second_side] = self.pins;
        let mut text = match pcie {
            Pcie::None => String::new(),
            Pcie::Xdma | Pcie::LitePcie => hosts.to_owned(),
        };
        match (self.lanes, side) {
            ([], Some("b")) => text += second_side,
            ([], _) => text += first_side,
            _ => {
                for paragraph in first_side.split("\n\n").take(links) {
                    text = text + "\n" + paragraph.trim() + "\n";
                }
            }
        }
        text
    }
}
