//! What engines claim holds for every kind of network that they serve: small networks of each kind, every engine, every
//! set of failed parts up to the number that is claimed.

use mkns::routing::fault_sets::FaultSets;
use mkns::routing::survey::survey;
use mkns::routing::survival::Survival;
use mkns::routing::{self, channels_used, verify};
use mkns::spec::{self, ENGINES, NetworkSpec, Survives};
use mkns::topology::{self, Faults, Network, Part, PartClass};

/// Small networks of each kind, in all numbers of dimensions that make a difference.
const NETWORKS: [&str; 26] = [
    "MKNS(1,4,1,0)",
    "MKNS(1,2x3,2,1)",
    "MKNS(1,3x2,2,1)",
    "MKNS(1,3x3,2,1)",
    "MKNS(1,3x3,2,0)",
    "MKNS(1,2x2x2,3,1)",
    "MKNS(1,3x2x2,3,0x1)",
    "KNS(3,1)",
    "KNS(2x2,1)",
    "KNS(3x3,1)",
    "KNS(2x3x2,1)",
    "HyperX(4,1)",
    "HyperX(2x3,1)",
    "HyperX(3x2,1)",
    "HyperX(3x3,1)",
    "HyperX(3x2x2,1)",
    "torus(5,1)",
    "torus(3x3,1)",
    "torus(5x3,1)",
    "fat_tree(4x2,1)",
    "slim_fly(3,1)",
    "dln(12,1,1)",
    "random_shortcut(12,4,1)",
    "multi_ring(3)",
    "hypercube(2)",
    "block_design(3,2,1)",
];

/// Sets that are enumerated where an engine survives whatever leaves the network in one piece.
const CONNECTED: usize = 1;
/// More sets than that are drawn: the largest of these networks have none that small ones lack.
const MOST_SETS: u64 = 200;

fn parts(network: &Network) -> Vec<Part> {
    let classes = PartClass::ALL.into_iter();
    classes.flat_map(|class| class.parts(network)).collect()
}

/// Every engine with every network that it serves.
fn served() -> Vec<NetworkSpec> {
    let of_network = |text: &&str| {
        let own = spec::parse(text).unwrap_or_else(|_| panic!("{text} is a valid spec"));
        let engines = ENGINES
            .iter()
            .filter(move |engine| (engine.serves)(&own.kind));
        let with = |engine: &str| {
            let spec = spec::parse_with(text, &[format!("routing={engine}")]);
            spec.unwrap_or_else(|_| panic!("{engine} takes {text}"))
        };
        engines.map(|engine| with(engine.name)).collect::<Vec<_>>()
    };
    NETWORKS.iter().flat_map(of_network).collect()
}

/// Shortest paths where they are claimed, closed forms, delivery, no deadlock; no more channels than claimed.
fn holds_whole(spec: &NetworkSpec, network: &Network) {
    let (faults, engine) = (Faults::none(), spec.engine());
    let what = format!("{} of {}", engine.name, spec.notation());
    let routing = routing::build(spec, network, &faults).expect("routes");
    let report = verify::verify(spec, network, &faults, &routing, &|_| {});
    assert!(report.passed, "{what}: {}", report.to_text());
    if !spec.kind.has_trains() {
        let used = channels_used(spec, network, &faults, &routing);
        let claimed = (engine.channels)(&spec.kind);
        assert!(used <= claimed, "{what}: {used} channels, claims {claimed}");
    }
}

