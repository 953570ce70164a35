//! 1.2 Lookup: where the flits on the rx pins go.

use super::shape::PerChannel;
use super::state::{Fate, Path, SwitchCore};
use crate::core_counters::Cause;
use crate::{Data, DroppedHeader, Flit, PathEvents};

/// What an input's cycle leads to: the next `stage1[i]`, `open[i]` and `closing[i]`.
pub(super) struct Arrival {
    pub stage1: Option<(Flit, Fate)>,
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
            next.stage1 = Some((flit, self.fate(i, &flit, &mut next.open)));
        } else if let Some((v, o)) = self.tail_to_make_up(i) {
            let tail = Flit {
                channel: v,
                last: true,
                bad: true,
                data: Data::default(),
            };
            next.stage1 = Some((tail, Fate::MadeUpTo(o)));
            next.closing[v] = None;
        }
        if !self.is_up(i) {
            // A link that is down: packets in progress are to be closed.
            for v in 0..self.shape.channels {
                if let Some(Path::To(o)) = self.open[i][v] {
                    next.closing[v] = Some(o);
                }
                next.open[v] = None;
            }
        }
        next
    }

    /// Rules 1 to 3.
    fn fate(&self, i: usize, flit: &Flit, open: &mut PerChannel<Option<Path>>) -> Fate {
        let v = flit.channel;
        let (path, fate) = match self.open[i][v] {
            _ if !self.is_up(i) => return Fate::Lost,
            Some(Path::To(o)) => (Path::To(o), Fate::To(o)),
            Some(Path::Dropping) => (Path::Dropping, Fate::Dropped(None)),
            None => match self.header_route(i, v, flit.data.low()) {
                Ok(o) => (Path::To(o), Fate::To(o)),
                Err(cause) => (Path::Dropping, Fate::Dropped(Some(cause))),
            },
        };
        open[v] = (!flit.last).then_some(path);
        fate
    }

    /// Rule 2: no packet opens while another one of its channel is still to be closed.
    fn header_route(&self, i: usize, v: usize, header: u64) -> Result<usize, Cause> {
        match self.closing[i][v] {
            Some(_) => Err(Cause::LinkDown),
            None => self.tables.route(i, header, &self.shape, self.up),
        }
    }

    /// Made-up tails: the lowest channel whose cut packet has left its queue, and its output.
    fn tail_to_make_up(&self, i: usize) -> Option<(usize, usize)> {
        (0..self.shape.channels).find_map(|v| {
            let o = self.closing[i][v]?;
            let k = v * self.shape.ports + i;
            let has_left = !self.is_ready(o, k) && self.popped[o] != Some(k);
            has_left.then_some((v, o))
        })
    }

    /// Counts what is in stage 1: flits that came by the link, and headers that are dropped.
    pub(super) fn count_stage1(&mut self, events: &mut PathEvents) {
        for (port, stage1) in self.stage1.iter().enumerate() {
            let Some((flit, Fate::To(_) | Fate::Dropped(_))) = stage1 else {
                continue;
            };
            self.counters.received(port, flit);
            if let Some((flit, Fate::Dropped(Some(cause)))) = stage1 {
                self.counters.dropped(port, *cause);
                events.errors |= cause.error();
                let header = flit.data.low();
                events
                    .first_drop
                    .get_or_insert(DroppedHeader { port, header });
            }
        }
    }
}
