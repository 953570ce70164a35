//! A network of reference blocks and one of fast blocks, driven alike.

use crate::{NetworkModel, RouteSource};
use mkns_design::{Pins, Plan, Port, get_bits, set_bits};
use mkns_golden::Network;
use mkns_topology::{BlockId, Cable};

pub struct Pair {
    reference: Network,
    fast: NetworkModel,
    blocks: usize,
}

impl Pair {
    /// The fast blocks look their routes up or compute them.
    pub fn new(plan: &Plan, computes_routes: bool) -> Self {
        let source = match computes_routes {
            true => RouteSource::Arithmetic,
            false => RouteSource::Tables,
        };
        Self {
            reference: Network::new(plan),
            fast: NetworkModel::new(plan, source),
            blocks: plan.instances.len(),
        }
    }

    /// Sets `width` ≤ 64 bits of an input port of a block, from `bit` on.
    pub fn set(&mut self, block: BlockId, word: usize, bit: usize, width: usize, value: u64) {
        set_bits(
            &mut self.reference.inputs_mut(block)[word..],
            bit,
            width,
            value,
        );
        set_bits(&mut self.fast.inputs_mut(block)[word..], bit, width, value);
    }

    /// Bits of an output port of a block, in the last cycle.
    pub fn get(&self, block: BlockId, word: usize, bit: usize, width: usize) -> u64 {
        get_bits(&self.reference.outputs(block)[word..], bit, width)
    }

    pub fn set_cable_up(&mut self, cable: &Cable, up: bool) {
        self.reference.set_cable_up(cable, up);
        self.fast.set_cable_up(cable, up);
    }

    pub fn step(&mut self) {
        self.reference.step();
        self.fast.step();
    }

    pub fn reset_links(&mut self) {
        self.reference.reset_links();
        self.fast.reset_links();
    }

    /// The first block and port that shows something else, in the last cycle or on its link pins for
    /// the next one.
    pub fn difference(&mut self, plan: &Plan) -> Option<String> {
        for number in 0..self.blocks {
            let id = BlockId(number as u32);
            let are_alike = self.reference.outputs(id) == self.fast.outputs(id)
                && self.reference.inputs_mut(id) == self.fast.inputs_mut(id);
            if !are_alike {
                return Some(self.describe(plan, id));
            }
        }
        None
    }

    fn describe(&mut self, plan: &Plan, id: BlockId) -> String {
        let instance = &plan.instances[id.0 as usize];
        let module = &plan.modules[instance.module];
        let table = module.port_table();
        let name = &plan.network.block(id).name;
        let outputs = differing(
            &table.outputs,
            self.reference.outputs(id),
            self.fast.outputs(id),
        );
        let inputs = differing(
            &table.inputs,
            self.reference.inputs_mut(id),
            self.fast.inputs_mut(id),
        );
        format!(
            "{name} ({:?}, {} words): {outputs}{inputs}\nreference: {}\nfast: {}",
            module.kind,
            Pins::new(module).output_words,
            self.reference.describe(id),
            self.fast.block(id).describe(),
        )
    }
}

/// Names and words of the ports that differ.
fn differing(ports: &[Port], reference: &[u64], fast: &[u64]) -> String {
    let mut text = String::new();
    let mut first = 0;
    for port in ports {
        let words = first..first + port.bits.div_ceil(64) as usize;
        let (of_reference, of_fast) = (&reference[words.clone()], &fast[words.clone()]);
        if of_reference != of_fast {
            let name = port.name;
            text += &format!("\n  {name}: reference {of_reference:x?}, fast {of_fast:x?}");
        }
        first = words.end;
    }
    text
}
