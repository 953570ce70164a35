//! The manager of a run: it brings the blocks up from the window of one of them, then looks at their links again and again.

use std::convert::Infallible;

use mkns_design::Plan;
use mkns_manage::{
    BringUpError, InBandError, InBandReport, Manager, ManagerError, Messenger, RouteChange,
};
use mkns_topology::BlockId;

use super::timed_blocks::TimedBlocks;
use super::units::Units;
use super::window::{Window, WindowState};
use crate::live::error::LiveError;

/// Requester of the manager, and the key that it sets.
const REQUESTER: u16 = 1;
const KEY: u64 = 0x5eed_0f4b_1dea_c0de;

/// A manager at the window of a block.
pub struct CableManager {
    own: BlockId,
    manager: Manager,
    messenger: Messenger,
    units: Units,
    window: WindowState,
    pub report: InBandReport,
}

impl CableManager {
    /// Brings up blocks that are empty.
    ///
    /// # Errors
    /// When the manager gives up.
    pub fn bring_up(
        plan: &Plan,
        own: BlockId,
        blocks: &mut impl TimedBlocks,
    ) -> Result<Self, LiveError> {
        let (mut units, mut window) = (Units::new(plan), WindowState::default());
        let mut messenger = Messenger::new(own, own, REQUESTER).with_key(KEY);
        let board = Window {
            blocks,
            units: &mut units,
            state: &mut window,
            own,
        };
        let done = messenger.through(board).bring_up(plan);
        let (manager, bring_up) = done.map_err(|error| match error {
            BringUpError::Manager(error) => gives_up(error),
            BringUpError::Differs(found) => LiveError::OverCables(found.wrong.join("; ")),
        })?;
        let name = plan.network.block(own).name.clone();
        let counts = messenger.counts().clone();
        let report = InBandReport::new(name, blocks.clock(), bring_up, counts);
        // Traffic begins in another cycle.
        units.restart();
        Ok(Self {
            own,
            manager,
            messenger,
            units,
            window,
            report,
        })
    }

    /// One look at all links, and what follows from it.
    ///
    /// # Errors
    /// When the manager gives up.
    pub fn round(
        &mut self,
        blocks: &mut impl TimedBlocks,
    ) -> Result<Option<RouteChange>, LiveError> {
        let start = blocks.clock();
        let board = Window {
            blocks: &mut *blocks,
            units: &mut self.units,
            state: &mut self.window,
            own: self.own,
        };
        let change = self.manager.round(&mut self.messenger.through(board));
        let change = change.map_err(gives_up)?;
        let cycles = blocks.clock() - start;
        let counts = self.messenger.counts();
        self.report.note(cycles, change.is_some(), counts);
        Ok(change)
    }
}

fn gives_up(error: ManagerError<InBandError<Infallible>>) -> LiveError {
    match error {
        ManagerError::NoRoutes(why) => LiveError::NoRoutes(why),
        ManagerError::MissingTurn { .. } => LiveError::MissingTurn(error.to_string()),
        other => LiveError::OverCables(other.to_string()),
    }
}
