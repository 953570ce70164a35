//! Laws of specs, over random ones: what is accepted survives being written and read, port plans
//! never share a port, and no input makes the reader panic.

use std::collections::BTreeSet;

use mkns::spec::{
    self, BlockParameters, Dimension, Join, LayerSelect, MknsSpec, NetworkKind, NetworkSpec,
    Switching, TurnSelect,
};
use proptest::prelude::*;
use proptest::sample::select;

use crate::keywords::words;

fn joins() -> impl Strategy<Value = Join> {
    select(vec![
        Join::DirectMesh,
        Join::SwitchBlock,
        Join::SwitchAssembly,
    ])
}

/// Networks of which about half are valid.
fn networks() -> impl Strategy<Value = MknsSpec> {
    let line = (2..9u32, joins()).prop_map(|(size, join)| Dimension { size, join });
    let first = (2..8u32).prop_map(|size| Dimension {
        size,
        join: Join::DirectMesh,
    });
    let lines = prop::collection::vec(line, 0..4);
    (1..9u32, 6..17u32, first, lines).prop_map(|(vms_per_node, ports, first, lines)| {
        let dimensions = std::iter::once(first).chain(lines).collect();
        MknsSpec {
            vms_per_node,
            ports,
            dimensions,
        }
    })
}

/// Block parameters of which most are valid.
fn blocks() -> impl Strategy<Value = BlockParameters> {
    let widths = || select(vec![64, 128, 256, 512]);
    let numbers = (
        widths(),
        widths(),
        12..200u32,
        1..4u32,
        1..7u32,
        1..130u32,
        1..9u32,
    );
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    let rest = (select(vec![1, 2, 4]), any::<u32>(), 10..17u32);
    (numbers, flags, rest).prop_map(|(numbers, flags, rest)| {
        let (virtual_channels, host_timeout, buffer_bits) = rest;
        let (flit_bits, pcie_bits, rx_buffer_flits, link_latency, banks, packet, layers) = numbers;
        BlockParameters {
            flit_bits,
            pcie_bits,
            virtual_channels,
            rx_buffer_flits,
            queue_flits: (rx_buffer_flits + 2).next_power_of_two().max(8),
            banks,
            switching: if flags.0 {
                Switching::Vct
            } else {
                Switching::Wormhole
            },
            max_packet_flits: packet,
            link_latency,
            host_timeout,
            host_buffer_beats: 1 << buffer_bits,
            layers,
            layer_select: layers.is_multiple_of(2).then_some(LayerSelect::Host),
            turns: match layers.is_multiple_of(3) {
                true => TurnSelect::All,
                false => TurnSelect::Routes,
            },
            control_port: flags.1,
            counters: flags.2,
            counter_start: 0,
            // Follows from the routing.
            adaptive: false,
        }
    })
}

fn valid_specs() -> impl Strategy<Value = NetworkSpec> {
    (networks(), blocks()).prop_filter_map("an invalid spec", |(network, block)| {
        NetworkSpec::from_parts(NetworkKind::Mkns(network), block).ok()
    })
}

fn mkns(spec: &NetworkSpec) -> &MknsSpec {
    match &spec.kind {
        NetworkKind::Mkns(mkns) => mkns,
        other => panic!("{other:?} is not MKNS"),
    }
}

/// Names that a spec may have: words of SystemRDL are refused.
fn names() -> impl Strategy<Value = String> {
    let refused = words("systemrdl_2_0");
    "[a-z][a-z0-9_]{0,63}".prop_filter("a word of SystemRDL", move |name| !refused.contains(name))
}

