//! The links that packets use, and whether two packets meet on one.
//!
//! A link is one direction of a cable, named by the port that drives it. Paths are followed once per
//! train and kept: exhaustive campaigns ask for the same few paths millions of times.

use std::collections::HashMap;

use super::{Crossing, LoadOutcome, Packet, SwitchModel};
use crate::train::follow::follow;
use mkns_topology::{BlockId, End, Network, NetworkIndex};

/// Path of a train: numbers of its links and the terminal reached, or why it gets nowhere.
type Followed = Result<(Vec<u32>, u32), String>;

/// Follows and remembers paths, and counts packets on links.
///
/// Behind the links of the graph come two more of each terminal whose POK is serial: its trunk up and its
/// trunk down.
pub struct LinkMap<'a> {
    network: &'a Network,
    index: NetworkIndex,
    is_serial: bool,
    paths: HashMap<(u32, Vec<u32>), Followed>,
    /// Of each link: when it was last used (a number of `moment`), and by which packet.
    used: Vec<(u64, usize)>,
    /// Counts loads and their turns.
    moment: u64,
}

impl<'a> LinkMap<'a> {
    /// `trunks`: channels between a terminal and its POK.
    pub fn new(network: &'a Network, trunks: u32) -> Self {
        let index = network.index();
        let slots = index.slots() + 2 * network.hosts.len();
        Self {
            network,
            index,
            is_serial: trunks == 1,
            paths: HashMap::new(),
            used: vec![(0, 0); slots],
            moment: 0,
        }
    }

    /// Places packet `number` on its links; `load` is the moment at which the load began, the present one
    /// that of its turn.
    fn place(&mut self, number: usize, packet: &Packet, load: u64) -> Crossing {
        let key = (packet.from, packet.train.0.clone());
        let (network, index) = (self.network, &self.index);
        let path = self
            .paths
            .entry(key)
            .or_insert_with(|| followed(network, index, packet));
        let astray = |why| Crossing::Astray {
            packet: number,
            why,
        };
        let links = match path {
            Ok((links, reached)) if *reached == packet.to => links,
            Ok((_, reached)) => return astray(format!("it arrives at terminal {reached}")),
            Err(why) => return astray(why.clone()),
        };
        let slots = index.slots() as u32;
        let trunks = [slots + 2 * packet.from, slots + 2 * packet.to + 1];
        let trunks = trunks.iter().filter(|_| self.is_serial);
        let (turn, links) = (self.moment, links.iter().map(|link| (link, load)));
        for (link, since) in links.chain(trunks.map(|link| (link, turn))) {
            let (last, first) = self.used[*link as usize];
            if last >= since {
                let at = name(network, index, *link);
                return Crossing::Conflict {
                    first,
                    second: number,
                    at,
                };
            }
            self.used[*link as usize] = (turn, number);
        }
        Crossing::Free
    }
}

impl SwitchModel for LinkMap<'_> {
    fn cross(&mut self, packets: &[Packet]) -> Crossing {
        self.moment += 1;
        let load = self.moment;
        let mut placed = (0..)
            .zip(packets)
            .map(|(number, packet)| self.place(number, packet, load));
        placed
            .find(|crossing| *crossing != Crossing::Free)
            .unwrap_or(Crossing::Free)
    }

    fn cross_in_turns(&mut self, turns: &[Vec<Packet>]) -> LoadOutcome {
        let load = self.moment + 1;
        let mut crossing = Crossing::Free;
        let mut number = 0;
        for turn in turns {
            self.moment += 1;
            for packet in turn {
                let placed = self.place(number, packet, load);
                number += 1;
                if crossing == Crossing::Free {
                    crossing = placed;
                }
            }
        }
        LoadOutcome {
            crossing,
            packet_times: None,
        }
    }
}

/// The driving port of a link in words.
fn name(network: &Network, index: &NetworkIndex, link: u32) -> String {
    if let Some(trunk) = (link as usize).checked_sub(index.slots()) {
        let terminal = BlockId((trunk / 2) as u32);
        return format!("the trunk of {}", network.block(terminal).name);
    }
    let at = index.end_of(link as usize);
    format!("{} port {}", network.block(at.block).name, at.port.0)
}

fn followed(network: &Network, index: &NetworkIndex, packet: &Packet) -> Followed {
    let steps = follow(network, index, BlockId(packet.from), &packet.train)
        .map_err(|(fault, block)| format!("{fault} at {}", network.block(block).name))?;
    let last = steps[steps.len() - 1].block;
    let link = |step: &crate::train::follow::Step| {
        let slot = index.slot(End {
            block: step.block,
            port: step.out_port?,
        })?;
        Some(slot as u32)
    };
    Ok((steps.iter().filter_map(link).collect(), last.0))
}
