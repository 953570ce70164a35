//! From C++ to a shared library: compile, link. Everything happens in one folder; what happens there
//! before is in [`crate::verilate`].
//!
//! Verilator's many small files are compiled many at a time as one unit: they share large headers,
//! which cost a second a unit, and calls between them can be inlined. Rarely executed code is
//! optimised less. For models of quick effort the headers are compiled once, with the run time.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;

use crate::error::{Error, Result};
use crate::glue;
use crate::source::{Effort, ModelSource};
use crate::toolchain::{self, Toolchain};

/// Options of one kind of code.
type Level = &'static [&'static str];

/// For code of a block that runs every cycle: 2 to 10 % faster than with -O1, for a third more of compiling.
const HOT: Level = &["-O2"];
/// For that of many blocks in one model, which -O2 makes no faster and takes twice as long for.
const HOT_OF_MANY: Level = &["-O1"];
/// For code that does not run every cycle, and for models of quick effort.
const COLD: Level = &["-O0"];
const QUICK: Level = &["-O0"];
/// For Verilator's own library, compiled once.
const RUNTIME: Level = &["-O2"];

/// Bytes of C++ that runs every cycle, at most, of a model that counts as one block: ten and twelve ports have less.
const BLOCK_BYTES: usize = 12_000_000;

/// Bytes of generated C++ in one compilation unit: headers are much of the work, but the compiler's memory is finite.
const UNIT_BYTES: usize = 3_000_000;
const QUICK_UNIT_BYTES: usize = 6_000_000;

/// Flags that keep loaded models apart (see docs of the crate) and that all files share.
const FLAGS: &[&str] = &[
    "-std=gnu++17",
    "-fPIC",
    "-fvisibility=hidden",
    "-fno-gnu-unique",
    "-fcf-protection=none",
    "-w",
    "-DVERILATOR=1",
    "-DVM_SC=0",
    "-DVM_TIMING=0",
    "-DVM_TRACE_VCD=0",
    "-DVM_TRACE_SAIF=0",
    "-DVL_PRINTF=mkns_sim::print",
];

/// What every file of a model begins with.
const PRELUDE: &str = "prelude.h";

/// The text of this file: flags and steps, for the cache key.
pub(crate) const STEPS: &str = include_str!("compile.rs");

/// What differs between variants of the Verilator run time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variant {
    pub trace: bool,
    pub coverage: bool,
}

impl Variant {
    fn defines(self) -> Vec<String> {
        let value = |name: &str, on: bool| format!("-D{name}={}", u8::from(on));
        vec![
            value("VM_TRACE", self.trace),
            value("VM_TRACE_FST", self.trace),
            value("VM_COVERAGE", self.coverage),
            value("MKNS_TRACE", self.trace),
            value("MKNS_COVERAGE", self.coverage),
        ]
    }
}

/// One build in progress.
pub(crate) struct ModelBuild<'a> {
    pub folder: &'a Path,
    pub toolchain: &'a Toolchain,
    pub variant: Variant,
}

