//! Foreign code in the process may end it, with any exit code: a verb that runs such code does so in a process of its
//! own. Its exit code counts only when this process has written it down at the end of the verb.

use std::env;
use std::path::PathBuf;
use std::process::{self, ExitCode};

use mkns_diag::Code;
use mkns_scratch::{Scratch, read_kept, write_whole};

use super::{CommandError, cluster};

/// Where the process with the foreign code writes its exit code.
const VARIABLE: &str = "MKNS_VERDICT";

/// The file of the verdict, in the process that is to write it.
fn asked_for() -> Option<PathBuf> {
    env::var_os(VARIABLE).map(PathBuf::from)
}

/// Whether another process waits for the verdict of this one.
pub fn is_there() -> bool {
    asked_for().is_some()
}

/// Writes down the exit code, when another process waits for it.
pub fn testify(exit_code: u8) {
    if let Some(file) = asked_for() {
        // Where it cannot be written, the other process says that there is none.
        let _ = write_whole(&file, exit_code.to_string());
    }
}

/// Runs this command line in a process of its own, and returns the exit code that it has written down.
pub fn run_again() -> Result<ExitCode, CommandError> {
    let scratch = Scratch::new("verdict").map_err(CommandError::io("make a temporary folder"))?;
    let file = scratch.path().join("exit_code");
    let mut again = process::Command::new(cluster::this_program()?.path);
    again.args(env::args_os().skip(1)).env(VARIABLE, &file);
    let ended = again.status();
    let ended = ended.map_err(CommandError::io("start mkns again"))?;
    let verdict = read_kept(&file, 3).ok();
    let verdict = verdict.and_then(|text| String::from_utf8(text).ok()?.parse().ok());
    verdict.map(u8::into).ok_or_else(|| ended_early(&ended))
}

fn ended_early(ended: &process::ExitStatus) -> CommandError {
    let fact = format!("the process ended before there was a verdict ({ended}): nothing is shown");
    let remedy = "look for what ends it in the RTL that `--allow-task` lets reach outside, such as a call to `exit`";
    CommandError::new(Code::EndedEarly, fact, remedy)
}
