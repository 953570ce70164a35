//! Can packets wait for each other in a circle: the channel dependency graph and a search for cycles.
//!
//! A channel is one direction of a cable on one virtual channel. Channel c depends on channel e when
//! some packet that holds c may next ask for e. Without a cycle no set of packets can block itself
//! (Dally and Seitz). The graph is built from the turns that walks over the tables really make.
//! Alternate entries (taken when a link is down) are not part of it.

use super::{Check, Violations};
use crate::flat::{FlatTables, Slot, ports_in};
use mkns_topology::{Network, NetworkIndex};

/// The dependency graph; node = slot of the sending port × virtual channels + virtual channel.
struct Dependencies<'a> {
    flat: &'a FlatTables,
    /// Per node: output ports taken next, as bits.
    turns: &'a [u64],
    channels: usize,
}

pub fn check(network: &Network, index: &NetworkIndex, flat: &FlatTables, turns: &[u64]) -> Check {
    let graph = Dependencies::new(flat, turns);
    let mut faults = Violations::default();
    let circle = circle_of(network, index, flat, turns);
    let found = match circle {
        Some(_) => "a cycle",
        None => "no cycle",
    };
    if let Some(circle) = circle {
        faults.add(|| format!("packets can wait in a circle: {circle}"));
    }
    let directions = (0..index.slots()).filter(|&slot| index.link(index.end_of(slot)).is_some());
    let channels = directions.count() * graph.channels;
    let dependencies: u64 = turns.iter().map(|turn| u64::from(turn.count_ones())).sum();
    let examined = format!("{channels} channels, {dependencies} dependencies: {found}");
    faults.into_check("deadlock", examined)
}

/// The first circle of turns, in words.
pub fn circle_of(
    network: &Network,
    index: &NetworkIndex,
    flat: &FlatTables,
    turns: &[u64],
) -> Option<String> {
    let graph = Dependencies::new(flat, turns);
    let cycle = graph.find_cycle()?;
    let names = cycle.iter().map(|&node| graph.name(network, index, node));
    Some(names.collect::<Vec<String>>().join(" → "))
}

impl<'a> Dependencies<'a> {
    fn new(flat: &'a FlatTables, turns: &'a [u64]) -> Self {
        Self {
            flat,
            turns,
            channels: flat.channels() as usize,
        }
    }
}

impl Dependencies<'_> {
    fn successors(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let (slot, channel) = (
            (node / self.channels) as Slot,
            (node % self.channels) as u32,
        );
        let turns = self.turns[node];
        ports_in(turns).map(move |port| {
            let block = self.flat.next_block(slot);
            let input = self.flat.entry_port(slot);
            let next = self.flat.next_channel(block, input, port, channel);
            self.flat.slot(block, port) as usize * self.channels + next as usize
        })
    }

    /// Depth-first search with an explicit stack; the nodes of the first cycle met.
    fn find_cycle(&self) -> Option<Vec<usize>> {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            Open,
            Done,
        }
        let mut marks = vec![Mark::New; self.turns.len()];
        for start in 0..marks.len() {
            if marks[start] != Mark::New {
                continue;
            }
            marks[start] = Mark::Open;
            let mut stack = vec![(start, self.successors(start))];
            while let Some((node, successors)) = stack.last_mut() {
                match successors.next() {
                    None => {
                        marks[*node] = Mark::Done;
                        stack.pop();
                    }
                    Some(next) if marks[next] == Mark::Open => {
                        let path = stack.iter().map(|(node, _)| *node);
                        return Some(path.skip_while(|&node| node != next).collect());
                    }
                    Some(next) if marks[next] == Mark::New => {
                        marks[next] = Mark::Open;
                        stack.push((next, self.successors(next)));
                    }
                    Some(_) => {}
                }
            }
        }
        None
    }

    fn name(&self, network: &Network, index: &NetworkIndex, node: usize) -> String {
        let end = index.end_of(node / self.channels);
        let block = network.block(end.block);
        let channel = node % self.channels;
        let many = self.channels > 1;
        let suffix = if many {
            format!(" vc{channel}")
        } else {
            String::new()
        };
        format!("{} port {}{suffix}", block.name, end.port)
    }
}
