//! 1.8 Lookup: which headers on the rx pins commit to a port with room, and which wait.

use super::adaptive::{Adaptive, LONGEST_WAIT};
use super::state::SwitchCore;
use crate::cyclic::first_at_or_after;
use crate::{Flit, header};

/// What rules 1 to 5 decide for an input in a cycle; everything else is left to rule 6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Admission {
    /// Rule 4: the packet goes to this output on A, with its length promised.
    Commits { output: usize, flits: usize },
    /// Rule 5: the header stays on the rx pins.
    Waits,
    #[default]
    Other,
}

/// An eligible header: its length, its open ports, and the port that it asks for.
struct Eligible {
    flits: usize,
    open_ports: u32,
    asks_for: Option<usize>,
}

impl SwitchCore {
    /// Rules 1 to 5 for every input, from the state at the start of the cycle; nothing for blocks that are not adaptive.
    pub(super) fn admissions(&self, rx: &[Option<Flit>]) -> Vec<Admission> {
        let ports = self.shape.ports;
        let Some(adaptive) = &self.adaptive else {
            return Vec::new();
        };
        let claims: Vec<bool> = (0..ports)
            .map(|i| {
                rx[i]
                    .as_ref()
                    .is_some_and(|flit| self.claims_reader(i, flit))
            })
            .collect();
        let mut admissions = vec![Admission::Other; ports];
        for i in (0..ports).filter(|&i| claims[i] && self.may_wait(adaptive, i)) {
            // The hosts that are not served; those that are have open ports to wait for, or else move on.
            admissions[i] = Admission::Waits;
        }
        let readers: Vec<(usize, Option<Eligible>)> = (0..adaptive.readers())
            .map(|j| adaptive.served(j, &claims))
            .map(|i| {
                (
                    i,
                    rx[i]
                        .as_ref()
                        .and_then(|flit| self.eligible(adaptive, i, flit)),
                )
            })
            .collect();
        for (i, header) in &readers {
            if header.as_ref().is_none_or(|it| it.open_ports == 0) {
                admissions[*i] = Admission::Other;
            }
        }
        for output in 0..adaptive.network_ports {
            // Rule 3: the output permits one of the readers that ask for it.
            let asks = |j: usize| readers[j].1.as_ref().and_then(|it| it.asks_for) == Some(output);
            if let Some(j) = first_at_or_after(adaptive.permit_pointer, readers.len(), asks)
                && let (i, Some(Eligible { flits, .. })) = readers[j]
            {
                admissions[i] = Admission::Commits { output, flits };
            }
        }
        admissions
    }

    /// Whether a flit is a header that claims the reader of input i.
    fn claims_reader(&self, i: usize, flit: &Flit) -> bool {
        let v = flit.channel;
        let is_header = self.is_up(i) && self.open[i][v].is_none() && self.closing[i][v].is_none();
        is_header && matches!(header::travel(flit.data.low()), 1 | 2)
    }

    /// Rules 1 and 2: the header on input i, which its reader serves, if it is one and is eligible.
    fn eligible(&self, adaptive: &Adaptive, i: usize, flit: &Flit) -> Option<Eligible> {
        if !self.claims_reader(i, flit) {
            return None;
        }
        let (v, word) = (flit.channel, flit.data.low());
        let e = self.header_route(i, v, word).ok()?;
        let flits = adaptive.packet_flits(word, flit.last);
        let is_whole = flits > 1 || flit.last && !flit.bad;
        let is_eligible =
            e < adaptive.network_ports && flits <= adaptive.longest_packet() && is_whole;
        if !is_eligible {
            return None;
        }
        let candidates = adaptive.candidates.of(header::destination(word));
        let open_ports = candidates & self.up & !(1 << i);
        let of_host = self.may_wait(adaptive, i);
        let has_room = |o: usize| match of_host {
            true => adaptive.fits_host(o, flits),
            false => adaptive.fits(o, flits),
        };
        let is_choice = |o: usize| open_ports >> o & 1 == 1 && has_room(o);
        let (start, count) = (adaptive.candidate_pointer, adaptive.network_ports);
        Some(Eligible {
            flits,
            open_ports,
            asks_for: first_at_or_after(start, count, is_choice),
        })
    }

    /// Input i is a host's, and its header has not waited for too long.
    fn may_wait(&self, adaptive: &Adaptive, i: usize) -> bool {
        let waited = adaptive.host(i).map(|q| adaptive.waited[q]);
        waited.is_some_and(|waited| waited < LONGEST_WAIT)
    }
}
