//! From Verilog to C++: runs Verilator, first to read the ports of the RTL, then to make the model.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::clocked;
use crate::compile::ModelBuild;
use crate::error::{Error, Result};
use crate::glue::{self, PREFIX};
use crate::ports;
use crate::source::ModelSource;
use crate::toolchain;

/// The text of this file: flags and steps, for the cache key.
pub(crate) const STEPS: &str = include_str!("verilate.rs");

/// For all runs of Verilator. Delays in RTL are ignored; lint is another tool's work.
const READ_FLAGS: &[&str] = &[
    "--no-timing",
    "--assert",
    "-Wno-fatal",
    "-Wno-lint",
    "-Wno-style",
    "--quiet-stats",
    "--prefix",
    PREFIX,
];

/// Power-up values are random, per instance. Without the data flow optimiser guards stay branches,
/// so that logic with nothing to do is skipped and not computed and masked. Clocked blocks and vectors
/// stay whole: split, every piece would have its own tests and copies.
const MODEL_FLAGS: &[&str] = &[
    "--cc",
    "-O3",
    "-fno-dfg",
    "-fno-split",
    "-fno-var-split",
    "--x-initial",
    "unique",
    "--x-assign",
    "unique",
];

impl ModelBuild<'_> {
    /// Verilator, with what it needs to read the RTL.
    fn reader(&self, source: &ModelSource, output: &Path) -> Command {
        let mut command = self.toolchain.verilator();
        command.args(READ_FLAGS).arg("-Mdir").arg(output);
        command.args(source.defines.iter().map(|define| format!("-D{define}")));
        for folder in &source.include_dirs {
            command.arg(format!("-I{}", folder.display()));
        }
        command.args(&source.files);
        command
    }

    /// The top by itself, with its parameters.
    fn choose_top(command: &mut Command, source: &ModelSource) {
        command.args(["--top-module", &source.top]);
        let parameters = source.parameters.iter();
        command.args(parameters.map(|(name, value)| format!("-G{name}={value}")));
    }

    /// Only reads the RTL: takes a hundredth of the time of making the model.
    pub fn check_ports(&self, source: &ModelSource) -> Result<()> {
        let output = self.folder.join("read");
        let mut command = self.reader(source, &output);
        command.arg("--json-only");
        Self::choose_top(&mut command, source);
        toolchain::run(&mut command, &self.log())?;
        let tree = output.join(format!("{PREFIX}.tree.json"));
        let text = fs::read_to_string(&tree).map_err(Error::io("read", &tree))?;
        ports::check(source, &text)?;
        fs::remove_dir_all(&output).map_err(Error::io("remove", &output))
    }

    /// Runs Verilator and writes `ports.h`; returns the generated `.cpp` files and their sizes.
    pub fn verilate(&self, source: &ModelSource) -> Result<Vec<(PathBuf, usize)>> {
        let output = self.folder.join("verilated");
        let mut command = self.reader(source, &output);
        command.args(MODEL_FLAGS);
        if source.registered_outputs {
            command.arg(self.write("clocked.v", &clocked::module(source))?);
            command.args(["--top-module", &clocked::name(source)]);
        } else {
            Self::choose_top(&mut command, source);
        }
        if source.trace {
            command.arg("--trace-fst");
        }
        if source.coverage {
            command.args(["--coverage-line", "--coverage-toggle"]);
        }
        toolchain::run(&mut command, &self.log())?;

        let mut paths: Vec<PathBuf> = fs::read_dir(&output)
            .map_err(Error::io("read", &output))?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect();
        paths.sort();
        let read = |path: &PathBuf| fs::read_to_string(path).map_err(Error::io("read", path));
        let is = |path: &&PathBuf, extension: &str| {
            path.extension().is_some_and(|found| found == extension)
        };
        let code: Vec<&PathBuf> = paths.iter().filter(|path| is(path, "cpp")).collect();
        let headers = paths.iter().filter(|path| is(path, "h"));
        let generated = headers
            .chain(code.iter().copied())
            .map(read)
            .collect::<Result<Vec<_>>>()?;
        self.write("ports.h", &glue::ports_header(source, &generated))?;
        let sizes = &generated[generated.len() - code.len()..];
        Ok(code
            .into_iter()
            .cloned()
            .zip(sizes.iter().map(String::len))
            .collect())
    }
}
