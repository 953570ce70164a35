//! 1.8 Lookup: which headers in `arrived` commit to a port with room, and which wait.

use super::adaptive::Adaptive;
use super::arrived::Lookup;
use super::state::SwitchCore;
use crate::Flit;
use crate::cyclic::first_at_or_after;

/// What rules 1 to 5 decide for the header of an input in a cycle; everything else is left to rule 6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Admission {
    /// Rule 4: its packet commits in this cycle.
    pub commits: Option<Promise>,
    /// Rule 4: its packet has committed to this output and goes there, a host's in the cycle after the commit.
    pub goes_to: Option<usize>,
    /// Rule 5: it stays in `arrived[i]`.
    pub waits: bool,
}

/// Room for a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Promise {
    pub output: usize,
    /// n
    pub flits: usize,
}

/// An eligible header: its length, and the port that it asks for.
struct Eligible {
    flits: usize,
    asks_for: Option<usize>,
}

impl SwitchCore {
    /// Rules 1 to 5 for every input, from the state at the start of the cycle; nothing for blocks that are not adaptive.
    pub(super) fn admissions(&self) -> Vec<Admission> {
        let ports = self.shape.ports;
        let Some(adaptive) = &self.adaptive else {
            return Vec::new();
        };
        let claims: Vec<bool> = (0..ports)
            .map(|i| self.claims_choice(adaptive, i).is_some())
            .collect();
        // First, hosts wait as if no reader chose for them.
        let mut admissions: Vec<Admission> = (0..ports)
            .map(|i| Admission {
                waits: claims[i] && adaptive.may_wait(i),
                goes_to: adaptive.granted_to(i),
                ..Admission::default()
            })
            .collect();
        let readers: Vec<(usize, Option<Eligible>)> = (0..adaptive.readers())
            .map(|j| adaptive.served(j, &claims))
            .map(|i| (i, self.eligible(adaptive, i)))
            .collect();
        for (i, header) in &readers {
            admissions[*i].waits &= header.is_some();
        }
        for output in 0..adaptive.network_ports {
            // Rule 3: the output permits one of the readers that ask for it.
            let asks = |j: usize| readers[j].1.as_ref().and_then(|it| it.asks_for) == Some(output);
            if let Some(j) = first_at_or_after(adaptive.permit_pointer, readers.len(), asks)
                && let (i, Some(Eligible { flits, .. })) = readers[j]
            {
                admissions[i].commits = Some(Promise { output, flits });
                if adaptive.host(i).is_none() {
                    admissions[i].goes_to = Some(output);
                }
            }
        }
        admissions
    }

    /// The header in `arrived[i]`, if its reader may choose for it.
    fn claims_choice<'a>(&self, adaptive: &'a Adaptive, i: usize) -> Option<(&'a Flit, Lookup)> {
        let arrival = adaptive.arrived[i].as_ref()?;
        let lookup = arrival.lookup.filter(|lookup| lookup.served)?;
        let has_committed = adaptive.granted_to(i).is_some();
        (!has_committed).then_some((&arrival.flit, lookup))
    }

    /// Rules 1 and 2: the header in `arrived[i]`, if its reader may choose for it and it is eligible.
    fn eligible(&self, adaptive: &Adaptive, i: usize) -> Option<Eligible> {
        let (flit, lookup) = self.claims_choice(adaptive, i)?;
        let e = lookup.route.ok()?;
        let flits = adaptive.packet_flits(flit.data.low(), flit.last);
        let is_whole = flits > 1 || flit.last && !flit.bad;
        let others = lookup.candidates & !(1 << i);
        let may_wait = !adaptive.has_waited(i) && others & self.up != 0;
        let is_eligible = self.is_up(i)
            && (may_wait || adaptive.host(i).is_none())
            && e < adaptive.network_ports
            && flits <= adaptive.longest_packet()
            && is_whole;
        if !is_eligible {
            return None;
        }
        let has_room = |o: usize| match adaptive.host(i) {
            Some(_) => adaptive.fits_host(o, flits),
            None => adaptive.fits(o, flits),
        };
        let is_choice = |o: usize| others >> o & 1 == 1 && has_room(o);
        let (start, count) = (adaptive.candidate_pointer, adaptive.network_ports);
        let asks_for = first_at_or_after(start, count, is_choice);
        Some(Eligible { flits, asks_for })
    }
}
