//! `mkns info`: the numbers of a network, formula beside graph.

use clap::Args;

use serde::Serialize;

use super::info_synthesis::{Synthesis, synthesise};
use super::spec_arguments::SpecArguments;
use super::{Command, CommandError, Context, progress};
use mkns_design::ZeroLoadLatency;
use mkns_routing::AddressLayout;
use mkns_spec::{NetworkKind, NetworkSpec};
use mkns_topology as topology;
use mkns_topology::metrics::{self, Metrics};

/// Print the numbers of a network: the paper's formula beside the measured graph
#[derive(Debug, Args)]
pub struct Info {
    #[command(flatten)]
    spec: SpecArguments,
    /// Count LUTs too: Yosys maps every different block to ECP5 cells, seconds to minutes for each, kept
    /// for the next time
    #[arg(long)]
    synthesis: bool,
}

/// What `--format json` prints.
#[derive(Debug, Serialize)]
struct Report {
    #[serde(flatten)]
    metrics: Metrics,
    /// Cycles; `block` of a distributed switch is its spine switch.
    zero_load_latency: ZeroLoadLatency,
    /// Host to host between the nearest and the farthest nodes, cycles.
    nearest_hosts: u32,
    farthest_hosts: u32,
    virtual_channels: Channels,
    address: AddressLayout,
    #[serde(skip_serializing_if = "Option::is_none")]
    synthesis: Option<Synthesis>,
}

/// Virtual channels of a link.
#[derive(Debug, Serialize)]
struct Channels {
    blocks_have: u32,
    routes_need: u32,
    /// Those on which hosts' packets start.
    hosts_start_on: u32,
}

impl Command for Info {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let spec = self.spec.parse()?;
        let spinner = progress::spinner(context, "measuring the network");
        let mut report = Report::new(&spec);
        drop(spinner);
        if self.synthesis {
            report.synthesis = Some(synthesise(&spec, context)?);
        }
        context.result(report.to_text(), &report)
    }
}

impl Report {
    fn new(spec: &NetworkSpec) -> Self {
        let metrics = metrics::measure(spec, &topology::build(spec));
        let latency = ZeroLoadLatency::new(&spec.block);
        let diameter = metrics.row("diameter").and_then(|row| row.measured);
        let (nearest, farthest) = match &spec.kind {
            NetworkKind::DistributedSwitch(switch) => {
                let any = latency.terminal_to_terminal(switch.cascades);
                (any, any)
            }
            _ => {
                let farthest = latency.host_to_host(diameter.unwrap_or(0) as u32);
                (latency.host_to_host(0), farthest)
            }
        };
        Self {
            zero_load_latency: latency,
            nearest_hosts: nearest,
            farthest_hosts: farthest,
            virtual_channels: Channels::new(spec),
            address: AddressLayout::of(&spec.kind),
            synthesis: None,
            metrics,
        }
    }

    fn to_text(&self) -> String {
        let fields: Vec<_> = (self.address.fields.iter())
            .filter(|field| field.bits > 0)
            .map(|field| {
                format!(
                    "{} {}:{}",
                    field.name,
                    field.offset + field.bits - 1,
                    field.offset
                )
            })
            .collect();
        let mut out = format!("{}\n", self.metrics.to_text());
        let latency = &self.zero_load_latency;
        out += &format!(
            "  zero load, cycles: block {}, cable {}, host to host {} to {}\n",
            latency.block, latency.cable, self.nearest_hosts, self.farthest_hosts,
        );
        out += &format!("  virtual channels: {}\n", self.virtual_channels.to_text());
        out += &format!("  address bits: {}\n", fields.join(", "));
        let synthesis = self.synthesis.as_ref().map(Synthesis::to_text);
        out + &synthesis.unwrap_or_default()
    }
}

impl Channels {
    fn new(spec: &NetworkSpec) -> Self {
        let routes_need = spec.kind.route_channels();
        Self {
            blocks_have: spec.block.virtual_channels,
            routes_need,
            hosts_start_on: spec.block.host_channels(routes_need),
        }
    }

    fn to_text(&self) -> String {
        let hosts = match self.hosts_start_on {
            1 => String::new(),
            count => format!("; hosts' packets are spread over {count}"),
        };
        let (have, need) = (self.blocks_have, self.routes_need);
        format!("{have}, routes need {need}{hosts}")
    }
}
