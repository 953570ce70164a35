//! Failed parts and the routes round them: the tables of the VTFTR paper and of its reading for MKNS.
//!
//! The figures are those of an enumeration apart from this program (`tests/data/vtftr_mkns.csv`).

use mkns::routing::survival::{Survival, Survivors};
use mkns::spec;
use mkns::topology::{self, Faults, Part, PartClass};

use PartClass::{Adapter, Cable, Mesh, Switch};

/// All sets of `count` parts of the classes, together.
fn survivors(text: &str, engine: &str, classes: &[PartClass], count: usize) -> Survivors {
    let spec = spec::parse_with(text, &[format!("routing={engine}")]).expect("a valid spec");
    let network = topology::build(&spec);
    let survival = Survival::new(&spec, &network).expect("routes");
    let parts: Vec<Part> = classes
        .iter()
        .flat_map(|class| class.parts(&network))
        .collect();
    let mut all = Survivors::default();
    let mut chosen: Vec<usize> = (0..count).collect();
    loop {
        let faults: Faults = chosen.iter().map(|&part| parts[part]).collect();
        all.add(&survival.with(&faults).expect("routes"));
        // The next set in lexicographic order.
        let Some(at) = (0..count)
            .rev()
            .find(|&at| chosen[at] != parts.len() - count + at)
        else {
            return all;
        };
        chosen[at] += 1;
        for next in at + 1..count {
            chosen[next] = chosen[next - 1] + 1;
        }
    }
}

#[test]
fn vtftr_reroutes_what_the_enumeration_says() {
    for (classes, count, surviving, rerouted) in [
        (&[Adapter][..], 1, 3_360, &[(0, 144)][..]),
        (&[Switch], 1, 960, &[(0, 144), (2, 48)]),
        (&[Mesh], 1, 5_760, &[(0, 144), (1, 48)]),
        (&[Cable], 1, 3_840, &[(0, 288), (2, 96)]),
        (&[Adapter], 2, 21_840, &[(0, 1_728), (1, 144)]),
        (&[Mesh], 2, 66_240, &[(0, 3_168), (1, 1_248)]),
        (&[Cable], 2, 28_800, &[(0, 3_600), (1, 576), (2, 1_392)]),
    ] {
        let found = survivors("MKNS(1,4x4,2,1)", "vtftr", classes, count);
        let what = format!("{count} of {classes:?}");
        assert_eq!(found.surviving_pairs, surviving, "{what}");
        assert_eq!(found.unroutable_pairs, 0, "{what}");
        assert!(!found.cyclic, "{what}");
        let found: Vec<(i64, u64)> = found.rerouted_pairs.into_iter().collect();
        assert_eq!(found, rerouted, "{what}");
    }
}
