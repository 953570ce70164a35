//! Which packets hosts send, for all verbs that simulate under a load.

pub mod limits;
mod refusals;
mod trace;
mod values;
mod words;

use std::path::PathBuf;

use clap::Args;

use crate::renamed;
use mkns_design::Plan;
use mkns_simulation::measure::WarmUp;
use mkns_traffic::{Injection, Lengths, Pattern, PlannedTraffic, Traffic};
use values::{InjectionName, lengths, patterns};
pub use values::{Loads, loads, warm_up};
use words::name;
pub use words::{NO_SWEEP, span, unexpected};

/// Flits of a packet where nothing else is said and the network's packets are not shorter.
const PACKET_FLITS: u32 = 9;

/// The options that say which packets hosts send.
#[derive(Debug, Clone, Default, Args)]
pub struct TrafficArguments {
    /// Where packets go [default: uniform]
    #[arg(long, value_parser = patterns())]
    traffic: Option<Pattern>,
    /// When packets are created; the load is ignored with `window` [default: random]
    #[arg(long, value_enum)]
    injection: Option<InjectionName>,
    /// Mean number of packets per burst [default: 4]
    #[arg(long, value_name = "PACKETS")]
    burst: Option<f64>,
    /// How many packets each host may have in flight [default: 4]
    #[arg(long, value_name = "PACKETS")]
    window: Option<u32>,
    /// Flits per packet, header included: a number or a range 2..33 [default: 9]
    #[arg(long, value_name = "FLITS", value_parser = lengths)]
    packet_flits: Option<Lengths>,
    /// Destination of the pattern `hotspot` [default: 0]
    #[arg(long, value_name = "HOST", alias = "hot-vm")]
    hot_host: Option<u32>,
    /// Share of the packets that go to the hot host, 0 to 1 [default: 0.5]
    #[arg(long, value_name = "SHARE")]
    hot_share: Option<f64>,
    /// Source of the pattern `broadcast` [default: 0]
    #[arg(long, value_name = "HOST")]
    root: Option<u32>,
    /// Inject the packets of this file, with `--traffic trace`: cycle,source,destination,flits
    #[arg(long, value_name = "FILE.csv", required_if_eq("traffic", "trace"))]
    packets: Option<PathBuf>,
    #[command(flatten)]
    renamed: renamed::Packets,
}

impl TrafficArguments {
    fn injection(&self) -> InjectionName {
        self.injection.unwrap_or(InjectionName::Random)
    }

    /// As results name it.
    pub fn name(&self) -> String {
        self.pattern().name().to_owned()
    }

    /// When packets are created, as results name it.
    pub fn injection_name(&self) -> String {
        match self.is_trace() {
            true => "planned".to_owned(),
            false => name(self.injection()),
        }
    }

    /// Whether a file says what is sent.
    pub fn is_trace(&self) -> bool {
        self.pattern() == Pattern::Trace
    }

    /// Whether hosts create packets by a load, and not as a window lets them.
    pub fn injects_by_load(&self) -> bool {
        self.injection() != InjectionName::Window
    }

    /// The option by which packets wait for others to arrive, or a file says when they are sent.
    pub fn waits_for_deliveries(&self) -> Option<&'static str> {
        match (self.pattern(), self.injection()) {
            (Pattern::Broadcast { .. }, _) => Some("`--traffic broadcast`"),
            (Pattern::Trace, _) => Some("`--traffic trace`"),
            (_, InjectionName::Window) => Some("`--injection window`"),
            _ => None,
        }
    }

    /// What of these options was given first, for verbs that have nothing to do with it.
    pub fn given(&self) -> Option<&'static str> {
        let options = [
            ("--traffic", self.traffic.is_some()),
            ("--injection", self.injection.is_some()),
            ("--burst", self.burst.is_some()),
            ("--window", self.window.is_some()),
            ("--packet-flits", self.packet_flits.is_some()),
            ("--hot-host", self.hot_host.is_some()),
            ("--hot-share", self.hot_share.is_some()),
            ("--root", self.root.is_some()),
            ("--packets", self.packets.is_some()),
        ];
        let given = options.into_iter().find(|(_, is_given)| *is_given);
        given.map(|(option, _)| option)
    }

    /// The options as words of a command line.
    pub fn as_words(&self) -> String {
        let number = |option: &str, value: Option<String>| {
            value.map_or_else(String::new, |value| format!(" --{option} {value}"))
        };
        let flits = self.packet_flits.map(|flits| match flits {
            Lengths::Fixed(flits) => flits.to_string(),
            Lengths::Between(low, high) => format!("{low}..{high}"),
        });
        let packets = self.packets.as_ref().map(|path| path.display().to_string());
        [
            number(
                "traffic",
                self.traffic.map(|pattern| pattern.name().to_owned()),
            ),
            number("injection", self.injection.map(name)),
            number("burst", self.burst.map(|value| value.to_string())),
            number("window", self.window.map(|value| value.to_string())),
            number("packet-flits", flits),
            number("hot-host", self.hot_host.map(|value| value.to_string())),
            number("hot-share", self.hot_share.map(|value| value.to_string())),
            number("root", self.root.map(|value| value.to_string())),
            number("packets", packets),
        ]
        .concat()
    }

    fn packet_flits(&self, plan: &Plan) -> Lengths {
        let usual = PACKET_FLITS.min(plan.spec.block.max_packet_flits);
        self.packet_flits.unwrap_or(Lengths::Fixed(usual))
    }

    /// Flits of the shortest and the longest packet.
    pub fn lengths_sent(&self, plan: &Plan, planned: &PlannedTraffic) -> (u32, u32) {
        let flits = || planned.iter().flatten().map(|packet| packet.flits);
        let lengths = self.packet_flits(plan);
        let drawn = (lengths.shortest(), lengths.longest());
        (
            flits().min().unwrap_or(drawn.0),
            flits().max().unwrap_or(drawn.1),
        )
    }

    /// Whether where packets go depends on the graph.
    pub fn needs_graph(&self) -> bool {
        self.pattern().needs_graph()
    }

    /// A trace is measured from its beginning.
    pub fn warm_up(&self, given: Option<WarmUp>) -> WarmUp {
        let usual = match self.is_trace() {
            true => WarmUp::Cycles(0),
            false => WarmUp::Automatic,
        };
        given.unwrap_or(usual)
    }

    fn pattern(&self) -> Pattern {
        match self.traffic.unwrap_or(Pattern::Uniform) {
            Pattern::HotSpot { host, share } => Pattern::HotSpot {
                host: self.hot_host.unwrap_or(host),
                share: self.hot_share.unwrap_or(share),
            },
            Pattern::Broadcast { root } => Pattern::Broadcast {
                root: self.root.unwrap_or(root),
            },
            other => other,
        }
    }

    /// What hosts send at a load; `planned`: the packets of a trace.
    pub fn at(&self, load: f64, seed: u64, plan: &Plan, planned: &PlannedTraffic) -> Traffic {
        let injection = match self.injection() {
            InjectionName::Random => Injection::Random,
            InjectionName::Bursts => Injection::Bursts {
                packets: self.burst.unwrap_or(4.0),
            },
            InjectionName::Window => Injection::Window {
                packets: self.window.unwrap_or(4),
            },
        };
        Traffic {
            pattern: self.pattern(),
            injection,
            lengths: self.packet_flits(plan),
            load,
            seed,
            plan: planned.clone(),
        }
    }
}
