//! Instances of blocks: parameters and port connections, ready to print.

use crate::layout::{concatenation, wrap};
use crate::verilog::{BitOf, Declaration, Direction, elements, picked_bits};
use mkns_design::{BlockModule, Port};
use mkns_spec::BlockParameters;

/// One instance in the network top or in an assembly.
#[derive(Debug, Clone)]
pub struct Instance {
    /// What the paper calls the block.
    pub label: String,
    pub module: String,
    pub name: String,
    pub parameters: String,
    pub connections: String,
    /// Outgoing links that lead nowhere, gathered in the net `unused_<name>`.
    pub unused_links: usize,
}

/// A cable between two instances.
#[derive(Debug, Clone)]
pub struct CableInstance {
    pub name: String,
    /// A line between two link ports.
    pub is_serial: bool,
    /// The two ends, for the comment.
    pub ends: String,
    /// Of a simplex cable: the cable by which the receiving port sends, whose bundle carries the
    /// credits back.
    pub back: String,
}

/// Overrides of every cable of a network.
pub fn cable_parameters(block: &BlockParameters) -> String {
    format!(
        ".DATA_WIDTH({}), .VCS({}), .LATENCY({})",
        block.flit_bits, block.virtual_channels, block.link_latency
    )
}

/// Members under one comment.
#[derive(Debug, Clone)]
pub struct Group<T> {
    pub title: String,
    pub members: Vec<T>,
}

/// What a network port is joined to.
#[derive(Debug, Clone)]
pub struct Plug {
    /// Net of the incoming bundle.
    pub rx: String,
    /// Net of the outgoing bundle.
    pub tx: String,
    pub up: BitOf,
}

impl Plug {
    /// A port that sends by one simplex cable and receives by another.
    pub fn simplex(sends: &str, receives: &str, up: BitOf) -> Self {
        Self {
            rx: format!("{{{sends}_credit, {receives}_flit}}"),
            tx: format!("{sends}_tx"),
            up,
        }
    }

    /// An end, `a` or `b`, of a cable whose nets start with the cable's name.
    pub fn cable(name: &str, end: char, up: BitOf) -> Self {
        Self {
            rx: format!("{name}_{end}_rx"),
            tx: format!("{name}_{end}_tx"),
            up,
        }
    }
}

/// Column at which parameters and connections of an instance start.
pub const INSTANCE_INDENT: usize = 8;
const HANG: usize = INSTANCE_INDENT + 4;

/// Lines of an instance: every group of connections on lines of its own, commas between.
pub fn connection_lines(groups: &[Vec<String>]) -> String {
    let lines = groups
        .iter()
        .filter(|group| !group.is_empty())
        .map(|group| {
            let indent = " ".repeat(INSTANCE_INDENT);
            indent + &wrap("", group, "", INSTANCE_INDENT, INSTANCE_INDENT)
        });
    lines.collect::<Vec<_>>().join(",\n")
}

/// The three link connections of an instance, whose ports are given lowest first.
pub fn link_connections(name: &str, plugs: &[Option<Plug>]) -> Vec<Vec<String>> {
    let highest_first = || plugs.iter().rev();
    let ups: Vec<_> = highest_first()
        .map(|plug| plug.as_ref().map(|plug| plug.up))
        .collect();
    let incoming: Vec<String> = highest_first()
        .map(|plug| plug.as_ref().map_or("NO_LINK", |plug| &plug.rx).to_owned())
        .collect();
    let joined = |port: &str, items: &[String]| {
        let opening = format!(".{port}({{");
        vec![wrap(&opening, items, "})", INSTANCE_INDENT, HANG)]
    };
    vec![
        joined("link_up", &picked_bits(&ups)),
        joined("link_rx", &concatenation(&incoming)),
        joined("link_tx", &outgoing(name, plugs)),
    ]
}

/// Where the outgoing bundles go, highest port first; unused ones share one net.
fn outgoing(name: &str, plugs: &[Option<Plug>]) -> Vec<String> {
    let mut unused = unused_links(plugs);
    let runs = plugs.iter().rev().collect::<Vec<_>>();
    let runs = runs.chunk_by(|a, b| a.is_none() && b.is_none());
    let text = |run: &[&Option<Plug>]| match run[0] {
        Some(plug) => plug.tx.clone(),
        None => {
            let high = unused;
            unused -= run.len();
            format!("unused_{name}[{high}*LINK_BITS-1:{unused}*LINK_BITS]")
        }
    };
    runs.map(text).collect()
}

/// Ports without a cable.
pub fn unused_links(plugs: &[Option<Plug>]) -> usize {
    plugs.iter().filter(|plug| plug.is_none()).count()
}

/// Which part of a packed vector an instance gets: `number` elements from `first` on, of `count`.
#[derive(Debug, Clone, Copy)]
pub struct VectorSlice {
    pub first: u64,
    pub number: u64,
    pub count: u64,
}

/// Connections of the ports with this prefix to their share of the vectors of the same names.
pub fn sliced_connections(module: &BlockModule, prefix: &str, share: VectorSlice) -> Vec<String> {
    let connection = |(port, _): (Port, _)| {
        let bits = u64::from(port.bits);
        let net = elements(port.name, share.first, share.number, bits, share.count);
        format!(".{}({net})", port.name)
    };
    ports_of(module, prefix).map(connection).collect()
}

/// Ports of a module whose names start with a prefix, inputs first.
fn ports_of(module: &BlockModule, prefix: &str) -> impl Iterator<Item = (Port, Direction)> {
    let table = module.port_table();
    let inputs = table
        .inputs
        .into_iter()
        .map(|port| (port, Direction::Input));
    let outputs = table
        .outputs
        .into_iter()
        .map(|port| (port, Direction::Output));
    let ports = inputs.chain(outputs);
    ports.filter(move |(port, _)| port.name.starts_with(prefix))
}

/// Vectors of `copies` of each of these ports.
pub fn declarations(
    module: &BlockModule,
    prefix: &str,
    copies: u64,
) -> impl Iterator<Item = Declaration> {
    ports_of(module, prefix).map(move |(port, direction)| {
        Declaration::new(direction, copies * u64::from(port.bits), port.name)
    })
}

/// Connections of these ports to nets of the same names.
pub fn same_connections(module: &BlockModule, prefix: &str) -> Vec<String> {
    let ports = ports_of(module, prefix);
    ports.map(|(port, _)| same_name(port.name)).collect()
}

/// `.name(name)`
pub fn same_name(name: &str) -> String {
    format!(".{name}({name})")
}

/// `.NAME(value)` for each parameter.
pub fn overrides(parameters: &[(String, String)]) -> Vec<String> {
    let text = |(name, value): &(String, String)| format!(".{name}({value})");
    parameters.iter().map(text).collect()
}
