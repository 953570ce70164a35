//! What the outputs of blocks have to be: the reference of lone blocks, and of blocks of a plan.

use mkns_design::{BlockModule, Device, Pins, Plan, RouteSource};
use mkns_golden::{Block, Board};
use mkns_routing::BlockTables;
use mkns_topology::BlockId;

/// How the two sides of a network's blocks are made.
#[derive(Debug, Clone, Copy)]
pub struct LockstepConfig {
    /// Power-up values of the RTL.
    pub seed: u64,
    /// Where the reference takes its routes from.
    pub routes: RouteSource,
    /// Threads that the blocks are dealt out to.
    pub threads: usize,
}

impl LockstepConfig {
    /// With computed routes, on one thread.
    pub fn computed(seed: u64) -> Self {
        Self {
            seed,
            routes: RouteSource::Arithmetic,
            threads: 1,
        }
    }
}

/// The reference of a lone block that starts with empty tables, as the RTL libraries do; routes come
/// from the tables that are written.
pub fn golden_device(module: &BlockModule) -> Box<dyn Device> {
    golden_device_with_tables(module, None)
}

/// The reference of a lone block that powers up with these tables.
pub fn golden_device_with_tables(
    module: &BlockModule,
    tables: Option<&BlockTables>,
) -> Box<dyn Device> {
    Box::new(Block::new(module, 0, tables))
}

/// The reference of blocks of a plan, whose routes come from coordinate arithmetic where the family
/// has a closed form: tables that are packed or written wrongly then show.
pub fn golden_network_device(plan: &Plan, module: usize, blocks: &[BlockId]) -> Box<dyn Device> {
    unconfigured_device(plan, module, blocks, RouteSource::Arithmetic)
}

/// The reference of blocks of a plan that start with empty tables. With [`RouteSource::Tables`] the routes
/// are those written through the control port, so that alternates count.
pub(super) fn unconfigured_device(
    plan: &Plan,
    module: usize,
    blocks: &[BlockId],
    routes: RouteSource,
) -> Box<dyn Device> {
    devices(plan, module, blocks, routes, false)
}

/// The reference of blocks of a plan with all that they power up with: tables, masks, node addresses, and peers of
/// serial links.
pub(super) fn planned_device(
    plan: &Plan,
    module: usize,
    blocks: &[BlockId],
    routes: RouteSource,
) -> Box<dyn Device> {
    devices(plan, module, blocks, routes, true)
}

fn devices(
    plan: &Plan,
    module: usize,
    blocks: &[BlockId],
    routes: RouteSource,
    is_configured: bool,
) -> Box<dyn Device> {
    let (whole, alone) = (&plan.modules[module], &plan.modules[module].alone());
    let models = blocks.iter().filter_map(|&id| {
        let instance = is_configured.then(|| &plan.instances[id.0 as usize]);
        let address = instance.map_or(0, |instance| instance.node_address);
        let block = Block::new(alone, address, instance.map(|instance| &instance.tables))
            .with_masks(alone, instance.and_then(|it| it.layer_choice.as_ref()))
            .with_routes(routes.computed(plan, id));
        match (whole.serial_ports, is_configured) {
            (0, _) => Some(Box::new(block) as Box<dyn Device>),
            (_, true) => Some(Box::new(Board::planned(plan, whole, id, block)?)),
            (_, false) => Some(Box::new(Board::new(plan, whole, block)?)),
        }
    });
    let (pins, _) = Pins::of_board(whole);
    Box::new(Bank {
        devices: models.collect(),
        input_words: pins.input_words,
        output_words: pins.output_words,
    })
}

/// Devices of one instance each, side by side.
struct Bank {
    devices: Vec<Box<dyn Device>>,
    input_words: usize,
    output_words: usize,
}

impl Device for Bank {
    fn step_all(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        let inputs = inputs.chunks_exact(self.input_words);
        let outputs = outputs.chunks_exact_mut(self.output_words);
        for (device, (inputs, outputs)) in self.devices.iter_mut().zip(inputs.zip(outputs)) {
            device.step_all(inputs, outputs);
        }
    }

    fn describe(&self, instance: usize) -> String {
        self.devices[instance].describe(0)
    }
}
