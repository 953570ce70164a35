//! The names that people give to parts of a network.

use super::{BlockId, End, Faults, Network, NetworkIndex, Part, PortIndex, host_named};
use crate::locate::without_prefix;
use mkns_diag::{Code, Diagnostic, Place, nearest};

impl Faults {
    /// The parts that people named; the first name that means nothing is refused, with the nearest that does.
    pub fn named<'a>(
        network: &Network,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, Box<Diagnostic>> {
        let index = network.index();
        let parts = names.into_iter().map(|name| part(network, &index, name));
        parts.collect()
    }
}

/// `BLOCK`, `BLOCK/PORT`, `BLOCK-BLOCK` and `BLOCK/PORT-BLOCK/PORT`, or a host.
fn part(network: &Network, index: &NetworkIndex, text: &str) -> Result<Part, Box<Diagnostic>> {
    let name = text.trim();
    if let Some(block) = network.block_named(name) {
        return Ok(Part::Block(block));
    }
    if let Some((a, b)) = name.split_once('-') {
        return cable_between(network, index, text, (a.trim(), b.trim()));
    }
    if let Some((block, port)) = name.split_once('/') {
        let id = block_named(network, text, block)?;
        return cable_at(network, index, text, (id, port));
    }
    if name.contains(':') || without_prefix(name).parse::<u32>().is_ok() {
        return host_named(network, name).map(Part::Host);
    }
    Err(no_block(network, text, name))
}

/// The cable at a port.
fn cable_at(
    network: &Network,
    index: &NetworkIndex,
    text: &str,
    (block, port): (BlockId, &str),
) -> Result<Part, Box<Diagnostic>> {
    let cabled = || {
        let ports = index.links(block).map(|(port, _)| port.to_string());
        ports.collect::<Vec<_>>().join(", ")
    };
    let number = port.parse().ok().map(PortIndex);
    let link = number.and_then(|port| index.link(End { block, port }));
    link.map(|link| Part::Cable(link.cable)).ok_or_else(|| {
        let name = &network.block(block).name;
        let fact = format!("{name} has cables at ports {}, not at {port}", cabled());
        unknown(text, &fact)
    })
}

/// The cable between two blocks, or two ports.
fn cable_between(
    network: &Network,
    index: &NetworkIndex,
    text: &str,
    (a, b): (&str, &str),
) -> Result<Part, Box<Diagnostic>> {
    let end = |name: &str| {
        let (block, port) = match name.split_once('/') {
            Some((block, port)) => (block, Some(port.to_owned())),
            None => (name, None),
        };
        block_named(network, text, block).map(|block| (block, port))
    };
    let ((a, port_a), (b, port_b)) = (end(a)?, end(b)?);
    let fits = |wanted: &Option<String>, port: PortIndex| {
        wanted
            .as_ref()
            .is_none_or(|wanted| *wanted == port.to_string())
    };
    let links = index.links(a).filter(|(port, link)| {
        link.peer.block == b && fits(&port_a, *port) && fits(&port_b, link.peer.port)
    });
    let cables: Vec<u32> = links.map(|(_, link)| link.cable).collect();
    let [a, b] = [a, b].map(|id| &network.block(id).name);
    match cables[..] {
        [cable] => Ok(Part::Cable(cable)),
        [] => Err(unknown(text, &format!("no cable joins {a} and {b} there"))),
        _ => {
            let names = cables.iter().map(|&cable| Part::Cable(cable).name(network));
            let names: Vec<String> = names.collect();
            Err(unknown(text, &format!("it may be {}", names.join(" or "))))
        }
    }
}

fn block_named(network: &Network, text: &str, name: &str) -> Result<BlockId, Box<Diagnostic>> {
    let found = network.block_named(name.trim());
    found.ok_or_else(|| no_block(network, text, name.trim()))
}

fn no_block(network: &Network, text: &str, name: &str) -> Box<Diagnostic> {
    let names = network.blocks.iter().map(|block| block.name.as_str());
    let fact = match nearest(name, names) {
        Some(near) => format!("there is no block {name}; the nearest name is {near}"),
        None => {
            let [first, last] = [network.blocks.first(), network.blocks.last()]
                .map(|block| block.map_or("", |block| &block.name));
            format!("there is no block {name}; blocks are {first} to {last}")
        }
    };
    unknown(text, &fact)
}

fn unknown(text: &str, fact: &str) -> Box<Diagnostic> {
    let remedy = "name a block `ab_0_3_0_0`, a cable by a port at its end `ab_0_3_0_0/7` or by its ends \
                  `ab_0_3_0_0-kb_y0`, a PCIe port `ab_0_3_0_0:1`; mkns export lists them";
    let fact = format!("`{text}` is not a part of the network: {fact}");
    Box::new(Diagnostic::new(Code::UnknownPart, fact, remedy).at(Place::field(text)))
}
