//! Ranks that know their blocks and what lies around them, and nothing of the rest of the network.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use super::ranks::{compare, kinds_of_traffic, on_ranks};
use crate::fabric::Partitioning;
use mkns_design::{BlockModule, Plan};
use mkns_routing::TurnFinder;
use mkns_spec::NetworkSpec;
use mkns_topology::{Block, BlockId, Cable, Faults, NetworkLayout, Subgraph, layout};
use mkns_traffic::Pattern;

/// Counts the blocks that are made.
#[derive(Debug)]
struct Counted {
    inner: Arc<dyn NetworkLayout>,
    made: AtomicU32,
}

impl Counted {
    fn of(spec: &NetworkSpec) -> Arc<Counted> {
        Arc::new(Counted {
            inner: layout(spec).expect("blocks follow from their numbers"),
            made: AtomicU32::new(0),
        })
    }
}

impl NetworkLayout for Counted {
    fn blocks(&self) -> u32 {
        self.inner.blocks()
    }

    fn dimensions(&self) -> usize {
        self.inner.dimensions()
    }

    fn place(&self, block: BlockId) -> Vec<u32> {
        self.inner.place(block)
    }

    fn block(&self, block: BlockId) -> Block {
        self.made.fetch_add(1, Ordering::Relaxed);
        self.inner.block(block)
    }

    fn cables(&self, block: BlockId) -> Vec<Cable> {
        self.inner.cables(block)
    }
}

fn spec_of(text: &str) -> NetworkSpec {
    mkns_spec::parse(text).expect("a valid spec")
}

fn subgraph_of(
    spec: &NetworkSpec,
    layout: &dyn NetworkLayout,
    partitioning: &Partitioning,
    rank: usize,
) -> Subgraph {
    Subgraph::around(&spec.name, layout, partitioning.blocks_of(rank).collect())
}

fn plan_of(spec: &NetworkSpec, subgraph: Subgraph) -> (Plan, Vec<u32>) {
    let Subgraph { network, numbers } = subgraph;
    let routing = mkns_routing::build(spec, &network, &Faults::none()).expect("routes");
    (Plan::new(spec, network, routing), numbers)
}

const NETWORKS: [&str; 8] = [
    "MKNS(2,4x4,2,1)",
    "MKNS(2,3x4x2,3,1)",
    "MKNS(1,2x12,2,2)",
    "MKNS(1,3x2,2,0)",
    "torus(5x4,2)",
    "torus(2x3x2)",
    "HyperX(3x4,2)",
    "KNS(2x3x2,1)",
];

#[test]
fn blocks_of_subgraphs_are_those_of_the_whole() {
    for text in NETWORKS {
        let spec = spec_of(text);
        let whole = mkns_design::build(&spec).expect("a plan");
        let layout = layout(&spec).expect("blocks follow from their numbers");
        // As many as 7 ranks cut assemblies in pieces.
        for ranks in [3, 7] {
            let partitioning = Partitioning::of(Arc::clone(&layout), ranks);
            for rank in 0..ranks {
                let planned = plan_of(&spec, subgraph_of(&spec, &*layout, &partitioning, rank));
                let is_own = |number| partitioning.rank_of(BlockId(number)) == rank;
                ensure_equal(&planned, &whole, &is_own, text);
            }
        }
    }
}

/// Own blocks of a subgraph with those of the whole network.
fn ensure_equal(
    (plan, numbers): &(Plan, Vec<u32>),
    whole: &Plan,
    is_own: &dyn Fn(u32) -> bool,
    text: &str,
) {
    assert_eq!(plan.hosts(), whole.network.hosts.len() as u32, "{text}");
    let spec = spec_of(text);
    let routing = mkns_routing::build(&spec, &whole.network, &Faults::none()).expect("routes");
    let finder = TurnFinder::new(&spec, &whole.network, &routing);
    for (instance, &number) in plan.instances.iter().zip(numbers) {
        if !is_own(number) {
            continue;
        }
        let same = &whole.instances[number as usize];
        let (own, all) = (instance.block, BlockId(number));
        assert_eq!(plan.network.block(own), whole.network.block(all), "{text}");
        assert_eq!(instance.tables, same.tables, "{text}, {number}");
        assert_eq!(instance.node_address, same.node_address, "{text}, {number}");
        let module = &plan.modules[instance.module];
        let expected = BlockModule {
            turns: module.turns.clone(),
            ..whole.modules[same.module].clone()
        };
        assert_eq!(module, &expected, "{text}, {number}");
        // The turns of a module are those of all its blocks, and a rank does not know all of them.
        let turns = finder.of(all);
        let missing = |(built, row): (&u32, &u32)| row & !built != 0;
        let mut rows = module.turns.rows().iter().zip(turns.rows());
        assert!(!rows.any(missing), "{text}, {number}: {turns:?}");
    }
}

#[test]
fn ranks_with_subgraphs_find_what_one_finds() {
    for text in NETWORKS {
        let spec = spec_of(text);
        let whole = mkns_design::build(&spec).expect("a plan");
        for traffic in kinds_of_traffic(Pattern::Neighbour) {
            for (ranks, parts) in [(2, 1), (3, 2), (5, 1)] {
                let layout = layout(&spec).expect("blocks follow from their numbers");
                let partitioning = Arc::new(Partitioning::of(Arc::clone(&layout), ranks));
                let planned = |partitioning: &Partitioning, rank| {
                    plan_of(&spec, subgraph_of(&spec, &*layout, partitioning, rank))
                };
                let shares = on_ranks(&partitioning, &planned, &traffic, parts, false);
                if let Err(difference) = compare(&whole, &traffic, shares, false) {
                    panic!("{text}, {:?}: {difference}", traffic.pattern);
                }
            }
        }
    }
}

/// Nothing of the size of the whole network is on a rank, not for a moment.
#[test]
fn a_rank_makes_its_blocks_and_those_around_them() {
    let spec = spec_of("torus(16x16x16)");
    let counted = Counted::of(&spec);
    let partitioning = Partitioning::of(counted.clone(), 16);
    assert_eq!(
        counted.made.load(Ordering::Relaxed),
        0,
        "a cut needs numbers alone"
    );
    for rank in 0..16 {
        let before = counted.made.load(Ordering::Relaxed);
        let (plan, numbers) = plan_of(&spec, subgraph_of(&spec, &*counted, &partitioning, rank));
        // 4 x 8 x 8 blocks and their six faces at most.
        let (own, faces) = (256, 2 * (64 + 32 + 32));
        assert_eq!(partitioning.blocks_of(rank).count(), own);
        assert!(numbers.len() <= own + faces, "{}", numbers.len());
        let made = counted.made.load(Ordering::Relaxed) - before;
        assert_eq!([made as usize, plan.instances.len()], [numbers.len(); 2]);
    }
}
