//! `mkns sim` as a user relies on it: latencies of an empty network by the page, path lengths and
//! link bounds of the papers, and results that depend on the seed alone.

use std::collections::BTreeMap;

use mkns::design::RouteSource;
use mkns::design::{self, Plan, ZeroLoadLatency};
use mkns::simulation::measure::{Experiment, FlowRecord, Interval, Point, Summary, WarmUp};
use mkns::traffic::{Addresses, Injection, Lengths, Pattern, PlannedPacket, Traffic};
use mkns::{routing, spec};

fn plan(notation: &str) -> Plan {
    let spec = spec::parse(notation).expect("a valid spec");
    design::build(&spec).expect("a plan")
}

fn experiment(plan: &Plan, traffic: Traffic, cycles: u64) -> Experiment<'_> {
    Experiment {
        plan,
        routes: RouteSource::Tables,
        traffic,
        warm_up: WarmUp::Automatic,
        cycles,
        parts: 1,
        flows: false,
        links: false,
    }
}

/// A point without what depends on the machine and on how it shares the work.
fn repeatable(point: Point) -> Point {
    Point {
        state_bytes_per_router: 0.0,
        router_cycles_per_second: 0.0,
        set_up_seconds: 0.0,
        ..point
    }
}

/// Cycles of a packet alone in the network, by `docs/microarchitecture.md`: the last of `flits`
/// beats is taken `flits` − 1 cycles after the first, and leaves as many after the first.
fn zero_load(plan: &Plan, flow: &FlowRecord, flits: u32) -> u64 {
    let network = &plan.network;
    let routing =
        routing::build(&plan.spec, network, &mkns::topology::Faults::none()).expect("routes");
    let at = |host: u32| network.hosts[host as usize];
    let (from, to) = (at(flow.source).host, at(flow.destination).host);
    let path = routing::trace(network, &network.index(), &routing, from, to).expect("a path");
    let cables = path.hops.len() as u32 - 1;
    u64::from(ZeroLoadLatency::new(&plan.spec.block).host_to_host(cables) + 2 * (flits - 1))
}

#[test]
fn numbers_b6_the_formula_of_the_page_holds_for_planes_and_other_widths() {
    for settings in [
        &["block.pcie_bits=128"][..],
        &["block.pcie_bits=512"],
        &["block.flit_bits=128"],
        &["block.flit_bits=256", "block.link_latency=3"],
        &["routing=planes"],
        &["routing=planes", "block.pcie_bits=256"],
    ] {
        let words: Vec<String> = settings.iter().map(|text| (*text).to_owned()).collect();
        let spec = spec::parse_with("MKNS(1,3x2,2,1)", &words).expect("a valid spec");
        let plan = design::build(&spec).expect("a plan");
        let block = &plan.spec.block;
        for flits in [1, 2, 5, 9] {
            let packet = |destination: u32| PlannedPacket {
                cycle: u64::from(destination) * 200,
                destination,
                flits,
            };
            let traffic = Traffic {
                pattern: Pattern::Trace,
                plan: vec![(0..plan.hosts()).map(packet).collect()],
                ..Traffic::uniform(0.0, flits, 1)
            };
            let run = Experiment {
                warm_up: WarmUp::Cycles(0),
                flows: true,
                ..experiment(&plan, traffic, u64::from(plan.hosts()) * 200 + 300)
            };
            let point = run.run();
            assert_eq!(point.packets, u64::from(plan.hosts()));
            // 3 + (c + 1) * 5 + c * L + 2, one more with layers that blocks choose, two with beats of another width.
            let wide = 2 * u32::from(block.pcie_bits != block.flit_bits);
            let chosen = u32::from(settings.contains(&"routing=planes"));
            let behind = 2 * (flits - 1) * (block.flit_bits / block.pcie_bits).max(1);
            let by_page = |c: u32| 10 + c * (5 + block.link_latency) + wide + chosen + behind;
            let allowed: Vec<u64> = (0..=3).map(|c| by_page(c).into()).collect();
            let stated = ZeroLoadLatency::new(block).host_to_host(0)
                + ZeroLoadLatency::behind_header(block, flits);
            assert_eq!(stated, by_page(0), "{settings:?}");
            for flow in &point.flows {
                let latency = flow.latency_min;
                assert!(
                    allowed.contains(&latency),
                    "{settings:?} {flits}: {flow:?} {allowed:?}"
                );
            }
            let own = point.flows.iter().find(|flow| flow.destination == 0);
            assert_eq!(own.map(|flow| flow.latency_min), Some(by_page(0).into()));
        }
    }
}

