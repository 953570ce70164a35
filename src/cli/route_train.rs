//! `mkns route` on a distributed switch: the address train and the units it leads through.
//!
//! The train comes from the formulas, the path from following it through the wired graph.

use serde::Serialize;

use super::{CommandError, Context};
use mkns_diag::Code;
use mkns_routing::train::follow::{Step, follow};
use mkns_routing::train::{self, Train};
use mkns_spec::DistributedSwitchSpec;
use mkns_topology::Network;
use mkns_topology::distributed_switch::switch_of;

/// The train and the path as they are printed.
#[derive(Debug, Serialize)]
struct TrainOutcome {
    from: u32,
    to: u32,
    /// Local addresses in the order of use.
    train: Train,
    /// The train as destination of the header.
    address: u32,
    /// Links between units.
    links: usize,
    units: Vec<UnitView>,
    /// Trains over the other branches on which the destination can be reached.
    alternatives: Vec<Train>,
}

#[derive(Debug, Serialize)]
struct UnitView {
    name: String,
    r#in: Option<u8>,
    out: Option<u8>,
}

/// Prints the way from terminal `from` to terminal `to`.
pub fn print(
    spec: &DistributedSwitchSpec,
    network: &Network,
    (from, to): (u32, u32),
    context: &Context,
) -> Result<(), CommandError> {
    let switch = switch_of(spec);
    let train = train::alone(&switch, from, to);
    let block = network.hosts[(from * spec.trunks()) as usize].block;
    let steps = follow(network, &network.index(), block, &train).map_err(|(fault, block)| {
        let fact = format!("at {}: {fault}", network.block(block).name);
        let remedy = "run `mkns check` on the spec; this is a fault in the wiring";
        CommandError::new(Code::RouteLost, fact, remedy)
    })?;
    let branches = train::first_branches(&switch, from, to).into_iter().skip(1);
    let unit = |step: &Step| UnitView {
        name: network.block(step.block).name.clone(),
        r#in: step.in_port.map(|port| port.0),
        out: step.out_port.map(|port| port.0),
    };
    let outcome = TrainOutcome {
        from,
        to,
        address: train.packed(spec.local_address_bits()),
        train,
        links: steps.len() - 1,
        units: steps.iter().map(unit).collect(),
        alternatives: branches
            .filter_map(|branch| train::through(&switch, from, to, branch))
            .collect(),
    };
    context.result(outcome.to_text(), &outcome)
}

impl TrainOutcome {
    fn to_text(&self) -> String {
        let (from, to, train, links) = (self.from, self.to, &self.train, self.links);
        let mut out = format!(
            "terminal {from} → terminal {to}  (train {train}, address {:#07x}, links: {links})\n\n",
            self.address
        );
        out += &format!("  {:<20} {:>5} {:>5}\n", "unit", "in", "out");
        for unit in &self.units {
            let [input, output] = [unit.r#in, unit.out]
                .map(|port| port.map_or("host".to_owned(), |port| port.to_string()));
            out += &format!("  {:<20} {input:>5} {output:>5}\n", unit.name);
        }
        if !self.alternatives.is_empty() {
            let others: Vec<String> = self.alternatives.iter().map(Train::to_string).collect();
            out += &format!("\n  disjoint alternatives: {}\n", others.join(", "));
        }
        out
    }
}
