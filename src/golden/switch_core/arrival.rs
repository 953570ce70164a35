//! 1.8, Arrival: the register between the rx pins and 1.2, and what is read for a header on its way into it.

use super::adaptive::Adaptive;
use super::arrived::{Arrival, Lookup};
use super::choices::Admission;
use super::state::SwitchCore;
use crate::{Flit, header};

/// What becomes of the rx pins of an input at the end of a cycle.
pub enum Entry {
    /// `arrived[i]` and the pins stay as they are.
    Kept,
    /// The flit stays on the pins, and `arrived[i]` becomes empty.
    StaysOnPins,
    Taken(Option<Arrival>),
}

impl SwitchCore {
    /// By input, from the state at the start of the cycle; nothing for blocks that are not adaptive.
    pub(super) fn entries(&self, rx: &[Option<Flit>], admissions: &[Admission]) -> Vec<Entry> {
        let Some(adaptive) = &self.adaptive else {
            return Vec::new();
        };
        let flit = |i: usize| rx[i].as_ref();
        let claims: Vec<bool> = (0..rx.len())
            .map(|i| flit(i).is_some_and(|flit| self.claims_reader(adaptive, i, flit)))
            .collect();
        let entry = |i: usize| {
            let served = claims[i] && adaptive.serves(i, &claims);
            if admissions[i].waits {
                Entry::Kept
            } else if claims[i] && !served && adaptive.may_wait(i) {
                Entry::StaysOnPins
            } else {
                Entry::Taken(flit(i).map(|flit| self.arrival(adaptive, i, flit, served)))
            }
        };
        (0..rx.len()).map(entry).collect()
    }

    /// A header on the rx pins that may leave on A.
    fn claims_reader(&self, adaptive: &Adaptive, i: usize, flit: &Flit) -> bool {
        self.is_header(adaptive, i, flit) && matches!(header::travel(flit.data.low()), 1 | 2)
    }

    fn is_header(&self, adaptive: &Adaptive, i: usize, flit: &Flit) -> bool {
        self.is_up(i) && !adaptive.inside[i][flit.channel]
    }

    fn arrival(&self, adaptive: &Adaptive, i: usize, flit: &Flit, served: bool) -> Arrival {
        let destination = header::destination(flit.data.low());
        let lookup = self.is_header(adaptive, i, flit).then(|| Lookup {
            route: self.header_route(i, flit),
            candidates: adaptive.candidates.of(destination),
            served,
        });
        Arrival {
            flit: flit.clone(),
            cut_off: !self.is_up(i),
            lookup,
        }
    }

    /// Inputs i < d with a header of channel A in `arrived[i]` that goes to a host, and the host's output.
    pub(super) fn headers_for_hosts(&self) -> impl Iterator<Item = (usize, usize)> {
        self.adaptive.iter().flat_map(|adaptive| {
            let links = adaptive.arrived[..adaptive.network_ports].iter();
            links.enumerate().filter_map(|(i, arrival)| {
                let arrival = arrival.as_ref()?;
                let o = arrival.lookup?.route.ok()?;
                let is_on_last = arrival.flit.channel == adaptive.channel;
                (is_on_last && o >= adaptive.network_ports).then_some((i, o))
            })
        })
    }

    /// The end of the cycle, before `up` changes.
    pub(super) fn finish_arrivals(&mut self, entries: Vec<Entry>) {
        let up = self.up;
        let Some(adaptive) = &mut self.adaptive else {
            return;
        };
        for (i, entry) in entries.into_iter().enumerate() {
            match entry {
                Entry::Kept => {}
                Entry::StaysOnPins => adaptive.arrived[i] = None,
                Entry::Taken(arrival) => {
                    if let Some(Arrival { flit, .. }) = &arrival {
                        adaptive.inside[i][flit.channel] = !flit.last;
                    }
                    adaptive.arrived[i] = arrival;
                }
            }
            if up >> i & 1 == 0 {
                adaptive.inside[i] = [false; 4];
            }
        }
    }
}
