//! The routing engines that a spec can name, and what each claims: the networks that it serves, the channels and
//! layers that it needs, how long its paths are.
//!
//! `mkns check` holds the routes to these claims and to nothing else; the algorithms are in `src/routing`.

use super::{Family, GridSpec, NetworkKind};

/// The routing that chooses among shortest paths and falls back on an engine, the escape.
pub const ADAPTIVE: &str = "adaptive";

/// Engines whose entries lead on from every block, whoever comes there: they can be an escape.
const ESCAPES: [&str; 5] = [
    "up_down",
    "shortest",
    "dimension_order",
    "rings",
    "fat_tree",
];

/// What a routing engine claims.
#[derive(Debug)]
pub struct EngineClaims {
    /// As a spec names it.
    pub name: &'static str,
    /// What it does, in a few words.
    pub title: &'static str,
    /// The kinds of network that it serves, in words.
    pub kinds: &'static str,
    /// Whether it serves a network.
    pub serves: fn(&NetworkKind) -> bool,
    /// Whether it is the one to take where the spec names none, of the networks that it serves.
    pub by_default: fn(&NetworkKind) -> bool,
    /// Virtual channels that a packet may pass through, each followed by the next one up; or, with layers that
    /// each have one of their own, how many of these.
    pub channels: fn(&NetworkKind) -> u32,
    /// Whether it takes the channels that blocks have, fewer or more, and says itself when they are too few.
    pub takes_what_is_there: bool,
    /// Layers that it fills when the spec does not say how many.
    pub layers: fn(&NetworkKind) -> u32,
    /// Whether it says for each source and destination which of the layers may be used.
    pub masks: bool,
    /// Whether tables are indexed by one number of the destination's adapter block instead of its coordinates.
    pub flat: bool,
    /// Whether every path of a whole network is a shortest one.
    pub minimal: bool,
    /// The failed parts in spite of which all others stay joined.
    pub survives: fn(&NetworkKind) -> Survives,
}

/// The failed parts in spite of which an engine joins all others that cables still join.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Survives {
    /// Any N.
    Any(u32),
    /// Any N, without a change of tables.
    AnyByMasks(u32),
    /// All that leave the network in one piece.
    Connected,
    /// All that leave the network in one piece, while the channels of the blocks suffice for the longer paths.
    ConnectedWithinChannels,
}

impl Survives {
    /// In words, of blocks with this many virtual channels.
    pub fn words(self, channels: u32) -> String {
        let any = |count: u32| match count {
            0 => "none".to_owned(),
            1 => "any 1 part".to_owned(),
            count => format!("any {count} parts"),
        };
        let connected = "all that leave the network connected";
        match self {
            Self::AnyByMasks(count @ 1..) => any(count) + " by masks alone",
            Self::Any(count) | Self::AnyByMasks(count) => any(count),
            Self::Connected => connected.to_owned(),
            Self::ConnectedWithinChannels => match channels {
                1 => format!("{connected}, while 1 virtual channel suffices"),
                count => format!("{connected}, while {count} virtual channels suffice"),
            },
        }
    }
}

const ONE: fn(&NetworkKind) -> u32 = |_| 1;
const TWO: fn(&NetworkKind) -> u32 = |_| 2;

/// Shortest paths by coordinates on one channel and in one layer: what an engine claims unless it says otherwise.
const PLAIN: EngineClaims = EngineClaims {
    name: "",
    title: "",
    kinds: "",
    serves: has_tables,
    by_default: |_| true,
    channels: ONE,
    takes_what_is_there: false,
    layers: ONE,
    masks: false,
    flat: false,
    minimal: true,
    survives: |_| Survives::Any(0),
};

/// One dimension after the other, in lines.
const LINES: EngineClaims = EngineClaims {
    kinds: "MKNS, KNS, HyperX",
    serves: |kind| sizes_of_lines(kind).is_some(),
    ..PLAIN
};

/// A layer for each first coordinate.
const PLANES: EngineClaims = EngineClaims {
    kinds: "MKNS and HyperX of two dimensions or more, the first at most 8 long",
    serves: has_planes,
    channels: TWO,
    layers: first_size,
    masks: true,
    survives: |kind| Survives::AnyByMasks(first_size(kind).saturating_sub(2)),
    ..PLAIN
};

