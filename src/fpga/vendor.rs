//! Batch scripts for the programs of FPGA makers.
//!
//! The scripts were not run by the programs themselves here: `tests/fpga_vendor.rs` executes them in
//! `tclsh` against stubs that record and check every command.

use askama::Template;

use super::Program;
use super::board::{Board, Flow, OpenDevice};

/// Name of the script in the build folder.
pub const SCRIPT: &str = "build.tcl";

/// Declares one struct a script.
macro_rules! scripts {
    ($($template:ident $path:literal),* $(,)?) => {
        $(
            #[derive(Template)]
            #[template(path = $path)]
            struct $template<'a> {
                banner: &'a str,
                title: &'a str,
                top: String,
                part: &'a str,
                #[allow(dead_code, reason = "not every program wants one")]
                family: &'a str,
                sources: &'a [String],
            }

            impl<'a> $template<'a> {
                fn text(board: &'a Board, sources: &'a [String], banner: &'a str) -> String {
                    let view = Self {
                        banner,
                        title: board.title,
                        top: board.top(),
                        part: board.part,
                        family: board.family,
                        sources,
                    };
                    view.render().expect("templates call nothing that fails") + "\n"
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
pub fn script(board: &Board, sources: &[String], banner: &str) -> Option<String> {
    let text = match board.flow {
        Flow::Open => return None,
        Flow::Vivado => Vivado::text(board, sources, banner),
        Flow::Quartus => Quartus::text(board, sources, banner),
        Flow::Gowin => Gowin::text(board, sources, banner),
        Flow::Radiant => Radiant::text(board, sources, banner),
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
