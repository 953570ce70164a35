//! Constraints of clock crossings as programs of FPGA makers read them, and whether each way between two clocks has one.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::crossings::{Crossing, Crossings};

const STUBS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/crossing_stubs.tcl");

/// Modules whose constraints Vivado reads for each of their instances, and the files.
const SCOPES: [(&str, &str); 3] = [
    ("axis_async_fifo", "async_fifo.xdc"),
    ("bit_synchroniser", "bit_synchroniser.xdc"),
    ("link_port", "link_port.xdc"),
];

/// Programs as the stubs call them, and the endings of their files.
pub const PROGRAMS: [(&str, &str); 5] = [
    ("vivado", "xdc"),
    ("quartus_pro", "sdc"),
    ("quartus_standard", "sdc"),
    ("diamond", "lpf"),
    ("radiant", "pdc"),
];

/// An exception from timing; no set is all registers.
struct Exception {
    command: String,
    from: Option<HashSet<usize>>,
    to: Option<HashSet<usize>>,
}

impl Exception {
    fn read(line: &str) -> Self {
        let mut words = line.split(' ');
        let mut next = || words.next().expect("three words").to_owned();
        let set = |text: String| {
            let number = |number: &str| number.parse().expect("a number");
            (text != "*").then(|| text.split(',').map(number).collect())
        };
        Self {
            command: next(),
            from: set(next()),
            to: set(next()),
        }
    }

    fn covers(&self, crossing: &Crossing) -> bool {
        let has = |set: &Option<HashSet<usize>>, number| {
            set.as_ref().is_none_or(|set| set.contains(number))
        };
        has(&self.from, &crossing.from) && has(&self.to, &crossing.to)
    }
}

/// What is wrong with the constraints of a design in one program: ways without one, Gray codes without a limit of their skew,
/// paths within a clock that lose their timing. `files`: names and texts; of another program's none is read.
pub fn faults(
    crossings: &Crossings,
    files: &[(String, String)],
    (program, ending): (&str, &str),
) -> Vec<String> {
    let exceptions = match read(crossings, files, (program, ending)) {
        Ok(exceptions) => exceptions,
        Err(said) => return vec![said],
    };
    let is_covered = |commands: &[&str], crossing: &Crossing| {
        let fitting = exceptions
            .iter()
            .filter(|one| commands.contains(&one.command.as_str()));
        fitting.into_iter().any(|one| one.covers(crossing))
    };
    let is_quartus = ending == "sdc";
    let has_skew = is_quartus || program == "vivado";
    let mut faults = Vec::new();
    for crossing in &crossings.all {
        // Lattice's programs have no timed path through a memory.
        if !has_skew && crossings.is_of_memory(crossing) {
            continue;
        }
        let (from, to) = (crossings.name(crossing.from), crossings.name(crossing.to));
        let is_false = is_covered(&["set_false_path"], crossing);
        let is_limited = is_covered(&["set_max_delay"], crossing)
            && (!is_quartus
                || is_covered(&["set_net_delay"], crossing)
                    && is_covered(&["set_min_delay"], crossing));
        if !is_false && !is_limited {
            faults.push(format!("{program}: no constraint from {from} to {to}"));
        }
        if has_skew
            && crossings.is_gray(crossing)
            && !is_covered(&["set_bus_skew", "set_max_skew"], crossing)
        {
            faults.push(format!("{program}: no limit of skew from {from} to {to}"));
        }
    }
    faults.extend(exceptions.iter().flat_map(|one| untimed(crossings, one)));
    faults
}

/// Paths within a clock that an exception takes off timing. Both ends may be in one instance of a crossing whose two clocks
/// are the same.
fn untimed(crossings: &Crossings, exception: &Exception) -> Vec<String> {
    let Some(to) = &exception.to else {
        return vec![format!("{} ends anywhere", exception.command)];
    };
    let mut faults = Vec::new();
    for &to in to.iter().filter(|&&to| !crossings.is_first_stage(to)) {
        let place = crossings.register(to);
        for from in crossings.sources_in_its_clock(to) {
            let is_one_fifo =
                place.module == "axis_async_fifo" && crossings.register(from).path == place.path;
            if exception.covers(&Crossing { from, to }) && !is_one_fifo {
                let (from, to) = (crossings.name(from), crossings.name(to));
                faults.push(format!(
                    "{}: {from} to {to} is within a clock",
                    exception.command
                ));
            }
        }
    }
    faults
}

fn read(
    crossings: &Crossings,
    files: &[(String, String)],
    (program, ending): (&str, &str),
) -> Result<Vec<Exception>, String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    fs::write(folder.join("names.txt"), crossings.listed()).expect("writable");
    let mut exceptions = Vec::new();
    for (name, text) in files {
        if Path::new(name)
            .extension()
            .is_none_or(|found| found != ending)
        {
            continue;
        }
        let scope = SCOPES.iter().find(|(_, file)| file == name);
        fs::write(folder.join(name), text).expect("writable");
        let run = Command::new("tclsh")
            .args([STUBS, program, "names.txt", name])
            .arg(scope.map_or("", |(module, _)| module))
            .current_dir(folder)
            .output()
            .expect("tclsh runs: `make setup` installs it");
        if !run.status.success() {
            let said = String::from_utf8_lossy(&run.stderr);
            return Err(format!("{program}, {name}: {said}"));
        }
        let said = String::from_utf8_lossy(&run.stdout).into_owned();
        exceptions.extend(said.lines().map(Exception::read));
    }
    Ok(exceptions)
}
