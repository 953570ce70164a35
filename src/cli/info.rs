//! `mkns info`: the numbers of a network, formula beside graph.

use clap::Args;

use serde::Serialize;

use super::built_block::BuiltBlock;
use super::info_synthesis::{Synthesis, synthesise};
use super::network_arguments::{NetworkArguments, RoutedNetwork, damage};
use super::{Command, CommandError, Context, progress};
use mkns_design::{ZeroLoadLatency, farthest_hosts, farthest_is_sampled, serial_link};
use mkns_report::FailedParts;
use mkns_routing::{AddressLayout, Routing, channels_used};
use mkns_spec::{ADAPTIVE, NetworkKind, NetworkSpec, SerialLink};
use mkns_topology::Cable;
use mkns_topology::metrics::{self, Metrics};

/// Print the numbers of a network: the paper's formulas and the measured graph
#[derive(Debug, Args)]
pub struct Info {
    #[command(flatten)]
    network: NetworkArguments,
    /// Count LUTs as well: Yosys maps each kind of block to ECP5 cells, in seconds to minutes, and keeps the result
    #[arg(long)]
    synthesis: bool,
}

/// What `--format json` prints.
#[derive(Debug, Serialize)]
struct InfoReport {
    #[serde(flatten)]
    metrics: Metrics,
    /// Cycles; `block` of a distributed switch is its spine switch.
    zero_load_latency: ZeroLoadLatency,
    /// Host to host between the nearest and the farthest nodes, cycles.
    nearest_hosts: u32,
    farthest_hosts: u32,
    /// Not all pairs were looked at, others may be farther.
    farthest_is_at_least: bool,
    /// Where cables are serial.
    #[serde(skip_serializing_if = "Option::is_none")]
    serial_cables: Option<SerialCables>,
    virtual_channels: Channels,
    routing: RoutingInfo,
    /// Pairs of hosts that routes join, of all.
    #[serde(skip_serializing_if = "Option::is_none")]
    damage: Option<FailedParts>,
    /// By kind of block with a switch core.
    blocks: Vec<BuiltBlock>,
    address: AddressLayout,
    #[serde(skip_serializing_if = "Option::is_none")]
    synthesis: Option<Synthesis>,
}

/// Cables that are serial links.
#[derive(Debug, Serialize)]
struct SerialCables {
    cables: usize,
    all_cables: usize,
    #[serde(flatten)]
    link: SerialLink,
    /// Flits in 100,000 cycles at most.
    flits_per_100_000_cycles: u32,
    /// What the flight needs of both buffers, flits.
    least_buffer: u32,
}

/// Virtual channels of a link.
#[derive(Debug, Serialize)]
struct Channels {
    blocks_have: u32,
    /// What packets of these tables may be on, besides those that hosts' packets start on.
    routes_need: u32,
    /// What routes around failed parts may take: no packet starts on one of these.
    kept_for_routes: u32,
    /// Those on which hosts' packets start.
    hosts_start_on: u32,
}

/// The routing engine, as `docs/reference/routing.md` explains it.
#[derive(Debug, Serialize)]
struct RoutingInfo {
    /// `tables` where they are from a file: nobody claims anything of these.
    engine: &'static str,
    title: String,
    layers: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimal: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    survives: Option<String>,
}

impl Command for Info {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let routed = self.network.build()?;
        let spinner = progress::spinner(context, "measuring the network");
        let mut report = InfoReport::new(&routed);
        drop(spinner);
        if self.synthesis {
            report.synthesis = Some(synthesise(&routed.spec, context)?);
        }
        context.result(report.to_text(), &report)
    }
}

impl InfoReport {
    fn new(routed: &RoutedNetwork) -> Self {
        let (spec, network) = (&routed.spec, &routed.network);
        let metrics = metrics::measure(spec, network);
        let latency = ZeroLoadLatency::of(spec);
        let diameter = metrics.row("diameter").and_then(|row| row.measured);
        let sampled = metrics.row("diameter").is_some_and(|row| row.at_least);
        let is_at_least = match spec.link.is_some() {
            true => farthest_is_sampled(network),
            false => sampled,
        };
        let (nearest, farthest) = match &spec.kind {
            NetworkKind::DistributedSwitch(switch) => {
                let any = latency.terminal_to_terminal(switch.cascades);
                (any, any)
            }
            _ => {
                let farthest = match spec.link.is_some() {
                    true => farthest_hosts(spec, network),
                    false => latency.host_to_host(diameter.unwrap_or(0) as u32),
                };
                (latency.host_to_host(0), farthest)
            }
        };
        Self {
            zero_load_latency: latency,
            nearest_hosts: nearest,
            farthest_hosts: farthest,
            farthest_is_at_least: is_at_least,
            serial_cables: SerialCables::new(routed),
            virtual_channels: Channels::new(routed),
            routing: RoutingInfo::new(spec, &routed.routing),
            damage: damage(routed),
            blocks: BuiltBlock::of_routes(routed),
            address: AddressLayout::of(spec),
            synthesis: None,
            metrics,
        }
    }

