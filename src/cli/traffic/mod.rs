//! Which packets hosts send, for all verbs that simulate under a load.

pub mod limits;
mod refusals;
mod trace;
mod values;
mod words;

use std::path::PathBuf;

use clap::Args;

use crate::renamed;
use mkns_design::{Plan, RouteSource};
use mkns_report::simulation::Simulation;
use mkns_simulation::measure::{Experiment, Run, Summary, WarmUp};
use mkns_traffic::{Injection, Lengths, Pattern, PlannedTraffic, Traffic};
use values::{InjectionName, lengths, patterns};
pub use values::{Loads, loads, warm_up};
pub use words::{NO_SWEEP, name, span};

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
        self.all_given().next().map(|(option, _)| option)
    }

    /// The options as words of a command line.
    pub fn as_words(&self) -> String {
        let word = |(option, value)| format!(" {option} {value}");
        self.all_given().map(word).collect()
    }

    /// The options that were given, with their values.
    fn all_given(&self) -> impl Iterator<Item = (&'static str, String)> {
        let text = |value: &dyn ToString| value.to_string();
        let flits = self.packet_flits.map(|flits| match flits {
            Lengths::Fixed(flits) => flits.to_string(),
            Lengths::Between(low, high) => format!("{low}..{high}"),
        });
        let packets = self.packets.as_ref().map(|path| path.display().to_string());
        let traffic = self.traffic.map(|pattern| text(&pattern.name()));
        let all = [
            ("--traffic", traffic),
            ("--injection", self.injection.map(name)),
            ("--burst", self.burst.map(|value| text(&value))),
            ("--window", self.window.map(|value| text(&value))),
            ("--packet-flits", flits),
            ("--hot-host", self.hot_host.map(|value| text(&value))),
            ("--hot-share", self.hot_share.map(|value| text(&value))),
            ("--root", self.root.map(|value| text(&value))),
            ("--packets", packets),
        ];
        let given = all.into_iter();
        given.filter_map(|(option, value)| Some((option, value?)))
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

    /// One run of a sweep whose first seed is `seed`; it keeps no details.
    pub fn experiment<'a>(
        &self,
        plan: &'a Plan,
        planned: &PlannedTraffic,
        run: Run,
        (seed, warm_up, cycles): (u64, Option<WarmUp>, u64),
    ) -> Experiment<'a> {
        let seed = seed + u64::from(run.seed);
        Experiment {
            plan,
            routes: RouteSource::Tables,
            traffic: self.at(run.load, seed, plan, planned),
            warm_up: self.warm_up(warm_up),
            cycles,
            parts: run.parts,
            flows: false,
            links: false,
        }
    }

    /// What was measured of a network under this traffic, `planned` included.
    pub fn simulation(
        &self,
        spec: String,
        plan: &Plan,
        planned: &PlannedTraffic,
        points: Vec<Summary>,
        clock_mhz: Option<f64>,
    ) -> Simulation {
        Simulation {
            spec,
            traffic: self.name(),
            injection: self.injection_name(),
            packet_flits: self.lengths_sent(plan, planned),
            blocks: plan.instances.len(),
            hosts: plan.hosts() as usize,
            pairs_without_route: plan.pairs_without_route(),
            ..Simulation::of(points, clock_mhz, plan.spec.block.flit_bits)
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
