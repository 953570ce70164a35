//! Address trains of distributed switches: the k + 1 local addresses that a source puts into a header.
//!
//! On digraphs the train follows from two terminal numbers alone (`closed_form`); on block designs the
//! source also chooses among the switches that it shares with the destination, level by level. Each
//! source computes its train without knowing any other's. What the train does in the wired network is
//! `follow`'s business, which shares nothing with this.

mod closed_form;
pub mod follow;

use std::fmt;

use serde::Serialize;

use mkns_topology::distributed_switch::{Attachment, DistributedSwitch, Stage, Structure};

/// Local addresses in the order in which they are used: the branch of each cascade's splitter, then
/// the output of the spine switch. On the way down no address is used.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Train(pub Vec<u32>);

impl Train {
    /// The train as a destination address: `bits` bits each, the first lowest (section 6 of
    /// `docs/microarchitecture.md`).
    pub fn packed(&self, bits: u32) -> u32 {
        let addresses = self.0.iter().rev();
        addresses.fold(0, |packed, address| packed << bits | address)
    }
}

impl fmt::Display for Train {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let addresses: Vec<String> = self.0.iter().map(u32::to_string).collect();
        f.write_str(&addresses.join("."))
    }
}

/// The train of a source that chooses alone: the only one on a digraph, the first shared switch in
/// every cascade on a block design. Terminals are 0-based and in range.
pub fn alone(switch: &DistributedSwitch, from: u32, to: u32) -> Train {
    let (m, k) = (switch.ports(), switch.cascades());
    match switch.structure() {
        Structure::MultiRing => Train(closed_form::multi_ring(m, k, from, to)),
        Structure::Hypercube => Train(closed_form::hypercube(m, k, from, to)),
        Structure::BlockDesign(_) => {
            let first = choices(switch.stage(1), from, to)[0];
            chosen(switch, from, to, first)
        }
    }
}

/// Branches of `from` on which `to` can be reached: one on a digraph, σ or m on a block design.
pub fn first_branches(switch: &DistributedSwitch, from: u32, to: u32) -> Vec<u32> {
    let choices = choices(switch.stage(1), from, to);
    choices.iter().map(|choice| choice.branch).collect()
}

/// A train that starts with `branch`; `None` when it does not lead to `to`.
pub fn through(switch: &DistributedSwitch, from: u32, to: u32, branch: u32) -> Option<Train> {
    let mut choices = choices(switch.stage(1), from, to).into_iter();
    let first = choices.find(|choice| choice.branch == branch)?;
    Some(chosen(switch, from, to, first))
}

/// One way into a copy that both terminals of a stage are attached to.
#[derive(Debug, Clone, Copy)]
struct Choice {
    branch: u32,
    /// Input and output of the copy.
    from: u32,
    to: u32,
}

/// The copies that both terminals are attached to, in order of branch.
fn choices(stage: &Stage, from: u32, to: u32) -> Vec<Choice> {
    let up = stage.up(from).iter().zip(0..);
    let choice = |(at, branch): (&Attachment, u32)| {
        let down = stage.down(to).iter().find(|down| down.copy == at.copy)?;
        Some(Choice {
            branch,
            from: at.port,
            to: down.port,
        })
    };
    up.filter_map(choice).collect()
}

/// The train whose first choice is made, with the first choice in every further cascade.
fn chosen(switch: &DistributedSwitch, from: u32, to: u32, first: Choice) -> Train {
    debug_assert!(from < switch.terminals() && to < switch.terminals());
    let mut addresses = vec![first.branch];
    let mut at = first;
    for cascade in 2..=switch.cascades() {
        at = choices(switch.stage(cascade), at.from, at.to)[0];
        addresses.push(at.branch);
    }
    addresses.push(at.to);
    Train(addresses)
}
