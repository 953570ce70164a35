//! When a management unit is busy: it looks at one place after the other, and works on one message at a time
//! (`docs/microarchitecture.md`, 8.3).

/// Visits that are kept: more than there are messages on their way at once.
const KEPT: usize = 16;

/// A message at a unit.
#[derive(Debug, Clone, Copy, Default)]
pub struct Visit {
    pub place: u64,
    /// The cycle in which the unit finds it, and the one in which it leaves.
    pub found: u64,
    pub left: u64,
}

/// The last visits of a unit, in the order of time.
#[derive(Debug, Clone, Default)]
pub struct Visits {
    recent: Vec<Visit>,
    /// When the unit looks at place 0 first.
    start: u64,
}

impl Visits {
    /// A unit that looks for messages from this cycle on.
    pub fn from(start: u64) -> Self {
        Self {
            recent: Vec::new(),
            start,
        }
    }

    /// The cycle in which a unit with this many places finds a message that is at one of them from `cycle` on and keeps it
    /// busy for `busy` cycles.
    pub fn find(&self, places: u64, place: u64, cycle: u64, busy: u64) -> u64 {
        let found_behind = |number: usize| {
            let (free, next) = match number.checked_sub(1).map(|last| self.recent[last]) {
                Some(last) => (last.left + 1, (last.place + 1) % places),
                None => (self.start, 0),
            };
            let from = cycle.max(free);
            let looks_at = (next + from - free) % places;
            from + (place + places - looks_at) % places
        };
        let is_before_next = |number: usize| {
            let next = self.recent.get(number);
            next.is_none_or(|next| found_behind(number) + busy < next.found)
        };
        let number = (0..).find(|number| is_before_next(*number));
        found_behind(number.unwrap_or(self.recent.len()))
    }

    pub fn add(&mut self, visit: Visit) {
        let later = self.recent.partition_point(|one| one.found <= visit.found);
        self.recent.insert(later, visit);
        if self.recent.len() > KEPT {
            self.recent.remove(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Five places; a message at place 1 that is found in cycle 11 and leaves in cycle 31.
    fn visited() -> Visits {
        let mut visits = Visits::from(0);
        let found = visits.find(5, 1, 8, 20);
        assert_eq!(found, 11, "place 1 is looked at in cycles 1, 6 and 11");
        visits.add(Visit {
            place: 1,
            found,
            left: 31,
        });
        visits
    }

    #[test]
    fn a_message_waits_for_the_one_before_it() {
        assert_eq!(visited().find(5, 2, 12, 20), 32);
        assert_eq!(visited().find(5, 1, 12, 20), 36);
        assert_eq!(visited().find(5, 1, 40, 20), 41);
    }

    #[test]
    fn a_message_passes_before_one_that_comes_later() {
        assert_eq!(visited().find(5, 3, 2, 7), 3);
        assert_eq!(visited().find(5, 3, 2, 8), 33, "they would meet");
    }
}
