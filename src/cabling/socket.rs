//! What one end of a cable is plugged into: a port, or the half of a port that sends or receives where cables have one
//! direction.

use std::collections::BTreeMap;

use mkns_topology::{Cable, CableKind, End, Network};

/// Which directions a socket has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// A duplex cable: both.
    Both,
    /// The sending half of a port with cables for one direction.
    Sends,
    /// Its receiving half.
    Receives,
}

/// Takes one end of one cable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Socket {
    pub end: End,
    pub way: Way,
}

impl Socket {
    pub fn new(end: End, way: Way) -> Self {
        Self { end, way }
    }

    /// The two ends of a cable of the plan; of a simplex cable the sender comes first.
    pub fn pair_of(cable: &Cable) -> [Self; 2] {
        let [a, b] = match cable.kind {
            CableKind::Simplex => [Way::Sends, Way::Receives],
            _ => [Way::Both, Way::Both],
        };
        [Self::new(cable.a, a), Self::new(cable.b, b)]
    }
}

/// The cables of the plan, in the order of the network.
pub fn planned_pairs(network: &Network) -> Vec<[Socket; 2]> {
    network.cables.iter().map(Socket::pair_of).collect()
}

/// By socket the one that a planned cable joins it to.
pub(crate) fn partners_of(planned: &[[Socket; 2]]) -> BTreeMap<Socket, Socket> {
    let pairs = planned.iter();
    pairs.flat_map(|&[a, b]| [(a, b), (b, a)]).collect()
}
