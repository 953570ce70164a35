//! A machine's cabling against the plan: what is wrong by name, how it is repaired, and whether it has to be.

use std::collections::BTreeSet;

use serde::Serialize;

use super::plan::{CableOrder, bill};
use super::repair::{Move, Source};
use super::socket::partners_of;
use super::{
    CablingRepair, FloorLayout, Image, Millimetres, ReadBack, Socket, Step, Way, planned_pairs,
    repair,
};
use mkns_topology::Network;

/// The outcome of a check.
#[derive(Debug, Clone, Serialize)]
pub struct Check {
    pub network: String,
    /// Every cable is as planned, and nothing else is plugged in.
    pub passed: bool,
    pub planned_cables: usize,
    pub as_planned: usize,
    /// Cables that are not in the plan.
    pub wrong: Vec<WrongCable>,
    /// Planned cables that no cable of the machine is left for.
    pub missing: Vec<CableView>,
    /// Cables that are plugged in and carry nothing.
    pub dead: Vec<DeadView>,
    pub image: Image,
    /// Ends of cables that change their place to make the machine the plan.
    pub moves: usize,
    /// The moves in an order that works.
    pub steps: Vec<StepView>,
    /// Cables that the steps take from the box.
    pub new_cables: Vec<CableOrder>,
}

/// A port and where it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EndView {
    pub block: String,
    pub port: u8,
    pub rack: u32,
    pub slot: u32,
    /// Half of the port: `sends` or `receives`; none where cables carry both directions.
    pub half: Option<&'static str>,
}

/// A cable by its ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CableView {
    pub a: EndView,
    pub b: EndView,
}

/// A cable that is not in the plan.
#[derive(Debug, Clone, Serialize)]
pub struct WrongCable {
    #[serde(flatten)]
    pub cable: CableView,
    /// What `a` should see; none: nothing.
    pub a_should_see: Option<EndView>,
    pub b_should_see: Option<EndView>,
}

/// A cable that carries nothing.
#[derive(Debug, Clone, Serialize)]
pub struct DeadView {
    /// Its ends, as far as they are known.
    pub ends: Vec<EndView>,
    /// What they should see; none: nothing.
    pub should_see: Vec<Option<EndView>>,
}

/// A step of mending.
#[derive(Debug, Clone, Serialize)]
pub struct StepView {
    /// Number of the move, from 1.
    pub r#move: usize,
    pub action: Action,
    pub cable: CableOfStep,
    /// Where the end is; none: in the box of new cables.
    pub from: Option<EndView>,
    /// Where it goes; none: away.
    pub to: Option<EndView>,
    /// The cable may be too short: its new way takes a longer one than its old.
    pub may_be_short: bool,
}

/// What is done with the end of a cable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// From `from` to `to`, which is free.
    Move,
    /// Out of `from`; it is held until its `plug`.
    Unplug,
    /// The end that was held, into `to`.
    Plug,
}

/// Which cable a step is about: by the ends that it had when the cabling was read, a new one by those that it will have.
#[derive(Debug, Clone, Serialize)]
pub struct CableOfStep {
    /// `found`, `dead` or `new`.
    pub is: &'static str,
    pub ends: Vec<EndView>,
}

/// Compares a cabling with the network.
pub fn check(network: &Network, floor_layout: &FloorLayout, read_back: &ReadBack) -> Check {
    let planned = planned_pairs(network);
    let views = Views {
        network,
        floor_layout,
    };
    let repair = repair(&planned, read_back, |ends| views.bought(ends));
    let partners = partners_of(&planned);
    let should_see = |end: &Socket| partners.get(end).map(|end| views.end(*end));
    let wrong: Vec<WrongCable> = read_back
        .cables
        .iter()
        .filter(|[a, b]| partners.get(a) != Some(b))
        .map(|ends| WrongCable {
            cable: views.cable(*ends),
            a_should_see: should_see(&ends[0]),
            b_should_see: should_see(&ends[1]),
        })
        .collect();
    let dead = read_back.dead.iter().map(|dead| DeadView {
        ends: views.ends(&dead.0),
        should_see: dead.0.iter().map(should_see).collect(),
    });
    let steps = repair.steps.iter();
    Check {
        network: network.name.clone(),
        passed: repair.moves.is_empty(),
        planned_cables: planned.len(),
        as_planned: read_back.cables.len() - wrong.len(),
        wrong,
        missing: missing(&planned, read_back, &repair)
            .map(|ends| views.cable(ends))
            .collect(),
        dead: dead.collect(),
        image: Image::of(network, &planned, &read_back.cables),
        moves: repair.moves.len(),
        steps: steps
            .map(|step| views.step(*step, &repair, &planned, read_back))
            .collect(),
        new_cables: new_cables(&planned, floor_layout, &repair),
    }
}