#[test]
fn at_low_load_every_path_has_the_zero_load_latency_of_the_page() {
    for (notation, flits) in [
        ("MKNS(2,4,2,1)", 1),
        ("MKNS(1,3x2,2,0)", 9),
        ("MKNS(1,2x11,2,2)", 4),
    ] {
        let plan = plan(notation);
        let run = Experiment {
            flows: true,
            ..experiment(&plan, Traffic::uniform(0.05, flits, 5), 40_000)
        };
        let point = run.run();
        let mut lengths = BTreeMap::new();
        for flow in &point.flows {
            let expected = zero_load(&plan, flow, flits);
            assert_eq!(flow.latency_min, expected, "{notation}: {flow:?}");
            *lengths.entry(expected).or_insert(0) += flow.packets;
        }
        assert!(lengths.len() > 2, "{notation}: {lengths:?}");
    }
}

#[test]
fn a_packet_takes_flight_and_ports_of_every_serial_cable() {
    let settings = ["link.flight_words=30", "link.dimensions=[2]"].map(str::to_owned);
    let spec = spec::parse_with("MKNS(1,3x3,2,1)", &settings).expect("a valid spec");
    let plan = design::build(&spec).expect("a plan");
    let run = Experiment {
        flows: true,
        ..experiment(&plan, Traffic::uniform(0.02, 1, 5), 40_000)
    };
    let parallel = self::plan("MKNS(1,3x3,2,1)");
    let mut across = 0;
    for flow in &run.run().flows {
        // Addresses: x in bits 1:0, y above. Two cables through a switch block where y differs.
        let y = |host: u32| host / 3;
        let is_across = y(flow.source) != y(flow.destination);
        across += u32::from(is_across);
        let longer = u64::from(is_across) * 2 * (17 + 30 - 1);
        let expected = zero_load(&parallel, flow, 1) + longer;
        assert_eq!(flow.latency_min, expected, "{flow:?}");
    }
    assert_eq!(across, 9 * 6);
}

#[test]
fn a_serial_cable_passes_its_rate_and_no_more() {
    for (words, rate) in [(100, 0.864), (50, 0.432)] {
        let settings = [
            "link=serial".to_owned(),
            format!("link.words_per_100_cycles={words}"),
        ];
        let spec = spec::parse_with("MKNS(1,2,1,1)", &settings).expect("a valid spec");
        let plan = design::build(&spec).expect("a plan");
        let traffic = Traffic {
            pattern: Pattern::Neighbour,
            ..Traffic::uniform(1.0, 9, 3)
        };
        let run = |parts| Experiment {
            parts,
            ..experiment(&plan, traffic.clone(), 20_000)
        };
        let (point, in_parts) = (run(1).run(), run(2).run());
        let accepted = point.accepted_load;
        assert!((accepted - rate).abs() < 0.01, "{words}: {accepted}");
        assert_eq!(repeatable(point), repeatable(in_parts));
    }
}

