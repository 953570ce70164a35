//! Who is there: from the host's block outwards through the PEER registers, compared with the plan block by block and
//! cable by cable. A block without a number is the one that the plan has at the cable through which it is reached first;
//! it is given the number, so that other cables to it must fit.

use std::collections::BTreeSet;
use std::fmt::Display;

use mkns_contract::address::link_word::EXPECTED_PEER;
use mkns_contract::address::{BLOCK_NUMBER, LINK_UP, link};
use mkns_design::{Plan, expected_peer, serial_link};
use mkns_topology::{BlockId, End, NetworkIndex, Part, PortIndex};
use serde::Serialize;

use super::messenger::InBandError;
use super::numbers::UNNUMBERED;
use super::registers::InBandRegisters;
use crate::identity::is_of_plan;
use crate::links::Readings;
use crate::peers::{PortState, SeenPeer, port_state};
use crate::{ManagerError, Registers};

/// Looks at a port with a signal until its link counts as down: links rise within some thousand cycles.
const RISING: usize = 40;

/// What was found.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Discovery {
    /// Blocks that are as planned, in the order in which they were found.
    #[serde(skip)]
    pub reached: Vec<BlockId>,
    /// Blocks that had no number and have one now.
    #[serde(skip)]
    pub numbered: Vec<BlockId>,
    /// What is there and differs from the plan: blocks and cables, in words.
    pub wrong: Vec<String>,
    /// Blocks and serial cables of the plan that nothing was seen of.
    pub missing: Vec<String>,
    /// Serial ports with a signal.
    #[serde(skip)]
    pub seen: Vec<SeenPeer>,
    /// LINK_UP of every block that is as planned.
    #[serde(skip)]
    pub readings: Readings,
}

type Result<T, R> = std::result::Result<T, ManagerError<InBandError<<R as Registers>::Error>>>;

