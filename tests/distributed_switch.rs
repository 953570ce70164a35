//! Distributed switches as their users see them: every kind passes the proof, formulas agree with the
//! wired graph, and a planted wiring error turns both `mkns check` and `mkns verify-nonblocking`.

use mkns::design::Plan;
use mkns::design::RouteSource;
use mkns::golden::{self, PermutationBench};
use mkns::routing::nonblocking::{Claim, Effort, LinkMap, LoadResult, PacketTimes, run};
use mkns::routing::train::{self, follow::follow};
use mkns::routing::verify;
use mkns::spec::{self, DistributedSwitchSpec, NetworkKind, NetworkSpec};
use mkns::topology::distributed_switch::switch_of;
use mkns::topology::{self, BlockId, CableKind, Faults, Network};
use proptest::prelude::*;

const EFFORT: Effort = Effort::new(40, 1);

fn parts(notation: &str) -> (NetworkSpec, DistributedSwitchSpec, Network) {
    let spec = spec::parse(notation).expect("a valid notation");
    let NetworkKind::DistributedSwitch(kind) = spec.kind.clone() else {
        panic!("{notation} is not a distributed switch");
    };
    let network = topology::build(&spec);
    (spec, kind, network)
}

fn check(spec: &NetworkSpec, network: &Network) -> verify::VerificationReport {
    let routing = mkns::routing::build(spec, network, &Faults::none()).expect("routes");
    verify::verify(spec, network, &Faults::none(), &routing, &|_| {})
}

fn loads(kind: &DistributedSwitchSpec, network: &Network) -> Vec<LoadResult> {
    let mut links = LinkMap::new(network, kind.trunks());
    run(&switch_of(kind), &mut links, kind.trunks(), EFFORT, &|_| {})
}

#[test]
fn every_kind_passes_the_proof_and_the_loads() {
    for (notation, terminals) in [
        ("multi_ring(2)", 4),
        ("multi_ring(3,2)", 27),
        ("multi_ring(2,4,1)", 32),
        ("hypercube(2,2)", 8),
        ("hypercube(4,1,1)", 16),
        ("hypercube(10)", 100),
        ("block_design(7,4,2)", 7),
        ("block_design(7,4,2,3)", 18),
        ("block_design(7,3,1,2,1)", 15),
        ("block_design(13,4,1)", 13),
        ("block_design(56,11,2)", 56),
        ("block_design(45,12,3)", 45),
        ("block_design(91,10,1)", 91),
    ] {
        let (spec, kind, network) = parts(notation);
        assert_eq!(spec.notation(), notation);
        assert_eq!(network.hosts.len() as u32, terminals * kind.trunks());
        let report = check(&spec, &network);
        assert!(report.passed, "{}", report.to_text());
        for load in loads(&kind, &network) {
            assert!(load.passed, "{notation}: {load:?}");
        }
    }
}

#[test]
fn all_permutations_of_small_switches_are_driven() {
    for (notation, all) in [("multi_ring(2)", 24), ("hypercube(2,2)", 40_320)] {
        let (_, kind, network) = parts(notation);
        let permutations = &loads(&kind, &network)[0];
        assert!(permutations.exhaustive && permutations.failed == 0);
        assert_eq!(permutations.driven, all);
    }
}

/// Drives loads through the golden network model, permutations of up to 7 terminals exhaustively.
fn golden_loads(notation: &str) -> Vec<LoadResult> {
    let (spec, kind, network) = parts(notation);
    let routing = mkns::routing::build(&spec, &network, &Faults::none()).expect("routes");
    let plan = Plan::new(&spec, network, routing);
    let mut model = golden::Network::new(&plan, RouteSource::Tables);
    let mut bench = PermutationBench::new(&mut model, &plan, kind.local_address_bits());
    let effort = Effort {
        exhaustive_terminals: 7,
        ..EFFORT
    };
    run(
        &switch_of(&kind),
        &mut bench,
        kind.trunks(),
        effort,
        &|_| {},
    )
}

