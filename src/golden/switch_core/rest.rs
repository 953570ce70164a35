//! The rest rule: a cycle in which nothing can change but the watch is not computed in full. It is
//! no rule of the page, and its only use is speed.

use super::state::SwitchCore;
use crate::CoreInputs;

impl SwitchCore {
    /// Nothing is in the core, nothing comes in, nothing is owed and no link has changed.
    pub(super) fn is_at_rest(&self, inputs: &CoreInputs) -> bool {
        let ports = || 0..self.shape.ports;
        self.up == inputs.link_up
            && inputs.rx.iter().all(Option::is_none)
            && inputs.tx_credit.iter().all(|&credits| credits == 0)
            && self.stage1.iter().all(Option::is_none)
            && (self.adaptive.as_ref()).is_none_or(|it| it.arrived.iter().all(Option::is_none))
            && ports().all(|o| self.output_rests(o))
            && ports().all(|i| self.input_rests(i))
    }

    fn output_rests(&self, o: usize) -> bool {
        let is_cut = |w: usize| self.lock[o][w].is_some() && !self.discard[o][w];
        self.chosen(o).or(self.popped[o]).is_none()
            && self.stored[o] == 0
            && self.matched[o].is_none()
            && self.fetched[o].is_none()
            && self.tx[o].is_none()
            && (self.adaptive.as_ref()).is_none_or(|it| it.returning[o] == [0; 3])
            && (self.is_up(o) || !(0..self.shape.channels).any(is_cut))
    }

    fn input_rests(&self, i: usize) -> bool {
        let is_empty = |v: usize| {
            (self.open[i][v].is_none() || self.is_up(i))
                && self.closing[i][v].is_none()
                && self.owed[i][v] == 0
        };
        self.rx_credit[i] == 0 && (0..self.shape.channels).all(is_empty)
    }

    /// Rule 5 of 1.6 when no request is ready.
    pub(super) fn watch_nothing(&mut self) {
        for o in 0..self.shape.ports {
            for w in 0..self.shape.channels {
                self.finish_watch(o, w, 0, 0);
            }
        }
    }
}
