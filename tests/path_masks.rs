//! Layers chosen by masks, as far as files show them: a failed part changes masks and nothing else, and a network of
//! one layer has nothing of it.

use std::collections::BTreeMap;

use mkns::design::{ModuleKind, Plan};
use mkns::routing;
use mkns::rtl::render_network;
use mkns::spec;
use mkns::topology::{self, Faults};

/// The plan with parts that have failed.
fn plan(notation: &str, settings: &[&str], down: &[&str]) -> Plan {
    let settings: Vec<String> = settings.iter().map(|&text| text.to_owned()).collect();
    let spec = spec::parse_with(notation, &settings).expect("a valid spec");
    let network = topology::build(&spec);
    let faults = Faults::named(&network, down.iter().copied()).expect("parts of the network");
    let routing = routing::build(&spec, &network, &faults).expect("routes");
    Plan::with_faults(&spec, network, faults, routing)
}

fn files(plan: &Plan) -> BTreeMap<String, String> {
    let files = render_network(plan).expect("the network has a name");
    files.into_iter().collect()
}

/// Lines of a file without those that hold masks.
fn without_masks(text: &str) -> Vec<&str> {
    let is_mask = |line: &&str| line.contains("MASKS_AB_") || line.contains("MASKS_INIT");
    text.lines().filter(|line| !is_mask(line)).collect()
}

#[test]
fn failed_parts_change_masks_and_no_table() {
    for engine in ["routing=planes", "routing=planes_spread"] {
        let whole = plan("MKNS(2,4x4,2,1)", &[engine], &[]);
        for down in [
            &["ab_1_0_0_0"][..],
            &["kb_y2", "ab_0_0_0_0-ab_1_0_0_0"],
            &["ab_1_0_0_0", "kb_y2", "ab_3_3_0_0"],
        ] {
            let damaged = plan("MKNS(2,4x4,2,1)", &[engine], down);
            let mut changed = 0;
            for (a, b) in whole.instances.iter().zip(&damaged.instances) {
                assert_eq!(a.tables, b.tables, "{engine} {down:?}");
                let kind = whole.modules[a.module].kind;
                assert_eq!(a.layer_choice.is_some(), kind == ModuleKind::Adapter);
                changed += u32::from(a.layer_choice != b.layer_choice);
            }
            assert!(changed > 0, "{engine} {down:?}");
            for ((name, a), (other, b)) in files(&whole).iter().zip(&files(&damaged)) {
                assert_eq!(name, other);
                assert_eq!(
                    without_masks(a),
                    without_masks(b),
                    "{engine} {down:?}: {name}"
                );
            }
        }
    }
}

/// Files that belong to the network alone do not speak of masks; the others are the same in all designs.
#[test]
fn a_network_of_one_layer_has_nothing_of_the_choice() {
    let name = |plan: &Plan| plan.spec.name.clone();
    let one = plan("MKNS(2,4,2,1)", &[], &[]);
    let layered = plan("MKNS(2,4,2,1)", &["routing=planes"], &[]);
    let (own, others): (Vec<_>, Vec<_>) = files(&one)
        .into_iter()
        .partition(|(file, _)| file.starts_with(&name(&one)));
    assert!(own.len() >= 3 && others.len() > 20);
    for (file, text) in &own {
        for word in ["MASK", "PATHS", "LAYER_ENTRY"] {
            assert!(!text.contains(word), "{word} in {file}");
        }
    }
    let of_layered = files(&layered);
    for (file, text) in &others {
        assert_eq!(Some(text), of_layered.get(file), "{file}");
    }
    let tops = of_layered
        .iter()
        .filter(|(file, _)| file.starts_with(&name(&layered)));
    let masked = tops.filter(|(_, text)| text.contains("MASKS_INIT")).count();
    assert_eq!(masked, 2, "the adapter node and the top");
    // Said or not, hosts choose.
    let said = plan("MKNS(2,4,2,1)", &["layer_select=host"], &[]);
    assert_eq!(files(&one), files(&said));
}
