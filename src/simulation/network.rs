//! A whole network of block models, wired by a plan.
//!
//! The caller drives the PCIe-side and control pins of each block; links are driven here. Cables
//! are up until [`NetworkModel::set_cable_up`] says otherwise.

use super::block::BlockModel;
use super::link::Wiring;
use mkns_design::{Plan, RouteSource};
use mkns_topology::{BlockId, Cable};

/// All blocks of a network and the links between them.
#[derive(Debug, Clone)]
pub struct NetworkModel {
    blocks: Vec<BlockModel>,
    wiring: Wiring,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
}

impl NetworkModel {
    /// All blocks in their reset state, all cables up.
    pub fn new(plan: &Plan, routes: RouteSource) -> NetworkModel {
        let wiring = Wiring::new(plan);
        let block = |instance: &mkns_design::BlockInstance| {
            let module = &plan.modules[instance.module];
            let block = BlockModel::new(module, Some(&instance.tables), instance.node_address);
            let mut block = block.with_layers(module, instance.layer_choice.as_ref());
            if let Some(routes) = routes.computed(plan, instance.block) {
                block.compute_routes(routes);
            }
            block
        };
        let mut network = NetworkModel {
            blocks: plan.instances.iter().map(block).collect(),
            inputs: vec![0; wiring.input_words()],
            outputs: vec![0; wiring.output_words()],
            wiring,
        };
        for cable in &plan.network.cables {
            network.set_cable_up(cable, true);
        }
        network
    }

    /// One cycle of every block and link.
    pub fn step(&mut self) {
        for (number, block) in self.blocks.iter_mut().enumerate() {
            let id = BlockId(number as u32);
            let inputs = &self.inputs[self.wiring.inputs_of(id)];
            let outputs = &mut self.outputs[self.wiring.outputs_of(id)];
            block.step(inputs, outputs);
        }
        self.wiring.transfer(&mut self.inputs, &self.outputs);
    }

    /// The links' registers become 0, as by a clock edge under reset; follows the step of the same
    /// cycle.
    pub fn reset_links(&mut self) {
        self.wiring.reset(&mut self.inputs);
    }

    /// Sets `link_up` at both ends.
    pub fn set_cable_up(&mut self, cable: &Cable, up: bool) {
        for end in [cable.a, cable.b] {
            self.wiring.set_link_up(end, up, &mut self.inputs);
        }
    }

    pub fn block(&self, block: BlockId) -> &BlockModel {
        &self.blocks[block.0 as usize]
    }

    /// Packed inputs of a block for the next cycle. The link pins belong to the network.
    pub fn inputs_mut(&mut self, block: BlockId) -> &mut [u64] {
        &mut self.inputs[self.wiring.inputs_of(block)]
    }

    /// Packed outputs of a block in the last cycle.
    pub fn outputs(&self, block: BlockId) -> &[u64] {
        &self.outputs[self.wiring.outputs_of(block)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::{self, Header};
    use mkns_design::Pins;
    use mkns_spec as spec;

    fn plan(text: &str) -> Plan {
        let spec = spec::parse(text).expect("a valid spec");
        mkns_design::build(&spec).expect("a plan")
    }

    /// Sends one packet of a payload beat from every VM to every VM and returns the cycles from
    /// the first beat to the last, by (from, to).
    fn all_pairs(plan: &Plan, routes: RouteSource) -> Vec<u64> {
        let mut latencies = Vec::new();
        for from in &plan.network.terminals {
            let mut network = NetworkModel::new(plan, routes);
            for to in &plan.network.terminals {
                latencies.push(deliver(plan, &mut network, from.vm, to.vm));
            }
        }
        latencies
    }

    fn deliver(plan: &Plan, network: &mut NetworkModel, from: u32, to: u32) -> u64 {
        let module = &plan.modules[plan.instances[0].module];
        let at = Pins::new(module);
        let source = plan.network.terminals[from as usize];
        let target = plan.network.terminals[to as usize];
        let packet = Header {
            destination: plan.layout.address_of(to),
            length: 8,
            ..Header::default()
        };
        for terminal in &plan.network.terminals {
            network.inputs_mut(terminal.block)[at.egress.ready] = u64::MAX;
        }
        network.step();
        let beats = [
            packet.pack_without_crc(),
            u64::from(from) << 32 | u64::from(to),
        ];
        let port = usize::from(source.pcie_port);
        for (number, beat) in beats.into_iter().enumerate() {
            let pins = network.inputs_mut(source.block);
            pins[at.ingress.data + port] = beat;
            pins[at.ingress.keep] = 0xFF << (8 * port);
            pins[at.ingress.valid] = 1 << port;
            pins[at.ingress.last] = (number as u64) << port;
            network.step();
            assert!(network.outputs(source.block)[at.ingress.ready] >> port & 1 == 1);
        }
        network.inputs_mut(source.block)[at.ingress.valid] = 0;
        let port = usize::from(target.pcie_port);
        let mut seen = Vec::new();
        for cycle in 0..200 {
            network.step();
            let pins = network.outputs(target.block);
            if pins[at.egress.valid] >> port & 1 == 1 {
                assert_eq!(pins[at.egress.user], 0);
                seen.push(pins[at.egress.data + port]);
                if pins[at.egress.last] >> port & 1 == 1 {
                    let received = Header::unpack(seen[0]);
                    assert!(header::crc_is_right(seen[0]));
                    assert_eq!(received.source, plan.layout.address_of(from));
                    assert_eq!(seen[1..], beats[1..]);
                    network.inputs_mut(target.block);
                    return cycle;
                }
            }
        }
        panic!("{from} → {to} never arrives");
    }

    #[test]
    fn every_vm_reaches_every_vm_by_tables_and_by_arithmetic_alike() {
        for text in ["MKNS(2,4,2,1)", "MKNS(1,3x2,2,0)", "MKNS(1,2x11,2,2)"] {
            let plan = plan(text);
            let by_tables = all_pairs(&plan, RouteSource::Tables);
            let by_arithmetic = all_pairs(&plan, RouteSource::Arithmetic);
            assert_eq!(by_tables, by_arithmetic, "{text}");
        }
    }

    #[test]
    fn a_hop_costs_5_cycles_in_the_block_and_the_link_latency() {
        for latency in [1, 3] {
            let mut spec = spec::parse("MKNS(1,4,1,1)").expect("a valid spec");
            spec.block.link_latency = latency;
            let plan = mkns_design::build(&spec).expect("a plan");
            let mut network = NetworkModel::new(&plan, RouteSource::Tables);
            let near = deliver(&plan, &mut network, 0, 0);
            let far = deliver(&plan, &mut network, 0, 1);
            assert_eq!(far - near, 5 + u64::from(latency));
        }
    }
}
