//! Management messages under pressure: hosts at several windows send requests at once, while errors, other messages and
//! data get in their way, and say whether every one was carried out as it should be.

mod flooder;
mod report;
mod request;
mod targets;

use mkns_design::Plan;
use mkns_topology::BlockId;

use super::group_slot::GroupSlot;
use crate::lockstep::Group;
use flooder::Flooder;
pub use report::FloodReport;

/// Each host has two of the sixteen numbers by which units tell requesters apart.
const MOST_HOSTS: usize = 8;

/// Who sends messages in a run, and how.
#[derive(Debug, Clone)]
pub struct MessageFlood {
    /// Blocks through whose windows hosts send, at most eight.
    pub from: Vec<BlockId>,
    /// Chance, of 1000, that a host that waits for an answer and finds its window free sends a read whose answer nobody
    /// waits for.
    pub spare: u32,
}

/// All hosts of a flood.
pub struct Flooders(Vec<Flooder>);

impl MessageFlood {
    pub(super) fn flooders(&self, plan: &Plan, seed: u64) -> Flooders {
        assert!(self.from.len() <= MOST_HOSTS, "{self:?}");
        let new = |number| Flooder::new(plan, (&self.from, number), self.spare, seed);
        Flooders((0..self.from.len()).map(new).collect())
    }
}

impl Flooders {
    /// Sets the control pins of the blocks with hosts.
    pub fn drive(&mut self, places: &[GroupSlot], groups: &mut [Group]) {
        for flooder in &mut self.0 {
            let place = places[flooder.block().0 as usize];
            let (pins, inputs) = groups[place.group].pins_and_inputs(place.instance);
            flooder.drive(pins, inputs);
        }
    }

    /// Takes the control outputs of the cycle.
    pub fn observe(&mut self, places: &[GroupSlot], groups: &[Group]) {
        for flooder in &mut self.0 {
            let place = places[flooder.block().0 as usize];
            let group = &groups[place.group];
            flooder.observe(&group.pins, group.outputs_of(place.instance));
        }
    }

    /// No more requests; those that are open go on.
    pub fn leave(&mut self) {
        self.0.iter_mut().for_each(Flooder::leave);
    }

    /// Every request has ended.
    pub fn have_left(&self) -> bool {
        self.0.iter().all(Flooder::has_left)
    }

    pub fn report(&self) -> FloodReport {
        let reports = self.0.iter().map(Flooder::report);
        reports.fold(FloodReport::default(), FloodReport::with)
    }
}