fn load<'a>(results: &'a [LoadResult], start: &str) -> &'a LoadResult {
    let found = results.iter().find(|result| result.load.starts_with(start));
    found.unwrap_or_else(|| panic!("no {start} in {results:?}"))
}

fn exactly(times: u64) -> Option<PacketTimes> {
    Some(PacketTimes {
        least: times,
        most: times,
    })
}

/// In the golden model a packet that meets another takes longer than one that is alone.
#[test]
fn the_golden_network_passes_permutations_and_delays_sources_that_choose_alone() {
    for (notation, times) in [("block_design(7,4,2,1,1)", 1), ("block_design(7,4,2)", 2)] {
        let results = golden_loads(notation);
        assert!(results.iter().all(|load| load.passed), "{results:?}");
        let permutations = load(&results, "permutations");
        assert!(permutations.exhaustive && permutations.driven == 5040);
        let coordinated = load(&results, "σ-permutations, coordinated");
        assert_eq!(coordinated.measured, exactly(times), "{notation}");
        let alone = load(&results, "σ-permutations, each source alone");
        assert!(alone.failed > 0, "{notation}: {alone:?}");
    }
}

/// The same sort of load, one packet on every link, is through at once or takes m packet times.
#[test]
fn parallel_units_pass_an_m_permutation_at_once_and_serial_ones_one_by_one() {
    for (parallel, serial, m) in [
        ("hypercube(3,1,1)", "hypercube(3)", 3),
        ("multi_ring(2,2,1)", "multi_ring(2,2)", 2),
        ("block_design(7,4,2,1,1)", "block_design(7,4,2)", 4),
    ] {
        let at_once = golden_loads(parallel);
        let homogeneous = load(&at_once, "homogeneous");
        assert_eq!((homogeneous.measured, homogeneous.failed), (exactly(1), 0));
        let one_by_one = golden_loads(serial);
        let told = load(&one_by_one, "homogeneous");
        assert_eq!((told.measured, told.failed), (exactly(m), 0), "{serial}");
        let own = load(&one_by_one, "homogeneous m-permutations, each source");
        assert_eq!(own.claim, Claim::Serialises);
        let measured = own.measured.expect("the golden model has cycles");
        assert!(own.failed > 0 && measured.least >= m, "{own:?}");
    }
}

#[test]
fn all_to_all_takes_m_plus_1_packet_times_in_parallel_and_m_times_as_many_in_series() {
    for (notation, times) in [
        ("hypercube(3,1,1)", 4),
        ("multi_ring(3,1,1)", 4),
        ("hypercube(3)", 12),
        ("multi_ring(3)", 12),
    ] {
        let results = golden_loads(notation);
        let all_to_all = load(&results, "all-to-all");
        assert_eq!(all_to_all.measured, exactly(times), "{notation}");
        assert!(all_to_all.passed && all_to_all.exhaustive);
    }
}

/// Two cables of one cascade exchange an end: still one cable per port, but not to where it belongs.
fn planted(network: &Network, first: usize, second: usize) -> Option<Network> {
    let mut wrong = network.clone();
    let (a, b) = (wrong.cables[first], wrong.cables[second]);
    if a.dimension != b.dimension
        || a.kind != b.kind
        || a.a.block == b.a.block
        || a.b.block == b.b.block
    {
        return None;
    }
    // Cables of one sort only: simplex ones that climb and that descend cannot be exchanged.
    if (a.a.block < a.b.block) != (b.a.block < b.b.block) {
        return None;
    }
    wrong.cables[first].b = b.b;
    wrong.cables[second].b = a.b;
    Some(wrong)
}