impl<R: Registers<Error: Display>> InBandRegisters<'_, R> {
    /// Reads all that can be reached, and writes nothing but numbers of blocks that have none.
    ///
    /// # Errors
    /// When the block with the window is not that of the plan, or the registers of its board cannot be reached.
    pub fn discover(&mut self, plan: &Plan) -> Result<Discovery, R> {
        let index = plan.network.index();
        let own = self.messenger.own;
        let mut found = Discovery {
            readings: vec![None; plan.network.blocks.len()],
            ..Discovery::default()
        };
        if !is_of_plan(plan, own, self)? {
            return Err(ManagerError::NobodyAnswers);
        }
        if let Some(number) = self.numbered_otherwise(plan, own, &mut found)? {
            let (name, number) = (&plan.network.block(own).name, whose(plan, number));
            let words = format!("the board with the window is {number}, not {name}; {RESET}");
            found.wrong.push(words);
            return Ok(found);
        }
        found.reached.push(own);
        let mut refused = BTreeSet::new();
        let mut next = 0;
        while let Some(&block) = found.reached.get(next) {
            next += 1;
            let module = &plan.modules[plan.instances[block.0 as usize].module];
            for port in module.serial_port_numbers() {
                let port = PortIndex(port as u8);
                let end = End { block, port };
                self.look_along(plan, &index, end, (&mut found, &mut refused))?;
            }
            // After its ports: by then links have risen.
            found.readings[block.0 as usize] = self.read(block, LINK_UP)?;
        }
        found.name_missing(plan, &refused);
        Ok(found)
    }

    /// Looks at the peer of a port, and joins it to what is known where it is the planned one.
    fn look_along(
        &mut self,
        plan: &Plan,
        index: &NetworkIndex,
        end: End,
        (found, refused): (&mut Discovery, &mut BTreeSet<BlockId>),
    ) -> Result<(), R> {
        let mut state = self.risen(end)?;
        if !state.has_signal {
            return Ok(());
        }
        let planned = index.peer(end);
        // A block that was reset has lost its number, and is refused until it has one.
        let refused_peer = planned.filter(|peer| state.is_down_without_number(*peer));
        if let Some(peer) = refused_peer
            && self.expects_a_number(end)?
        {
            self.expect(end, peer, false)?;
            state = self.risen(end)?;
            self.look_at(plan, end, planned, &state, (found, refused))?;
            return match state.is_up {
                true => self
                    .write(
                        end.block,
                        link(end.port.0.into(), EXPECTED_PEER),
                        expected_peer(peer),
                    )
                    .map(drop),
                false => self.expect(end, peer, true),
            }
            .map_err(ManagerError::from);
        }
        self.look_at(plan, end, planned, &state, (found, refused))
    }

    /// Looks at the peer of a port whose state is known.
    fn look_at(
        &mut self,
        plan: &Plan,
        end: End,
        planned: Option<End>,
        state: &PortState,
        (found, refused): (&mut Discovery, &mut BTreeSet<BlockId>),
    ) -> Result<(), R> {
        if state.is_up {
            // It may have been down when LINK_UP was read last.
            self.messenger.map.set_up(end, true);
        }
        let who = self.who_is_there(end, state, planned, found)?;
        let peer = PortState {
            peer: who,
            ..*state
        }
        .peer_in(&plan.network);
        found.seen.push(SeenPeer { end, peer });
        let Some(who) = who else {
            return Ok(());
        };
        let Some(peer) = peer.filter(|peer| planned == Some(*peer)) else {
            found.wrong.push(differs(plan, end, who, planned));
            return Ok(());
        };
        if !state.is_up || refused.contains(&peer.block) {
            return Ok(());
        }
        self.messenger.map.join(end, peer);
        if found.reached.contains(&peer.block) {
            return Ok(());
        }
        self.messenger.unproven = Some(peer.block);
        let is_proven = self.prove(plan, end, peer, found);
        self.messenger.unproven = None;
        match is_proven? {
            true => found.reached.push(peer.block),
            false => {
                self.messenger.map.separate(end);
                refused.insert(peer.block);
            }
        }
        Ok(())
    }

    /// Number and port of the peer: what it announced when its link rose, but it may have got its number later.
    fn who_is_there(
        &mut self,
        end: End,
        state: &PortState,
        planned: Option<End>,
        found: &Discovery,
    ) -> Result<Option<(u32, u32)>, R> {
        let Some((announced, port)) = state.peer else {
            return Ok(None);
        };
        let fitting = planned.filter(|planned| u32::from(planned.port.0) == port);
        let fits = |number: u32| fitting.is_some_and(|fitting| fitting.block.0 == number);
        let there = |number| Ok(Some((number, port)));
        if fits(announced) || !state.is_up {
            // Of a link that is down nothing more can be told than the port.
            let unnumbered = fitting.filter(|_| announced == UNNUMBERED);
            return there(unnumbered.map_or(announced, |fitting| fitting.block.0));
        }
        // The cable was looked at from its other end.
        let is_joined = |far: &End| self.messenger.map.peer(*far) == Some(end);
        if let (UNNUMBERED, Some(far)) = (announced, fitting.filter(is_joined)) {
            return there(far.block.0);
        }
        match (self.number_behind(end)?, fitting) {
            (Some(UNNUMBERED), Some(fitting)) if !found.reached.contains(&fitting.block) => {
                there(fitting.block.0)
            }
            (number, _) => there(number.unwrap_or(announced)),
        }
    }

    /// Compares a block that was not yet seen, and the port through which it is reached.
    fn prove(
        &mut self,
        plan: &Plan,
        end: End,
        peer: End,
        found: &mut Discovery,
    ) -> Result<bool, R> {
        let name = |end| name(plan, end);
        match is_of_plan(plan, peer.block, self) {
            Ok(true) => {}
            Ok(false) => {
                let words = format!("{} is up, and its block does not answer", name(peer));
                found.wrong.push(words);
                return Ok(false);
            }
            Err(error @ (ManagerError::Foreign { .. } | ManagerError::MissingTurn { .. })) => {
                found.wrong.push(error.to_string());
                return Ok(false);
            }
            Err(error) => return Err(error),
        }
        let back = port_state(peer, self)?;
        let is_this = |number: u32| [end.block.0, UNNUMBERED].contains(&number);
        let is_mutual = (back.peer)
            .is_some_and(|(number, port)| is_this(number) && port == u32::from(end.port.0));
        if !is_mutual {
            let (near, far) = (name(end), name(peer));
            let words = format!("{near} says that it is joined to {far}, which says otherwise");
            found.wrong.push(words);
            return Ok(false);
        }
        self.messenger.unproven = None;
        let other = self.numbered_otherwise(plan, peer.block, found)?;
        if let Some(number) = other {
            let who = (number, peer.port.0.into());
            found.wrong.push(differs(plan, end, who, Some(peer)));
        }
        Ok(other.is_none())
    }

    /// Gives a block that was compared its number, if it has none; the number, if it has another one.
    fn numbered_otherwise(
        &mut self,
        plan: &Plan,
        block: BlockId,
        found: &mut Discovery,
    ) -> Result<Option<u32>, R> {
        match self.read(block, BLOCK_NUMBER)? {
            Some(UNNUMBERED) => {
                if self.set_number(plan, block, block.0)? {
                    found.numbered.push(block);
                }
                Ok(None)
            }
            number => Ok(number.filter(|number| *number != block.0)),
        }
    }

    /// Takes the numbers back that a discovery gave: the cables by which it found the blocks may be the wrong ones.
    pub(super) fn take_numbers_back(&mut self, plan: &Plan, found: &Discovery) -> Result<(), R> {
        for &block in found.numbered.iter().rev() {
            self.set_number(plan, block, UNNUMBERED)?;
        }
        Ok(())
    }

    /// A port with a signal is looked at until its link is up, for a while.
    fn risen(&mut self, end: End) -> Result<PortState, R> {
        let mut state = port_state(end, self)?;
        for _ in 0..RISING {
            if !state.has_signal || state.is_up {
                break;
            }
            state = port_state(end, self)?;
        }
        Ok(state)
    }
}

