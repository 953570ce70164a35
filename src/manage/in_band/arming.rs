//! Every block is told its way back to the window, so that it can tell of a change of its links; and what is done when one
//! has told.

use std::collections::BTreeSet;

use mkns_contract::address::management;
use mkns_contract::address::management_word::{ARMS, CLEARS, MANAGEMENT, NOTICE};
use mkns_topology::{BlockId, End};

use super::message::{LONGEST_ROUTE, Words, notice};
use super::messenger::InBandError;
use super::registers::InBandRegisters;
use crate::Registers;

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
