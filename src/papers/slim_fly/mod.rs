//! Blach et al., Slim Fly: the deployed network of q = 5 and the formulas of every order beside constructed graphs, and
//! that network beside others under traffic.

mod traffic;

use super::{Cell, Comparison, Table, TableRow, graph};
use mkns_spec::{NetworkKind, SlimFlySpec};
use mkns_topology::{BlockId, Faults, Network};

/// Orders of the second table: prime powers of all three residues.
const ORDERS: [u32; 12] = [3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 25];

/// The tables of these numbers: the deployment, the formulas, and 200 hosts under traffic, which is simulated.
pub fn compare(is_wanted: &dyn Fn(u32) -> bool) -> Comparison {
    let all: [(u32, fn() -> Table); 3] = [(1, deployment), (2, formulas), (3, traffic::table)];
    Comparison::of_wanted("Blach et al., Slim Fly", &all, is_wanted)
}

fn built(order: u32) -> Network {
    graph::built(NetworkKind::SlimFly(SlimFlySpec::new(order)))
}

fn diameter(network: &Network) -> u32 {
    graph::measured(network, &Faults::none()).diameter
}

/// Table 1: the machine of q = 5, rack by rack.
fn deployment() -> Table {
    let network = built(5);
    // The second coordinate of a label is the rack.
    let rack = |block: BlockId| network.block(block).coordinates[1] as usize;
    let mut between = [[0; 5]; 5];
    for cable in &network.cables {
        let racks = [rack(cable.a.block), rack(cable.b.block)];
        between[racks[0].min(racks[1])][racks[0].max(racks[1])] += 1;
    }
    let blocks = network.blocks.iter();
    let in_rack_0 = blocks.filter(|block| block.coordinates[1] == 0).count();
    let hosts = usize::from(network.blocks[0].pcie_ports);
    let row = |label: &str, printed: usize, found: usize| {
        let cell = Cell::new(printed.to_string(), found.to_string(), None);
        TableRow::new(label, vec![cell])
    };
    let rows = vec![
        row("switches", 50, network.blocks.len()),
        row(
            "ports to switches",
            7,
            usize::from(network.blocks[0].network_ports),
        ),
        row("servers per switch", 4, hosts),
        row("servers", 200, network.hosts.len()),
        row("racks", 5, between.len()),
        row("switches per rack", 10, in_rack_0),
        row("servers per rack", 40, in_rack_0 * hosts),
        row("diameter", 2, diameter(&network) as usize),
        row("cables between racks 0 and 1", 10, between[0][1]),
    ];
    Table::new(1, "the machine of q = 5", &["number"], rows)
        .with_remark("section 3.2 says w = 4 ports for servers and means p = 4")
}

/// Table 2: the formulas, order by order; servers of a switch as printed, |k'/2| + 1.
fn formulas() -> Table {
    let rows = ORDERS.into_iter().map(|order| {
        let delta = [0, 1, 0, -1][order as usize % 4];
        let degree = (3 * order as i32 - delta) / 2;
        let network = built(order);
        let even = (degree % 2 == 0).then_some("for even k' the half itself is meant: ⌈k'/2⌉");
        let cell = |printed: i32, found: usize, why| {
            Cell::new(printed.to_string(), found.to_string(), why)
        };
        let half = degree.unsigned_abs().div_ceil(2) as usize;
        let cells = vec![
            cell(2 * (order * order) as i32, network.blocks.len(), None),
            cell(degree, network.blocks[0].network_ports.into(), None),
            cell(degree / 2 + 1, half, even),
            cell(2, diameter(&network) as usize, None),
        ];
        TableRow::new(format!("q = {order}"), cells)
    });
    let columns = ["switches", "k'", "servers per switch", "diameter"];
    let title = "formulas: 2q², (3q − δ)/2, |k'/2| + 1";
    Table::new(2, title, &columns, rows.collect())
}