#[test]
fn a_host_alone_has_no_other_latency_than_that_of_the_page() {
    let plan = plan("MKNS(2,4x3,2,1)");
    let hosts = plan.network.hosts.len() as u32;
    let packet = |destination: u32| PlannedPacket {
        cycle: u64::from(destination) * 150,
        destination,
        flits: 7,
    };
    let traffic = Traffic {
        pattern: Pattern::Trace,
        plan: vec![(0..hosts).map(packet).collect()],
        ..Traffic::uniform(0.0, 7, 1)
    };
    let run = Experiment {
        warm_up: WarmUp::Cycles(0),
        flows: true,
        ..experiment(&plan, traffic, u64::from(hosts) * 150 + 200)
    };
    let point = run.run();
    assert_eq!(
        (point.packets, point.flows.len()),
        (u64::from(hosts), hosts as usize)
    );
    for flow in &point.flows {
        assert_eq!(flow.latency_min, zero_load(&plan, flow, 7), "{flow:?}");
    }
}

#[test]
fn every_pair_of_a_distributed_switch_has_the_zero_load_latency_of_the_page() {
    // By hand from section 6.4: 3 of the ingress, k splitters and combiners of 2 cycles with a cable
    // each, the spine switch's 5, 2 of the egress; then twice the flits behind the header.
    for (notation, flits, empty, blocks) in [
        ("hypercube(3)", 1, 3 + (2 + 1) + 5 + (1 + 2) + 2, 3.0),
        ("multi_ring(2,2)", 5, 3 + 2 * 3 + 5 + 2 * 3 + 2, 5.0),
        ("block_design(7,4,2)", 9, 16, 3.0),
    ] {
        let plan = plan(notation);
        let run = Experiment {
            flows: true,
            ..experiment(&plan, Traffic::uniform(0.03, flits, 5), 40_000)
        };
        let point = run.run();
        let hosts = plan.network.hosts.len();
        assert_eq!(point.flows.len(), hosts * hosts, "{notation}");
        for flow in &point.flows {
            let expected = empty + 2 * (u64::from(flits) - 1);
            assert_eq!(flow.latency_min, expected, "{notation}: {flow:?}");
        }
        assert_eq!(point.hops_mean, blocks, "{notation}");
    }
}

#[test]
fn parallel_ports_of_a_terminal_send_to_the_hosts_that_they_have_a_path_to() {
    let plan = plan("hypercube(3,1,1)");
    let addresses = Addresses::new(&plan);
    let run = Experiment {
        flows: true,
        ..experiment(&plan, Traffic::uniform(0.2, 3, 5), 20_000)
    };
    let point = run.run();
    // Each of 9 terminals sees each of 9 from one port at one port.
    assert_eq!(point.flows.len(), 81);
    for flow in &point.flows {
        assert!(addresses.has_path(flow.source, flow.destination));
        assert_eq!(flow.latency_min, 16 + 2 * 2, "{flow:?}");
    }
    assert!(!Pattern::Transpose.suits(&plan) && Pattern::AllToAll.suits(&plan));
}

/// Mean blocks on the way over five seeds.
fn hops(notation: &str, load: f64, cycles: u64) -> Interval {
    let plan = plan(notation);
    let of_seed = |seed| {
        let run = Experiment {
            warm_up: WarmUp::Cycles(300),
            ..experiment(&plan, Traffic::uniform(load, 3, seed), cycles)
        };
        run.run().hops_mean
    };
    Interval::of(&(1..=5).map(of_seed).collect::<Vec<_>>())
}

#[test]
fn mean_path_lengths_are_those_of_the_paper() {
    // Self-traffic included.
    let small = hops("MKNS(2,8x10,2,1)", 0.1, 3000);
    assert!(small.holds(3.675, 0.005), "{small:?}");
    let large = hops("MKNS(2,8x10x10,3,1)", 0.05, 1000);
    assert!(large.holds(5.475, 0.005), "{large:?}");
    assert!(
        !small.holds(3.7, 0.005),
        "the interval is narrow: {small:?}"
    );
}

