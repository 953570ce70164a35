//! `mkns completions`: the completion script of a shell.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{Command, CommandError, CommandLine, Context};

/// Print the completion script of a shell
#[derive(Debug, Args)]
pub struct Completions {
    /// Shell that will read the script
    shell: Shell,
}

impl Command for Completions {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut CommandLine::command(), "mkns", &mut script);
        context.document(String::from_utf8_lossy(&script))
    }
}
