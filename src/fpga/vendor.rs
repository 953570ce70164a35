//! Batch scripts for the programs of FPGA makers.
//!
//! The scripts were not run by the programs themselves here: `tests/fpga_vendor.rs` executes them in
//! `tclsh` against stubs that record and check every command.

use askama::Template;

use mkns_rtl::finished;

use super::Program;
use super::board::{Board, Flow, OpenDevice};
use super::node_board::Lane;

/// Name of the script in the build folder.
pub const SCRIPT: &str = "build.tcl";

/// A core that Vivado makes: its name, what it is, and its properties.
pub struct VendorCore {
    pub name: String,
    pub kind: &'static str,
    /// What the properties start from.
    pub preset: Option<&'static str>,
    pub properties: Vec<(&'static str, String)>,
}

impl VendorCore {
    /// Aurora 64B/66B number `n`: one lane of 10.3125 Gb/s, framing, little-endian, clocks and resets inside;
    /// `init_hz`: rate of its free-running clock.
    pub fn aurora(n: usize, lane: &Lane, init_hz: u32) -> Self {
        let text = |text: &str| text.to_owned();
        Self {
            name: format!("aurora_{n}"),
            kind: "aurora_64b66b",
            preset: None,
            properties: vec![
                ("C_AURORA_LANES", text("1")),
                ("C_LINE_RATE", text("10.3125")),
                ("C_REFCLK_FREQUENCY", text(lane.reference)),
                ("C_INIT_CLK", (f64::from(init_hz) / 1e6).to_string()),
                ("C_UCOLUMN_USED", text(lane.column)),
                ("C_START_QUAD", text(lane.quad)),
                ("C_START_LANE", text(lane.gt)),
                ("CHANNEL_ENABLE", text(lane.gt)),
                ("C_REFCLK_SOURCE", format!("MGTREFCLK0_of_{}", lane.quad)),
                ("interface_mode", text("Framing")),
                ("C_USE_BYTESWAP", text("true")),
                ("drp_mode", text("Native")),
                ("SupportLevel", text("1")),
            ],
        }
    }

    /// Transceiver number `n` of 10GBASE-R: 64 bits and a header a cycle, its gearbox without pauses, its clocks and resets
    /// inside; the PLL is inside that of the cage's first lane. `free_hz`: rate of its free-running clock.
    pub fn transceiver(n: usize, lane: &Lane, free_hz: u32) -> Self {
        let text = |text: &str| text.to_owned();
        let source = format!("{} clk0", lane.gt);
        let mut properties = vec![
            ("CHANNEL_ENABLE", text(lane.gt)),
            ("TX_MASTER_CHANNEL", text(lane.gt)),
            ("RX_MASTER_CHANNEL", text(lane.gt)),
            ("TX_LINE_RATE", text("10.3125")),
            ("RX_LINE_RATE", text("10.3125")),
            ("TX_REFCLK_FREQUENCY", text(lane.reference)),
            ("RX_REFCLK_FREQUENCY", text(lane.reference)),
            ("TX_REFCLK_SOURCE", source.clone()),
            ("RX_REFCLK_SOURCE", source),
            ("TX_USER_DATA_WIDTH", text("64")),
            ("RX_USER_DATA_WIDTH", text("64")),
            ("TX_INT_DATA_WIDTH", text("64")),
            ("RX_INT_DATA_WIDTH", text("64")),
            ("FREERUN_FREQUENCY", (f64::from(free_hz) / 1e6).to_string()),
            ("LOCATE_RESET_CONTROLLER", text("CORE")),
            ("LOCATE_TX_USER_CLOCKING", text("CORE")),
            ("LOCATE_RX_USER_CLOCKING", text("CORE")),
        ];
        properties.extend(match lane.is_first {
            true => [
                ("LOCATE_COMMON", text("CORE")),
                ("ENABLE_OPTIONAL_PORTS", text("qpll0lock_out")),
            ]
            .to_vec(),
            false => vec![("LOCATE_COMMON", text("EXAMPLE_DESIGN"))],
        });
        Self {
            name: format!("gty_{n}"),
            kind: "gtwizard_ultrascale",
            preset: Some("GTY-10GBASE-R"),
            properties,
        }
    }

