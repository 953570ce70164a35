//! Notices (`docs/microarchitecture.md`, 8.5): every block is told the way back to the window, so that it can tell when a
//! link comes up or goes down; and a manager looks at those that did first.

use std::collections::{BTreeMap, BTreeSet};

use mkns_contract::address::management;
use mkns_contract::address::management_word::{ARMS, CLEARS, MANAGEMENT, NOTICE};
use mkns_topology::{BlockId, End};

use super::message::{LONGEST_ROUTE, Words, notice};
use super::messenger::InBandError;
use super::registers::InBandRegisters;
use crate::Registers;

/// What a manager knows of notices.
#[derive(Debug, Clone, Default)]
pub(super) struct Notices {
    /// Blocks that may be written to.
    known: BTreeSet<BlockId>,
    /// What armed blocks hold.
    held: BTreeMap<BlockId, Words>,
    /// Blocks whose notice has come.
    come: BTreeSet<BlockId>,
}

impl Notices {
    /// A block is as planned: it may be written to.
    pub fn expect(&mut self, block: BlockId) {
        self.known.insert(block);
    }

    /// What the block holds is not known.
    pub fn forget(&mut self, block: BlockId) {
        self.held.remove(&block);
    }

    /// The block does not answer.
    pub fn lose(&mut self, block: BlockId) {
        self.known.remove(&block);
        self.forget(block);
    }

    /// Whether notices have come that nobody has looked into.
    pub fn have_come(&self) -> bool {
        !self.come.is_empty()
    }

    /// The notice of a block has come; of a block that holds none it is somebody else's.
    pub fn come(&mut self, block: BlockId) {
        if self.held.contains_key(&block) {
            self.come.insert(block);
        }
    }
}

impl<R: Registers> InBandRegisters<'_, R> {
    /// The blocks whose notices have come. They are acknowledged, so that a change from now on is told, too.
    pub(super) fn acknowledged(&mut self) -> Result<Vec<BlockId>, InBandError<R::Error>> {
        let come = std::mem::take(&mut self.messenger.notices.come);
        for &block in &come {
            self.write(block, management(MANAGEMENT), CLEARS | ARMS)?;
            // A link falls when a neighbour is reset, too, which is then no longer armed.
            let neighbours: Vec<BlockId> = self.messenger.map.neighbours(block).collect();
            for neighbour in neighbours {
                self.messenger.notices.forget(neighbour);
            }
        }
        Ok(come.into_iter().collect())
    }

    /// Arms the blocks whose way back to the window is new.
    pub(super) fn arm(&mut self) -> Result<(), InBandError<R::Error>> {
        let known = self.messenger.notices.known.clone();
        for block in known {
            let Some(route) = self.messenger.map.route(block, &BTreeSet::new()) else {
                continue;
            };
            if route.len() < LONGEST_ROUTE
                && let Some(words) = self.notice_of(block, &route)
                && self.messenger.notices.held.get(&block) != Some(&words)
                && self.hold(block, &words)?
            {
                self.messenger.notices.held.insert(block, words);
            }
        }
        Ok(())
    }

    /// The notice of a block that this route leads to.
    fn notice_of(&self, block: BlockId, route: &[End]) -> Option<Words> {
        let back = route.iter().map(|&end| self.messenger.map.peer(end));
        Some(notice(block, &back.collect::<Option<Vec<End>>>()?))
    }

    /// Writes a notice, where it differs from the one that the block holds, and arms it.
    fn hold(&mut self, block: BlockId, words: &Words) -> Result<bool, InBandError<R::Error>> {
        let held = self.messenger.notices.held.remove(&block);
        for (number, &word) in words.iter().enumerate() {
            let is_known = held.is_some_and(|held| held[number] == word);
            // Number, key and address of a notice say nothing.
            if is_known || matches!(number, 1 | 4..7) {
                continue;
            }
            if !self.write(block, management(NOTICE + number as u32), word)? {
                return Ok(false);
            }
        }
        self.write(block, management(MANAGEMENT), CLEARS | ARMS)
    }
}