    fn to_text(&self) -> String {
        let fields = self.address.fields.iter().filter(|field| field.bits > 0);
        let fields = fields.map(|field| {
            let (name, low) = (&field.name, field.offset);
            format!("{name} {}:{low}", low + field.bits - 1)
        });
        let fields: Vec<String> = fields.collect();
        let mut out = format!("{}\n", self.metrics.to_text());
        let latency = &self.zero_load_latency;
        let (nearest, farthest) = (self.nearest_hosts, self.farthest_hosts);
        let bound = if self.farthest_is_at_least {
            "≥ "
        } else {
            ""
        };
        out += &format!(
            "  zero load, cycles: block {}, cable {}, host to host {nearest} to {bound}{farthest}\n",
            latency.block, latency.cable
        );
        if let (Some(serial), Some(cycles)) = (&self.serial_cables, latency.serial_cable) {
            out += &serial.to_text(cycles);
        }
        out += &format!("  virtual channels: {}\n", self.virtual_channels.to_text());
        out += &format!("  routing: {}\n", self.routing.to_text());
        if let Some(damage) = &self.damage {
            out += &format!(
                "  {}\n  all other numbers here describe {}\n",
                damage.to_text(),
                damage.others_describe
            );
        }
        out += &format!("  address bits: {}\n", fields.join(", "));
        out.extend(self.blocks.iter().map(|block| format!("  {block}\n")));
        let synthesis = self.synthesis.as_ref().map(Synthesis::to_text);
        out + &synthesis.unwrap_or_default()
    }
}

impl SerialCables {
    fn new(routed: &RoutedNetwork) -> Option<Self> {
        let link = routed.spec.link.as_ref()?;
        let cables = &routed.network.cables;
        let is_serial = |cable: &&Cable| serial_link(&routed.spec, cable).is_some();
        Some(Self {
            cables: cables.iter().filter(is_serial).count(),
            all_cables: cables.len(),
            flits_per_100_000_cycles: link.flits_per_100_000_cycles(),
            least_buffer: link.least_buffer(),
            link: link.clone(),
        })
    }

    fn to_text(&self, cycles: u32) -> String {
        let (cables, all_cables) = (self.cables, self.all_cables);
        let rate = f64::from(self.flits_per_100_000_cycles) / 100_000.0;
        format!(
            "  serial cables: {cables} of {all_cables}, {cycles} cycles, at most {rate:.3} flits per cycle each way; \
             their flight needs buffers of {} flits\n",
            self.least_buffer
        )
    }
}

impl RoutingInfo {
    fn new(spec: &NetworkSpec, routing: &Routing) -> Self {
        let layers = spec.block.layers;
        if let Some(file) = &routing.from_file {
            return Self {
                engine: "tables",
                title: format!("from {file}"),
                layers,
                minimal: None,
                survives: None,
            };
        }
        let engine = spec.engine();
        let (name, title) = match spec.block.adaptive {
            true => {
                let escape = format!("{}, {}", engine.name, engine.title);
                let title = format!("any shortest path with room, else the escape: {escape}");
                (ADAPTIVE, title)
            }
            false => (engine.name, engine.title.to_owned()),
        };
        Self {
            engine: name,
            title,
            layers,
            minimal: Some(engine.minimal),
            survives: Some((engine.survives)(&spec.kind).words(spec.block.virtual_channels)),
        }
    }

    fn to_text(&self) -> String {
        let (engine, title, layers) = (self.engine, &self.title, self.layers);
        let (Some(minimal), Some(survives)) = (self.minimal, &self.survives) else {
            return format!("{engine} {title}, {layers} layer(s)");
        };
        let paths = match minimal {
            true => "shortest paths",
            false => "paths not always shortest",
        };
        let survives = match survives.as_str() {
            "none" => "no failed part",
            other => other,
        };
        format!("{engine} ({title}), {layers} layer(s), {paths}; survives {survives}")
    }
}

impl Channels {
    fn new(routed: &RoutedNetwork) -> Self {
        let (spec, routing) = (&routed.spec, &routed.routing);
        let kept = routing.channels(spec);
        let counts = spec.engine().takes_what_is_there || routing.from_file.is_some();
        Self {
            blocks_have: spec.block.virtual_channels,
            routes_need: match counts {
                true => channels_used(spec, &routed.network, &routed.faults, routing),
                false => kept,
            },
            kept_for_routes: kept,
            hosts_start_on: spec.block.host_channels(kept),
        }
    }

    fn to_text(&self) -> String {
        let hosts = match self.hosts_start_on {
            1 => String::new(),
            count => format!("; hosts' packets are spread over {count}"),
        };
        let (have, need, kept) = (self.blocks_have, self.routes_need, self.kept_for_routes);
        let kept = match kept > need {
            true => format!(", routes around failed parts may take {kept}"),
            false => String::new(),
        };
        format!("{have}, routes need {need}{kept}{hosts}")
    }
}
