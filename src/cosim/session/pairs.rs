//! The two sides of the blocks of a plan, module by module: instances of verilated models, and golden
//! models.

use std::collections::HashMap;
use std::sync::{Mutex, mpsc};
use std::thread;

use mkns_sim::{ModelLibrary, Progress};

use crate::golden_devices::{LockstepConfig, unconfigured_device};
use crate::models::{Models, rtl_device};
use crate::network::{Pair, Partition, partitions};
use mkns_design::Plan;
use mkns_topology::BlockId;

use super::RunListener;

/// The two sides of every partition of a plan's blocks, by its first block; each is handed out once.
pub struct Pairs(HashMap<BlockId, Pair>);

impl Pairs {
    /// Fresh instances.
    pub fn new(
        plan: &Plan,
        libraries: &[ModelLibrary],
        sides: LockstepConfig,
    ) -> mkns_sim::Result<Self> {
        let pair = |partition: &Partition| {
            let (module, blocks) = (partition.module, &partition.blocks);
            let pair = Pair {
                rtl: rtl_device(&libraries[module], blocks, sides.seed)?,
                golden: Some(unconfigured_device(plan, module, blocks, sides.routes)),
            };
            Ok((blocks[0], pair))
        };
        let pairs = partitions(plan, sides.threads);
        let pairs = pairs.iter().map(pair);
        pairs.collect::<mkns_sim::Result<_>>().map(Self)
    }

    /// those of one partition.
    pub fn take(&mut self, blocks: &[BlockId]) -> Pair {
        self.0
            .remove(&blocks[0])
            .expect("every partition is asked for once")
    }
}

/// One library for every module of the plan, as many built side by side as there are processors.
pub fn libraries(
    plan: &Plan,
    models: &Models,
    listener: &dyn RunListener,
) -> mkns_sim::Result<Vec<ModelLibrary>> {
    let waiting = Mutex::new(plan.modules.iter().enumerate());
    let (sender, told) = mpsc::channel();
    let build = |sender: mpsc::Sender<Told>| {
        let next = || waiting.lock().expect("no builder panics").next();
        while let Some((number, module)) = next() {
            let library = models.library(module, &|progress| {
                drop(sender.send(Told::Progress(progress)));
            });
            drop(sender.send(Told::Built(number, library)));
        }
    };
    let mut libraries: Vec<_> = plan.modules.iter().map(|_| None).collect();
    thread::scope(|scope| {
        let builders = thread::available_parallelism().map_or(1, usize::from);
        let start = |sender| thread::Builder::new().spawn_scoped(scope, || build(sender));
        let started = (0..builders).filter(|_| start(sender.clone()).is_ok());
        if started.count() == 0 {
            // No memory for a thread is no reason to fail yet.
            build(sender.clone());
        }
        drop(sender);
        for told in told {
            match told {
                Told::Progress(progress) => listener.building(progress),
                Told::Built(number, library) => libraries[number] = Some(library),
            }
        }
    });
    let built = |library: Option<_>| library.expect("every module is built");
    libraries.into_iter().map(built).collect()
}

/// What a builder tells.
enum Told {
    Progress(Progress),
    Built(usize, mkns_sim::Result<ModelLibrary>),
}

/// Blocks that are instances of a module, in block order.
pub fn members(plan: &Plan, module: usize) -> Vec<BlockId> {
    let of_module = plan
        .instances
        .iter()
        .filter(|instance| instance.module == module);
    of_module.map(|instance| instance.block).collect()
}
