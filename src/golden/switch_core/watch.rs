//! 1.6 rule 5: the watch, so that nobody starves.

use super::shape::{PerChannel, Request};
use super::state::SwitchCore;

/// Channel w of an output: `watched[o][w]`, `passed[o][w]`, `overdue[o][w]`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Watch {
    pub watched: Request,
    pub passed: usize,
    pub overdue: bool,
}

impl SwitchCore {
    /// Rule 5 for every channel of output o, which has a flow after this cycle or not.
    pub(super) fn watches(&self, o: usize, has_flow: bool) -> PerChannel<Watch> {
        let mut watches = PerChannel::default();
        for (w, watch) in watches.iter_mut().enumerate().take(self.shape.channels) {
            *watch = self.watch(o, w, has_flow);
        }
        watches
    }

    fn watch(&self, o: usize, w: usize, has_flow: bool) -> Watch {
        let most = 16 * self.shape.channels;
        let (k, passed) = (self.watched[o][w], self.passed[o][w]);
        let stays =
            self.is_ready(o, k) && self.outgoing_channel(o, k) == w && self.popped[o] != Some(k);
        if !stays {
            return Watch {
                watched: self.shape.after(k),
                passed: 0,
                overdue: false,
            };
        }
        Watch {
            watched: k,
            passed: if has_flow {
                passed
            } else {
                (passed + 1).min(most)
            },
            overdue: self.overdue[o][w] || passed == most,
        }
    }
}
