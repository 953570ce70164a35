//! A network of the reference, and beside each of its blocks a fast one behind the same pins that is given the same
//! inputs.

use crate::PathShape;
use mkns_design::{BlockInstance, Pins, Plan, Port, RouteSource, get_bits, set_bits};
use mkns_golden::{Block, Network};
use mkns_topology::{BlockId, Cable};

pub struct Pair {
    reference: Network,
    fast: Vec<FastBlock>,
}

struct FastBlock {
    model: Block,
    outputs: Vec<u64>,
}

impl Pair {
    /// The fast blocks look their routes up or compute them.
    pub fn new(plan: &Plan, computes_routes: bool) -> Self {
        let source = match computes_routes {
            true => RouteSource::Arithmetic,
            false => RouteSource::Tables,
        };
        let fast = |instance: &BlockInstance| {
            let module = &plan.modules[instance.module];
            let path = PathShape::new(module).path(
                Some(&instance.tables),
                instance.layer_choice.as_ref(),
                source.computed(plan, instance.block),
            );
            let model = Block::new(module, instance.node_address, path);
            let outputs = vec![0; Pins::new(module).output_words];
            FastBlock { model, outputs }
        };
        Self {
            reference: Network::new(plan, RouteSource::Tables),
            fast: plan.instances.iter().map(fast).collect(),
        }
    }

    /// Sets `width` ≤ 64 bits of an input port of a block, from `bit` on.
    pub fn set(&mut self, block: BlockId, word: usize, bit: usize, width: usize, value: u64) {
        let inputs = self.reference.inputs_mut(block);
        set_bits(&mut inputs[word..], bit, width, value);
    }

    /// Bits of an output port of a block, in the last cycle.
    pub fn get(&self, block: BlockId, word: usize, bit: usize, width: usize) -> u64 {
        get_bits(&self.reference.outputs(block)[word..], bit, width)
    }

    pub fn set_cable_up(&mut self, cable: &Cable, up: bool) {
        self.reference.set_cable_up(cable, up);
    }

    pub fn step(&mut self) {
        for (number, fast) in self.fast.iter_mut().enumerate() {
            let inputs = self.reference.inputs_mut(BlockId(number as u32));
            fast.model.step(inputs, &mut fast.outputs);
        }
        self.reference.step();
    }

    pub fn reset_links(&mut self) {
        self.reference.reset_links();
    }

    /// The first block and port that shows something else in the last cycle.
    pub fn difference(&self, plan: &Plan) -> Option<String> {
        let ids = (0..self.fast.len()).map(|number| BlockId(number as u32));
        let differs = |id: &BlockId| self.reference.outputs(*id) != self.fast_block(*id).outputs;
        ids.into_iter()
            .find(differs)
            .map(|id| self.describe(plan, id))
    }

    fn fast_block(&self, id: BlockId) -> &FastBlock {
        &self.fast[id.0 as usize]
    }

    /// The states of all fast blocks, in words.
    pub fn fast_states(&self) -> String {
        self.fast.iter().map(|fast| fast.model.describe()).collect()
    }

    fn describe(&self, plan: &Plan, id: BlockId) -> String {
        let instance = &plan.instances[id.0 as usize];
        let module = &plan.modules[instance.module];
        let fast = self.fast_block(id);
        let outputs = &module.port_table().outputs;
        let outputs = differing(outputs, self.reference.outputs(id), &fast.outputs);
        format!(
            "{name} ({:?}, {} words): {outputs}\nreference: {}\nfast: {}",
            module.kind,
            Pins::new(module).output_words,
            self.reference.describe(id),
            fast.model.describe(),
            name = plan.network.block(id).name,
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
