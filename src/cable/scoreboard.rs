//! Exactly once and in order: every flit that comes out of one direction is compared with those that went in.
//!
//! A gap is allowed only where a link went down: flits of one `epoch`, the time between two rises of the sender's
//! link, come without a gap.

use std::collections::VecDeque;

use crate::pins::Flit;

/// One direction of a link.
#[derive(Debug, Clone, Default)]
pub struct Scoreboard {
    epoch: u64,
    was_up: bool,
    /// By channel, with their epochs.
    sent: [VecDeque<(u64, Flit)>; 2],
    pub delivered: u64,
    pub packets: u64,
    /// Passed over at a gap.
    pub lost: u64,
}

impl Scoreboard {
    /// `link_up` of the sender in this cycle, before what it sends.
    pub fn sender_is(&mut self, up: bool) {
        if up && !self.was_up {
            self.epoch += 1;
        }
        self.was_up = up;
    }

    pub fn sent(&mut self, flit: Flit) {
        self.sent[flit.channel].push_back((self.epoch, flit));
    }

    /// What is wrong with a flit that came out.
    pub fn received(&mut self, flit: Flit) -> Option<String> {
        let Some(place) = self.sent[flit.channel]
            .iter()
            .position(|(_, sent)| *sent == flit)
        else {
            return Some(format!("{flit:?} was not sent, or came before"));
        };
        let (epoch, _) = self.sent[flit.channel][place];
        let passed_over = self.sent[flit.channel].drain(..=place);
        let missing = passed_over.take(place).filter(|(of, _)| *of == epoch);
        let fault = missing.count() > 0;
        self.lost += place as u64;
        self.delivered += 1;
        self.packets += u64::from(flit.last);
        fault.then(|| format!("flits before {flit:?} are missing"))
    }

    /// Flits that did not come out although the sender's link has been up ever since.
    pub fn missing_of_last_rise(&self) -> usize {
        let sent = self.sent.iter().flatten();
        sent.filter(|(epoch, _)| *epoch == self.epoch).count()
    }
}
