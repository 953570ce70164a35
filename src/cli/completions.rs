//! `mkns completions`: the completion script of a shell.

use clap::Args;
use clap_complete::Shell;

use super::{Command, CommandError, Context, Format, command, format};

/// Print a shell completion script
#[derive(Debug, Args)]
pub struct Completions {
    /// Shell to write the script for
    shell: Shell,
}

impl Command for Completions {
    const FORMATS: &[Format] = format::OWN;

    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command(), "mkns", &mut script);
        context.document(String::from_utf8_lossy(&script))
    }
}
