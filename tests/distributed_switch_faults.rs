//! Failed parts of distributed switches in a simulation: which pairs they cut, counted by hand from the structure, and
//! that all other packets arrive.

use mkns::design::{Addressing, Plan, RouteSource};
use mkns::simulation::measure::{Experiment, WarmUp};
use mkns::topology::{self, BlockRole, Faults};
use mkns::traffic::Traffic;
use mkns::{routing, spec};

fn plan(notation: &str, down: &[&str]) -> Plan {
    let spec = spec::parse(notation).expect("a valid notation");
    let network = topology::build(&spec);
    let faults = Faults::named(&network, down.iter().copied()).expect("parts of it");
    let routing = routing::build(&spec, &network, &faults).expect("routes");
    Plan::with_faults(&spec, network, faults, routing)
}

/// Ordered pairs of hosts, those with themselves too, that no train joins.
fn cut(plan: &Plan) -> usize {
    let addressing = Addressing::new(plan);
    let hosts = plan.network.hosts.len() as u32;
    let pairs = (0..hosts).flat_map(|from| (0..hosts).map(move |to| (from, to)));
    pairs
        .filter(|&(from, to)| addressing.destination(from, to).is_none())
        .count()
}

fn spines(plan: &Plan) -> Vec<String> {
    let blocks = plan.network.blocks.iter();
    let spines = blocks.filter(|block| block.role == BlockRole::Spine);
    spines.map(|block| block.name.clone()).collect()
}

#[test]
fn a_failed_part_cuts_the_pairs_whose_only_path_it_is() {
    for notation in ["multi_ring(3)", "hypercube(3)"] {
        assert_eq!(cut(&plan(notation, &[])), 0);
        for spine in spines(&plan(notation, &[])) {
            // three inputs, three outputs
            assert_eq!(cut(&plan(notation, &[&spine])), 9, "{notation} {spine}");
        }
        for terminal in 0..9 {
            let name = format!("terminal_{terminal}");
            assert_eq!(cut(&plan(notation, &[&name])), 9 + 9 - 1, "{notation}");
            // the cable from a terminal to one of its three spine switches
            let cable = format!("{name}/1");
            assert_eq!(cut(&plan(notation, &[&cable])), 3, "{notation} {cable}");
        }
    }
}

/// Two terminals of a B(N, m, σ) share σ switches, of which sources take the first that works.
#[test]
fn block_designs_survive_fewer_failed_switches_than_they_have_paths() {
    let whole = plan("block_design(11,5,2)", &[]);
    for spine in spines(&whole) {
        assert_eq!(cut(&plan("block_design(11,5,2)", &[&spine])), 0);
    }
    let two: Vec<String> = spines(&whole).into_iter().take(2).collect();
    // two blocks of the design share two elements
    assert_eq!(cut(&plan("block_design(11,5,2)", &[&two[0], &two[1]])), 2);
    let three = plan("block_design(15,7,3)", &[]);
    let names = spines(&three);
    assert_eq!(
        cut(&plan("block_design(15,7,3)", &[&names[0], &names[1]])),
        0
    );
}

#[test]
fn packets_of_all_other_pairs_arrive() {
    for (notation, down) in [
        ("multi_ring(3)", "terminal_4"),
        ("multi_ring(3,1,1)", "terminal_4/0"),
        ("block_design(7,4,2)", "terminal_2"),
    ] {
        let plan = plan(notation, &[down]);
        let addressing = Addressing::new(&plan);
        let experiment = Experiment {
            plan: &plan,
            routes: RouteSource::Tables,
            traffic: Traffic::uniform(0.2, 2, 1),
            warm_up: WarmUp::Cycles(0),
            cycles: 4000,
            parts: 1,
            flows: true,
            links: false,
        };
        let point = experiment.run();
        let flows = point.flows.iter().filter(|flow| flow.packets > 0);
        let seen: Vec<_> = flows.map(|flow| (flow.source, flow.destination)).collect();
        for &(from, to) in &seen {
            assert!(
                addressing.destination(from, to).is_some(),
                "{notation}: {from} {to}"
            );
        }
        let hosts = plan.network.hosts.len();
        assert_eq!(seen.len(), hosts * hosts - cut(&plan), "{notation}");
    }
}
