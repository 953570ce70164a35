//! Whether a network can be managed over its cables from one block (`docs/microarchitecture.md`, 8).

use super::CommandError;
use mkns_design::{Plan, serial_link};
use mkns_diag::Code;
use mkns_manage::LONGEST_ROUTE;
use mkns_spec::NetworkSpec;
use mkns_topology::distances::Adjacency;
use mkns_topology::{BlockId, Faults, Network, Part};

/// How many serial links each block is away from `from`; none where no serial links lead there.
fn distances(spec: &NetworkSpec, network: &Network, from: BlockId) -> Vec<Option<usize>> {
    let cables = (0..).zip(&network.cables);
    let others = cables.filter(|(_, cable)| serial_link(spec, cable).is_none());
    let others: Faults = others.map(|(number, _)| Part::Cable(number)).collect();
    let serial = Adjacency::new(network, &network.index_without(&others));
    let mut found = vec![None; network.blocks.len()];
    serial.search(&[from.0], |links, block, _| {
        found[block] = Some(links as usize)
    });
    found
}

/// A block that messages from `from` cannot reach, in words.
pub fn unreachable(spec: &NetworkSpec, network: &Network, from: BlockId) -> Option<String> {
    let name = |block: usize| &network.blocks[block].name;
    let from_name = name(from.0 as usize);
    let distances = distances(spec, network, from);
    let (block, links) = distances
        .iter()
        .enumerate()
        .find(|(_, links)| links.is_none_or(|links| links > LONGEST_ROUTE))?;
    let block = name(block);
    Some(match links {
        None => format!("no serial links lead from {from_name} to {block}"),
        Some(links) => format!(
            "{block} is {links} links away from {from_name}, and a message passes at most {LONGEST_ROUTE}"
        ),
    })
}

/// The block with this name, which an option gives, and from which messages reach all others.
pub fn manageable_block(option: &str, name: &str, plan: &Plan) -> Result<BlockId, CommandError> {
    let Some(own) = plan.network.block_named(name) else {
        let fact = format!("`{option} {name}`: {} has no such block", plan.network.name);
        let remedy = "`mkns export SPEC` lists the names of all blocks";
        return Err(CommandError::new(Code::NoSuchBlock, fact, remedy));
    };
    ensure_manageable(&plan.spec, &plan.network, own)?;
    Ok(own)
}

/// The block of the first host, from which messages reach all others.
pub fn first_host(plan: &Plan) -> Result<BlockId, CommandError> {
    let from = plan.network.hosts[0].block;
    ensure_manageable(&plan.spec, &plan.network, from)?;
    Ok(from)
}

/// Refuses a network that cannot be managed from this block.
pub fn ensure_manageable(
    spec: &NetworkSpec,
    network: &Network,
    from: BlockId,
) -> Result<(), CommandError> {
    if !spec.is_managed_in_band() {
        let fact = "the network has no management units, which pass messages over its cables";
        let remedy =
            "add `--set link.kind=serial --set link.management=in_band`, or use its control ports";
        return Err(CommandError::new(Code::OptionWithoutEffect, fact, remedy));
    }
    match unreachable(spec, network, from) {
        None => Ok(()),
        Some(fact) => {
            let remedy = "make all dimensions serial, or choose another block or a network of smaller diameter";
            Err(CommandError::new(Code::OptionWithoutEffect, fact, remedy))
        }
    }
}