/// Any graph of adapter and switch blocks.
const GRAPH: EngineClaims = EngineClaims {
    kinds: "all but distributed switches",
    flat: true,
    ..PLAIN
};

/// Any graph, in several layers.
const LAYERED: EngineClaims = EngineClaims {
    by_default: |_| false,
    takes_what_is_there: true,
    layers: |_| 4,
    minimal: false,
    survives: |_| Survives::ConnectedWithinChannels,
    ..GRAPH
};

/// All engines.
pub const ENGINES: [EngineClaims; 11] = [
    EngineClaims {
        name: "dimension_order",
        title: "one dimension after the other",
        ..LINES
    },
    EngineClaims {
        name: "rings",
        title: "one ring after the other, the shorter way round",
        kinds: "torus",
        serves: |kind| torus(kind).is_some(),
        channels: |kind| torus(kind).map_or(1, GridSpec::datelines) + 1,
        ..PLAIN
    },
    EngineClaims {
        name: "fat_tree",
        title: "up by the destination's position, then down",
        kinds: "fat tree",
        serves: |kind| matches!(kind, NetworkKind::FatTree(_)),
        flat: true,
        ..PLAIN
    },
    EngineClaims {
        name: "spine",
        title: "the local addresses of a train",
        kinds: "multi-ring, hypercube, block design",
        serves: NetworkKind::has_trains,
        flat: true,
        ..PLAIN
    },
    EngineClaims {
        name: "planes",
        title: "layer f passes through first coordinate f; packets take the shortest that works",
        ..PLANES
    },
    EngineClaims {
        name: "planes_spread",
        title: "layer f passes through first coordinate f; packets are spread over all",
        minimal: false,
        ..PLANES
    },
    EngineClaims {
        name: "vtftr",
        title: "dimension order, and around failures with one change of channel",
        channels: TWO,
        flat: true,
        survives: |kind| Survives::Any(round_lines(kind)),
        ..LINES
    },
    EngineClaims {
        name: "shortest",
        title: "shortest paths, one channel up wherever a packet turns up a tree again",
        by_default: is_close,
        channels: |kind| most_turns(kind) + 1,
        takes_what_is_there: true,
        survives: |_| Survives::ConnectedWithinChannels,
        ..GRAPH
    },
    EngineClaims {
        name: "layered",
        title: "shortest paths, and in other layers paths one cable longer that share little with them",
        // As many as failures may take, which lengthen paths of all layers.
        channels: |_| MOST_TURNS + 1,
        ..LAYERED
    },
    EngineClaims {
        name: "layered_hops",
        title: "the paths of layered, each cable of a path one channel above the one before",
        channels: |kind| longest_path(kind, 1).min(MOST_TURNS + 1),
        ..LAYERED
    },
    EngineClaims {
        name: "up_down",
        title: "up a tree, then down it",
        minimal: false,
        survives: |_| Survives::Connected,
        ..GRAPH
    },
];

impl EngineClaims {
    /// The engine of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        ENGINES.iter().find(|engine| engine.name == name)
    }

    /// The engine of the escape of a kind of network where the spec names none.
    pub fn of_escape(kind: &NetworkKind) -> &'static Self {
        let own = Self::of(kind);
        match own.name != "shortest" && own.may_escape(kind) {
            true => own,
            false => Self::named("up_down").expect("it is listed"),
        }
    }

    /// Whether packets may join its routes at any block of a network. Dimension order and shortest paths keep their order
    /// from adapter blocks on, not from switch blocks.
    pub fn may_escape(&self, kind: &NetworkKind) -> bool {
        let has_switches = match kind {
            NetworkKind::Grid(grid) => grid.family == Family::Kns,
            NetworkKind::SlimFly(_) | NetworkKind::Loop(_) | NetworkKind::RandomShortcut(_) => {
                false
            }
            _ => true,
        };
        let from_adapters = ["dimension_order", "shortest"].contains(&self.name);
        ESCAPES.contains(&self.name) && !(has_switches && from_adapters)
    }

    /// The engine of a kind of network where the spec names none: the first that serves it and is meant for it.
    pub fn of(kind: &NetworkKind) -> &'static Self {
        let mut engines = ENGINES.iter();
        engines
            .find(|engine| (engine.serves)(kind) && (engine.by_default)(kind))
            .expect("every kind is served")
    }

    /// Channels below which validation refuses the blocks.
    pub fn least_channels(&self, kind: &NetworkKind) -> u32 {
        match self.takes_what_is_there {
            true => 1,
            false => (self.channels)(kind),
        }
    }

    /// Fields of an address: the kind's, or with flat tables one number for all of its coordinates.
    pub fn address_fields(&self, kind: &NetworkKind) -> Vec<(&'static str, u32)> {
        let mut fields = kind.address_fields();
        if self.flat && has_tables(kind) && fields.len() > 2 {
            let nodes = fields[1..].iter().map(|(_, size)| size).product();
            fields.truncate(1);
            fields.push(("node", nodes));
        }
        fields
    }
}

