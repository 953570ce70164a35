//! 1.2 Lookup: where the flits on the rx pins go; in adaptive blocks, those in `arrived`.

use super::arrived::Arrival;
use super::choices::Admission;
use super::state::{FlitDecision, Path, SwitchCore, Word};
use crate::core_counters::Cause;
use crate::{Data, DroppedHeader, Events, Flit};

impl SwitchCore {
    /// Looks up what comes on input i: the next `open[i]` and `closing[i]`, and the next `stage1[i]`.
    pub(super) fn look_up(
        &mut self,
        i: usize,
        arrival: Option<Arrival>,
        admission: Admission,
    ) -> Option<(Word, FlitDecision)> {
        if let Some(adaptive) = &mut self.adaptive {
            adaptive.chosen[i] = None;
        }
        let stage1 = match arrival {
            Some(_) if admission.waits => None,
            Some(arrival) => Some(self.enter(i, arrival, admission)),
            None => self.made_up_tail(i),
        };
        if !self.is_up(i) {
            self.close_packets(i);
        }
        stage1
    }

    /// Rules 1 to 3. Adaptive blocks may change the flit.
    fn enter(&mut self, i: usize, arrival: Arrival, admission: Admission) -> (Word, FlitDecision) {
        let Arrival {
            flit,
            cut_off,
            lookup,
        } = arrival;
        let mut word = Word::of(flit);
        if cut_off || !self.is_up(i) {
            return (word, FlitDecision::Lost);
        }
        let (v, is_last) = (word.flit.channel, word.flit.last);
        let (path, fate) = match self.open[i][v] {
            Some(Path::To(o)) => (self.follow(i, o, &mut word), FlitDecision::To(o)),
            Some(Path::Dropping) => (Path::Dropping, FlitDecision::Dropped(None)),
            None => match lookup.map_or_else(|| self.header_route(i, &word.flit), |it| it.route) {
                Ok(e) => {
                    let o = self.depart(i, e, admission.goes_to, &mut word);
                    (Path::To(o), FlitDecision::To(o))
                }
                Err(cause) => (Path::Dropping, FlitDecision::Dropped(Some(cause))),
            },
        };
        self.open[i][v] = (!is_last).then_some(path);
        (word, fate)
    }

    /// A link that is down: its packets in progress are to be closed.
    fn close_packets(&mut self, i: usize) {
        for v in 0..self.shape.channels {
            if let Some(Path::To(o)) = self.open[i][v] {
                self.closing[i][v] = Some(o);
            }
            self.open[i][v] = None;
        }
    }

    /// Rule 2: no packet opens while another one of its channel is still to be closed.
    pub(super) fn header_route(&self, i: usize, flit: &Flit) -> Result<usize, Cause> {
        match self.closing[i][flit.channel] {
            Some(_) => Err(Cause::LinkDown),
            None => (self.tables).route(i, flit.data.low(), &self.shape, self.up),
        }
    }

    /// Made-up tails: that of the lowest channel whose cut packet has left its queue.
    fn made_up_tail(&mut self, i: usize) -> Option<(Word, FlitDecision)> {
        let (v, o) = (0..self.shape.channels).find_map(|v| {
            let o = self.closing[i][v]?;
            let k = self.shape.request(i, v);
            let has_left = !self.is_stored(o, k) && self.popped[o] != Some(k);
            has_left.then_some((v, o))
        })?;
        self.closing[i][v] = None;
        let mut tail = Word::of(Flit {
            channel: v,
            last: true,
            bad: true,
            data: Data::default(),
        });
        self.make_up(i, &mut tail);
        Some((tail, FlitDecision::MadeUpTo(o)))
    }

    /// Counts what is in stage 1: flits that came by the link, and headers that are dropped.
    pub(super) fn count_stage1(&mut self, events: &mut Events) {
        for (port, stage1) in self.stage1.iter().enumerate() {
            let Some((Word { flit, .. }, fate @ (FlitDecision::To(_) | FlitDecision::Dropped(_)))) =
                stage1
            else {
                continue;
            };
            self.counters.received(port, flit);
            if let Some(choice) = self.adaptive.as_ref().and_then(|it| it.chosen[port]) {
                self.counters.chosen(port, choice);
            }
            if let FlitDecision::Dropped(Some(cause)) = fate {
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
