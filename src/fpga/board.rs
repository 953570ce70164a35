//! The boards that `mkns fpga` knows: device, clock, reset and LEDs; pins are in `constraints/boards/`.

use serde::Serialize;

/// Which programs make the bitstream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Flow {
    /// Yosys, nextpnr, ecppack or gowin_pack.
    Open,
    /// AMD Vivado.
    Vivado,
    /// Altera Quartus Prime.
    Quartus,
    /// Gowin EDA.
    Gowin,
    /// Lattice Radiant.
    Radiant,
}

/// The button that resets the self-test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reset {
    /// There is none: only configuration resets.
    None,
    /// 1 when pressed; port `button`.
    High,
    /// 0 when pressed; port `button_n`.
    Low,
}

/// A constraint file: name in the build folder, text.
pub type ConstraintFile = (&'static str, &'static str);

/// The device as the programs of the open flow name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OpenDevice {
    /// Name of the device in mkns, package, speed grade.
    Ecp5(&'static str, &'static str, u32),
    /// Device family with its version; nextpnr takes the ordering name too.
    Gowin(&'static str),
}

/// A board.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Board {
    /// Name on the command line.
    pub name: &'static str,
    /// Name of the maker.
    pub title: &'static str,
    /// What makes the bitstream unless another flow is wanted.
    pub flow: Flow,
    /// The maker's programs, where they are not `flow`.
    pub other_flow: Option<Flow>,
    /// Ordering name of the device, as the flow wants it.
    pub part: &'static str,
    /// Device family (Quartus), device version (Gowin), performance grade (Radiant).
    pub family: &'static str,
    /// For the open flow.
    pub open: Option<OpenDevice>,
    /// Rate of the oscillator, Hz.
    pub oscillator_hz: u32,
    /// The clock comes as a pair `clk_p`, `clk_n` (Xilinx only).
    pub is_differential: bool,
    /// The oscillator is divided by this (Xilinx only).
    pub divide: u32,
    pub reset: Reset,
    pub leds: u32,
    /// LEDs light when driven to 0.
    pub leds_are_low: bool,
    /// Pins that must have a fixed level.
    pub tied: &'static [(&'static str, bool)],
    /// Name of the block of a network that is the board's node; none for the self-test.
    #[serde(skip)]
    pub node: Option<String>,
    /// Rate of the clock that a node's top makes of the oscillator's, Hz.
    #[serde(skip)]
    pub made_clock_hz: Option<u32>,
    #[serde(skip)]
    pub constraints: &'static [ConstraintFile],
}

/// A file of `constraints/`, kept in the program.
macro_rules! constraint {
    ($folder:literal, $file:literal) => {
        (
            $file,
            include_str!(concat!("../../constraints/", $folder, "/", $file)),
        )
    };
}

pub(super) use constraint;

/// What boards have in common unless they say otherwise.
const PLAIN: Board = Board {
    name: "",
    title: "",
    flow: Flow::Open,
    other_flow: None,
    part: "",
    family: "",
    open: None,
    oscillator_hz: 0,
    is_differential: false,
    divide: 1,
    reset: Reset::None,
    leds: 4,
    leds_are_low: false,
    tied: &[],
    node: None,
    made_clock_hz: None,
    constraints: &[],
};

