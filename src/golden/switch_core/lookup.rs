//! 1.2 Lookup: where the flits on the rx pins go.

use super::counters::Cause;
use super::shape::PerChannel;
use super::state::{Fate, Path, Stage1, SwitchCore};
use crate::{Data, Flit};

/// What an input's cycle leads to: the next `stage1[i]`, `open[i]` and `closing[i]`.
pub(super) struct Arrival {
    pub stage1: Option<Stage1>,
    pub open: PerChannel<Option<Path>>,
    pub closing: PerChannel<Option<usize>>,
}

impl SwitchCore {
    /// Looks up what is on the rx pins of input i.
    pub(super) fn look_up(&self, i: usize, rx: Option<Flit>) -> Arrival {
        let mut next = Arrival {
            stage1: None,
            open: self.open[i],
            closing: self.closing[i],
        };
        if let Some(flit) = rx {
            self.take(i, flit, &mut next);
        } else if let Some((v, o)) = self.tail_to_make_up(i) {
            next.stage1 = Some(made_up_tail(v, o));
            next.closing[v] = None;
        }
        if !self.is_up(i) {
            self.cut_packets(i, &mut next);
        }
        next
    }

    /// Rules 1 to 3.
    fn take(&self, i: usize, flit: Flit, next: &mut Arrival) {
        let v = flit.channel;
        let fate = if !self.is_up(i) {
            Fate::Lost
        } else if let Some(path) = self.open[i][v] {
            next.open[v] = (!flit.last).then_some(path);
            match path {
                Path::To(o) => Fate::To(o),
                Path::Dropping => Fate::Dropped(None),
            }
        } else {
            let (path, fate) = match self.header_route(i, v, flit.data.low()) {
                Ok(o) => (Path::To(o), Fate::To(o)),
                Err(cause) => (Path::Dropping, Fate::Dropped(Some(cause))),
            };
            next.open[v] = (!flit.last).then_some(path);
            fate
        };
        next.stage1 = Some(Stage1 { flit, fate });
    }

    /// Rule 2: no packet opens while another one of its channel is still to be closed.
    fn header_route(&self, i: usize, v: usize, header: u64) -> Result<usize, Cause> {
        match self.closing[i][v] {
            Some(_) => Err(Cause::LinkDown),
            None => self.route(i, header),
        }
    }

    /// A link that is down: packets in progress are to be closed.
    fn cut_packets(&self, i: usize, next: &mut Arrival) {
        for v in 0..self.shape.channels {
            if let Some(Path::To(o)) = self.open[i][v] {
                next.closing[v] = Some(o);
            }
            next.open[v] = None;
        }
    }

    /// Made-up tails: the lowest channel whose cut packet has left its queue, and its output.
    fn tail_to_make_up(&self, i: usize) -> Option<(usize, usize)> {
        (0..self.shape.channels).find_map(|v| {
            let o = self.closing[i][v]?;
            self.queue[i][o][v].is_empty().then_some((v, o))
        })
    }
}

fn made_up_tail(v: usize, o: usize) -> Stage1 {
    Stage1 {
        flit: Flit {
            channel: v,
            last: true,
            bad: true,
            data: Data::default(),
        },
        fate: Fate::MadeUpTo(o),
    }
}
