//! The traffic patterns by name: those of network evaluation (Dally and Towles, *Principles and Practices of
//! Interconnection Networks*, table 3.1), for any number of hosts.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::Destinations;
use super::partners::{
    broadcast_tree, derangement, exchange_halves, half_shift, reverse_digits, tornado,
};
use mkns_design::{BlockModule, Plan};
use mkns_random::Random;

/// Share of the packets that go to a hot spot where nothing else is said. Half of them, because a hot spot has to
/// stand out among the few ports of one block as well as among the hosts of a network.
pub const HOT_SHARE: f64 = 0.5;

/// Where packets go.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pattern {
    /// All hosts equally, including the sender.
    Uniform,
    /// Every host has one partner, drawn by the seed; nobody is its own.
    Permutation,
    /// Low and high half of the digits of the number change places.
    Transpose,
    BitReversal,
    /// The highest number less its own.
    BitComplement,
    /// The sender's own port number, of the next adapter block.
    Neighbour,
    /// The sender's own port number, of the adapter block that is ⌈k / 2⌉ − 1 away in every dimension of k.
    Tornado,
    /// The sender's own port number, of the adapter block half of dimension 2 away, of dimension 1 where there is one only.
    HalfShift,
    /// A share (0…1) of the packets goes to one host, the others to any host but the sender.
    HotSpot {
        host: u32,
        share: f64,
    },
    /// Every host sends to all others in turn, each beginning with its successor.
    AllToAll,
    /// Host `root` sends to all along a spanning tree; who receives passes on.
    Broadcast {
        root: u32,
    },
    /// A list of packets says it.
    Trace,
}

/// Name and meaning of every pattern on the command line, with the usual host and share.
const PATTERNS: [(Pattern, &str, &str); 12] = [
    (
        Pattern::Uniform,
        "uniform",
        "To all hosts equally, including the sender",
    ),
    (
        Pattern::Permutation,
        "permutation",
        "Each host sends to one partner, drawn by the seed",
    ),
    (
        Pattern::Transpose,
        "transpose",
        "Host numbers with rows and columns exchanged",
    ),
    (
        Pattern::BitReversal,
        "bit-reversal",
        "Host numbers with their digits reversed",
    ),
    (
        Pattern::BitComplement,
        "bit-complement",
        "To the highest host number minus the sender's own",
    ),
    (Pattern::Neighbour, "neighbour", "To the next adapter block"),
    (
        Pattern::Tornado,
        "tornado",
        "To the adapter block just under halfway along every dimension",
    ),
    (
        Pattern::HalfShift,
        "half-shift",
        "To the adapter block halfway along dimension 2",
    ),
    (
        Pattern::HOT_SPOT,
        "hotspot",
        "A share of the packets to one host, the rest to all hosts but the sender",
    ),
    (
        Pattern::AllToAll,
        "all-to-all",
        "To every other host in turn",
    ),
    (
        Pattern::Broadcast { root: 0 },
        "broadcast",
        "From one host to all, along a spanning tree",
    ),
    (
        Pattern::Trace,
        "trace",
        "The packets of the file given with --packets",
    ),
];

impl Pattern {
    /// The usual hot spot.
    pub const HOT_SPOT: Self = Self::HotSpot {
        host: 0,
        share: HOT_SHARE,
    };

    /// What lockstep runs draw, in the order in which `--traffic all` runs them.
    pub const LOCKSTEP: [Self; 3] = [Self::Uniform, Self::Permutation, Self::HOT_SPOT];

    /// All of them with their names and meanings.
    pub fn all() -> impl Iterator<Item = (Self, &'static str, &'static str)> {
        PATTERNS.into_iter()
    }

    /// The pattern with a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find_map(|(pattern, its, _)| (its == name).then_some(pattern))
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        let kind = std::mem::discriminant(&self);
        let is_it = |(pattern, ..): &(Self, _, _)| std::mem::discriminant(pattern) == kind;
        Self::all().find(is_it).expect("every pattern has a name").1
    }

    /// Whether every host has a path to all that the pattern asks for: parallel ports of a terminal of
    /// a distributed switch lead to few hosts each, and only patterns that name all hosts can leave
    /// out the others.
    pub fn suits(self, plan: &Plan) -> bool {
        let is_parallel = |module: &BlockModule| module.pok.is_some_and(|shape| shape.parallel);
        matches!(self, Self::Uniform | Self::AllToAll | Self::Trace)
            || !plan.modules.iter().any(is_parallel)
    }

    /// Whether it is made from the graph, not from the number of hosts alone.
    pub fn needs_graph(self) -> bool {
        matches!(
            self,
            Self::Tornado | Self::HalfShift | Self::Broadcast { .. }
        )
    }

    /// The pattern for the hosts of a plan. Without its graph for patterns that [need](Self::needs_graph) none.
    pub fn prepare(self, plan: &Plan, seed: u64) -> Destinations {
        let (network, hosts) = (&plan.network, plan.hosts());
        let fixed =
            |partner: &dyn Fn(u32) -> u32| Destinations::Fixed((0..hosts).map(partner).collect());
        match self {
            Self::Uniform | Self::Trace => Destinations::Uniform,
            Self::Permutation => {
                let mut random = Random::branch(seed, u64::MAX);
                Destinations::Fixed(derangement(hosts, &mut random).into())
            }
            Self::Transpose => fixed(&|host| exchange_halves(host, hosts)),
            Self::BitReversal => fixed(&|host| reverse_digits(host, hosts)),
            Self::BitComplement => fixed(&|host| hosts - 1 - host),
            Self::Neighbour => {
                let step = plan.spec.kind.vms_per_node();
                fixed(&|host| (host + step) % hosts)
            }
            Self::Tornado => Destinations::Fixed(tornado(network).into()),
            Self::HalfShift => Destinations::Fixed(half_shift(network).into()),
            Self::HotSpot { host, share } => Destinations::HotSpot { host, share },
            Self::AllToAll => Destinations::AllToAll,
            Self::Broadcast { root } => {
                Destinations::Broadcast(Arc::new(broadcast_tree(network, root)))
            }
        }
    }
}

impl Serialize for Pattern {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Files name the patterns of a lockstep.
impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let pattern = Self::LOCKSTEP.into_iter().find(|its| its.name() == name);
        pattern.ok_or_else(|| {
            let names = &["uniform", "permutation", "hotspot"];
            de::Error::unknown_variant(&name, names)
        })
    }
}