impl ModelBuild<'_> {
    pub fn log(&self) -> PathBuf {
        self.folder.join("build.log")
    }

    pub fn write(&self, name: &str, text: &str) -> Result<PathBuf> {
        let path = self.folder.join(name);
        fs::write(&path, text).map_err(Error::io("write", &path))?;
        Ok(path)
    }

    fn write_glue(&self) -> Result<()> {
        for (name, text) in glue::FILES {
            self.write(name, text)?;
        }
        Ok(())
    }

    /// Makes the objects that every model of this variant links, and the headers that all read.
    pub fn make_runtime(&self) -> Result<()> {
        self.write_glue()?;
        self.check_trace_headers()?;
        let include = self.toolchain.include_dir();
        let mut sources = vec![self.folder.join("hooks.cc")];
        let mut take = |name: &str| sources.push(include.join(name));
        take("verilated.cpp");
        take("verilated_threads.cpp");
        if self.variant.trace {
            take("verilated_fst_c.cpp");
        }
        if self.variant.coverage {
            take("verilated_cov.cpp");
        }
        let user = [
            "-DVL_USER_FINISH",
            "-DVL_USER_STOP",
            "-DVL_USER_FATAL",
            "-DVL_USER_WARN",
        ];
        let first = self.folder.join("hooks.h");
        let compile = |source: &PathBuf| {
            let mut command = self.compile_unit(source, RUNTIME, &first);
            command.args(user);
            command
        };
        let mut commands: Vec<Command> = sources.iter().map(compile).collect();
        commands.extend(self.precompile_prelude());
        self.run_all(commands)
    }

    /// The compiler takes `prelude.h.gch` where the options are the same, else the header itself. It
    /// is 76 MB, so only the variant that nearly all models are of has it.
    fn precompile_prelude(&self) -> Option<Command> {
        if self.variant.trace || self.variant.coverage {
            return None;
        }
        let header = self.folder.join(PRELUDE);
        let mut command = self.compiler(QUICK);
        command.args(["-x", "c++-header"]).arg(&header);
        let compiled = self.folder.join(format!("{PRELUDE}.gch"));
        command.arg("-o").arg(compiled);
        Some(command)
    }

    fn check_trace_headers(&self) -> Result<()> {
        if !self.variant.trace {
            return Ok(());
        }
        let mut command = self.toolchain.compiler();
        command.args([
            "-fsyntax-only",
            "-include",
            "lz4.h",
            "-include",
            "zlib.h",
            "-x",
            "c++",
            "/dev/null",
        ]);
        toolchain::run(&mut command, &self.log()).map_err(|_| Error::ToolMissing {
            program: "lz4.h or zlib.h".into(),
            looked: "waveforms need both".into(),
        })
    }

    /// Makes `model.so` from RTL and the objects in the folder that `runtime` gives; Verilator works
    /// while they may still be made.
    pub fn make_model(
        &self,
        source: &ModelSource,
        runtime: impl FnOnce() -> Result<PathBuf>,
    ) -> Result<()> {
        self.write_glue()?;
        self.check_ports(source)?;
        let generated = self.verilate(source)?;
        let units = self.write_units(&generated, source.effort)?;
        let runtime = runtime()?;
        let first = runtime.join(PRELUDE);
        let compile = |(unit, level): &(PathBuf, Level)| self.compile_unit(unit, level, &first);
        self.run_all(units.iter().map(compile).collect())?;
        let objects: Vec<PathBuf> = units.iter().map(|(unit, _)| self.object(unit)).collect();
        self.link(&objects, &runtime)?;
        self.remove_intermediate(&objects)
    }

    /// Groups files into compilation units. The first also holds the bank.
    fn write_units(
        &self,
        generated: &[(PathBuf, usize)],
        effort: Effort,
    ) -> Result<Vec<(PathBuf, Level)>> {
        let bank = PathBuf::from("bank_impl.cc");
        let is_cold = |path: &Path| path.to_string_lossy().ends_with("__Slow.cpp");
        let (cold, hot): (Vec<_>, Vec<_>) = generated
            .iter()
            .cloned()
            .partition(|(path, _)| is_cold(path));
        let hot = [vec![(bank, 0)], hot].concat();
        let level = |level, files, bytes| {
            let groups = groups(files, bytes).into_iter();
            groups.map(move |group| (level, group)).collect::<Vec<_>>()
        };
        let units = match effort {
            Effort::Quick => level(QUICK, [hot, cold].concat(), QUICK_UNIT_BYTES),
            Effort::Full => {
                let of_many = hot.iter().map(|(_, bytes)| bytes).sum::<usize>() > BLOCK_BYTES;
                let often = if of_many { HOT_OF_MANY } else { HOT };
                [level(often, hot, UNIT_BYTES), level(COLD, cold, UNIT_BYTES)].concat()
            }
        };
        let write = |(number, (level, files)): (usize, (_, Vec<(PathBuf, usize)>))| {
            let include = |(path, _): &(PathBuf, _)| format!("#include \"{}\"\n", path.display());
            let text: String = files.iter().map(include).collect();
            Ok((self.write(&format!("unit{number}.cc"), &text)?, level))
        };
        units.into_iter().enumerate().map(write).collect()
    }

    /// Compiles a file that begins with the header `first`.
    fn compile_unit(&self, source: &Path, level: Level, first: &Path) -> Command {
        let mut command = self.compiler(level);
        command.arg("-include").arg(first);
        command.arg("-c").arg(source);
        command.arg("-o").arg(self.object(source));
        command
    }

    /// Runs commands, as many at a time as there are processors.
    fn run_all(&self, commands: Vec<Command>) -> Result<()> {
        let workers = thread::available_parallelism()
            .map_or(1, usize::from)
            .min(commands.len());
        let queue = Mutex::new(commands.into_iter());
        let work = || -> Result<()> {
            loop {
                let next = queue.lock().expect("no worker panics").next();
                let Some(mut command) = next else {
                    return Ok(());
                };
                toolchain::run(&mut command, &self.log())?;
            }
        };
        thread::scope(|scope| {
            let handles: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            handles
                .into_iter()
                .try_for_each(|handle| handle.join().expect("no worker panics"))
        })
    }

    fn object(&self, source: &Path) -> PathBuf {
        self.folder
            .join(source.file_name().unwrap_or_default())
            .with_extension("o")
    }

    fn compiler(&self, level: Level) -> Command {
        let include = self.toolchain.include_dir();
        let mut command = self.toolchain.compiler();
        command.args(FLAGS).args(level).args(self.variant.defines());
        for folder in [
            self.folder,
            &self.folder.join("verilated"),
            &include,
            &include.join("vltstd"),
        ] {
            command.arg("-I").arg(folder);
        }
        command
    }

    fn link(&self, objects: &[PathBuf], runtime: &Path) -> Result<()> {
        let mut command = self.toolchain.compiler();
        command.args([
            "-shared",
            "-s",
            "-pthread",
            "-Wl,-Bsymbolic",
            "-Wl,--no-undefined",
        ]);
        command
            .arg("-o")
            .arg(self.folder.join("model.so"))
            .args(objects);
        command.args(runtime_objects(runtime)?);
        if self.variant.trace {
            command.args(["-lz", "-llz4"]);
        }
        toolchain::run(&mut command, &self.log())
    }

    /// Leaves `model.so`, the glue and the log.
    fn remove_intermediate(&self, objects: &[PathBuf]) -> Result<()> {
        for object in objects {
            for path in [object.clone(), object.with_extension("cc")] {
                fs::remove_file(&path).map_err(Error::io("remove", &path))?;
            }
        }
        let verilated = self.folder.join("verilated");
        fs::remove_dir_all(&verilated).map_err(Error::io("remove", &verilated))
    }
}

/// Files in order, as many together as fit into this many bytes.
fn groups(files: Vec<(PathBuf, usize)>, bytes: usize) -> Vec<Vec<(PathBuf, usize)>> {
    let mut groups: Vec<Vec<(PathBuf, usize)>> = Vec::new();
    let mut room = 0;
    for (path, size) in files {
        match groups.last_mut().filter(|_| size <= room) {
            Some(group) => group.push((path, size)),
            None => {
                groups.push(vec![(path, size)]);
                room = bytes;
            }
        }
        room = room.saturating_sub(size);
    }
    groups
}

fn runtime_objects(runtime: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(runtime).map_err(Error::io("read", runtime))?;
    let mut objects: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|found| found == "o"))
        .collect();
    objects.sort();
    Ok(objects)
}