impl PortState {
    /// Whether a link is down to a block without a number, at the port of the planned peer.
    fn is_down_without_number(&self, planned: End) -> bool {
        !self.is_up && self.peer == Some((UNNUMBERED, planned.port.0.into()))
    }
}

impl Discovery {
    fn name_missing(&mut self, plan: &Plan, refused: &BTreeSet<BlockId>) {
        let network = &plan.network;
        let is_there = |id: &BlockId| self.reached.contains(id) || refused.contains(id);
        let blocks: Vec<BlockId> = network.block_ids().filter(|id| !is_there(id)).collect();
        let seen = self.seen.iter().filter(|seen| seen.peer.is_some());
        let seen: BTreeSet<End> = seen.map(|seen| seen.end).collect();
        let cables = (0..).zip(&network.cables);
        let cables = cables.filter(|(_, cable)| {
            let ends = [cable.a, cable.b];
            let is_near = ends.iter().any(|end| self.reached.contains(&end.block));
            let is_dark = !ends.iter().any(|end| seen.contains(end));
            serial_link(&plan.spec, cable).is_some() && is_near && is_dark
        });
        let cables = cables.map(|(number, _)| Part::Cable(number));
        let parts = blocks.into_iter().map(Part::Block).chain(cables);
        self.missing = parts.map(|part| part.name(network)).collect();
    }

    /// Blocks of the plan that were not reached.
    pub fn unreached(&self, plan: &Plan) -> Vec<BlockId> {
        let ids = plan.network.block_ids();
        ids.filter(|id| !self.reached.contains(id)).collect()
    }
}

fn name(plan: &Plan, end: End) -> String {
    format!("{} port {}", plan.network.block(end.block).name, end.port)
}

/// What frees a block from a number of another machine or place.
const RESET: &str = "reset the board, so that it is numbered anew";

fn differs(plan: &Plan, end: End, (number, port): (u32, u32), planned: Option<End>) -> String {
    let there = match plan.network.blocks.get(number as usize) {
        Some(found) => format!("{} port {port}", found.name),
        None => format!("port {port} of {}", whose(plan, number)),
    };
    let fix = match plan.network.blocks.get(number as usize) {
        Some(_) => "move the plug; if a board was moved, reset it, so that it is numbered anew",
        None if number == UNNUMBERED => "move the plug, or that of a cable by which it was found",
        None => RESET,
    };
    let planned = planned.map_or("nobody".to_owned(), |planned| name(plan, planned));
    let end = name(plan, end);
    format!("{end} is joined to {there}; the plan says {planned}: {fix}")
}

/// The block with a number.
fn whose(plan: &Plan, number: u32) -> String {
    match plan.network.blocks.get(number as usize) {
        Some(found) => found.name.clone(),
        None if number == UNNUMBERED => "a block without a number".to_owned(),
        None => format!("an extra block, number {number}"),
    }
}
