//! Liu et al., VTFTR: latency around failed leaves, how likely failed leaves part a network, and what they cost of its
//! throughput, beside routes that are made, exact counts and simulations.

use rayon::prelude::*;

use super::{Cell, Comparison, Table, TableRow, short_run};
use mkns_random::Random;
use mkns_routing as routing;
use mkns_spec::{self as spec, NetworkSpec};
use mkns_topology::{self as topology, Faults};
use mkns_traffic::Pattern;

/// Section 3.5: nanoseconds on a whole network of two dimensions, and of one more switch.
const WHOLE_NS: u32 = 237;
const HOP_NS: u32 = 35;
/// The network of the probabilities.
const SIDE: u32 = 16;
const FAILED: u32 = 20;

/// The tables of these numbers, 1 to 3; the third is simulated.
pub fn compare(is_wanted: &dyn Fn(u32) -> bool) -> Comparison {
    let all: [(u32, fn() -> Table); 3] = [(1, latency), (2, probabilities), (3, throughput)];
    Comparison::of_wanted("Liu et al., VTFTR", &all, is_wanted)
}

fn kns(notation: &str, ports: u32) -> NetworkSpec {
    let settings = ["routing=vtftr".to_owned(), format!("network.ports={ports}")];
    spec::parse_with(notation, &settings).expect("a valid spec")
}

/// Table 1: from leaf (0,0) to leaf (3,3) of 8 × 8, whose paths turn at (3,0) or (0,3).
fn latency() -> Table {
    let spec = kns("KNS(8x8,1)", 10);
    let network = topology::build(&spec);
    let hops = |failed: &[&str]| {
        let faults = Faults::named(&network, failed.iter().copied()).expect("leaves");
        let routes = routing::build(&spec, &network, &faults).expect("routes");
        let index = network.index_without(&faults);
        let path = routing::trace(&network, &index, &routes, 0, 3 + 8 * 3);
        path.expect("a path").hops.len() as u32
    };
    let whole = hops(&[]);
    let row = |label: &str, failed: &[&str], more: u32, printed_ns: u32| {
        let found = hops(failed) - whole;
        let ns = WHOLE_NS + HOP_NS * found;
        let cells = vec![
            Cell::new(more.to_string(), found.to_string(), None),
            Cell::new(printed_ns.to_string(), ns.to_string(), None),
        ];
        TableRow::new(label, cells)
    };
    let rows = vec![
        row("nothing failed", &[], 0, 237),
        row("its first corner failed", &["ab_3_0"], 0, 237),
        row("both corners failed", &["ab_3_0", "ab_0_3"], 2, 307),
    ];
    let title = "a pair in different rows and columns, 8 × 8";
    Table::new(1, title, &["switches more", "ns"], rows)
        .with_remark("ns: 237 as printed for the whole network, and 35 for each switch more")
}

/// Ways to choose, exact.
pub fn choose(all: i128, chosen: i128) -> i128 {
    (0..chosen).fold(1, |ways, step| ways * (all - step) / (step + 1))
}

/// Share of the sets of `faults` leaves of an n × n network that hit every column, or every column and every row,
/// by inclusion and exclusion.
pub fn hits_all(n: i128, faults: i128, rows_too: bool) -> f64 {
    let sign = |number: i128| 1 - 2 * (number % 2);
    let rows = if rows_too { 0..=n } else { 0..=0 };
    let term = |column: i128, row: i128| {
        let spared = choose(n, column) * choose(n, row);
        sign(column + row) * spared * choose((n - column) * (n - row), faults)
    };
    let hits: i128 = rows
        .flat_map(|row| (0..=n).map(move |column| term(column, row)))
        .sum();
    hits as f64 / choose(n * n, faults) as f64
}

/// Table 2: 20 failed leaves of 16 × 16.
fn probabilities() -> Table {
    let (n, failed) = (i128::from(SIDE), i128::from(FAILED));
    let named = choose(n * n - n, failed - n) as f64 / choose(n * n, failed) as f64;
    let spares = (0..).find(|&failed| hits_all(n, failed, false) > 0.0);
    let always = spares.expect("n leaves can hit n columns") - 1;
    let wrong = "the formula is the chance that 16 leaves named beforehand fail; this counts all sets that do";
    let row = |label: &str, cell: Cell| TableRow::new(label, vec![cell]);
    let written = |share: f64| {
        let digits = if share == named { 3 } else { 2 };
        format!("{share:.digits$e}")
    };
    let printed = || "4.807e-22".to_owned();
    let compared = |share: f64, why| Cell::new(printed(), written(share), why);
    let columns = compared(hits_all(n, failed, false), Some(wrong));
    let columns_and_rows = compared(hits_all(n, failed, true), Some(wrong));
    let survived = Cell::new("15".to_owned(), always.to_string(), None);
    let rows = vec![
        row("C(240,4)/C(256,20)", compared(named, None)),
        row("every column is hit", columns),
        row("every column and every row is hit", columns_and_rows),
        row("failed leaves that are always survived", survived),
    ];
    let title = format!("{FAILED} failed leaves of {SIDE} × {SIDE}");
    Table::new(2, title, &["number"], rows)
        .with_remark("who looks for a free column and a free row fails where the last is met")
}

