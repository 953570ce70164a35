//! Do the blocks have every turn that the tables make: a packet that needs another one is dropped.

use super::tables::WORD_PORTS;
use super::{Check, Violations};
use crate::flat::{FlatTables, Slot, ports_in};
use crate::{Routing, TurnFinder};
use mkns_spec::NetworkSpec;
use mkns_topology::{BlockId, Network};

/// `made`: by sending port and virtual channel, the outputs that packets take at the next block.
pub fn check(
    spec: &NetworkSpec,
    network: &Network,
    routing: &Routing,
    flat: &FlatTables,
    made: &[u64],
) -> Check {
    let is_small = |id: BlockId| {
        let block = network.block(id);
        block.network_ports + block.pcie_ports <= WORD_PORTS
    };
    if !network.block_ids().all(is_small) {
        return Check {
            examined: format!("not run: blocks with more than {WORD_PORTS} ports are not built"),
            ..Check::not_run("turns")
        };
    }
    let finder = TurnFinder::new(spec, network, routing);
    let built: Vec<_> = network.block_ids().map(|id| finder.of(id)).collect();
    let mut faults = Violations::default();
    let mut count = 0;
    let channels = flat.channels() as usize;
    for (slot, by_channel) in made.chunks(channels).enumerate() {
        let outputs = by_channel.iter().fold(0, |all, outputs| all | outputs);
        if outputs == 0 {
            continue;
        }
        let block = flat.next_block(slot as Slot);
        let input = usize::from(flat.entry_port(slot as Slot));
        for output in ports_in(outputs) {
            count += 1;
            if !built[block].contains(input, usize::from(output)) {
                let name = &network.block(BlockId(block as u32)).name;
                faults.add(|| format!("{name}: no turn from port {input} to port {output}"));
            }
        }
    }
    let examined = format!("{count} pairs of an input and an output that packets use: ");
    let found = match faults.is_empty() {
        true => "all are built",
        false => "not all are built",
    };
    faults.into_check("turns", examined + found)
}