fn torus(kind: &NetworkKind) -> Option<&GridSpec> {
    match kind {
        NetworkKind::Grid(grid) if grid.family == Family::Torus => Some(grid),
        _ => None,
    }
}

/// Blocks in a line of each dimension, of networks of lines.
fn sizes_of_lines(kind: &NetworkKind) -> Option<Vec<u32>> {
    match kind {
        NetworkKind::Mkns(mkns) => Some(mkns.dimensions.iter().map(|line| line.size).collect()),
        NetworkKind::Grid(grid) if grid.family != Family::Torus => Some(grid.sizes.clone()),
        _ => None,
    }
}

fn first_size(kind: &NetworkKind) -> u32 {
    sizes_of_lines(kind).map_or(1, |sizes| sizes[0])
}

/// The first dimension has to be a direct mesh: switch blocks do not look at layers.
fn has_planes(kind: &NetworkKind) -> bool {
    let is_kns = matches!(kind, NetworkKind::Grid(grid) if grid.family == Family::Kns);
    !is_kns && sizes_of_lines(kind).is_some_and(|sizes| sizes.len() > 1 && sizes[0] <= 8)
}

/// Failed parts that routes of lines with one change of channel survive, whichever they are. Lines of KNS hang on one
/// switch block each; with three or more dimensions two failed blocks may already leave a pair only ways with two
/// changes. `tests/engine_claims.rs` enumerates them.
fn round_lines(kind: &NetworkKind) -> u32 {
    let is_kns = matches!(kind, NetworkKind::Grid(grid) if grid.family == Family::Kns);
    let sizes = sizes_of_lines(kind).unwrap_or_default();
    match sizes.len() {
        0 => 0,
        1 if is_kns => 0,
        1 => sizes[0].saturating_sub(2),
        2 if !is_kns => sizes[0] - 1,
        _ => 1,
    }
}

fn has_tables(kind: &NetworkKind) -> bool {
    !kind.has_trains()
}

/// Turns of a packet from down to up that blocks of 4 channels allow.
const MOST_TURNS: u32 = 3;

/// At most how often packets turn up again on shortest paths: a path of h cables turns no more than h / 2 times.
fn most_turns(kind: &NetworkKind) -> u32 {
    (longest_path(kind, 0) / 2).min(MOST_TURNS)
}

/// Cables of such a path at most; of graphs that differ, as many as blocks have channels for turns.
fn longest_path(kind: &NetworkKind, longer: u32) -> u32 {
    match kind {
        NetworkKind::SlimFly(_) => 2 + longer,
        NetworkKind::Loop(graph) => graph.diameter() + longer,
        _ => 2 * MOST_TURNS,
    }
}

/// Networks of adapter blocks alone whose shortest paths 4 channels serve. Loops turn twice at the most, however
/// long they are. Random graphs of n blocks with d cables each have paths of about log n / log (d - 1) cables; the
/// limit leaves room for unlucky draws (`tests/shortest.rs` tries them).
fn is_close(kind: &NetworkKind) -> bool {
    match kind {
        NetworkKind::SlimFly(_) | NetworkKind::Loop(_) => true,
        NetworkKind::RandomShortcut(graph) => {
            u64::from(graph.degree.saturating_sub(1)).pow(6) >= 2 * u64::from(graph.nodes)
        }
        _ => false,
    }
}
