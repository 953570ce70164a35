//! `mkns route`: the path of a packet, block by block, with in and out ports.

use clap::Args;
use serde::Serialize;

use super::network_arguments::NetworkArguments;
use super::{Command, CommandError, Context, route_train};
use mkns_diag::Code;
use mkns_routing::{Path, PortName, trace};
use mkns_spec::NetworkKind;
use mkns_topology::{Network, host_named};

/// Print the path between two hosts, with input and output ports
#[derive(Debug, Args)]
pub struct Route {
    #[command(flatten)]
    network: NetworkArguments,
    /// The sending host: 25, ab_0_3_0_0:1, "AB(0 3 0 0):1" or terminal_5
    from: String,
    /// The receiving host
    to: String,
}

impl Command for Route {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let routed = self.network.build_as_given()?;
        let (network, routing) = (&routed.network, &routed.routing);
        let from = host_named(network, &self.from)?;
        let to = host_named(network, &self.to)?;
        if let NetworkKind::DistributedSwitch(switch) = &routed.spec.kind {
            let pair = (from / switch.trunks(), to / switch.trunks());
            return route_train::print(switch, network, pair, context);
        }
        let index = network.index_without(&routed.faults);
        let path = trace(network, &index, routing, from, to).map_err(|(fault, block)| {
            let fact = format!("at {}: {fault}", network.block(block).name);
            let remedy = "run `mkns check` on the spec; this is a fault in the tables";
            CommandError::new(Code::RouteLost, fact, remedy)
        })?;
        let outcome = PathOutcome::new(network, &path, routing.layout.address_of(to));
        context.result(outcome.to_text(&path.describe(network)), &outcome)
    }
}

/// The path as it is printed.
#[derive(Debug, Serialize)]
struct PathOutcome {
    src_host: u32,
    dst_host: u32,
    /// Destination address in the header.
    address: u32,
    /// Cables on the way; PCIe is not counted.
    cables: usize,
    hops: Vec<HopView>,
}

#[derive(Debug, Serialize)]
struct HopView {
    at: String,
    name: String,
    r#in: PortView,
    out: PortView,
}

/// A number, or `PCI1`.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum PortView {
    Network(u32),
    Pcie(String),
}

impl From<PortName> for PortView {
    fn from(port: PortName) -> Self {
        match port {
            PortName::Network(port) => Self::Network(port.0.into()),
            PortName::Pcie(_) => Self::Pcie(port.to_string()),
        }
    }
}

impl PathOutcome {
    fn new(network: &Network, path: &Path, address: u32) -> Self {
        let hops = path.hops.iter().map(|hop| {
            let block = network.block(hop.block);
            HopView {
                at: block.label(),
                name: block.name.clone(),
                r#in: hop.port_name(network, hop.in_port).into(),
                out: hop.port_name(network, hop.out_port).into(),
            }
        });
        Self {
            src_host: path.from_host,
            dst_host: path.to_host,
            address,
            cables: path.hops.len() - 1,
            hops: hops.collect(),
        }
    }

    fn to_text(&self, line: &str) -> String {
        let (from, to, cables) = (self.src_host, self.dst_host, self.cables);
        let mut out = format!(
            "host {from} → host {to}  (address {:#07x}, cables: {cables})\n",
            self.address
        );
        out += &format!("  {line}\n\n  {:<20} {:>5} {:>5}\n", "block", "in", "out");
        for hop in &self.hops {
            let [input, output] = [&hop.r#in, &hop.out].map(PortView::text);
            out += &format!("  {:<20} {input:>5} {output:>5}\n", hop.at);
        }
        out
    }
}

impl PortView {
    fn text(&self) -> String {
        match self {
            Self::Network(number) => number.to_string(),
            Self::Pcie(name) => name.clone(),
        }
    }
}