/// Table 3: what failed leaves cost of the saturation throughput of those that are left.
fn throughput() -> Table {
    let small = kns("KNS(8x8,1)", 10);
    let large = kns("KNS(16x16,1)", 16);
    let scattered = ["ab_3_3", "ab_1_6", "ab_6_1", "ab_5_4", "ab_2_5"].map(str::to_owned);
    let mut runs: Vec<(&NetworkSpec, Vec<String>)> = vec![(&small, Vec::new())];
    runs.extend([1, 2, 5].map(|count| (&small, scattered[..count].to_vec())));
    runs.push((&large, Vec::new()));
    for count in [5, 10] {
        runs.extend(spread(count).map(|leaves| (&large, leaves)));
    }
    let runs = runs.par_iter().with_max_len(1);
    let found: Vec<f64> = runs
        .map(|(spec, failed)| saturation(spec, failed))
        .collect();
    let loss = |whole: usize, run: usize| 100.0 * (1.0 - found[run] / found[whole]);
    let own = |run: usize| Cell::own(format!("{:.1}", loss(0, run)));
    let range = |first: usize| {
        let losses = (first..first + 4).map(|run| loss(4, run));
        let (least, greatest) = losses.fold((f64::MAX, f64::MIN), |(least, greatest), loss| {
            (least.min(loss), greatest.max(loss))
        });
        let tenths = |value: f64| (value * 10.0).round() / 10.0;
        (tenths(least), tenths(greatest))
    };
    let near = "the paper's 4,096 nodes are several per leaf; here each leaf has one, and a single run of 2,000 cycles";
    let within = |printed: &str, first: usize| Cell::within(printed, range(first), Some(near));
    let row = |label: &str, cell: Cell| TableRow::new(label, vec![cell]);
    let rows = vec![
        row("1 of 8 × 8", own(1)),
        row("2 of 8 × 8", own(2)),
        row("5 of 8 × 8", own(3)),
        row("5 of 16 × 16", within("1.0", 5)),
        row("10 of 16 × 16, least", within("1.4", 9)),
        row("10 of 16 × 16, most", within("2.0", 9)),
    ];
    let remark = "per host that is left, uniform traffic; 16 × 16: distinct rows and columns, one column, one row, at random";
    Table::new(3, "throughput lost, %", &["%"], rows).with_remark(remark)
}

/// Failed leaves of 16 × 16, spread in four ways.
fn spread(count: u32) -> [Vec<String>; 4] {
    let mut random = Random::new(u64::from(count));
    let drawn = random.permutation((SIDE * SIDE) as usize);
    let drawn: Vec<u32> = drawn.into_iter().map(|leaf| leaf as u32).collect();
    let leaf = |x: u32, y: u32| format!("ab_{x}_{y}");
    let all = 0..count;
    [
        all.clone().map(|i| leaf(i, (3 * i + 1) % SIDE)).collect(),
        all.clone().map(|i| leaf(3, i)).collect(),
        all.clone().map(|i| leaf(i, 3)).collect(),
        all.map(|i| leaf(drawn[i as usize] % SIDE, drawn[i as usize] / SIDE))
            .collect(),
    ]
}

/// Flits per working host and cycle that a network delivers at most.
fn saturation(spec: &NetworkSpec, failed: &[String]) -> f64 {
    let network = topology::build(spec);
    let names = failed.iter().map(String::as_str);
    let faults = Faults::named(&network, names).expect("leaves");
    let hosts = network.hosts.len();
    let plan = short_run::plan(spec, network, faults);
    let accepted =
        short_run::run(&plan, Pattern::Uniform, 1.0, short_run::UNIFORM_SETTLES).accepted_load;
    accepted * hosts as f64 / (hosts - failed.len()) as f64
}
