//! A join channel: one trunk channel and the branches that it takes, packet by packet (section 6.2
//! of `docs/microarchitecture.md`).

use crate::fifos::{FifoShape, Fifos, first_from};
use crate::flit::Flit;

#[derive(Debug, Clone)]
pub struct JoinChannel {
    /// By branch.
    pub fifos: Vec<Fifos<Flit>>,
    lock: Vec<Option<usize>>,
    from: Vec<usize>,
    pub credit: Vec<u16>,
    turn: usize,
}

impl JoinChannel {
    pub fn new(branches: usize, shape: &FifoShape, credits: u16) -> Self {
        let channels = shape.channels.into();
        JoinChannel {
            fifos: vec![Fifos::new(shape); branches],
            lock: vec![None; channels],
            from: vec![0; channels],
            credit: vec![credits; channels],
            turn: 0,
        }
    }

    /// No flit waits.
    pub fn is_empty(&self) -> bool {
        self.fifos.iter().all(Fifos::are_empty)
    }

    /// Steps 2 to 4 of a cycle: the branch and the channel of what is popped, and the flit.
    pub fn pop(&mut self, shape: &FifoShape) -> Option<(usize, usize, Flit)> {
        let channels = self.lock.len();
        let eligible = |channel: usize| self.credit[channel] > 0 && self.served(channel).is_some();
        let channel = first_from(self.turn, channels, eligible)?;
        let branch = self.served(channel)?;
        self.turn = (channel + 1) % channels;
        if self.lock[channel].is_none() {
            self.from[channel] = (branch + 1) % self.fifos.len();
        }
        let flit = self.fifos[branch].take(shape, channel as u8);
        self.lock[channel] = (!flit.tag().last).then_some(branch);
        self.credit[channel] -= 1;
        Some((branch, channel, flit))
    }

    /// Bytes of the state outside this struct, and of the stored flits.
    pub fn bytes(&self) -> (usize, usize) {
        let channel = size_of_val(&self.lock[0]) + size_of_val(&self.from[0]) + size_of::<u16>();
        let own = self.lock.len() * channel + self.fifos.len() * size_of::<Fifos<Flit>>();
        (own, self.fifos.iter().map(Fifos::bytes).sum())
    }

    /// The candidate of a channel, when it has a flit.
    fn served(&self, channel: usize) -> Option<usize> {
        let has_flit = |branch: usize| self.fifos[branch].has_flit(channel);
        match self.lock[channel] {
            Some(branch) => Some(branch).filter(|&branch| has_flit(branch)),
            None => first_from(self.from[channel], self.fifos.len(), has_flit),
        }
    }
}
