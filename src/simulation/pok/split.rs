//! A split channel: one trunk channel and the branches that it serves (section 6.1 of
//! `docs/microarchitecture.md`).

use crate::fifos::{FifoShape, Fifos, first_from};
use crate::flit::Flit;
use mkns_contract::header;

/// Where the packet in progress goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    /// A branch, counted from the first one served.
    To(usize),
    Dropping,
}

/// What a cycle came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Popped {
    pub channel: usize,
    /// Branch of the unit; none when the flit is thrown away.
    pub branch: Option<usize>,
    /// As it leaves, with the address train moved down.
    pub flit: Flit,
    /// It begins a packet that is thrown away.
    pub is_dropped: bool,
}

#[derive(Debug, Clone)]
pub struct SplitChannel {
    /// Branches served: the first and how many.
    first: usize,
    branches: usize,
    field_bits: u32,
    pub fifos: Fifos<Flit>,
    open: Vec<Option<Target>>,
    /// `credit[b][v]`
    credit: Vec<Vec<u16>>,
    turn: usize,
}

impl SplitChannel {
    pub fn new(
        first: usize,
        branches: usize,
        field_bits: u32,
        shape: &FifoShape,
        credits: u16,
    ) -> Self {
        let channels = shape.channels.into();
        SplitChannel {
            first,
            branches,
            field_bits,
            fifos: Fifos::new(shape),
            open: vec![None; channels],
            credit: vec![vec![credits; channels]; branches],
            turn: 0,
        }
    }

    /// Steps 2 to 4 of a cycle.
    pub fn pop(&mut self, shape: &FifoShape) -> Option<Popped> {
        let channels = self.open.len();
        let channel = first_from(self.turn, channels, |channel| self.eligible(shape, channel))?;
        let target = self.target(shape, channel)?;
        let is_header = self.open[channel].is_none();
        self.turn = (channel + 1) % channels;
        let flit = self.fifos.take(shape, channel as u8);
        self.open[channel] = (!flit.tag().last).then_some(target);
        let mut popped = Popped {
            channel,
            branch: None,
            is_dropped: is_header && target == Target::Dropping,
            flit,
        };
        match target {
            Target::To(branch) => {
                self.credit[branch][channel] -= 1;
                popped.branch = Some(self.first + branch);
                if is_header {
                    let train = header::destination(flit.low_word()) >> self.field_bits;
                    popped.flit = flit.with_destination(train);
                }
            }
            Target::Dropping => {}
        }
        Some(popped)
    }

    /// Step 5: a credit of a branch of the unit.
    pub fn return_credit(&mut self, branch: usize, channel: usize) {
        self.credit[branch - self.first][channel] += 1;
    }

    /// Bytes of the state outside this struct, and of the stored flits.
    pub fn bytes(&self) -> (usize, usize) {
        let channels = self.open.len();
        let credits = self.credit.len() * (size_of::<Vec<u16>>() + channels * size_of::<u16>());
        let open = channels * size_of::<Option<Target>>();
        (credits + open, self.fifos.bytes())
    }

    fn target(&self, shape: &FifoShape, channel: usize) -> Option<Target> {
        let head = self.fifos.head(shape, channel)?;
        if let Some(open) = self.open[channel] {
            return Some(open);
        }
        let field = (head.low_word() & ((1 << self.field_bits) - 1)) as usize;
        let served = self.first..self.first + self.branches;
        Some(if served.contains(&field) {
            Target::To(field - self.first)
        } else {
            Target::Dropping
        })
    }

    fn eligible(&self, shape: &FifoShape, channel: usize) -> bool {
        match self.target(shape, channel) {
            None => false,
            Some(Target::Dropping) => true,
            Some(Target::To(branch)) => self.credit[branch][channel] > 0,
        }
    }
}
