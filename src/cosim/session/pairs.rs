//! The two sides of the blocks of a plan, module by module: instances of verilated models, and golden
//! models.

use std::sync::{Mutex, mpsc};
use std::thread;

use mkns_sim::{ModelLibrary, Progress};

use crate::models::{Models, golden_routed_device, rtl_device};
use crate::network::Pair;
use mkns_design::Plan;
use mkns_simulation::RouteSource;
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

/// One library for every module of the plan, as many built side by side as there are processors.
pub fn libraries(
    plan: &Plan,
    models: &Models,
    watcher: &dyn Watcher,
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
                Told::Progress(progress) => watcher.building(progress),
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