/// Every set of failed parts that the engine claims to survive.
fn survives_what_it_claims(spec: &NetworkSpec, network: &Network) {
    let engine = spec.engine();
    let (count, by_masks) = match (engine.survives)(&spec.kind) {
        Survives::Any(count) => (count as usize, false),
        Survives::AnyByMasks(count) => (count as usize, true),
        Survives::Connected | Survives::ConnectedWithinChannels => (CONNECTED, false),
    };
    if spec.kind.has_trains() {
        assert_eq!(count, 0, "failures change no table of a distributed switch");
        return;
    }
    let survival = Survival::new(spec, network).expect("routes");
    for count in 1..=count {
        let all = FaultSets::all(&parts(network), count);
        let sets = match all.number() > MOST_SETS {
            true => FaultSets::sample(&parts(network), count, MOST_SETS, 1),
            false => all,
        };
        let found = survey(&survival, network, &sets, count, None, || {}).expect("threads");
        let what = format!("{} of {}: {found:?}", engine.name, spec.notation());
        // With fewer channels than the most it may refuse a set, but never by losing packets.
        let refused = match (engine.survives)(&spec.kind) {
            Survives::ConnectedWithinChannels => found.refused_sets,
            _ => 0,
        };
        assert_eq!(found.refused_sets, refused, "{what}");
        assert_eq!(found.cyclic_sets, 0, "{what}");
        if refused == 0 {
            assert_eq!(found.unroutable_pairs, found.cut_pairs, "{what}");
        }
        if by_masks {
            keeps_its_tables(spec, network, &sets);
        }
    }
}

fn keeps_its_tables(spec: &NetworkSpec, network: &Network, sets: &FaultSets) {
    let tables = |faults: &Faults| {
        routing::build(spec, network, faults)
            .expect("routes")
            .tables
    };
    let whole = tables(&Faults::none());
    for number in 0..sets.number() {
        assert!(tables(&sets.set(number)) == whole, "{}", spec.notation());
    }
}

#[test]
fn numbers_a9_engines_keep_their_claims_on_every_kind_of_network() {
    for spec in served() {
        let network = topology::build(&spec);
        let routes = routing::build(&spec, &network, &Faults::none());
        if spec.engine().takes_what_is_there && routes.is_err() {
            // It says itself that blocks cannot have the channels that its paths take.
            assert_eq!(spec.block.virtual_channels, 4, "{}", spec.notation());
            continue;
        }
        holds_whole(&spec, &network);
        survives_what_it_claims(&spec, &network);
    }
}

/// The claims are not less than what holds, where a page or a paper states them.
#[test]
fn numbers_a9_what_vtftr_and_planes_claim() {
    let claim = |text: &str, engine: &str| {
        let spec = spec::parse_with(text, &[format!("routing={engine}")]).expect("a valid spec");
        (spec.engine().survives)(&spec.kind)
    };
    for (text, count) in [
        ("KNS(3,1)", 0),
        ("KNS(3x3,1)", 1),
        ("KNS(3x3x3,1)", 1),
        ("MKNS(1,4x4,2,1)", 3),
        ("HyperX(3x3,1)", 2),
        ("HyperX(5,1)", 3),
        ("MKNS(1,3x2x2,3,1)", 1),
    ] {
        assert_eq!(claim(text, "vtftr"), Survives::Any(count), "{text}");
    }
    assert_eq!(claim("MKNS(1,4x4,2,1)", "planes"), Survives::AnyByMasks(2));
}

#[test]
fn numbers_a10_layered_has_the_channels_that_failures_take() {
    let spec = spec::parse_with("slim_fly(3,1)", &["routing=layered".to_owned()]);
    let spec = spec.expect("a valid spec");
    assert_eq!(spec.block.virtual_channels, 4);
    let network = topology::build(&spec);
    let survival = Survival::new(&spec, &network).expect("routes");
    let sets = FaultSets::all(&parts(&network), 1);
    let found = survey(&survival, &network, &sets, 1, None, || {}).expect("threads");
    assert_eq!((found.refused_sets, found.unroutable_pairs), (0, 0));
}

/// Of the four channels that blocks have, shortest paths use two.
#[test]
fn numbers_a11_channels_that_tables_use_are_counted() {
    let used = |settings: &[&str]| {
        let settings: Vec<String> = settings.iter().map(|&text| text.to_owned()).collect();
        let spec = spec::parse_with("slim_fly(3,1)", &settings).expect("a valid spec");
        let network = topology::build(&spec);
        let routing = routing::build(&spec, &network, &Faults::none()).expect("routes");
        channels_used(&spec, &network, &Faults::none(), &routing)
    };
    assert_eq!(used(&["virtual_channels=4"]), 2);
    assert_eq!(used(&["virtual_channels=4", "routing=up_down"]), 1);
    assert_eq!(used(&["routing=layered_hops"]), 3);
}
