//! The two sides of the blocks of a plan, module by module: instances of verilated models, and golden
//! models.

use std::sync::mpsc;
use std::thread;

use mkns_sim::ModelLibrary;
use rayon::prelude::*;

use crate::models::{Models, golden_routed_device, rtl_device};
use crate::network::Pair;
use mkns_design::Plan;
use mkns_golden::RouteSource;
use mkns_topology::BlockId;

use super::Watcher;

/// The two sides of every module's blocks, each handed out once.
pub(crate) struct Pairs(Vec<Option<Pair>>);

impl Pairs {
    /// Fresh instances; the registers of the RTL power up from `seed`.
    pub fn new(
        plan: &Plan,
        libraries: &[ModelLibrary],
        seed: u64,
        routes: RouteSource,
    ) -> mkns_sim::Result<Self> {
        let pair = |(module, library)| {
            let blocks = members(plan, module);
            Ok(Some(Pair {
                rtl: rtl_device(library, &blocks, seed)?,
                golden: Some(golden_routed_device(plan, module, &blocks, routes)),
            }))
        };
        let pairs = libraries.iter().enumerate().map(pair);
        pairs.collect::<mkns_sim::Result<_>>().map(Self)
    }

    /// Those of one module.
    pub fn take(&mut self, module: usize) -> Pair {
        self.0[module]
            .take()
            .expect("every module is asked for once")
    }
}

/// One library for every module of the plan, built side by side.
pub fn libraries(
    plan: &Plan,
    models: &Models,
    watcher: &dyn Watcher,
) -> mkns_sim::Result<Vec<ModelLibrary>> {
    let (sender, told) = mpsc::channel();
    thread::scope(|scope| {
        let builder = scope.spawn(move || {
            let build = |module| models.library(module, &|progress| drop(sender.send(progress)));
            plan.modules.par_iter().map(build).collect()
        });
        told.iter().for_each(|progress| watcher.building(progress));
        builder.join().expect("no builder panics")
    })
}

/// Blocks that are instances of a module, in block order.
pub fn members(plan: &Plan, module: usize) -> Vec<BlockId> {
    let of_module = plan
        .instances
        .iter()
        .filter(|instance| instance.module == module);
    of_module.map(|instance| instance.block).collect()
}
