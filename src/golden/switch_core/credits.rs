//! 1.5 Credits to the sender.

use super::state::{Fate, SwitchCore};

impl SwitchCore {
    /// Pays one owed credit of every channel, and owes one for every flit that has left.
    pub(super) fn return_credits(&mut self) {
        let mut left = vec![[0; 4]; self.shape.ports];
        for k in self.popped.iter().flatten() {
            left[k.input][k.channel] += 1;
        }
        for (i, left) in left.iter_mut().enumerate() {
            let stage1 = self.stage1[i];
            let mut made_up = [false; 4];
            if let Some(stage1) = stage1 {
                let v = stage1.flit.channel;
                made_up[v] = matches!(stage1.fate, Fate::MadeUpTo(_));
                left[v] += usize::from(matches!(stage1.fate, Fate::Dropped(_) | Fate::Lost));
            }
            self.rx_credit[i] = 0;
            for v in 0..self.shape.channels {
                // n(i,v): flits that have left; one of them pays for a made-up tail.
                let n = left[v];
                let pays = n >= 1 && self.debt[i][v];
                let returned = self.owed[i][v] > 0;
                self.rx_credit[i] |= u32::from(returned) << v;
                self.owed[i][v] = self.owed[i][v] + n - usize::from(pays) - usize::from(returned);
                self.debt[i][v] = made_up[v] || (self.debt[i][v] && n == 0);
            }
        }
    }
}
