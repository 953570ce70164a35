//! The TOML file: text to values and places, no judgement of the values.
//!
//! The document is walked by hand rather than deserialised, so that all unknown keys, wrong types
//! and missing keys come out together, each with its place.

use toml::de::DeValue;

use super::kinds::READERS;
use super::notation;
use super::settings::SpecText;
use super::table::{Table, Value, choice, wrong_type};
use crate::data::{
    BlockParameters, FLAGS, LAYER_SELECT, LINK_DIMENSION, LINK_DIMENSIONS, LINK_KIND,
    LINK_MANAGEMENT, LINK_NUMBERS, LayerSelect, Management, NUMBERS, NetworkKind, RoutingChoice,
    SWITCHING, SerialLink, Switching, TURNS, TurnSelect,
};
use crate::findings::Findings;
use mkns_diag::Code;

/// What a file says, as far as it could be read.
#[derive(Debug, Default)]
pub struct Document {
    pub name: Option<String>,
    pub network: Option<NetworkKind>,
    pub routing: RoutingChoice,
    pub block: BlockParameters,
    /// Serial links, where there are any.
    pub link: Option<SerialLink>,
}

/// Reads a document; everything that is wrong goes to `findings`.
pub fn read(text: &SpecText, is_notation: bool, findings: &mut Findings) -> Document {
    let mut document = Document::default();
    let Some(root) = text.document(is_notation, findings) else {
        return document;
    };
    let mut root = Table::new(&root, "");
    document.name = root.string("name", findings);
    match root.value("network", findings) {
        Some(value) => document.network = network(text, value, findings),
        None => {
            let remedy = "add a line such as `network = \"MKNS(2,4,2,1)\"`".to_owned();
            findings.report(
                "network",
                Code::MissingKey,
                "there is no `network`".to_owned(),
                remedy,
            );
        }
    }
    document.routing = RoutingChoice {
        engine: root.string("routing", findings),
        escape: root.string("escape", findings),
    };
    if let Some(table) = root.table("block", findings) {
        document.block = block(table, findings);
    }
    document.link = root
        .value("link", findings)
        .and_then(|value| link(value, findings));
    root.finish(findings);
    document
}

/// The network: a notation, or a table.
fn network(text: &SpecText, value: &Value, findings: &mut Findings) -> Option<NetworkKind> {
    match value.get_ref() {
        DeValue::String(_) => {
            if let Some(inside) = text.notation_at(value) {
                return notation::read(text.text(), inside, findings);
            }
            let fact = "the notation is written with escapes or over several lines".to_owned();
            let remedy = "write it plainly, as in `network = \"MKNS(2,4,2,1)\"`".to_owned();
            findings.report("network", Code::WrongType, fact, remedy);
            None
        }
        DeValue::Table(table) => network_table(Table::new(table, "network"), findings),
        other => {
            wrong_type(
                "network",
                "a notation in quotes or a table",
                other,
                findings,
            );
            None
        }
    }
}

/// A table; it is read as an MKNS network where `kind` says nothing known, so that more faults show.
fn network_table(mut table: Table, findings: &mut Findings) -> Option<NetworkKind> {
    let kind = table.string("kind", findings);
    let names = READERS.map(|reader| reader.name);
    let known = kind.and_then(|kind| choice("network.kind", &kind, &names, findings));
    let network = (READERS[known.unwrap_or(0)].table)(&mut table, findings);
    table.finish(findings);
    let is_sound = findings.sound(&["network.kind", "network.ports"]);
    network.filter(|_| is_sound)
}

fn block(mut table: Table, findings: &mut Findings) -> BlockParameters {
    let mut block = BlockParameters::default();
    table.fill(&mut block, &NUMBERS, findings);
    for flag in FLAGS {
        if let Some(value) = table.boolean(flag.name, findings) {
            (flag.set)(&mut block, value);
        }
    }
    let switchings = [("wormhole", Switching::Wormhole), ("vct", Switching::Vct)];
    let switching = table.choice(SWITCHING, &switchings, findings).flatten();
    block.switching = switching.unwrap_or(block.switching);
    let selects = [("mask", LayerSelect::Mask), ("host", LayerSelect::Host)];
    block.layer_select = table.choice(LAYER_SELECT, &selects, findings).flatten();
    let turns = [("routes", TurnSelect::Routes), ("all", TurnSelect::All)];
    let turns = table.choice(TURNS, &turns, findings).flatten();
    block.turns = turns.unwrap_or(block.turns);
    table.finish(findings);
    block
}

/// Serial links: their kind alone, or a table.
fn link(value: &Value, findings: &mut Findings) -> Option<SerialLink> {
    let is_serial = |field: &str, name: &str, findings: &mut Findings| {
        choice(field, name, &["parallel", "serial"], findings) != Some(0)
    };
    match value.get_ref() {
        DeValue::String(name) => is_serial("link", name, findings).then(SerialLink::default),
        DeValue::Table(table) => {
            let mut table = Table::new(table, "link");
            let kind = table.string(LINK_KIND, findings);
            let mut link = SerialLink::default();
            table.fill(&mut link, &LINK_NUMBERS, findings);
            if let Some(dimensions) = table.numbers(LINK_DIMENSIONS, LINK_DIMENSION, findings) {
                link.dimensions = dimensions;
            }
            let managements = [("none", Management::None), ("in_band", Management::InBand)];
            let management = table.choice(LINK_MANAGEMENT, &managements, findings);
            link.management = management.flatten().unwrap_or(link.management);
            table.finish(findings);
            kind.is_none_or(|kind| is_serial("link.kind", &kind, findings))
                .then_some(link)
        }
        other => {
            wrong_type(
                "link",
                "\"parallel\", \"serial\" or a table",
                other,
                findings,
            );
            None
        }
    }
}
