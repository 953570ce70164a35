//! `mkns schema`: the JSON schema of the TOML spec, for editors and other tools.

use clap::Args;

use super::{Command, CommandError, Context, render};
use mkns_spec as spec;

/// Print the JSON schema of the TOML spec file
#[derive(Debug, Args)]
pub struct Schema {}

impl Command for Schema {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        context.document(render::to_json(&spec::json_schema()))
    }
}
