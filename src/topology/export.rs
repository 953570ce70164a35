//! The graph for other tools: JSON, GraphML, DOT, and a CSV list of cables.
//!
//! Output is byte-stable. Names in GraphML, DOT and JSON are the stable block names; the cable list
//! speaks the paper's language (`AB(0 3 0 0)`). Ports are indices from 0, as in the RTL, everywhere.

use std::fmt::Write as _;

use super::drawing::DIMENSION_LETTERS;
use super::{Block, BlockRole, CableKind, Network};

/// Cables in the order of their first end: `a,port_a,b,port_b,dim`. In a simplex cable a sends to b.
pub fn cables_csv(network: &Network) -> String {
    let labels: Vec<String> = network.blocks.iter().map(Block::label).collect();
    let mut out = String::from("a,port_a,b,port_b,dim\n");
    for cable in &network.cables {
        let (port_a, port_b) = (cable.a.port, cable.b.port);
        let (a, b) = (cable.a.block.0 as usize, cable.b.block.0 as usize);
        let dimension = cable.dimension;
        let _ = writeln!(
            out,
            "{},{port_a},{},{port_b},{dimension}",
            labels[a], labels[b]
        );
    }
    out
}

/// The whole [`Network`] as indented JSON.
pub fn json(network: &Network) -> String {
    let text = serde_json::to_string_pretty(network);
    text.expect("a network has only string keys and finite numbers") + "\n"
}

/// GraphML with role, coordinates, ports and dimension as typed attributes. Where cables go one way the graph is
/// directed, and a cable of both directions is two edges: readers such as networkx take no mixture.
pub fn graphml(network: &Network) -> String {
    let is_directed = has_one_way_cables(network);
    let coordinates = network.blocks.iter().map(|block| block.coordinates.len());
    let letters = &DIMENSION_LETTERS[..coordinates.max().unwrap_or(0)];
    let mut out = String::from(GRAPHML_HEAD);
    for letter in letters {
        let _ = writeln!(
            out,
            "  <key id=\"{letter}\" for=\"node\" attr.name=\"{letter}\" attr.type=\"int\"/>"
        );
    }
    out += GRAPHML_EDGE_KEYS;
    let _ = writeln!(
        out,
        "  <graph id=\"{}\" edgedefault=\"{}\">",
        network.name,
        if is_directed {
            "directed"
        } else {
            "undirected"
        }
    );
    for block in &network.blocks {
        let coordinates = DIMENSION_LETTERS.iter().zip(&block.coordinates);
        let coordinates: Vec<String> = coordinates
            .map(|(letter, value)| format!("<data key=\"{letter}\">{value}</data>"))
            .collect();
        let _ = writeln!(
            out,
            "    <node id=\"{}\"><data key=\"role\">{}</data>{}</node>",
            block.name,
            role_word(&block.role),
            coordinates.concat()
        );
    }
    let directions = if is_directed { 2 } else { 1 };
    for cable in &network.cables {
        for (a, b) in cable.directions().take(directions) {
            let _ = writeln!(
                out,
                "    <edge source=\"{}\" target=\"{}\"><data key=\"dimension\">{}</data>\
             <data key=\"port_a\">{}</data><data key=\"port_b\">{}</data></edge>",
                network.block(a.block).name,
                network.block(b.block).name,
                cable.dimension,
                a.port,
                b.port
            );
        }
    }
    out + "  </graph>\n</graphml>\n"
}

/// Graphviz: adapter blocks and terminals as boxes, switch blocks as ellipses, port numbers at the cable ends. Where
/// cables go one way the graph is directed, and a cable of both directions has two arrow heads.
pub fn dot(network: &Network) -> String {
    let (graph, edge, both) = match has_one_way_cables(network) {
        true => ("digraph", "->", ", dir=both"),
        false => ("graph", "--", ""),
    };
    let mut out = format!("{graph} {} {{\n", network.name);
    for block in &network.blocks {
        let shape = if matches!(block.role, BlockRole::Adapter | BlockRole::Terminal) {
            "box"
        } else {
            "ellipse"
        };
        let (name, label) = (&block.name, block.label());
        let _ = writeln!(out, "  {name} [shape={shape}, label=\"{label}\"];");
    }
    for cable in &network.cables {
        let (port_a, port_b) = (cable.a.port, cable.b.port);
        let arrow = match cable.kind {
            CableKind::Simplex => "",
            _ => both,
        };
        let _ = writeln!(
            out,
            "  {} {edge} {} [taillabel=\"{port_a}\", headlabel=\"{port_b}\"{arrow}];",
            network.block(cable.a.block).name,
            network.block(cable.b.block).name
        );
    }
    out + "}\n"
}

fn has_one_way_cables(network: &Network) -> bool {
    let mut cables = network.cables.iter();
    cables.any(|cable| cable.kind == CableKind::Simplex)
}

const GRAPHML_HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="role" for="node" attr.name="role" attr.type="string"/>
"#;

const GRAPHML_EDGE_KEYS: &str = r#"  <key id="dimension" for="edge" attr.name="dimension" attr.type="int"/>
  <key id="port_a" for="edge" attr.name="port_a" attr.type="int"/>
  <key id="port_b" for="edge" attr.name="port_b" attr.type="int"/>
"#;

fn role_word(role: &BlockRole) -> &'static str {
    match role {
        BlockRole::Adapter => "adapter",
        BlockRole::Switch { .. } => "switch",
        BlockRole::AssemblyLeaf { .. } => "assembly_leaf",
        BlockRole::AssemblySpine { .. } => "assembly_spine",
        BlockRole::Stage { .. } => "stage",
        BlockRole::Terminal => "terminal",
        BlockRole::Pok { .. } => "rok",
        BlockRole::Spine => "spine",
    }
}
