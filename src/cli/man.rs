//! `mkns man`: manual pages of all verbs.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use mkns_diag::Code;

use super::{Command, CommandError, Context, Format, command, format};

/// Write manual pages: mkns.1 and one per verb
#[derive(Debug, Args)]
pub struct Man {
    /// Folder for the pages; it is created if it does not exist
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

impl Command for Man {
    const FORMATS: &[Format] = format::OWN;

    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let mut program = command().disable_help_subcommand(true);
        program.build();
        let verbs = program.get_subcommands().cloned();
        let pages: Vec<clap::Command> = [program.clone()].into_iter().chain(verbs).collect();
        let number = pages.len();
        self.write(pages).map_err(|error| {
            let folder = self.output.display();
            let fact = format!("cannot write manual pages to {folder}: {error}");
            let remedy = "give a folder that can be written";
            CommandError::new(Code::OutputUnwritable, fact, remedy)
        })?;
        context.document(format!("{}: {number} pages\n", self.output.display()))
    }
}

impl Man {
    fn write(&self, pages: Vec<clap::Command>) -> std::io::Result<()> {
        fs::create_dir_all(&self.output)?;
        for page in pages {
            let name = page
                .get_display_name()
                .unwrap_or_else(|| page.get_name())
                .to_owned();
            let man = clap_mangen::Man::new(page.version(env!("CARGO_PKG_VERSION")))
                .title(name.to_uppercase());
            let mut text = Vec::new();
            man.render(&mut text)?;
            fs::write(self.output.join(format!("{name}.1")), text)?;
        }
        Ok(())
    }
}
