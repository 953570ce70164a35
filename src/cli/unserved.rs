//! Pairs of hosts that failed parts leave without a route are refused where cables still join them.

use super::CommandError;
use mkns_design::Plan;
use mkns_diag::Code;
use mkns_topology::{BlockId, Network};

/// Refuses routes that do not serve all adapter blocks which cables still join.
pub fn ensure_served(plan: &Plan) -> Result<(), CommandError> {
    let Some(served) = &plan.served else {
        return Ok(());
    };
    let network = &plan.network;
    let parts = network.index_without(&plan.faults).parts(network);
    let hosts = working_hosts(plan);
    let pairs = hosts
        .iter()
        .flat_map(|from| hosts.iter().map(move |to| (*from, *to)));
    let mut unserved = pairs.filter(|((from, first), (to, second))| {
        parts[from.0 as usize] == parts[to.0 as usize] && !served.has(*first, *second)
    });
    let Some(((from, _), (to, _))) = unserved.next() else {
        return Ok(());
    };
    let name = |block: BlockId| &network.block(block).name;
    let (from, to, count) = (name(from), name(to), unserved.count() + 1);
    let (pairs, have) = match count {
        1 => ("pair", "has"),
        _ => ("pairs", "have"),
    };
    let fact = format!(
        "routing = \"{}\" does not route around {}: {count} ordered {pairs} of adapter blocks {have} no route though cables join \
         them, the first {from} to {to}",
        plan.spec.routing,
        down(plan, network)
    );
    let remedy = "name an engine that routes around failed parts, such as `--set routing=up_down`; `mkns check` lists the pairs";
    Err(CommandError::new(Code::HostsWithoutRoute, fact, remedy))
}

/// A host that works of each adapter block that has one.
fn working_hosts(plan: &Plan) -> Vec<(BlockId, u32)> {
    let network = &plan.network;
    let works = |host: u32| plan.faults.host_works(network, host);
    let working = network.hosts.iter().filter(|host| works(host.host));
    let mut hosts: Vec<(BlockId, u32)> = working.map(|host| (host.block, host.host)).collect();
    hosts.dedup_by_key(|(block, _)| *block);
    hosts
}

fn down(plan: &Plan, network: &Network) -> String {
    let parts: Vec<String> = plan.faults.parts().map(|part| part.name(network)).collect();
    parts.join(", ")
}
