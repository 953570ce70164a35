//! `mkns info`: the numbers of a network, formula beside graph.

use clap::Args;

use super::{Command, CommandError, Context};
use crate::topology::metrics;
use crate::{spec, topology};

/// Print the numbers of a network: the paper's formula beside the measured graph
#[derive(Debug, Args)]
pub struct Info {
    /// TOML file or notation such as "MKNS(2,4,2,1)"
    spec: String,
}

impl Command for Info {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let spec = spec::parse(&self.spec)?;
        let network = topology::build(&spec);
        let metrics = metrics::measure(&spec, &network);
        context.result(metrics.to_text(), &metrics)
    }
}
