//! The proof that a network and its tables work: what `mkns check` runs.
//!
//! Every statement is checked on the graph and the tables as they are, exhaustively: no sampling, no
//! symmetry. Faults are counted and the first few are described.

mod adaptive;
mod cables;
mod channels;
mod distributed;
mod pairs;
mod report;
mod tables;
mod turns;

pub(crate) use channels::circle_of;
pub use report::{Check, Progress, State, VerificationReport};

use super::{Arithmetic, Routing};
use crate::flat::FlatTables;
use mkns_spec::{NetworkKind, NetworkSpec};
use mkns_topology::distances::Adjacency;
use mkns_topology::{Faults, Network, NetworkIndex};
use report::Violations;

/// Number of progress steps of [`verify`]: destinations times layers, or terminals.
pub fn steps(spec: &NetworkSpec, network: &Network) -> u64 {
    match &spec.kind {
        NetworkKind::DistributedSwitch(switch) => {
            (network.hosts.len() as u32 / switch.trunks()).into()
        }
        _ => network.adapters().len() as u64 * u64::from(spec.block.layers),
    }
}

/// Whether packets can wait for each other in a circle.
pub fn is_cyclic(
    spec: &NetworkSpec,
    network: &Network,
    faults: &Faults,
    routing: &Routing,
) -> bool {
    let index = network.index_without(faults);
    let walk = walk(spec, network, faults, routing, &index);
    let outcome = walk.run(&|_| {});
    let check = channels::check(network, &index, &walk.flat, &outcome.turns);
    check.state == State::Failed
}

/// Whether packets can be sent by these tables: they fit the blocks, lead to every adapter block that cables still
/// join with the sender, and no packets can wait for each other in a circle.
///
/// # Errors
/// In words, the first pair or circle for which that does not hold, and how many more there are.
pub fn ensure_usable(
    spec: &NetworkSpec,
    network: &Network,
    faults: &Faults,
    routing: &Routing,
) -> Result<(), String> {
    first_fault(tables::check(spec, network, routing))?;
    let index = network.index_without(faults);
    let walk = pairs::WalkContext {
        only_joined: true,
        ..walk(spec, network, faults, routing, &index)
    };
    let outcome = walk.run(&|_| {});
    let deadlock = channels::check(network, &index, &walk.flat, &outcome.turns);
    outcome
        .checks
        .into_iter()
        .chain([deadlock])
        .try_for_each(first_fault)
}

fn first_fault(check: Check) -> Result<(), String> {
    match (check.state, check.faults.first()) {
        (State::Failed, Some(fault)) => Err(match check.fault_count {
            1 => fault.clone(),
            count => format!("{fault} (and {} more)", count - 1),
        }),
        _ => Ok(()),
    }
}

/// Runs every check on a network in which `faults` have failed; `progress` is called from several threads with
/// steps that are done.
pub fn verify(
    spec: &NetworkSpec,
    network: &Network,
    faults: &Faults,
    routing: &Routing,
    progress: Progress<'_>,
) -> VerificationReport {
    if let NetworkKind::DistributedSwitch(switch) = &spec.kind {
        return distributed::verify(switch, network, progress);
    }
    let mut checks = vec![
        cables::check(network),
        tables::check(spec, network, routing),
    ];
    if checks.iter().all(|check| check.state == State::Passed) {
        let index = network.index_without(faults);
        let walk = walk(spec, network, faults, routing, &index);
        let outcome = walk.run(progress);
        checks.extend(outcome.checks);
        let (flat, made) = (&walk.flat, &outcome.turns);
        checks.push(channels::check(network, &index, flat, made));
        checks.push(turns::check(spec, network, routing, flat, made));
        if spec.block.adaptive {
            checks.push(adaptive::check(network, &index, routing, flat));
        }
    } else {
        let names = ["delivery", "minimal", "arithmetic", "deadlock", "turns"];
        checks.extend(names.map(Check::not_run));
    }
    VerificationReport::new(network, checks)
}

fn walk<'a>(
    spec: &NetworkSpec,
    network: &'a Network,
    faults: &'a Faults,
    routing: &'a Routing,
    index: &'a NetworkIndex,
) -> pairs::WalkContext<'a> {
    // An engine claims something of its own tables, for a whole network.
    let holds_claims = faults.is_empty() && routing.from_file.is_none();
    pairs::WalkContext {
        network,
        faults,
        layout: &routing.layout,
        paths: routing.paths.as_ref(),
        layers: spec.block.layers,
        adjacency: Adjacency::new(network, index),
        flat: FlatTables::new(index, network, routing, spec),
        arithmetic: Arithmetic::of(spec).filter(|_| holds_claims),
        claims_minimal: spec.engine().minimal && holds_claims,
        from_file: routing.from_file.as_deref(),
        only_joined: false,
        joined: index.parts(network),
        index,
    }
}
