//! From the self-test of a board to its bitstream.

use std::fs;

use serde::Serialize;

use super::area::Area;
use super::board::{Board, Flow};
use super::fusesoc;
use super::nextpnr::{Placing, Timing, place_and_route};
use super::run::{Workshop, io_error};
use super::selftest::SelfTest;
use super::vendor;
use super::yosys::synthesise_ecp5;
use super::{Device, FlowError, Program};

const NETLIST: &str = "netlist.json";
const CONFIGURATION: &str = "routed.config";

/// A bitstream and what is known of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Built {
    pub board: &'static str,
    pub part: &'static str,
    pub flow: Flow,
    /// Path inside the build folder.
    pub bitstream: String,
    /// What the tools of the open flow say; a vendor's program writes reports of its own.
    pub open: Option<OpenFigures>,
}

/// Area and timing of the open flow.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OpenFigures {
    pub area: Area,
    pub timing: Timing,
}

/// What is to be built.
pub struct Build<'a> {
    pub test: SelfTest<'a>,
    pub board: &'static Board,
    pub seed: u64,
    /// Comment that tells where the files come from, without comment marks.
    pub banner: &'a str,
}

impl Build<'_> {
    /// Writes sources, constraints and script; old results go away. Returns the commands that make
    /// the bitstream in the folder.
    pub fn prepare(&self, shop: &Workshop) -> Result<Vec<String>, FlowError> {
        let stale = shop.folder.join(vendor::bitstream(self.board));
        if stale.exists() {
            fs::remove_file(&stale).map_err(io_error("remove", &stale))?;
        }
        let comment = format!("// {}", self.banner);
        for (name, text) in self.test.sources(self.board, &comment) {
            shop.write(&format!("rtl/{name}"), &text)?;
        }
        for (name, text) in self.board.constraints {
            shop.write(name, text)?;
        }
        let sources = self.source_paths();
        if let Some(script) = vendor::script(self.board, &sources, self.banner) {
            shop.write(vendor::SCRIPT, &script)?;
        }
        for (name, text) in fusesoc::files(self.board, &sources, self.banner)
            .iter()
            .flatten()
        {
            shop.write(name, text)?;
        }
        Ok(self.commands())
    }

    /// Runs the flow in a prepared folder.
    pub fn run(&self, shop: &Workshop) -> Result<Built, FlowError> {
        let open = match vendor::command(self.board.flow) {
            Some((program, arguments)) => {
                shop.watcher.begins(program.name());
                shop.run(program, &arguments, "build.log")?;
                None
            }
            None => Some(self.run_open(shop)?),
        };
        let bitstream = vendor::bitstream(self.board);
        if !shop.folder.join(&bitstream).is_file() {
            let what = format!("there is no {bitstream}");
            let program = vendor::command(self.board.flow).map_or(Program::Ecppack, |one| one.0);
            return Err(FlowError::Unreadable { program, what });
        }
        Ok(Built {
            board: self.board.name,
            part: self.board.part,
            flow: self.board.flow,
            bitstream,
            open,
        })
    }

    fn run_open(&self, shop: &Workshop) -> Result<OpenFigures, FlowError> {
        let (device, package, speed) = self.board.open.expect("boards of the open flow have one");
        let device = Device::named(device).expect("the table of boards names known devices");
        shop.watcher.begins("synthesis");
        let synthesis = synthesise_ecp5(shop, &self.source_paths(), &self.board.top(), NETLIST)?;
        shop.watcher.begins("placement and routing");
        let wanted = f64::from(self.board.clock_hz()) / 1e6;
        let timing = place_and_route(
            shop,
            &Placing {
                device,
                package,
                speed,
                mhz: wanted,
                seed: self.seed,
                netlist: NETLIST,
                constraints: Some(self.board.constraints[0].0),
                configuration: Some(CONFIGURATION),
            },
        )?;
        if !timing.is_met() {
            let achieved = timing.fmax();
            return Err(FlowError::Timing { achieved, wanted });
        }
        shop.watcher.begins("bitstream");
        let bitstream = vendor::bitstream(self.board);
        let arguments = ["--compress", "--input", CONFIGURATION, "--bit", &bitstream];
        let arguments = arguments.map(str::to_owned);
        shop.run(Program::Ecppack, &arguments, "ecppack.log")?;
        Ok(OpenFigures {
            area: synthesis.cells.area(),
            timing,
        })
    }

    fn commands(&self) -> Vec<String> {
        match vendor::command(self.board.flow) {
            Some((program, arguments)) => {
                vec![format!("{} {}", program.name(), arguments.join(" "))]
            }
            None => {
                let (device, package, speed) =
                    self.board.open.expect("boards of the open flow have one");
                let option = Device::named(device).map_or("", |device| device.option);
                let top = self.board.top();
                vec![
                    format!("yosys -p \"synth_ecp5 -top {top} -json {NETLIST}\" rtl/*.v"),
                    format!(
                        "nextpnr-ecp5 {option} --package {package} --speed {speed} --json {NETLIST} \
                         --lpf {} --textcfg {CONFIGURATION}",
                        self.board.constraints[0].0
                    ),
                    format!("ecppack --compress --input {CONFIGURATION} --bit {top}.bit"),
                ]
            }
        }
    }

    fn source_paths(&self) -> Vec<String> {
        let sources = self.test.sources(self.board, "");
        let names = sources.into_iter().map(|(name, _)| format!("rtl/{name}"));
        names.collect()
    }
}