    /// XDMA in AXI4-Stream mode with this many channels: four lanes of 5 GT/s fill 64 bits at 250 MHz. The registers of a
    /// node's block are in a BAR of 1 MiB; each channel has
    /// an interrupt of its own.
    pub fn xdma(channels: u32) -> Self {
        let text = |text: &str| text.to_owned();
        Self {
            name: text("xdma_0"),
            kind: "xdma",
            preset: None,
            properties: vec![
                ("mode_selection", text("Advanced")),
                ("pl_link_cap_max_link_width", text("X4")),
                ("pl_link_cap_max_link_speed", text("5.0_GT/s")),
                ("axi_data_width", text("64_bit")),
                ("axisten_freq", text("250")),
                ("xdma_axi_intf_mm", text("AXI_Stream")),
                ("xdma_rnum_chnl", channels.to_string()),
                ("xdma_wnum_chnl", channels.to_string()),
                ("cfg_mgmt_if", text("false")),
                ("xdma_num_usr_irq", channels.to_string()),
                ("axilite_master_en", text("true")),
                ("axilite_master_size", text("1")),
                ("axilite_master_scale", text("Megabytes")),
            ],
        }
    }
}

/// What a script puts together.
pub struct Inputs<'a> {
    /// Paths of the Verilog.
    pub sources: &'a [String],
    pub cores: &'a [VendorCore],
    pub has_litepcie: bool,
    /// Modules with clock crossings, and the files with their constraints for Vivado.
    pub crossings: &'a [(&'static str, &'static str)],
    /// Clocks between which `node_clocks.tcl` constrains everything; 0 without that file.
    pub clocks: usize,
}

/// Declares one struct a script.
macro_rules! scripts {
    ($($template:ident $path:literal),* $(,)?) => {
        $(
            #[derive(Template)]
            #[template(path = $path)]
            #[allow(dead_code, reason = "no program wants all of it")]
            struct $template<'a> {
                banner: &'a str,
                title: &'a str,
                top: String,
                part: &'a str,
                family: &'a str,
                has_reset_release: bool,
                sources: &'a [String],
                cores: &'a [VendorCore],
                has_litepcie: bool,
                crossings: &'a [(&'static str, &'static str)],
                clocks: usize,
            }

            impl<'a> $template<'a> {
                fn text(board: &'a Board, inputs: &Inputs<'a>, banner: &'a str) -> String {
                    let view = Self {
                        banner,
                        title: board.title,
                        top: board.top(),
                        part: board.part,
                        family: board.family,
                        has_reset_release: board.has_reset_release(),
                        sources: inputs.sources,
                        cores: inputs.cores,
                        has_litepcie: inputs.has_litepcie,
                        crossings: inputs.crossings,
                        clocks: inputs.clocks,
                    };
                    finished(view.render())
                }
            }
        )*
    };
}

scripts! {
    Vivado "fpga/vivado.tcl",
    Quartus "fpga/quartus.tcl",
    Gowin "fpga/gowin.tcl",
    Radiant "fpga/radiant.tcl",
}

/// The script of the board's flow; none for the open flow.
pub fn script(board: &Board, inputs: &Inputs, banner: &str) -> Option<String> {
    let text = match board.flow {
        Flow::Open => return None,
        Flow::Vivado => Vivado::text(board, inputs, banner),
        Flow::Quartus => Quartus::text(board, inputs, banner),
        Flow::Gowin => Gowin::text(board, inputs, banner),
        Flow::Radiant => Radiant::text(board, inputs, banner),
    };
    Some(text)
}

/// The program of a flow and its arguments; none for the open flow.
pub fn command(flow: Flow) -> Option<(Program, Vec<String>)> {
    let (program, arguments): (_, &[&str]) = match flow {
        Flow::Open => return None,
        Flow::Vivado => (
            Program::Vivado,
            &["-mode", "batch", "-nojournal", "-source", SCRIPT],
        ),
        Flow::Quartus => (Program::QuartusSh, &["-t", SCRIPT]),
        Flow::Gowin => (Program::GwSh, &[SCRIPT]),
        Flow::Radiant => (Program::Radiantc, &[SCRIPT]),
    };
    Some((
        program,
        arguments.iter().map(|&word| word.to_owned()).collect(),
    ))
}

/// The file with the bitstream that the script leaves in the build folder.
pub fn bitstream(board: &Board) -> String {
    let top = board.top();
    match board.flow {
        Flow::Open if matches!(board.open, Some(OpenDevice::Gowin(_))) => format!("{top}.fs"),
        Flow::Open | Flow::Vivado => format!("{top}.bit"),
        Flow::Quartus => format!("output/{top}.sof"),
        Flow::Gowin => format!("impl/pnr/{top}.fs"),
        Flow::Radiant => format!("impl_1/{top}_impl_1.bit"),
    }
}
