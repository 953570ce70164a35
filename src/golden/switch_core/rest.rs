//! The rest rule: a cycle in which nothing can change but the watch is not computed in full. It is
//! no rule of the page, and its only use is speed.

use super::state::SwitchCore;
use crate::CoreInputs;

impl SwitchCore {
    /// Nothing is in the core, nothing comes in, nothing is owed and no link has changed.
    pub(super) fn is_at_rest(&self, inputs: &CoreInputs) -> bool {
        let ports = 0..self.shape.ports;
        self.up == inputs.link_up
            && inputs.rx.iter().all(Option::is_none)
            && inputs.tx_credit.iter().all(|&credits| credits == 0)
            && self.stage1.iter().all(Option::is_none)
            && ports.clone().all(|o| self.output_is_empty(o))
            && ports.clone().all(|i| self.input_is_empty(i))
    }

    fn output_is_empty(&self, o: usize) -> bool {
        let to_discard = |w: usize| self.lock[o][w].is_some() && !self.discard[o][w];
        self.chosen(o).or(self.popped[o]).is_none()
            && self.matched[o].or(self.fetched[o]).or(self.tx[o]).is_none()
            && (self.is_up(o) || !(0..self.shape.channels).any(to_discard))
    }

    fn input_is_empty(&self, i: usize) -> bool {
        let to_cut = self.open[i].iter().any(Option::is_some) && !self.is_up(i);
        !to_cut
            && self.closing[i].iter().all(Option::is_none)
            && self.rx_credit[i] == 0
            && self.owed[i] == [0; 4]
            && self.queue[i].iter().flatten().all(|queue| queue.is_empty())
    }

    /// Rule 5 of 1.6 when no request is ready.
    pub(super) fn watch_nothing(&mut self) {
        for o in 0..self.shape.ports {
            for w in 0..self.shape.channels {
                self.watched[o][w] = self.shape.after(self.watched[o][w]);
                self.passed[o][w] = 0;
                self.overdue[o][w] = false;
            }
        }
    }
}
