//! Exports as other tools read them: well-formed, complete, and the same on every run.

use crate::common::networks::mkns;
use mkns::spec::Join;
use mkns::topology::{self, Network, export, host_named};

fn network() -> Network {
    topology::build(&mkns(
        2,
        &[3, 4, 7],
        &[Join::SwitchBlock, Join::SwitchAssembly],
    ))
}

#[test]
fn graphml_is_well_formed_xml_with_every_block_and_cable() {
    let network = network();
    let text = export::graphml(&network);
    let document = roxmltree::Document::parse(&text).expect("well-formed XML");
    let all = |name: &'static str| document.descendants().filter(move |n| n.has_tag_name(name));
    let nodes: Vec<&str> = all("node")
        .map(|node| node.attribute("id").unwrap())
        .collect();
    let names: Vec<&str> = network
        .blocks
        .iter()
        .map(|block| block.name.as_str())
        .collect();
    assert_eq!(nodes, names);
    assert_eq!(all("edge").count(), network.cables.len());
    for edge in all("edge") {
        for end in ["source", "target"] {
            assert!(nodes.contains(&edge.attribute(end).unwrap()));
        }
        assert_eq!(edge.children().count(), 3, "dimension and two ports");
    }
    let keys: Vec<&str> = all("key").map(|key| key.attribute("id").unwrap()).collect();
    assert!(all("data").all(|data| keys.contains(&data.attribute("key").unwrap())));
}

/// Edges as readers see them: from, its port, to, its port.
fn edges(text: &str) -> Vec<[String; 4]> {
    let document = roxmltree::Document::parse(text).expect("well-formed XML");
    let edges = document
        .descendants()
        .filter(|node| node.has_tag_name("edge"));
    let edges = edges.map(|edge| {
        assert!(
            edge.attribute("directed").is_none(),
            "readers take no mixture"
        );
        let data = |key| {
            edge.children()
                .find(|data| data.attribute("key") == Some(key))
        };
        let data = |key| data(key).and_then(|data| data.text()).unwrap().to_owned();
        let end = |name| edge.attribute(name).unwrap().to_owned();
        [end("source"), data("port_a"), end("target"), data("port_b")]
    });
    edges.collect()
}

#[test]
fn numbers_a6_graphs_with_one_way_cables_are_directed() {
    for notation in ["hypercube(2)", "hypercube(2,2)"] {
        let network = topology::build(&mkns::spec::parse(notation).expect("a notation"));
        let text = export::graphml(&network);
        assert!(text.contains("edgedefault=\"directed\""), "{notation}");
        let found = edges(&text);
        let ways = network.cables.iter().flat_map(|cable| cable.directions());
        let ways = ways.map(|(from, to)| {
            let name = |end: topology::End| network.block(end.block).name.clone();
            [
                name(from),
                from.port.to_string(),
                name(to),
                to.port.to_string(),
            ]
        });
        assert_eq!(found, ways.collect::<Vec<_>>(), "{notation}");
        let drawing = export::dot(&network);
        assert!(
            drawing.starts_with("digraph ") && !drawing.contains(" -- "),
            "{notation}"
        );
    }
    let text = export::graphml(&network());
    assert!(text.contains("edgedefault=\"undirected\""));
}

#[test]
fn json_holds_blocks_cables_and_terminals() {
    let network = network();
    let value: serde_json::Value = serde_json::from_str(&export::json(&network)).unwrap();
    assert_eq!(
        value["blocks"].as_array().unwrap().len(),
        network.blocks.len()
    );
    assert_eq!(
        value["cables"].as_array().unwrap().len(),
        network.cables.len()
    );
    assert_eq!(value["terminals"].as_array().unwrap().len(), 2 * 84);
    assert_eq!(value["blocks"][0]["role"], "adapter");
}

#[test]
fn dot_names_every_block_and_cable_once() {
    let network = topology::build(&mkns(2, &[2, 2], &[Join::SwitchBlock]));
    let text = export::dot(&network);
    assert_eq!(text.matches(" -- ").count(), network.cables.len());
    assert_eq!(text.matches("[shape=").count(), network.blocks.len());
    assert!(text.contains("  ab_0_0_0_0 -- kb_y0 [taillabel=\"7\", headlabel=\"0\"];\n"));
    assert!(text.starts_with("graph ") && text.ends_with("}\n"));
}

#[test]
fn exports_are_the_same_on_every_run() {
    let (one, other) = (network(), network());
    assert_eq!(export::json(&one), export::json(&other));
    assert_eq!(export::graphml(&one), export::graphml(&other));
}

#[test]
fn hosts_are_found_by_number_name_and_label() {
    let network = topology::build(&mkns(2, &[4, 4], &[Join::SwitchBlock]));
    for text in [
        "25",
        "host25",
        "vm25",
        "ab_0_3_0_0:1",
        "AB(0 3 0 0):1",
        "AB(0 3 0 0):PCI1",
    ] {
        assert_eq!(host_named(&network, text).unwrap(), 25, "{text}");
    }
    assert_eq!(host_named(&network, "ab_0_3_0_0").unwrap(), 24);
    for (text, fact) in [
        ("32", "`32` is no host: the network has hosts 0 to 31"),
        (
            "kb_y0:0",
            "`kb_y0:0` is no host: adapter blocks are ab_0_0_0_0 to ab_3_3_0_0",
        ),
        (
            "ab_0_3_0_0:2",
            "`ab_0_3_0_0:2` is no host: ab_0_3_0_0 has PCIe ports 0 to 1",
        ),
    ] {
        assert_eq!(host_named(&network, text).unwrap_err().fact, fact);
    }
}
