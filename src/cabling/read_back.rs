//! What a machine says of its cables: which sockets see each other, and which have a plug but see nobody.
//!
//! A port sees at most one other. Where a duplex cable carries one direction only it is dead.

use std::collections::BTreeMap;
use std::ops::Range;

use super::socket::partners_of;
use super::{Socket, Way, planned_pairs};
use mkns_topology::{CableKind, End, Network};

/// One statement of a read-back.
#[derive(Debug, Clone)]
pub(crate) struct ReadBackStatement {
    /// What is plugged in at either end, as far as it is known: at least one end is.
    pub ends: [Option<End>; 2],
    pub is_dead: bool,
    /// Stretch of the text that says so.
    pub span: Range<usize>,
}

/// A cable that carries nothing: its end, or both where they are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadCable(pub Vec<Socket>);

/// The cabling as found.
#[derive(Debug, Clone, Default)]
pub struct ReadBack {
    /// Cables whose ends see each other; the sender of a simplex cable comes first.
    pub cables: Vec<[Socket; 2]>,
    pub dead: Vec<DeadCable>,
}

/// Why statements do not describe a cabling, and the stretch of text concerned.
pub(crate) type Contradiction = (Range<usize>, String);

/// What a socket is known to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    /// A cable whose other end is there.
    Sees(Socket),
    /// A cable, dead, with its other end there.
    DeadTo(Socket),
    /// The end of a cable, no more.
    Plug,
}

impl ReadBack {
    /// What ports say themselves: each with who is at the other end, as far as that is known.
    ///
    /// # Errors
    /// When two of them contradict each other.
    pub fn of_ends(network: &Network, seen: &[(End, Option<End>)]) -> Result<Self, String> {
        let sightings = seen.iter().map(|&(end, peer)| ReadBackStatement {
            ends: [Some(end), peer],
            is_dead: false,
            span: 0..0,
        });
        let sightings: Vec<ReadBackStatement> = sightings.collect();
        Self::new(network, &sightings).map_err(|(_, fact)| fact)
    }

    pub(crate) fn new(
        network: &Network,
        sightings: &[ReadBackStatement],
    ) -> Result<Self, Contradiction> {
        let mut kinds = network.cables.iter().map(|cable| cable.kind);
        let is_one_way = kinds.any(|kind| kind == CableKind::Simplex);
        let mut held: BTreeMap<Socket, Held> = BTreeMap::new();
        for sighting in sightings {
            let wrong = |fact| (sighting.span.clone(), fact);
            match sockets(is_one_way, sighting.ends) {
                [Some(a), Some(b)] if a == b => {
                    return Err(wrong(format!("{} sees itself", name(network, a))));
                }
                [Some(a), Some(b)] => {
                    for (own, other) in [(a, b), (b, a)] {
                        let seen = match sighting.is_dead {
                            true => Held::DeadTo(other),
                            false => Held::Sees(other),
                        };
                        hold(network, &mut held, own, seen).map_err(wrong)?;
                    }
                }
                [Some(a), None] | [None, Some(a)] => {
                    hold(network, &mut held, a, Held::Plug).map_err(wrong)?;
                }
                [None, None] => return Err(wrong("neither end is named".to_owned())),
            }
        }
        Ok(Self::of(network, &held))
    }

    fn of(network: &Network, held: &BTreeMap<Socket, Held>) -> Self {
        let mut all = Self::default();
        let partners = partners_of(&planned_pairs(network));
        for (&own, seen) in held {
            match *seen {
                Held::Sees(other) | Held::DeadTo(other) => {
                    // Each cable once: a sending half comes before a receiving one.
                    let is_first = match own.way {
                        Way::Both => own < other,
                        Way::Sends => true,
                        Way::Receives => false,
                    };
                    let works = *seen == Held::Sees(other) && held[&other] == Held::Sees(own);
                    match (is_first, works) {
                        (false, _) => {}
                        (true, true) => all.cables.push([own, other]),
                        (true, false) => all.dead.push(DeadCable(vec![own, other])),
                    }
                }
                Held::Plug => {
                    // Two plugs without a link where a cable is planned are taken for its ends.
                    let partner = partners.get(&own).copied();
                    match partner.filter(|other| held.get(other) == Some(&Held::Plug)) {
                        Some(other) if other < own => {}
                        Some(other) => all.dead.push(DeadCable(vec![own, other])),
                        None => all.dead.push(DeadCable(vec![own])),
                    }
                }
            }
        }
        all
    }
}

/// Notes what a socket holds, unless it is known to hold something else.
fn hold(
    network: &Network,
    held: &mut BTreeMap<Socket, Held>,
    own: Socket,
    seen: Held,
) -> Result<(), String> {
    use Held::{DeadTo, Plug, Sees};
    let known = held.get(&own).copied();
    let together = match (known, seen) {
        (None, seen) => seen,
        (Some(known), seen) if known == seen => seen,
        // One direction of a cable works, or its other end is known.
        (Some(Plug), Sees(other) | DeadTo(other)) | (Some(Sees(other) | DeadTo(other)), Plug) => {
            DeadTo(other)
        }
        (Some(Sees(one)), DeadTo(other)) | (Some(DeadTo(one)), Sees(other)) if one == other => {
            DeadTo(one)
        }
        (Some(Sees(one) | DeadTo(one)), Sees(other) | DeadTo(other)) => {
            return Err(format!(
                "{} sees {} and {}",
                name(network, own),
                name(network, one),
                name(network, other),
            ));
        }
        (Some(Plug), Plug) => Plug,
    };
    held.insert(own, together);
    Ok(())
}

/// A socket as messages name it.
fn name(network: &Network, socket: Socket) -> String {
    let label = network.block(socket.end.block).label();
    format!("{label} port {}", socket.end.port)
}

/// The sockets that a cable between two ports is in. All cables of a network have one direction, the first end
/// sending, or none has.
fn sockets(is_one_way: bool, [a, b]: [Option<End>; 2]) -> [Option<Socket>; 2] {
    let ways = match is_one_way {
        true => [Way::Sends, Way::Receives],
        false => [Way::Both, Way::Both],
    };
    [
        a.map(|end| Socket::new(end, ways[0])),
        b.map(|end| Socket::new(end, ways[1])),
    ]
}
