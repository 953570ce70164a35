//! `mkns cabling`: the plan of all cables in racks, and a machine's cabling against it.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::block_registers::{OtherAccess, file_offset, mapped_registers, serial_registers};
use super::renamed;
use super::spec_arguments::SpecArguments;
use super::{Command, CommandError, Context, Format, format, picture};
use mkns_cabling::{
    Check, FloorLayout, FloorPlan, Plan, ReadBack, check, racks_svg, read_back, read_floor_plan,
};
use mkns_design::serial_link;
use mkns_diag::{Code, TextFile, TextKind};
use mkns_manage::{Registers, seen_peers};
use mkns_spec::NetworkSpec;
use mkns_topology as topology;
use mkns_topology::{End, Network};

/// How long an answer on a serial line may take.
const ANSWER: Duration = Duration::from_secs(1);

/// Print the cabling plan, rack by rack, or check a machine against it
#[derive(Debug, Args)]
pub struct Cabling {
    #[command(flatten)]
    spec: SpecArguments,
    /// Floor plan (TOML): rows, racks, pitches and cable lengths (docs/reference/cabling.md)
    #[arg(long, value_name = "FILE.toml")]
    floor: Option<PathBuf>,
    /// Write a picture of the racks
    #[arg(short, long, value_name = "FILE.svg|png", alias = "svg")]
    output: Option<PathBuf>,
    /// Check the cables found in a machine, listed port by port in this CSV or JSON file: name wrong, missing and dead
    /// cables and the smallest set of moves that repairs them
    #[arg(long, value_name = "FILE")]
    read_back: Option<PathBuf>,
    #[command(flatten)]
    renamed: renamed::ReadBack,
    /// Check the serial cables of a running network: read the PEER registers of all blocks from a memory-mapped file such
    /// as /dev/xdma0_user, 1 MiB per block
    #[arg(long, value_name = "FILE", conflicts_with_all = ["read_back", "output", "serial"])]
    mmap: Option<PathBuf>,
    /// Where the registers begin in the file of --mmap, in bytes: 0x100000 in BAR 0 of a node with LitePCIe
    #[arg(long, value_name = "BYTES", value_parser = file_offset, default_value = "0", requires = "mmap")]
    mmap_offset: u64,
    /// Like --mmap, over a serial line to a register bridge (docs/reference/manager.md)
    #[arg(long, value_name = "DEVICE", conflicts_with_all = ["read_back", "output"])]
    serial: Option<PathBuf>,
}

/// What ports say of their peers against the plan; cables that are not serial count as planned.
pub fn check_peers(
    spec: &NetworkSpec,
    network: &Network,
    seen: &[(End, Option<End>)],
) -> Result<Check, CommandError> {
    let floor_layout = FloorLayout::new(spec, network, FloorPlan::default())?;
    check_seen(spec, network, &floor_layout, seen)
}

fn check_seen(
    spec: &NetworkSpec,
    network: &Network,
    floor_layout: &FloorLayout,
    seen: &[(End, Option<End>)],
) -> Result<Check, CommandError> {
    let others = network
        .cables
        .iter()
        .filter(|cable| serial_link(spec, cable).is_none());
    let others = others.map(|cable| (cable.a, Some(cable.b)));
    let seen: Vec<(End, Option<End>)> = seen.iter().copied().chain(others).collect();
    let found = ReadBack::of_ends(network, &seen).map_err(|fact| {
        let remedy =
            "two ports contradict each other: read them again when links have come to rest";
        CommandError::new(Code::NotReadBack, fact, remedy)
    })?;
    Ok(check(network, floor_layout, &found))
}

impl Command for Cabling {
    const FORMATS: &[Format] = format::LINES;

    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let spec = self.spec.parse()?;
        let floor = floor_plan(self.floor.as_ref())?;
        let network = topology::build(&spec);
        let floor_layout = FloorLayout::new(&spec, &network, floor)?;
        match (&self.read_back, &self.mmap, &self.serial) {
            (Some(path), _, _) => self.compare(path, &network, &floor_layout, context),
            (None, Some(path), _) => {
                let blocks = network.blocks.len();
                let registers =
                    mapped_registers(path, self.mmap_offset, blocks, OtherAccess::Together)?;
                peers_verdict(&spec, &network, &floor_layout, registers, context)
            }
            (None, None, Some(path)) => {
                let registers = serial_registers(path, ANSWER)?;
                peers_verdict(&spec, &network, &floor_layout, registers, context)
            }
            (None, None, None) => self.plan(&network, &floor_layout, context),
        }
    }
}

/// The floor plan of a file, or the one that holds without any.
pub fn floor_plan(path: Option<&PathBuf>) -> Result<FloorPlan, CommandError> {
    let Some(path) = path else {
        return Ok(FloorPlan::default());
    };
    let text = text_of(path, TextKind::Toml, Code::NotFloorPlan, "a floor plan")?;
    Ok(read_floor_plan(&path.display().to_string(), &text)?)
}

impl Cabling {
    fn plan(
        &self,
        network: &Network,
        floor_layout: &FloorLayout,
        context: &Context,
    ) -> Result<(), CommandError> {
        picture::ensure_writable("--output", self.output.as_ref())?;
        let plan = Plan::new(network, floor_layout);
        if let Some(path) = &self.output {
            picture::write(path, racks_svg(network, floor_layout, &plan), context)?;
        }
        context.table(plan.to_text(), || plan.to_csv(), &plan)
    }

    fn compare(
        &self,
        path: &Path,
        network: &Network,
        floor_layout: &FloorLayout,
        context: &Context,
    ) -> Result<(), CommandError> {
        if self.output.is_some() {
            return Err(CommandError::no_effect("--output", "with `--read-back`"));
        }
        if context.format() == Format::Csv {
            let fact = "`--format csv`: the result of a check is not a table of numbers";
            let remedy = "use text or json";
            return Err(CommandError::new(Code::FormatNotOffered, fact, remedy));
        }
        let text = text_of(path, TextKind::Table, Code::NotReadBack, "a read-back")?;
        let found = read_back(&path.display().to_string(), &text, network)?;
        let outcome = check(network, floor_layout, &found);
        context.checked(outcome.passed, outcome.to_text(), &outcome)
    }
}

/// The outcome of a look at a running network.
fn peers_verdict(
    spec: &NetworkSpec,
    network: &Network,
    floor_layout: &FloorLayout,
    mut registers: impl Registers<Error = io::Error>,
    context: &Context,
) -> Result<(), CommandError> {
    let seen = seen_peers(spec, network, &mut registers).map_err(CommandError::io("read PEER"))?;
    let seen: Vec<_> = seen.iter().map(|seen| (seen.end, seen.peer)).collect();
    let outcome = check_seen(spec, network, floor_layout, &seen)?;
    context.checked(outcome.passed, outcome.to_text(), &outcome)
}

/// The text of a file; `what` it should be is for the message.
fn text_of(path: &Path, kind: TextKind, code: Code, what: &str) -> Result<String, CommandError> {
    let remedy = format!("give the path of {what}; see docs/reference/cabling.md");
    Ok(TextFile::new(path, kind).missing(code, &remedy).read()?)
}
