//! `mkns check`: proves wiring, tables, delivery and deadlock freedom of a network.

use clap::Args;

use super::network_arguments::{NetworkArguments, RoutedNetwork};
use super::{Command, CommandError, Context, progress};
use crate::in_band::unreachable;
use mkns_manage::LONGEST_ROUTE;
use mkns_routing::verify;
use mkns_spec::NetworkSpec;
use mkns_topology::Network;

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
    let mut report = verify::verify(spec, network, &routed.faults, &routed.routing, &done);
    bar.finish_and_clear();
    if spec.is_managed_in_band() {
        let messages = messages(spec, network);
        report.passed &= messages.state != verify::State::Failed;
        report.checks.push(messages);
    }
    report
}

/// Whether messages from the first host's block reach all blocks.
fn messages(spec: &NetworkSpec, network: &Network) -> verify::Check {
    let from = network.hosts[0].block;
    let faults: Vec<String> = unreachable(spec, network, from).into_iter().collect();
    verify::Check {
        name: "messages",
        state: match faults.is_empty() {
            true => verify::State::Passed,
            false => verify::State::Failed,
        },
        examined: format!(
            "routes of at most {LONGEST_ROUTE} serial links from {} to all blocks",
            network.block(from).name
        ),
        fault_count: faults.len() as u64,
        faults,
    }
}
