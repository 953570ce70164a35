//! `mkns schema`: the JSON schema of the TOML files, for editors and other tools.

use clap::Args;

use super::{Command, CommandError, Context, render};
use mkns_spec as spec;

/// Print the JSON schema of the TOML spec file
#[derive(Debug, Args)]
pub struct Schema {
    /// Print the schema of the file of `mkns study`
    #[arg(long)]
    study: bool,
    /// Print the schema of the file of `mkns regress`
    #[cfg(feature = "cosim")]
    #[arg(long, conflicts_with = "study")]
    regression: bool,
}

impl Command for Schema {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        #[cfg(feature = "cosim")]
        if self.regression {
            let schema = mkns_campaign::regress::json_schema();
            return context.document(render::to_json(&schema));
        }
        let schema = match self.study {
            true => mkns_study::json_schema(),
            false => spec::json_schema(),
        };
        context.document(render::to_json(&schema))
    }
}
