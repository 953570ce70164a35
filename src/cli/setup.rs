//! `mkns setup`: installs the tools that mkns runs, by the script that `make setup` runs; what only tests need is left out.
//!
//! The script and its lists are part of the program. They are written to `mkns/` in the user's data folder, where
//! the tools go too, unless a folder is given.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command as Process;

use clap::Args;
use mkns_diag::{Code, tools};

use super::{Command, CommandError, Context, Format, format};

/// Files of `tools/` by their names there.
macro_rules! of_tools {
    ($($name:literal),*) => {
        [$(($name, include_str!(concat!("../../tools/", $name)))),*]
    };
}

/// What the script needs.
const FILES: [(&str, &str); 7] = of_tools![
    "setup.sh",
    "requirements.txt",
    "requirements-demo.txt",
    "programs/ecppack",
    "programs/nextpnr-ecp5",
    "programs/verilator",
    "programs/yosys"
];

/// Install the tools that mkns runs: Verilator, Yosys, nextpnr and others
#[derive(Debug, Args)]
pub struct Setup {
    /// Install only what generate, lint, cosim and sim need
    #[arg(long)]
    demo: bool,
    /// Folder to install the tools in [default: mkns in the user's data folder]
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

impl Command for Setup {
    const FORMATS: &[Format] = format::OWN;

    fn run(&self, _context: &Context) -> Result<(), CommandError> {
        let folder = match &self.folder {
            Some(folder) => folder.clone(),
            None => tools::data_folder().ok_or_else(|| unwritable("HOME is not set"))?,
        };
        let script = written(&folder).map_err(|error| {
            unwritable(&format!("cannot write to {}: {error}", folder.display()))
        })?;
        let part = if self.demo { "demo" } else { "tools" };
        let status = Process::new("sh").arg(&script).arg(part).status();
        let status = status.map_err(|error| failed(&format!("cannot start a shell: {error}")))?;
        match status.success() {
            true => Ok(()),
            false => Err(failed(&format!("{} ended with {status}", script.display()))),
        }
    }
}

/// Writes the script and its lists below `folder`, and a link by which the tools are found; the script's path.
fn written(folder: &Path) -> std::io::Result<PathBuf> {
    let here = folder.join("setup");
    for (name, text) in FILES {
        let path = here.join("tools").join(name);
        fs::create_dir_all(path.parent().unwrap_or(&here))?;
        fs::write(&path, text)?;
        if name.starts_with("programs/") {
            let mut rights = fs::metadata(&path)?.permissions();
            std::os::unix::fs::PermissionsExt::set_mode(&mut rights, 0o755);
            fs::set_permissions(&path, rights)?;
        }
    }
    let link = folder.join("tools");
    if !link.exists() {
        // a link to nowhere may be left of a folder that is gone
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink("setup/.tools", link)?;
    }
    Ok(here.join("tools/setup.sh"))
}

fn unwritable(fact: &str) -> CommandError {
    let remedy = "give a folder that can be written: mkns setup --folder DIR";
    CommandError::new(Code::OutputUnwritable, fact.to_owned(), remedy)
}

fn failed(fact: &str) -> CommandError {
    let remedy = "install what the script names, then run `mkns setup` again";
    CommandError::new(Code::SetupFailed, fact.to_owned(), remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of the script that is not part of the program would be missed on other machines only.
    #[test]
    fn the_program_has_all_files_of_the_script() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools");
        let programs = fs::read_dir(folder.join("programs")).expect("the folder exists");
        for program in programs.map(|entry| entry.expect("a readable entry")) {
            let name = format!("programs/{}", program.file_name().display());
            assert!(FILES.iter().any(|(file, _)| *file == name), "{name}");
        }
    }

    #[test]
    fn files_are_written_with_a_link_by_which_tools_are_found() {
        let folder = std::env::temp_dir().join(format!("mkns-setup-{}", std::process::id()));
        let script = written(&folder).expect("a folder of our own");
        assert!(script.is_file());
        let tools = fs::read_link(folder.join("tools")).expect("a link");
        assert_eq!(tools, Path::new("setup/.tools"));
        fs::remove_dir_all(folder).expect("it is there");
    }
}
