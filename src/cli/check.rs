//! `mkns check`: proves wiring, tables, delivery and deadlock freedom of a network.

use std::path::{Path, PathBuf};

use clap::Args;

use super::progress;
use super::spec_arguments::SpecArguments;
use super::{Command, CommandError, Context};
use mkns_diag::Exit;
use mkns_routing as routing;
use mkns_routing::{Routing, file, verify};
use mkns_spec::NetworkSpec;
use mkns_topology as topology;
use mkns_topology::Network;

/// Check wiring, routing tables, reachability and deadlock freedom
#[derive(Debug, Args)]
pub struct Check {
    #[command(flatten)]
    spec: SpecArguments,
    /// Check the tables of this file (the routes.csv that mkns generate writes, or mkns export
    /// --to routes) instead of those that mkns makes
    #[arg(long)]
    routes: Option<PathBuf>,
}

impl Command for Check {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let spec = self.spec.parse()?;
        let network = topology::build(&spec);
        let mut routing = routing::build(&spec, &network);
        if let Some(path) = &self.routes {
            load(path, &network, &mut routing)?;
        }
        let report = prove(&spec, &network, &routing, context);
        if report.passed {
            context.result(report.to_text(), &report)
        } else {
            Err(context.verdict(Exit::CheckFailed, report.to_text(), &report))
        }
    }
}

/// The proof, with its progress.
pub fn prove(
    spec: &NetworkSpec,
    network: &Network,
    routing: &Routing,
    context: &Context,
) -> verify::Report {
    let steps = verify::steps(spec, network);
    let bar = progress::bar(context, "checking", "destinations", steps);
    let report = verify::verify(spec, network, routing, &|steps| bar.inc(steps));
    bar.finish_and_clear();
    report
}

fn load(path: &Path, network: &Network, routing: &mut Routing) -> Result<(), CommandError> {
    let source = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| CommandError::io(&format!("read {source}"), &error))?;
    routing.tables = file::load(&source, &text, network, &routing.layout)?;
    Ok(())
}
