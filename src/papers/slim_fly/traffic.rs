//! Slim Fly of 200 hosts beside MKNS, torus and fat tree of 50 adapter blocks of 4 hosts, simulated.

use rayon::prelude::*;

use crate::{Cell, Table, TableRow, short_run};
use mkns_design::Plan;
use mkns_simulation::work::Work;
use mkns_spec as spec;
use mkns_topology::{self as topology, Faults};
use mkns_traffic::Pattern;
use mkns_workload::Collective;

const NETWORKS: [&str; 4] = [
    "slim_fly(5,4)",
    "MKNS(4,5x10,2,1)",
    "torus(5x10,4)",
    "fat_tree(5x10,4)",
];

/// Half shift is the adversary: all hosts of a block want one other block, in Slim Fly over one shortest path.
const PATTERNS: [(&str, Pattern); 4] = [
    ("uniform", Pattern::Uniform),
    ("permutation", Pattern::Permutation),
    ("half shift", Pattern::HalfShift),
    ("all to all", Pattern::AllToAll),
];

/// Bytes of the vector that is added up.
const VECTOR: u64 = 1 << 16;

/// Cycles in which all to all settles, the slowest of the patterns.
const SETTLING: u64 = 10_000;

/// Table 3: of none of this the paper prints a number.
pub fn table() -> Table {
    let networks = NETWORKS.par_iter().with_max_len(1);
    let columns = [&PATTERNS.map(|(name, _)| name)[..], &["all-reduce"]].concat();
    let title = "200 hosts: flits accepted of 1.0 per host and cycle; cycles of an all-reduce of 64 KiB around a ring";
    let rows = networks.map(|notation| row(notation)).collect();
    let remark =
        "packets of 9 flits, of the all-reduce as long as they may be; single shortest paths";
    Table::new(3, title, &columns, rows).with_remark(remark)
}

fn row(notation: &str) -> TableRow {
    let spec = spec::parse_with(notation, &[]).expect("a valid spec");
    let network = topology::build(&spec);
    let plan = short_run::plan(&spec, network, Faults::none());
    let accepted = |(_, pattern)| short_run::run(&plan, pattern, 1.0, SETTLING).accepted_load;
    let accepted = PATTERNS.map(accepted).map(|load| format!("{load:.3}"));
    let cells = accepted.into_iter().chain([all_reduce(&plan).to_string()]);
    TableRow::new(notation, cells.map(Cell::own).collect())
}

/// Cycles until every host has the sum.
fn all_reduce(plan: &Plan) -> u64 {
    let hosts: Vec<u32> = (0..plan.network.hosts.len() as u32).collect();
    let work = Work {
        plan,
        schedule: &Collective::AllReduceRing.schedule(hosts.len() as u32, VECTOR),
        hosts: &hosts,
        packet_flits: plan.spec.block.max_packet_flits,
        clock_mhz: None,
        parts: 1,
    };
    work.run(&|_| {}).expect("collectives end").cycles
}
