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
        let headers: Vec<Option<Eligible>> = (0..ports)
            .map(|i| self.eligible(adaptive, i, rx[i].as_ref()?))
            .collect();
        let mut admissions = vec![Admission::Other; ports];
        for (i, header) in headers.iter().enumerate() {
            let may_wait = self.may_wait(adaptive, i);
            if header.as_ref().is_some_and(|it| it.open_ports != 0) && may_wait {
                admissions[i] = Admission::Waits;
            }
        }
        for output in 0..adaptive.network_ports {
            // Rule 3: the output permits one of those that ask for it.
            let asks = |i: usize| headers[i].as_ref().and_then(|it| it.asks_for) == Some(output);
            if let Some(i) = first_at_or_after(adaptive.permit_pointer, ports, asks)
                && let Some(Eligible { flits, .. }) = headers[i]
            {
                admissions[i] = Admission::Commits { output, flits };
            }
        }
        admissions
    }

    /// Rules 1 and 2: the header on input i, if it is one and is eligible.
    fn eligible(&self, adaptive: &Adaptive, i: usize, flit: &Flit) -> Option<Eligible> {
        let v = flit.channel;
        if !self.is_up(i) || self.open[i][v].is_some() {
            return None;
        }
        let word = flit.data.low();
        let e = self.header_route(i, v, word).ok()?;
        let flits = adaptive.packet_flits(word, flit.last);
        let is_whole = flits > 1 || flit.last && !flit.bad;
        let is_eligible = matches!(header::travel(word), 1 | 2)
            && e < adaptive.network_ports
            && flits <= adaptive.longest_packet()
            && is_whole;
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