/// All boards.
pub static BOARDS: [Board; 7] = [
    Board {
        name: "ulx3s",
        title: "Radiona ULX3S (LFE5U-85F)",
        part: "LFE5U-85F-6BG381C",
        open: Some(OpenDevice::Ecp5("ecp5-85f", "CABGA381", 6)),
        oscillator_hz: 25_000_000,
        reset: Reset::High,
        tied: &[("wifi_gpio0", true)],
        constraints: &[constraint!("boards/ulx3s", "board.lpf")],
        ..PLAIN
    },
    Board {
        name: "ecp5_evn",
        title: "Lattice ECP5 Evaluation Board (LFE5UM5G-85F)",
        part: "LFE5UM5G-85F-8BG381",
        open: Some(OpenDevice::Ecp5("ecp5-85um5g", "CABGA381", 8)),
        oscillator_hz: 12_000_000,
        reset: Reset::Low,
        leds_are_low: true,
        constraints: &[constraint!("boards/ecp5_evn", "board.lpf")],
        ..PLAIN
    },
    Board {
        name: "tang_primer_20k",
        title: "Sipeed Tang Primer 20K (GW2A-18C)",
        other_flow: Some(Flow::Gowin),
        part: "GW2A-LV18PG256C8/I7",
        family: "C",
        open: Some(OpenDevice::Gowin("GW2A-18C")),
        oscillator_hz: 27_000_000,
        leds_are_low: true,
        constraints: &[
            constraint!("boards/tang_primer_20k", "board.cst"),
            constraint!("boards/tang_primer_20k", "board.sdc"),
        ],
        ..PLAIN
    },
    Board {
        name: "crosslink_nx_evn",
        title: "Lattice CrossLink-NX Evaluation Board (LIFCL-40)",
        flow: Flow::Radiant,
        part: "LIFCL-40-9BG400C",
        family: "9_High-Performance_1.0V",
        oscillator_hz: 12_000_000,
        reset: Reset::Low,
        leds_are_low: true,
        constraints: &[
            constraint!("boards/crosslink_nx_evn", "board.pdc"),
            constraint!("boards/crosslink_nx_evn", "board.ldc"),
        ],
        ..PLAIN
    },
    Board {
        name: "vcu118",
        title: "Xilinx VCU118 (xcvu9p)",
        flow: Flow::Vivado,
        part: "xcvu9p-flga2104-2L-e",
        oscillator_hz: 125_000_000,
        is_differential: true,
        divide: 4,
        reset: Reset::High,
        constraints: &[constraint!("boards/vcu118", "board.xdc")],
        ..PLAIN
    },
    Board {
        name: "alveo_u50",
        title: "Xilinx Alveo U50 (xcu50)",
        flow: Flow::Vivado,
        part: "xcu50-fsvh2104-2-e",
        oscillator_hz: 100_000_000,
        is_differential: true,
        divide: 4,
        leds: 3,
        tied: &[("hbm_cattrip", false)],
        constraints: &[constraint!("boards/alveo_u50", "board.xdc")],
        ..PLAIN
    },
    Board {
        name: "de10_agilex",
        title: "Terasic DE10-Agilex (AGFB014)",
        flow: Flow::Quartus,
        part: "AGFB014R24B2E2V",
        family: "Agilex 7",
        oscillator_hz: 50_000_000,
        reset: Reset::Low,
        leds_are_low: true,
        constraints: &[
            constraint!("boards/de10_agilex", "board.qsf"),
            constraint!("boards/de10_agilex", "board.sdc"),
        ],
        ..PLAIN
    },
];

impl Board {
    /// The board of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        BOARDS.iter().find(|board| board.name == name)
    }

    /// Whether the device has room for a small self-test only.
    pub fn is_small(&self) -> bool {
        matches!(self.open, Some(OpenDevice::Gowin(_)))
    }

    /// The board with this flow; none when it does not make bitstreams for its device.
    pub fn with_flow(&self, flow: Flow) -> Option<Self> {
        let fits = flow == self.flow || Some(flow) == self.other_flow;
        fits.then(|| Self {
            flow,
            ..self.clone()
        })
    }

    /// Whether registers may run before all of the device is configured, which its Reset Release IP tells.
    pub(super) fn has_reset_release(&self) -> bool {
        self.family.starts_with("Agilex")
    }

    /// Pins with a fixed level, and the level.
    pub(super) fn tied_levels(&self) -> Vec<(&'static str, &'static str)> {
        let level = |level| if level { "1'b1" } else { "1'b0" };
        let pins = self.tied.iter();
        pins.map(|&(pin, high)| (pin, level(high))).collect()
    }

    /// Rate of the self-test's clock, Hz.
    pub fn clock_hz(&self) -> u32 {
        self.oscillator_hz / self.divide
    }

    /// Name of the top module.
    pub fn top(&self) -> String {
        match &self.node {
            Some(block) => format!("node_{block}"),
            None => format!("selftest_{}", self.name),
        }
    }
}

impl Flow {
    pub const ALL: [Self; 5] = [
        Self::Open,
        Self::Vivado,
        Self::Quartus,
        Self::Gowin,
        Self::Radiant,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Vivado => "vivado",
            Self::Quartus => "quartus",
            Self::Gowin => "gowin",
            Self::Radiant => "radiant",
        }
    }
}
