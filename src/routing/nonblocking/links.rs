//! The links that packets use, and whether two packets meet on one.
//!
//! A link is one direction of a cable, named by the port that drives it. Paths are followed once per
//! train and kept: exhaustive campaigns ask for the same few paths millions of times.

use std::collections::HashMap;

use super::{Crossing, Level, Packet};
use crate::routing::train::follow::follow;
use crate::topology::{BlockId, End, Network, NetworkIndex};

/// Path of a train: numbers of its links and the terminal reached, or why it gets nowhere.
type Followed = Result<(Vec<u32>, u32), String>;

/// Follows and remembers paths, and counts packets on links.
pub struct LinkMap<'a> {
    network: &'a Network,
    index: NetworkIndex,
    paths: HashMap<(u32, Vec<u32>), Followed>,
    /// Of each link: the load in which it was last used, and by which packet.
    used: Vec<(u64, usize)>,
    load: u64,
}

impl<'a> LinkMap<'a> {
    pub fn new(network: &'a Network) -> Self {
        let index = network.index();
        let slots = index.slots();
        Self {
            network,
            index,
            paths: HashMap::new(),
            used: vec![(0, 0); slots],
            load: 0,
        }
    }
}

impl Level for LinkMap<'_> {
    fn cross(&mut self, packets: &[Packet]) -> Crossing {
        self.load += 1;
        for (number, packet) in packets.iter().enumerate() {
            let key = (packet.from, packet.train.0.clone());
            let (network, index) = (self.network, &self.index);
            let path = self
                .paths
                .entry(key)
                .or_insert_with(|| followed(network, index, packet));
            let (links, reached) = match path {
                Ok((links, reached)) => (links, *reached),
                Err(why) => {
                    let why = why.clone();
                    return Crossing::Astray {
                        packet: number,
                        why,
                    };
                }
            };
            if reached != packet.to {
                let why = format!("it arrives at terminal {reached}");
                return Crossing::Astray {
                    packet: number,
                    why,
                };
            }
            for link in links {
                let (load, first) = self.used[*link as usize];
                if load == self.load {
                    let at = name(network, index, *link);
                    return Crossing::Conflict {
                        first,
                        second: number,
                        at,
                    };
                }
                self.used[*link as usize] = (self.load, number);
            }
        }
        Crossing::Free
    }

    fn ignores_trunks(&self) -> bool {
        true
    }
}

/// The driving port of a link in words.
fn name(network: &Network, index: &NetworkIndex, link: u32) -> String {
    let at = index.end_of(link as usize);
    format!("{} port {}", network.block(at.block).name, at.port.0)
}

fn followed(network: &Network, index: &NetworkIndex, packet: &Packet) -> Followed {
    let steps = follow(network, index, BlockId(packet.from), &packet.train)
        .map_err(|(fault, block)| format!("{fault} at {}", network.block(block).name))?;
    let last = steps[steps.len() - 1].block;
    let link = |step: &crate::routing::train::follow::Step| {
        let slot = index.slot(End {
            block: step.block,
            port: step.out_port?,
        })?;
        Some(slot as u32)
    };
    Ok((steps.iter().filter_map(link).collect(), last.0))
}