/// Planned cables that no cable with an end in place is left for, dead ones aside.
fn missing<'a>(
    planned: &'a [[Socket; 2]],
    read_back: &'a ReadBack,
    repair: &'a CablingRepair,
) -> impl Iterator<Item = [Socket; 2]> + 'a {
    let dead = read_back.dead.iter().flat_map(|dead| &dead.0);
    let dead: BTreeSet<Socket> = dead.copied().collect();
    let numbered = planned.iter().zip(&repair.assignment.found_of);
    let left = numbered.filter(|(ends, found)| {
        found.is_none_or(|found| !read_back.cables[found].iter().any(|end| ends.contains(end)))
    });
    left.map(|(ends, _)| *ends)
        .filter(move |ends| !ends.iter().any(|end| dead.contains(end)))
}

fn new_cables(
    planned: &[[Socket; 2]],
    floor_layout: &FloorLayout,
    repair: &CablingRepair,
) -> Vec<CableOrder> {
    let numbered = planned.iter().zip(&repair.assignment.found_of);
    let new = numbered.filter(|(_, found)| found.is_none());
    bill(new.map(|([a, b], _)| {
        let length = floor_layout.length(a.end.block, b.end.block);
        (length, floor_layout.floor.class_of(length))
    }))
}

/// Ends with names and places.
struct Views<'a> {
    network: &'a Network,
    floor_layout: &'a FloorLayout,
}

impl Views<'_> {
    fn bought(&self, [a, b]: &[Socket; 2]) -> Millimetres {
        self.floor_layout.bought(a.end.block, b.end.block)
    }

    fn end(&self, socket: Socket) -> EndView {
        let place = self.floor_layout.place(socket.end.block);
        EndView {
            block: self.network.block(socket.end.block).label(),
            port: socket.end.port.0,
            rack: place.rack,
            slot: place.slot,
            half: match socket.way {
                Way::Both => None,
                Way::Sends => Some("sends"),
                Way::Receives => Some("receives"),
            },
        }
    }

    fn cable(&self, [a, b]: [Socket; 2]) -> CableView {
        CableView {
            a: self.end(a),
            b: self.end(b),
        }
    }

    fn ends(&self, ends: &[Socket]) -> Vec<EndView> {
        ends.iter().map(|end| self.end(*end)).collect()
    }

    fn step(
        &self,
        step: Step,
        repair: &CablingRepair,
        planned: &[[Socket; 2]],
        read_back: &ReadBack,
    ) -> StepView {
        let (number, action) = match step {
            Step::Move(number) => (number, Action::Move),
            Step::Unplug(number) => (number, Action::Unplug),
            Step::Plug(number) => (number, Action::Plug),
        };
        let Move { cable, from, to } = repair.moves[number];
        let may_be_short = match cable {
            Source::Found(number) => repair.assignment.planned_of[number].is_some_and(|target| {
                self.bought(&planned[target]) > self.bought(&read_back.cables[number])
            }),
            Source::Dead(_) | Source::New(_) => false,
        };
        let (is, ends): (_, &[Socket]) = match cable {
            Source::Found(cable) => ("found", &read_back.cables[cable]),
            Source::Dead(cable) => ("dead", &read_back.dead[cable].0),
            Source::New(cable) => ("new", &planned[cable]),
        };
        StepView {
            r#move: number + 1,
            action,
            cable: CableOfStep {
                is,
                ends: self.ends(ends),
            },
            from: from.map(|end| self.end(end)),
            to: to.map(|end| self.end(end)),
            may_be_short,
        }
    }
}
