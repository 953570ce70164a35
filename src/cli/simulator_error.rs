//! What a failed build of a model is to the shell: exit code, diagnostic, remedy.

use super::CommandError;
use mkns_diag::Code;
use mkns_sim::Error;

/// The diagnostic and exit code of a failed build.
pub fn simulator_error(error: &Error) -> CommandError {
    let (code, remedy) = match error {
        Error::ToolMissing { program, .. } => {
            (Code::SimulatorMissing, installation(program).to_owned())
        }
        Error::ToolFailed { .. } => (
            Code::ModelBuildFailed,
            "read the log; if the RTL is as generated, this is a bug".to_owned(),
        ),
        Error::PortMismatch { .. } | Error::ParameterMissing { .. } => {
            (Code::ModelBuildFailed, remedy(error))
        }
        _ => (Code::SimulationFile, remedy(error)),
    };
    CommandError::new(code, error.to_string(), remedy)
}

/// How a missing program comes onto the machine.
fn installation(program: &str) -> &'static str {
    match program {
        "verilator" | "verilator_bin" => "run `mkns setup`, which installs it",
        "iverilog" | "vvp" => "install it with `apt-get install iverilog` or `mkns setup`",
        "lz4.h or zlib.h" => "install them with `apt-get install liblz4-dev zlib1g-dev`",
        _ => "install it with `apt-get install g++` or `mkns setup`, or name a compiler in $CXX",
    }
}

/// What to look at when a file cannot be used: that file, wherever it is.
fn remedy(error: &Error) -> String {
    match error {
        Error::Io { path, .. } | Error::Record { path, .. } => format!(
            "check whether {} can be created and written there, and whether its disk has free space",
            path.display()
        ),
        Error::Load { path, .. } => match path.parent() {
            Some(folder) => format!("delete {} and try again", folder.display()),
            None => "build it again".to_owned(),
        },
        _ => "if the RTL is as generated, this is a bug".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;
    use std::path::Path;

    #[test]
    fn the_remedy_is_for_what_failed() {
        let remedy = |error: &Error| simulator_error(error).diagnostics[0].remedy.clone();
        let missing = |program: &str| Error::ToolMissing {
            program: program.to_owned(),
            looked: String::new(),
        };
        assert!(remedy(&missing("g++")).contains("apt-get install g++"));
        assert!(remedy(&missing("verilator")).contains("`mkns setup`"));
        let mismatch = Error::PortMismatch {
            top: "switch_block".to_owned(),
            port: "clk".to_owned(),
            fact: "it is not there".to_owned(),
        };
        assert!(!remedy(&mismatch).contains("log"), "nothing has a log");
        let refused = || io::Error::from(io::ErrorKind::PermissionDenied);
        let error = Error::io("write", Path::new("/elsewhere/x.fst"))(refused());
        let said = simulator_error(&error).diagnostics.remove(0);
        assert!(
            said.fact.contains("cannot write /elsewhere/x.fst"),
            "{}",
            said.fact
        );
        assert!(said.remedy.contains("/elsewhere/x.fst"), "{}", said.remedy);
        assert!(!said.remedy.contains(".cache"));
    }
}
