//! `mkns check`: proves wiring, tables, delivery and deadlock freedom of a network.

use clap::Args;

use super::network_arguments::{NetworkArguments, RoutedNetwork};
use super::{Command, CommandError, Context, progress};
use mkns_routing::verify;

/// Check wiring, routing tables, reachability and deadlock freedom
#[derive(Debug, Args)]
pub struct Check {
    #[command(flatten)]
    network: NetworkArguments,
}

impl Command for Check {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let report = prove(&self.network.build_as_given()?, context);
        context.checked(report.passed, report.to_text(), &report)
    }
}

/// The proof, with its progress.
pub fn prove(routed: &RoutedNetwork, context: &Context) -> verify::VerificationReport {
    let (spec, network) = (&routed.spec, &routed.network);
    let steps = verify::steps(spec, network);
    let bar = progress::bar(context, "checking", "destinations", steps);
    let done = |steps| bar.inc(steps);
    let report = verify::verify(spec, network, &routed.faults, &routed.routing, &done);
    bar.finish_and_clear();
    report
}
