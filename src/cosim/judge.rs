//! Who says what the outputs of blocks have to be: the reference, or the fast model behind the pins of the reference.

use serde::Serialize;

use super::board::BoardModel;
use super::device::Device;
use super::pin_model::PinModel;
use mkns_design::{BlockModule, ComputedRoutes, DataPath, Pins, Plan, RouteSource};
use mkns_golden::{Block, BlockParts};
use mkns_routing::BlockTables;
use mkns_simulation::PathShape;
use mkns_topology::BlockId;

/// How the two sides of a network's blocks are made.
#[derive(Debug, Clone, Copy)]
pub struct Sides {
    /// Power-up values of the RTL.
    pub seed: u64,
    /// Where the judge takes its routes from.
    pub routes: RouteSource,
    pub judge: Judge,
    /// Threads that the blocks are dealt out to.
    pub threads: usize,
}

impl Sides {
    /// Judged by the fast model with computed routes, on one thread.
    pub fn fast(seed: u64) -> Self {
        Self {
            seed,
            routes: RouteSource::Arithmetic,
            judge: Judge::Fast,
            threads: 1,
        }
    }
}

/// The model that a network is compared with, block by block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Judge {
    /// The reference (`mkns-golden`), as lone blocks are judged.
    Reference,
    /// The model of `mkns sim`: faster, and held to the reference by tests.
    Fast,
}

impl Judge {
    /// Block-cycles up to which the reference is worth its time when nobody says.
    const SHORT: u64 = 2_000_000;

    /// The judge of a run of this many block-cycles unless one is chosen.
    pub fn of_run(block_cycles: u64) -> Self {
        match block_cycles <= Self::SHORT {
            true => Self::Reference,
            false => Self::Fast,
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
    let parts = BlockParts::new(module, tables);
    bank(module, vec![Block::new(module, 0, Box::new(parts))])
}

/// The fast model of blocks of a plan, whose routes come from coordinate arithmetic where the family
/// has a closed form: tables that are packed or written wrongly then show.
pub fn fast_network_device(plan: &Plan, module: usize, blocks: &[BlockId]) -> Box<dyn Device> {
    network_judge(plan, module, blocks, Sides::fast(0))
}

/// The judge of blocks of a plan that start with empty tables. With [`RouteSource::Tables`] the routes
/// are those written through the control port, so that alternates count.
pub(super) fn network_judge(
    plan: &Plan,
    module: usize,
    blocks: &[BlockId],
    sides: Sides,
) -> Box<dyn Device> {
    let (whole, alone) = (&plan.modules[module], &plan.modules[module].alone());
    let fast = PathShape::new(alone);
    let path = |routes: Option<ComputedRoutes>| -> Box<dyn DataPath> {
        match sides.judge {
            Judge::Reference => Box::new(BlockParts::new(alone, None).with_routes(routes)),
            Judge::Fast => fast.path(None, None, routes),
        }
    };
    let models = blocks.iter().map(|&block| {
        let routes = sides.routes.computed(plan, block);
        Block::new(alone, 0, path(routes))
    });
    if whole.serial_ports == 0 {
        return bank(whole, models.collect());
    }
    let models = blocks.iter().zip(models);
    let models = models.filter_map(|(&id, model)| BoardModel::new(plan, whole, id, model));
    bank(whole, models.collect())
}

/// The reference of blocks of a plan with all that they power up with: tables, masks, node addresses, and peers of
/// serial links.
pub(super) fn planned_device(
    plan: &Plan,
    module: usize,
    blocks: &[BlockId],
    routes: RouteSource,
) -> Box<dyn Device> {
    let (whole, alone) = (&plan.modules[module], &plan.modules[module].alone());
    let model = |&id: &BlockId| {
        let instance = &plan.instances[id.0 as usize];
        let parts = BlockParts::new(alone, Some(&instance.tables))
            .with_paths(alone, instance.layer_choice.as_ref())
            .with_routes(routes.computed(plan, id));
        (
            id,
            Block::new(alone, instance.node_address, Box::new(parts)),
        )
    };
    let models = blocks.iter().map(model);
    if whole.serial_ports == 0 {
        return bank(whole, models.map(|(_, block)| block).collect());
    }
    let boards = models.filter_map(|(id, block)| BoardModel::planned(plan, whole, id, block));
    bank(whole, boards.collect())
}

impl PinModel for Block {
    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        Block::step(self, inputs, outputs);
    }

    fn describe(&self) -> String {
        Block::describe(self)
    }
}

/// Models of blocks of one module.
struct ModelBank<M> {
    models: Vec<M>,
    input_words: usize,
    output_words: usize,
}

fn bank<M: PinModel>(module: &BlockModule, models: Vec<M>) -> Box<dyn Device> {
    let (pins, _) = Pins::of_board(module);
    Box::new(ModelBank {
        models,
        input_words: pins.input_words,
        output_words: pins.output_words,
    })
}

impl<M: PinModel> Device for ModelBank<M> {
    fn step_all(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        let inputs = inputs.chunks_exact(self.input_words);
        let outputs = outputs.chunks_exact_mut(self.output_words);
        for (model, (inputs, outputs)) in self.models.iter_mut().zip(inputs.zip(outputs)) {
            model.step(inputs, outputs);
        }
    }

    fn describe(&self, instance: usize) -> String {
        self.models[instance].describe()
    }
}
