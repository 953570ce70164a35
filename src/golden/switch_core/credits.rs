//! 1.5 Credits to the sender.

use super::shape::MOST_REQUESTS;
use super::state::{FlitDecision, SwitchCore};

impl SwitchCore {
    /// Pays one owed credit of every channel, and owes one for every flit that has left.
    pub(super) fn return_credits(&mut self) {
        let mut popped = [0_u8; MOST_REQUESTS];
        for &k in self.popped.iter().flatten() {
            popped[k] += 1;
        }
        for i in 0..self.shape.ports {
            self.rx_credit[i] = 0;
            for v in 0..self.shape.channels {
                let stage1 = self.stage1[i].as_ref();
                let fate =
                    stage1.and_then(|(word, fate)| (word.flit.channel == v).then_some(*fate));
                // Flits that have left; one of them pays for a made-up tail.
                let vanishes = matches!(fate, Some(FlitDecision::Dropped(_) | FlitDecision::Lost));
                let departed =
                    usize::from(popped[self.shape.request(i, v)]) + usize::from(vanishes);
                let pays = departed >= 1 && self.debt[i][v];
                let returned = self.owed[i][v] > 0;
                self.rx_credit[i] |= u32::from(returned) << v;
                self.owed[i][v] =
                    self.owed[i][v] + departed - usize::from(pays) - usize::from(returned);
                let made_up = matches!(fate, Some(FlitDecision::MadeUpTo(_)));
                self.debt[i][v] = made_up || (self.debt[i][v] && departed == 0);
            }
        }
    }
}