#[test]
fn accepted_load_stays_below_the_bound_of_the_links() {
    // Each of the 8 blocks of a line sends 9/10 of its 2 hosts' packets to y through one cable of
    // 1 flit per cycle: load · 2 · 9/10 ≤ 1 allows 5/9 = 0.5556.
    let plan = plan("MKNS(2,8x10,2,1)");
    for load in [0.3, 0.6, 1.0] {
        let run = Experiment {
            warm_up: WarmUp::Cycles(1500),
            links: true,
            ..experiment(&plan, Traffic::uniform(load, 9, 3), 1500)
        };
        let point = run.run();
        assert!(point.accepted_load < 0.5556, "{load}: {point:?}");
        assert!(
            point.accepted_load > 0.7 * load.min(0.5),
            "{load}: {}",
            point.accepted_load
        );
        assert_eq!(point.saturated, load > 0.5556, "{load}");
        assert!(point.links.iter().all(|link| link.load <= 1.0));
        assert_eq!(point.links.len(), 2 * plan.network.cables.len());
    }
}

#[test]
fn results_depend_on_the_seed_and_not_on_threads() {
    let plan = plan("MKNS(2,4x4,2,1)");
    let run = |seed, parts| {
        let run = Experiment {
            parts,
            flows: true,
            links: true,
            ..experiment(&plan, Traffic::uniform(0.4, 9, seed), 1000)
        };
        repeatable(run.run())
    };
    let one = run(1, 1);
    assert!(one == run(1, 1) && one == run(1, 2) && one == run(1, 7));
    assert!(one != run(2, 1));
}

#[test]
fn every_pattern_and_process_delivers_what_it_creates() {
    let plan = plan("MKNS(2,4,2,1)");
    let patterns = [
        Pattern::Uniform,
        Pattern::Permutation,
        Pattern::Transpose,
        Pattern::BitReversal,
        Pattern::BitComplement,
        Pattern::Neighbour,
        Pattern::HotSpot {
            host: 1,
            share: 0.02,
        },
        Pattern::AllToAll,
        Pattern::Broadcast { root: 2 },
    ];
    let processes = [
        Injection::Random,
        Injection::Bursts { packets: 3.0 },
        Injection::Window { packets: 2 },
    ];
    for pattern in patterns {
        for injection in &processes {
            let traffic = Traffic {
                pattern,
                injection: injection.clone(),
                lengths: Lengths::Between(1, 5),
                ..Traffic::uniform(0.03, 1, 4)
            };
            let point = experiment(&plan, traffic, 4000).run();
            let what = format!("{pattern:?} {injection:?}");
            assert!(point.packets > 20, "{what}: {point:?}");
            let open = !matches!(injection, Injection::Window { .. });
            assert!(!open || !point.saturated, "{what}: {point:?}");
            assert!(point.latency_min >= 9, "{what}: {point:?}");
        }
    }
}

#[test]
fn a_window_bounds_what_is_under_way() {
    // One packet under way: a host waits a round trip between packets, so throughput is packets
    // of 1 flit over at least the zero-load latency of 9 cycles.
    let plan = plan("MKNS(2,4,2,1)");
    let load = |packets| {
        let traffic = Traffic {
            injection: Injection::Window { packets },
            ..Traffic::uniform(1.0, 1, 4)
        };
        experiment(&plan, traffic, 2000).run().accepted_load
    };
    let (one, four) = (load(1), load(4));
    assert!(one < 1.0 / 9.0 && one > 0.02, "{one}");
    assert!(four > 2.0 * one && four < 4.1 * one, "{one} {four}");
}

#[test]
fn seeds_give_intervals_that_shrink() {
    let plan = plan("MKNS(2,4,2,1)");
    let points: Vec<Point> = (1..=6)
        .map(|seed| experiment(&plan, Traffic::uniform(0.2, 9, seed), 2000).run())
        .collect();
    let few = Summary::of(&points[..2]).confidence.expect("two seeds");
    let many = Summary::of(&points).confidence.expect("six seeds");
    assert!(many.latency_mean > 0.0 && many.latency_mean < few.latency_mean);
    assert!(Summary::of(&points[..1]).confidence.is_none());
}
