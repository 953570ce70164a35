//! Adaptive blocks under saturation: nothing stands still, and no room is lost or made.

use crate::choices::Choices;
use crate::fabric::{Fabric, Stepping};
use mkns_design::{Plan, RouteSource};
use mkns_random::Random;
use mkns_topology::Faults;
use mkns_traffic::{Addresses, Injection, Lengths, Pattern, PlannedTraffic, Source, Traffic};

/// Cycles in which hosts send, at most those in which the rest arrives.
const SENDING: u64 = 3_000;
const DRAINING: u64 = 200_000;

fn plan(notation: &str, settings: &[String]) -> Plan {
    let spec = mkns_spec::parse_with(notation, settings).expect("a valid spec");
    let network = mkns_topology::build(&spec);
    let routing = mkns_routing::build(&spec, &network, &Faults::none()).expect("routes");
    Plan::new(&spec, network, routing)
}

/// A random graph with a random buffer, and packets up to the longest.
fn random_case(random: &mut Random) -> (Plan, Traffic) {
    let nodes = 2 * random.between(5, 20);
    let degree = random.between(3, 6);
    let (longest, hosts) = ([9, 33, 62][random.below(3) as usize], random.between(1, 4));
    let credits = random.between(longest.max(11), 126);
    let settings = [
        "routing=adaptive".to_owned(),
        format!("block.rx_buffer_flits={credits}"),
        "block.queue_flits=128".to_owned(),
        format!("block.max_packet_flits={longest}"),
    ];
    let notation = format!("random_shortcut({nodes},{degree},{hosts})");
    let traffic = Traffic {
        pattern: Pattern::Uniform,
        injection: Injection::Random,
        // Packets of one flit have no number.
        lengths: Lengths::Between(2, longest as u32),
        load: 1.0,
        seed: random.below(1 << 40),
        plan: PlannedTraffic::new(),
    };
    (plan(&notation, &settings), traffic)
}

/// Packets that began, that never arrived, and that blocks dropped, when nothing moves any more; what headers took,
/// and how often the packets that arrived left a block by a cable.
struct Drained {
    begun: u64,
    missing: u64,
    dropped: u64,
    choices: Choices,
    cables: u64,
}

/// Saturates a network, cuts cables meanwhile, and lets the rest arrive.
fn drain(plan: &Plan, traffic: &Traffic, cuts: &[usize]) -> Drained {
    let mut fabric: Fabric<u128> =
        Fabric::new(plan, RouteSource::Tables, traffic, Stepping::in_parts(1));
    fabric.number_packets();
    let mut deliveries = Vec::new();
    let mut run = |fabric: &mut Fabric<u128>, end: u64| {
        while fabric.now() < end {
            fabric.step(end, &mut deliveries);
            for arrived in &deliveries {
                fabric.delivered(arrived);
            }
        }
    };
    for cable in cuts {
        let next = fabric.now() + SENDING / (cuts.len() as u64 + 1);
        run(&mut fabric, next);
        fabric.cut(&plan.network.cables[*cable]);
    }
    run(&mut fabric, SENDING);
    fabric.hold(true);
    while !fabric.is_at_rest() {
        let next = fabric.now() + 500;
        assert!(
            next < DRAINING,
            "packets of {} stand still",
            plan.spec.notation()
        );
        run(&mut fabric, next);
    }
    let room = plan.spec.block.rx_buffer_flits as u16;
    for (block, by_port) in fabric.room_by_block() {
        assert!(
            by_port.iter().all(|own| *own == room),
            "block {block} has room for {by_port:?} flits, not {room}"
        );
    }
    let arrivals = fabric.take_arrivals();
    Drained {
        choices: fabric.choices(),
        cables: arrivals.blocks - arrivals.packets,
        begun: fabric
            .sources()
            .map(|source| u64::from(source.begun()))
            .sum(),
        missing: fabric
            .sources()
            .map(|source| Source::missing(source).count() as u64)
            .sum(),
        dropped: fabric.packets_dropped(),
    }
}

fn examine(seed: u64, cases: u64) -> u64 {
    let mut random = Random::new(seed);
    (0..cases)
        .map(|_| {
            let (plan, traffic) = random_case(&mut random);
            let whole = drain(&plan, &traffic, &[]);
            assert_eq!((whole.missing, whole.dropped), (0, 0));
            let cables = plan.network.cables.len() as u64;
            let cuts: Vec<usize> = (0..3).map(|_| random.below(cables) as usize).collect();
            let damaged = drain(&plan, &traffic, &cuts);
            // No counter counts what is on a cable that goes down (1.2), so a few may be missing besides.
            let Drained {
                begun,
                missing,
                dropped,
                ..
            } = damaged;
            assert!(
                missing <= dropped + 24,
                "{missing} of {begun} missing, {dropped} dropped"
            );
            whole.begun + begun
        })
        .sum()
}

#[test]
fn saturated_random_graphs_drain_and_all_room_comes_back() {
    assert!(examine(1, 4) > 1_000);
}

/// A million packets.
#[test]
#[ignore = "takes minutes: make test-long"]
fn a_hundred_saturated_random_graphs_drain() {
    assert!(examine(2, 100) > 1_000_000);
}

#[test]
fn other_kinds_drain_too() {
    for (notation, escape) in [
        ("torus(4x4,2)", "rings"),
        ("HyperX(2x2x2,2)", "dimension_order"),
        ("MKNS(2,4,2,1)", "up_down"),
        ("random_shortcut(24,4,2)", "shortest"),
    ] {
        let settings = ["routing=adaptive".to_owned(), format!("escape={escape}")];
        let plan = plan(notation, &settings);
        let drained = drain(&plan, &Traffic::uniform(1.0, 9, 1), &[]);
        assert_eq!((drained.missing, drained.dropped), (0, 0), "{notation}");
        assert!(Addresses::new(&plan).hosts() > 0 && drained.begun > 100);
        let choices = drained.choices;
        assert_eq!(choices.adaptive + choices.escape, drained.cables);
        assert!(choices.detours > 0 && choices.detours <= choices.escape);
        assert!(choices.adaptive > choices.escape, "{notation}: {choices:?}");
    }
}