proptest! {
    #[test]
    fn accepted_specs_survive_toml(spec in valid_specs(), name in names()) {
        let spec = NetworkSpec { name, ..spec };
        prop_assert_eq!(spec::parse_toml("written", &spec.to_toml()), Ok(spec));
    }

    #[test]
    fn accepted_networks_survive_the_notation(spec in valid_specs()) {
        // The notation implies d = 10.
        let network = NetworkKind::Mkns(MknsSpec { ports: 10, ..mkns(&spec).clone() });
        if let Ok(spec) = NetworkSpec::from_parts(network, BlockParameters::default()) {
            prop_assert_eq!(spec::parse_notation(&spec.notation()), Ok(spec.clone()));
            prop_assert_eq!(spec::parse(&spec.notation().to_lowercase()), Ok(spec));
        }
    }

    #[test]
    fn port_plans_give_every_port_once_and_enough_of_them(spec in valid_specs()) {
        let mkns = mkns(&spec);
        let plan = spec::port_plan(mkns).expect("a valid spec has a port plan");
        let ports: Vec<u32> = plan.dimensions.concat();
        let distinct: BTreeSet<u32> = ports.iter().copied().collect();
        prop_assert_eq!(distinct.len(), ports.len());
        prop_assert!(distinct.iter().all(|port| (1..=mkns.ports).contains(port)));
        prop_assert_eq!(plan.dimensions.len(), mkns.dimensions.len());
        for (ports, dimension) in plan.dimensions.iter().zip(&mkns.dimensions) {
            let is_mesh = dimension.join == Join::DirectMesh;
            let needed = if is_mesh { dimension.size - 1 } else { 1 };
            prop_assert_eq!(ports.len() as u32, needed);
        }
    }

    #[test]
    fn accepted_specs_keep_their_promises(spec in valid_specs()) {
        let block = &spec.block;
        prop_assert!(spec.kind.address_bits().iter().sum::<u32>() <= spec::ADDRESS_BITS);
        prop_assert!(block.queue_flits >= block.rx_buffer_flits + 2);
        prop_assert!(block.rx_buffer_flits >= block.round_trip());
        prop_assert!(block.banks <= mkns(&spec).ports);
        let has_room = block.rx_buffer_flits >= block.max_packet_flits;
        prop_assert!(block.switching == Switching::Wormhole || has_room);
    }

    /// Over N, m, σ, k and P: a distributed switch is accepted and survives notation and file, or every
    /// complaint has a place in the text and a remedy.
    #[test]
    fn distributed_switches_are_accepted_whole_or_refused_with_a_place(
        shape in 0..3,
        m in 0..18u32,
        sigma in 0..5u32,
        elements in prop_oneof![Just(None), (0..60u32).prop_map(Some)],
        k in 0..8u32,
        parallel in 0..3u32,
    ) {
        let counted = (m * m.saturating_sub(1)).checked_div(sigma).map_or(0, |pairs| pairs + 1);
        let text = match shape {
            0 => format!("multi_ring({m},{k},{parallel})"),
            1 => format!("hypercube({m},{k},{parallel})"),
            _ => {
                let elements = elements.unwrap_or(counted);
                format!("block_design({elements},{m},{sigma},{k},{parallel})")
            }
        };
        match spec::parse_notation(&text) {
            Ok(spec) => {
                prop_assert_eq!(spec::parse_notation(&spec.notation()), Ok(spec.clone()));
                prop_assert_eq!(spec::parse_toml("written", &spec.to_toml()), Ok(spec));
            }
            Err(found) => {
                prop_assert!(!found.is_empty());
                for diagnostic in found {
                    prop_assert!(diagnostic.place.span.is_some(), "{}: {}", text, diagnostic);
                    prop_assert!(!diagnostic.remedy.is_empty());
                }
            }
        }
    }

    #[test]
    fn no_numbers_make_validation_panic(
        vms_per_node in any::<u32>(),
        ports in prop_oneof![any::<u32>(), 4..17u32],
        lines in prop::collection::vec((prop_oneof![any::<u32>(), 0..40u32], joins()), 0..6),
        block in blocks(),
        wild in any::<[u32; 4]>(),
    ) {
        let lines = lines.into_iter();
        let dimensions = lines.map(|(size, join)| Dimension { size, join }).collect();
        let [rx_buffer_flits, link_latency, queue_flits, flit_bits] = wild;
        let block =
            BlockParameters { rx_buffer_flits, link_latency, queue_flits, flit_bits, ..block };
        let network = NetworkKind::Mkns(MknsSpec { vms_per_node, ports, dimensions });
        let _ = NetworkSpec::from_parts(network, block);
    }

    #[test]
    fn no_text_makes_the_notation_reader_panic(text in "[MKNSmkns(), x0-9σ-]{0,24}") {
        let _ = spec::parse_notation(&text);
        let toml = format!("network = \"{text}\"");
        let _ = spec::parse_toml("text", &toml);
    }

    #[test]
    fn no_text_makes_the_toml_reader_panic(text in "(\\PC|\n){0,60}") {
        let _ = spec::parse_toml("text", &text);
    }
}
