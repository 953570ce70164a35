//! Who is there: from the host's block outwards through the PEER registers, compared with the plan block by block and
//! cable by cable.

use std::collections::BTreeSet;
use std::fmt::Display;

use mkns_contract::address::LINK_UP;
use mkns_design::{Plan, serial_link};
use mkns_topology::{BlockId, End, NetworkIndex, Part, PortIndex};
use serde::Serialize;

use super::messenger::InBandError;
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
    /// Reads all that can be reached, and writes nothing.
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
        let state = self.risen(end)?;
        if !state.has_signal {
            return Ok(());
        }
        let peer = state.peer_in(&plan.network);
        found.seen.push(SeenPeer { end, peer });
        let planned = index.peer(end);
        let Some(announced) = state.peer else {
            return Ok(());
        };
        let Some(peer) = peer.filter(|peer| planned == Some(*peer)) else {
            found.wrong.push(differs(plan, end, announced, planned));
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
        let is_mutual = back.peer == Some((end.block.0, end.port.0.into()));
        if !is_mutual {
            let (near, far) = (name(end), name(peer));
            let words = format!("{near} says that it is joined to {far}, which says otherwise");
            found.wrong.push(words);
        }
        Ok(is_mutual)
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

fn differs(plan: &Plan, end: End, (block, port): (u32, u32), planned: Option<End>) -> String {
    let there = match plan.network.blocks.get(block as usize) {
        Some(found) => format!("{} port {port}", found.name),
        None => format!("port {port} of an extra block, number {block}"),
    };
    let planned = planned.map_or("nobody".to_owned(), |planned| name(plan, planned));
    let end = name(plan, end);
    format!("{end} is joined to {there}; the plan says {planned}")
}