#[test]
fn planted_wiring_errors_are_caught_by_the_loads_and_mostly_by_the_proof() {
    for notation in ["hypercube(3)", "multi_ring(2,2)", "block_design(7,4,2)"] {
        let (spec, kind, network) = parts(notation);
        let (mut tried, mut caught, mut missed) = (0, 0, 0);
        for second in (1..network.cables.len()).step_by(5) {
            let Some(wrong) = planted(&network, 0, second) else {
                continue;
            };
            tried += 1;
            let proved = check(&spec, &wrong).passed;
            let results = loads(&kind, &wrong);
            let failure = results.iter().find(|load| !load.passed);
            // The loads see more: terminals that change places at switches with the same outputs reach
            // everybody as before, but two of their packets meet in a homogeneous load.
            assert!(proved || failure.is_some(), "{notation}: 0 and {second}");
            missed += u32::from(proved);
            if let Some(load) = failure {
                assert!(load.first_failure.is_some(), "{load:?}");
                caught += 1;
            }
        }
        assert!(
            caught >= 2 && caught == tried,
            "{notation}: {caught}/{tried}"
        );
        assert!(3 * missed <= tried, "{notation}: {missed}/{tried} passed");
    }
}

#[test]
fn digraphs_have_simplex_cables_and_designs_duplex_ones() {
    for (notation, kind, count) in [
        ("hypercube(3)", CableKind::Simplex, 54),
        ("block_design(7,4,2)", CableKind::Pok, 28),
    ] {
        let (.., network) = parts(notation);
        assert_eq!(network.cables.len(), count);
        assert!(network.cables.iter().all(|cable| cable.kind == kind));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    /// Formula against wiring, for any size that is built, any pair.
    #[test]
    fn trains_lead_where_they_should(
        shape in 0..3,
        m in 2_u32..7,
        k in 1_u32..4,
        design in 0_usize..5,
        pair in (any::<u32>(), any::<u32>()),
    ) {
        let designs = ["7,4,2", "11,5,2", "13,4,1", "16,6,2", "15,7,3"];
        let k = if m > 3 { k.min(2) } else { k };
        let notation = match shape {
            0 => format!("multi_ring({m},{k})"),
            1 => format!("hypercube({m},{k})"),
            _ => format!("block_design({},{})", designs[design], k.min(2)),
        };
        let (_, kind, network) = parts(&notation);
        let switch = switch_of(&kind);
        let (from, to) = (pair.0 % switch.terminals(), pair.1 % switch.terminals());
        let train = train::alone(&switch, from, to);
        prop_assert_eq!(train.0.len() as u32, switch.cascades() + 1);
        let steps = follow(&network, &network.index(), BlockId(from), &train);
        let steps = steps.map_err(|(fault, _)| TestCaseError::fail(fault.to_string()))?;
        prop_assert_eq!(steps[steps.len() - 1].block, BlockId(to));
        // k links up, k down; every address used once.
        prop_assert_eq!(steps.len() as u32, 2 * switch.cascades() + 1);
    }

    /// Theorems 1 and 2 over m, k and σ: random permutations never meet, and a packet on every link takes
    /// m turns through serial units and one through parallel ones.
    #[test]
    fn no_load_of_the_paper_meets_itself(
        shape in 0..3,
        m in 2_u32..7,
        k in 1_u32..4,
        parallel in 0..2,
        design in 0_usize..6,
        seed in any::<u64>(),
    ) {
        let designs = ["7,3,1", "7,4,2", "11,5,2", "13,4,1", "16,6,2", "15,7,3"];
        let k = if m > 3 || shape == 2 { k.min(2) } else { k };
        let notation = match shape {
            0 => format!("multi_ring({m},{k},{parallel})"),
            1 => format!("hypercube({m},{k},{parallel})"),
            _ => format!("block_design({},{k},{parallel})", designs[design]),
        };
        let (_, kind, network) = parts(&notation);
        let mut links = LinkMap::new(&network, kind.trunks());
        let effort = Effort { exhaustive_terminals: 0, ..Effort::new(3, seed) };
        let results = run(&switch_of(&kind), &mut links, kind.trunks(), effort, &|_| {});
        for load in results.iter().filter(|load| load.claim == Claim::NonBlocking) {
            prop_assert!(load.passed, "{}: {:?}", notation, load);
        }
        let word = if parallel == 1 { "1: ".to_owned() } else { format!("{}: ", kind.ports) };
        let homogeneous = self::load(&results, "homogeneous");
        prop_assert!(homogeneous.packet_times.starts_with(&word), "{}", homogeneous.packet_times);
    }
}
