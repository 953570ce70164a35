//! A second simulator: a block in Icarus Verilog, event-driven and with four states, so that an output
//! that depends on a register without a value is an x and a difference.
//!
//! The golden model runs alone first; what it saw and said becomes a file of vectors, which a generated
//! testbench plays to the RTL. The same folder serves any other Verilog simulator.

mod vectors;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use askama::Template;
use mkns_sim::Error;

use mkns_design::{BlockModule, ModuleKind, Plan};
use mkns_diag::tools::in_path;
use mkns_fpga::{connections, overrides};
use mkns_rtl as rtl;
use mkns_scratch::{Limits, Scratch};

use super::block::{BlockRun, BlockSummary};
use super::golden_devices::golden_device;
use super::mismatch::{Failure, FailureKind};
use super::netlist::Netlist;
use super::session::{
    Request, RunListener, SessionError, each_pattern, modules_of, replay_untraced,
};
use super::stimulus::Restrictions;
use super::watched::Watched;
use vectors::{expected_bits, first_difference, line, total_bits};

/// Names within a folder.
const TESTBENCH: &str = "replay";
const COMPILED: &str = "replay.vvp";
/// Processor time for the compiler; for the start of a run and for each of its cycles: far more than they take.
const COMPILING: Duration = Duration::from_secs(300);
const STARTING: Duration = Duration::from_secs(10);
const PER_CYCLE: Duration = Duration::from_millis(100);
const VECTORS: &str = "vectors.txt";
const LOG: &str = "replay.log";
/// Lines of a failed program that go into the error.
const SAID_LINES: usize = 10;

#[derive(Template)]
#[template(path = "simulation/replay.v")]
struct Testbench<'a> {
    banner: &'a str,
    module: &'a str,
    inputs: usize,
    outputs: usize,
    parameters: String,
    connections: String,
}

/// A block as Icarus is given it.
pub struct IcarusDesign<'a> {
    pub module: &'a BlockModule,
    /// File name and text.
    pub sources: &'a [(String, String)],
    /// Whether the parameters are built in.
    pub is_netlist: bool,
}

/// Every block module of a kind of the sources (file name and text) in Icarus, under every kind of
/// traffic asked for. What is played stays in `folder`, a folder for each run.
pub(crate) fn run_in_icarus(
    plan: &Plan,
    (sources, folder): (&[(String, String)], &Path),
    kind: ModuleKind,
    request: &Request,
    listener: &dyn RunListener,
) -> Result<Vec<BlockSummary>, SessionError> {
    let mut summaries = Vec::new();
    for (label, module) in modules_of(plan, kind) {
        let design = IcarusDesign {
            module: &module,
            sources,
            is_netlist: false,
        };
        let options = format!(" --block {} --simulator icarus", kind.name());
        let block = (label.as_str(), &design, options.as_str());
        summaries.extend(play_patterns(block, folder, request, listener)?);
    }
    Ok(summaries)
}

/// Netlists of blocks in Icarus, like [`run_in_icarus`].
pub(crate) fn run_netlists_in_icarus(
    netlists: &[Netlist],
    folder: &Path,
    request: &Request,
    listener: &dyn RunListener,
) -> Result<Vec<BlockSummary>, SessionError> {
    let mut summaries = Vec::new();
    for netlist in netlists {
        let mut sources = (netlist.cells.sources())
            .map_err(Error::io("read the cell models in", &netlist.cells.folder))?;
        sources.push(("netlist.v".to_owned(), netlist.text.clone()));
        let design = IcarusDesign {
            module: &netlist.module,
            sources: &sources,
            is_netlist: true,
        };
        let (kind, family) = (netlist.module.kind.name(), netlist.cells.family.name());
        let options = format!(" --block {kind} --netlist {family} --simulator icarus");
        let block = (netlist.label.as_str(), &design, options.as_str());
        summaries.extend(play_patterns(block, folder, request, listener)?);
    }
    Ok(summaries)
}

