//! The open flow: from Verilog to a bitstream by Yosys, nextpnr and the packer of the device's family.

use serde::Serialize;

use super::area::Area;
use super::board::{Board, OpenDevice};
use super::nextpnr::{Placing, Timing, ecp5_options, place_and_route};
use super::tool_runner::ToolRunner;
use super::yosys::{synthesise_ecp5, synthesise_gowin};
use super::{Device, FlowError, Program, vendor};

const NETLIST: &str = "netlist.json";
/// Routed design of nextpnr-ecp5.
const CONFIGURATION: &str = "routed.config";
/// Routed design of nextpnr-himbaechel.
const ROUTED: &str = "routed.json";

/// Area and timing of the open flow.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OpenFigures {
    /// Cells of an ECP5; of other devices only the utilisation is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub area: Option<Area>,
    pub timing: Timing,
}

/// What differs between families: programs and their options.
struct Steps {
    placer: Program,
    placer_options: Vec<String>,
    packer: Program,
    packer_options: Vec<String>,
}

/// Makes the bitstream of the board's top from sources in the build folder.
///
/// Fails with [`FlowError::Timing`], and leaves no bitstream, when the clock is not reached.
pub fn run(
    board: &Board,
    sources: &[String],
    seed: u64,
    runner: &ToolRunner,
) -> Result<OpenFigures, FlowError> {
    runner.listener.begins("synthesis");
    let top = board.top();
    let area = match board.open {
        Some(OpenDevice::Gowin(_)) => {
            synthesise_gowin(runner, sources, &top, NETLIST)?;
            None
        }
        _ => Some(
            synthesise_ecp5(runner, sources, &top, NETLIST)?
                .cells
                .area(),
        ),
    };
    let steps = steps(board, area.map_or(0, |area| area.comb));
    runner.listener.begins("placement and routing");
    let wanted = mhz(board);
    let placing = Placing {
        program: steps.placer,
        options: steps.placer_options,
        mhz: wanted,
        seed,
        netlist: NETLIST,
    };
    let timing = place_and_route(runner, &placing)?;
    if !timing.is_met() {
        let achieved = timing.fmax();
        return Err(FlowError::Timing { achieved, wanted });
    }
    runner.listener.begins("bitstream");
    let log = format!("{}.log", steps.packer.name());
    runner.run(steps.packer, &steps.packer_options, &log)?;
    Ok(OpenFigures { area, timing })
}

/// The flow as commands for a terminal, simpler than what runs here: all modules are mapped for the same delay.
/// They are joined after mapping, because a flattened table that nobody writes fits no LUT RAM.
pub fn commands(board: &Board) -> Vec<String> {
    let steps = steps(board, 0);
    let top = board.top();
    let (synthesis, pads) = match steps.placer {
        Program::NextpnrGowin => (
            "synth_gowin -family gw2a -noiopads",
            "iopadmap -bits -inpad IBUF O:I -outpad OBUF I:O; ",
        ),
        _ => ("synth_ecp5", ""),
    };
    let command =
        |program: Program, options: &[String]| format!("{} {}", program.name(), options.join(" "));
    let placer = command(steps.placer, &steps.placer_options);
    vec![
        format!(
            "yosys -p \"{synthesis} -noflatten -nowidelut -nodsp -top {top}; flatten; opt_clean -purge; {pads}write_json {NETLIST}\" rtl/*.v"
        ),
        format!("{placer} --json {NETLIST} --freq {}", mhz(board)),
        command(steps.packer, &steps.packer_options),
    ]
}

fn mhz(board: &Board) -> f64 {
    f64::from(board.made_clock_hz.unwrap_or(board.clock_hz())) / 1e6
}

/// `comb`: size of the design, when it is known.
fn steps(board: &Board, comb: u64) -> Steps {
    let words = |words: &[&str]| {
        words
            .iter()
            .map(|&word| word.to_owned())
            .collect::<Vec<_>>()
    };
    let pins = board.constraints[0].0;
    let bitstream = vendor::bitstream(board);
    match board.open.expect("boards of the open flow have one") {
        OpenDevice::Ecp5(device, package, speed) => {
            let device = Device::named(device).expect("the table of boards names known devices");
            let mut placer_options = ecp5_options(device, package, speed, comb);
            placer_options.extend(words(&["--lpf", pins, "--textcfg", CONFIGURATION]));
            let files = ["--compress", "--input", CONFIGURATION, "--bit", &bitstream];
            Steps {
                placer: Program::NextpnrEcp5,
                placer_options,
                packer: Program::Ecppack,
                packer_options: words(&files),
            }
        }
        OpenDevice::Gowin(family) => {
            let (family_option, pins) = (format!("family={family}"), format!("cst={pins}"));
            let device = ["--device", board.part, "--vopt", &family_option];
            let mut placer_options = words(&device);
            placer_options.extend(words(&["--vopt", &pins, "--write", ROUTED]));
            Steps {
                placer: Program::NextpnrGowin,
                placer_options,
                packer: Program::GowinPack,
                packer_options: words(&["-d", family, "-o", &bitstream, ROUTED]),
            }
        }
    }
}
