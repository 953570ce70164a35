//! Links that come and go: a failure is acted on at once, a repair only when the part has worked for a while, which
//! doubles with every failure of the last minute.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use mkns_topology::{Faults, Part};

/// How long parts have to work before they are used again.
#[derive(Debug)]
pub struct Damping {
    /// After the second failure of a part within `memory`; the first has none.
    hold: Duration,
    /// After many.
    longest: Duration,
    /// For how long a failure counts.
    memory: Duration,
    parts: BTreeMap<Part, Flaps>,
}

#[derive(Debug)]
struct Flaps {
    failures: u32,
    last: Instant,
    /// Since when the part has worked without a break, if it does and is not used yet.
    works_since: Option<Instant>,
    /// Whether somebody was told that it is held.
    told: bool,
}

impl Damping {
    /// One second after the second failure within a minute, a minute at most.
    pub fn new() -> Self {
        Self::with(Duration::from_secs(1))
    }

    /// With another time after the second failure.
    pub fn with(hold: Duration) -> Self {
        Self {
            hold,
            longest: hold * 60,
            memory: hold * 60,
            parts: BTreeMap::new(),
        }
    }

    /// What to route around: what is `seen` to fail, and parts of `known` that work again but not for long enough.
    pub fn faults(&mut self, seen: &Faults, known: &Faults) -> Faults {
        let now = Instant::now();
        let known: Vec<Part> = known.parts().collect();
        let failed: Vec<Part> = seen.parts().collect();
        for &part in &failed {
            let flaps = self.parts.entry(part).or_insert(Flaps {
                failures: 0,
                last: now,
                works_since: None,
                told: false,
            });
            let is_new = !known.contains(&part);
            if is_new && now - flaps.last > self.memory {
                flaps.failures = 0;
            }
            if is_new || flaps.works_since.is_some() {
                flaps.failures = flaps.failures.saturating_add(1);
                flaps.last = now;
                flaps.told = false;
            }
            flaps.works_since = None;
        }
        let back = known.into_iter().filter(|part| !failed.contains(part));
        let held: Vec<Part> = back.filter(|part| self.is_held(*part, now)).collect();
        failed.into_iter().chain(held).collect()
    }

    /// Parts that are held and were not among these before, with the time that they have to work.
    pub fn newly_held(&mut self) -> Vec<(Part, Duration)> {
        let (hold, longest) = (self.hold, self.longest);
        let parts = self.parts.iter_mut();
        let new = parts.filter(|(_, flaps)| flaps.works_since.is_some() && !flaps.told);
        new.map(|(part, flaps)| {
            flaps.told = true;
            (*part, time(hold, longest, flaps.failures))
        })
        .collect()
    }

    fn is_held(&mut self, part: Part, now: Instant) -> bool {
        let Some(flaps) = self.parts.get_mut(&part) else {
            return false;
        };
        let since = *flaps.works_since.get_or_insert(now);
        let is_held = now - since < time(self.hold, self.longest, flaps.failures);
        if !is_held {
            flaps.works_since = None;
        }
        is_held
    }
}

impl Default for Damping {
    fn default() -> Self {
        Self::new()
    }
}

/// How long a part has to work after this many failures: nothing, `hold`, twice that, ….
fn time(hold: Duration, longest: Duration, failures: u32) -> Duration {
    match failures {
        0 | 1 => Duration::ZERO,
        many => (hold * 2u32.saturating_pow(many.min(20) - 2)).min(longest),
    }
}