/// One block under every kind of traffic: its name in reports, what it is, and the options that replay it.
fn play_patterns(
    (label, design, options): (&str, &IcarusDesign<'_>, &str),
    folder: &Path,
    request: &Request,
    listener: &dyn RunListener,
) -> Result<Vec<BlockSummary>, SessionError> {
    let what = format!("{label} in Icarus");
    each_pattern(&what, request, listener, |traffic, _| {
        let run = request.block_run(label, traffic, &Restrictions::default());
        let name = format!("{label}_{}", traffic.name()).replace(' ', "_");
        let ended = play(design, &run, &folder.join(name));
        ended.map_err(|error| match error {
            SessionError::Failed(mut failure) => {
                failure.replay = replay_untraced(request, traffic, options);
                SessionError::Failed(failure)
            }
            SessionError::Simulator(_) => error,
        })
    })
}

/// One run: writes sources, testbench and vectors into `folder` and plays them.
pub fn play(
    design: &IcarusDesign<'_>,
    run: &BlockRun,
    folder: &Path,
) -> Result<BlockSummary, SessionError> {
    let module = design.module;
    let (vectors, summary) = record(module, run)?;
    let mut files = vec![
        (VECTORS.to_owned(), vectors.clone()),
        (format!("{TESTBENCH}.v"), testbench(design)),
    ];
    files.extend(design.sources.iter().cloned());
    fs::create_dir_all(folder).map_err(Error::io("make", folder))?;
    for (name, text) in &files {
        let path = folder.join(name);
        fs::write(&path, text).map_err(Error::io("write", &path))?;
    }
    let mut arguments = vec!["-g2005", "-s", TESTBENCH, "-o", COMPILED];
    arguments.extend(files[1..].iter().map(|(name, _)| name.as_str()));
    let compiled = said_by("iverilog", &arguments, folder, COMPILING);
    check_compiled(module, compiled, folder)?;
    let playing = STARTING + PER_CYCLE * u32::try_from(summary.cycles).unwrap_or(u32::MAX);
    let said = said_by("vvp", &["-n", COMPILED], folder, playing)?;
    let verdict = said.lines().find_map(|line| line.strip_prefix("mkns_"));
    let words: Vec<&str> = verdict.unwrap_or_default().split(' ').collect();
    match words[..] {
        ["equal", cycles] if cycles == summary.cycles.to_string() => Ok(summary),
        ["difference", cycle, bits] => Err(difference(module, run, &vectors, cycle, bits)),
        _ => Err(failed("vvp", "no verdict", folder, &said).into()),
    }
}

/// Refuses a block that has not all its ports and parameters, also where Icarus only warns.
fn check_compiled(
    module: &BlockModule,
    compiled: mkns_sim::Result<String>,
    folder: &Path,
) -> mkns_sim::Result<()> {
    let said = match &compiled {
        Ok(said) | Err(Error::ToolFailed { said, .. }) => said.clone(),
        Err(_) => String::new(),
    };
    match misfit(module, &said) {
        Some(error) => Err(error),
        None if compiled.is_ok() && said.contains("warning: parameter ") => {
            Err(failed("iverilog", "a parameter is missing", folder, &said))
        }
        None => compiled.map(drop),
    }
}

/// What Icarus said of a port or a parameter of the block that is not there.
fn misfit(module: &BlockModule, said: &str) -> Option<Error> {
    let top = rtl::module_name(module.kind).to_owned();
    let named = |start: &str, end: &str| -> Option<String> {
        let rest = said.lines().find_map(|line| line.split_once(start))?.1;
        rest.strip_suffix(end).map(str::to_owned)
    };
    if let Some(port) = named("error: port ``", "'' is not a port of block.") {
        let fact = "it is expected, but it is not in the RTL".to_owned();
        return Some(Error::PortMismatch { top, port, fact });
    }
    let parameter = named("warning: parameter ", " not found in replay.block.")?;
    let parameters = format!("`{parameter}`");
    Some(Error::ParameterMissing { top, parameters })
}

/// The text of the vectors, and what the run was.
fn record(module: &BlockModule, run: &BlockRun) -> Result<(String, BlockSummary), SessionError> {
    let (table, mut cycles) = (module.port_table(), 0..);
    let vectors = Arc::new(Mutex::new(String::new()));
    let text = Arc::clone(&vectors);
    let scribe = Watched {
        device: golden_device(module),
        watch: move |inputs: &[u64], outputs: &[u64]| {
            let cycle = cycles.next().unwrap_or(u64::MAX);
            *text.lock().expect("no holder panics") += &line(&table, cycle, inputs, outputs);
        },
    };
    let summary = run
        .run(module, golden_device(module), Box::new(scribe), &mut |_| {})
        .map_err(SessionError::Failed)?;
    let text = std::mem::take(&mut *vectors.lock().expect("no holder panics"));
    Ok((text, summary))
}

fn testbench(design: &IcarusDesign<'_>) -> String {
    let module = design.module;
    let parameters = match design.is_netlist {
        true => Vec::new(),
        false => rtl::block_parameters(module),
    };
    let table = module.port_table();
    let mut pins = connections(&table.inputs, "stimulus");
    pins.extend(connections(&table.outputs, "response"));
    let view = Testbench {
        banner: "// Written by mkns cosim.",
        module: rtl::module_name(module.kind),
        inputs: total_bits(&table.inputs),
        outputs: total_bits(&table.outputs),
        parameters: overrides(&parameters).join(",\n"),
        connections: pins.join(",\n"),
    };
    rtl::verilog(view.render(), view.banner)
}

fn difference(
    module: &BlockModule,
    run: &BlockRun,
    vectors: &str,
    cycle: &str,
    bits: &str,
) -> SessionError {
    let table = module.port_table();
    let number: usize = cycle.parse().unwrap_or(0);
    let expected = vectors.lines().nth(number);
    let expected = expected.and_then(|line| expected_bits(line, total_bits(&table.outputs)));
    let found = first_difference(&table.outputs, &expected.unwrap_or_default(), bits);
    let note = "in Icarus Verilog; x is a bit without a value".to_owned();
    let kind = FailureKind::Divergence;
    let mut failure = Failure::sentence(kind, &run.block, number as u64, note);
    if let Some((signal, expected, actual)) = found {
        failure.signal = signal.to_owned();
        (failure.golden, failure.rtl) = (expected, actual);
    }
    SessionError::Failed(failure)
}

/// Runs a program of Icarus Verilog in the folder to its end, or for so much processor time; what it says is kept there
/// too.
fn said_by(
    program: &str,
    arguments: &[&str],
    folder: &Path,
    most: Duration,
) -> mkns_sim::Result<String> {
    let path = in_path(program).ok_or_else(|| Error::ToolMissing {
        program: program.to_owned(),
        looked: "not in the search path".to_owned(),
    })?;
    let mut command = Command::new(&path);
    command.args(arguments).current_dir(folder);
    let _scratch = Scratch::of_program(&mut command);
    let limits = Limits {
        own_cpu: Some(most),
        ..Limits::default()
    };
    let ended = limits
        .run(&mut command, &mut |_| {})
        .map_err(Error::io("start", &path))?;
    let said = ended.said();
    let log = folder.join(LOG);
    fs::write(&log, &said).map_err(Error::io("write", &log))?;
    if ended.cut_short.is_some() {
        let seconds = most.as_secs();
        let status =
            format!("no end after {seconds} s of processor time: the RTL may have an endless loop");
        return Err(failed(program, &status, folder, &said));
    }
    match ended.status.success() {
        true => Ok(said),
        false => Err(failed(program, &ended.status.to_string(), folder, &said)),
    }
}

fn failed(program: &str, status: &str, folder: &Path, said: &str) -> Error {
    let lines: Vec<&str> = said.lines().take(SAID_LINES).collect();
    Error::ToolFailed {
        program: program.to_owned(),
        status: status.to_owned(),
        log: folder.join(LOG),
        said: lines.join("\n"),
    }
}
