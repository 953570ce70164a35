//! What the boards have for nodes: lines of links, a clock, pins.

use super::LinkCore;

/// What is plugged into a block's hosts' side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pcie {
    /// Nothing: the node tests itself.
    None,
    /// Xilinx XDMA, AXI4-Stream mode.
    Xdma,
}

/// How a board carries the links of a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodeBoard {
    pub board: &'static str,
    pub lines: LinkCore,
    /// What `--links` calls them.
    pub line_name: &'static str,
    /// Links that the board has connectors for.
    pub links: usize,
    /// What the hosts' side of a node can be.
    pub pcie: Pcie,
    /// Rate of the node's clock, Hz.
    pub clock_hz: u32,
    /// What resets the node, as its top has it.
    pub reset_level: &'static str,
    /// Ticks of a link port (64 cycles of its clock) until it asks again, and until it sends again what nobody
    /// acknowledges: longer where a word takes more than a cycle (docs/microarchitecture.md, section 7).
    pub ticks: [u32; 2],
    /// Of Aurora channels, one a cage.
    pub lanes: &'static [Lane],
    /// Pins and clocks: of each side of a ribbon, or of the hosts' side and then of each line.
    pins: &'static [&'static str],
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
}

const fn lane(
    gt: &'static str,
    quad: &'static str,
    column: &'static str,
    mhz: &'static str,
) -> Lane {
    Lane {
        gt,
        quad,
        column,
        reference: mhz,
    }
}

/// A constraint file of a board's lines, kept in the program.
macro_rules! pins {
    ($file:literal) => {
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../constraints/boards/",
            $file
        ))
    };
}

/// All boards that nodes fit on.
pub static NODE_BOARDS: [NodeBoard; 4] = [
    NodeBoard {
        board: "ulx3s",
        lines: LinkCore::Ribbon,
        line_name: "ribbon",
        links: 1,
        pcie: Pcie::None,
        clock_hz: 25_000_000,
        reset_level: "button || !locked",
        // a word takes eight cycles
        ticks: [48, 63],
        lanes: &[],
        pins: &[pins!("ulx3s/ribbon_a.lpf"), pins!("ulx3s/ribbon_b.lpf")],
    },
    NodeBoard {
        board: "ecp5_evn",
        lines: LinkCore::Symbols8b10b,
        line_name: "serdes",
        links: 1,
        pcie: Pcie::None,
        clock_hz: 36_000_000,
        reset_level: "!button_n || !locked",
        ticks: [9, 17],
        lanes: &[],
        pins: &["", pins!("ecp5_evn/serdes.lpf")],
    },
    NodeBoard {
        board: "vcu118",
        lines: LinkCore::Aurora64b66b,
        line_name: "aurora64b66b",
        links: 2,
        pcie: Pcie::Xdma,
        clock_hz: 125_000_000,
        reset_level: "button || unstable",
        ticks: [7, 14],
        lanes: &[
            lane("X1Y48", "Quad_X1Y12", "right", "156.25"),
            lane("X1Y52", "Quad_X1Y13", "right", "156.25"),
        ],
        pins: &[
            pins!("vcu118/pcie.xdc"),
            pins!("vcu118/qsfp0.xdc"),
            pins!("vcu118/qsfp1.xdc"),
        ],
    },
    NodeBoard {
        board: "alveo_u50",
        lines: LinkCore::Aurora64b66b,
        line_name: "aurora64b66b",
        links: 1,
        pcie: Pcie::Xdma,
        clock_hz: 100_000_000,
        reset_level: "unstable",
        ticks: [7, 14],
        lanes: &[lane("X0Y28", "Quad_X0Y7", "left", "161.1328125")],
        pins: &[pins!("alveo_u50/pcie.xdc"), pins!("alveo_u50/qsfp0.xdc")],
    },
];

impl NodeBoard {
    /// What the board of this name has.
    pub fn named(board: &str) -> Option<&'static Self> {
        NODE_BOARDS.iter().find(|place| place.board == board)
    }

    /// Pins and clocks of so many lines, for the given side of a ribbon.
    pub(super) fn constraints(&self, side: Option<&str>, links: usize) -> String {
        match side {
            Some(side) => self.pins[usize::from(side == "b")].to_owned(),
            None => self.pins[..=links].concat(),
        }
    }
}
