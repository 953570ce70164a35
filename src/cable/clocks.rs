//! Clocks of both ends: one for the core and one for the link of each, equal or of periods of their own.
//!
//! Time goes in steps. A clock has an edge in the step in which its time falls, so edges of unequal clocks meet now
//! and then, in every order before and after.

use mkns_random::Random;

/// Which clocks of an end have an edge in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockEdges {
    pub core: bool,
    pub link: bool,
}

impl ClockEdges {
    pub const BOTH: Self = Self {
        core: true,
        link: true,
    };
}

/// Binary places of a time.
const PLACES: u32 = 32;
/// One step.
const STEP: u64 = 1 << PLACES;

#[derive(Debug, Clone, Copy)]
struct Clock {
    next: u64,
    period: u64,
}

impl Clock {
    /// A clock of a period in steps, at least 1, at any phase.
    fn new(period: f64, random: &mut Random) -> Self {
        let period = (period * STEP as f64) as u64;
        Self {
            next: random.below(period),
            period,
        }
    }

    fn has_edge(&mut self, end_of_step: u64) -> bool {
        let has_edge = self.next < end_of_step;
        self.next += self.period * u64::from(has_edge);
        has_edge
    }
}

/// The four clocks.
#[derive(Debug, Clone)]
pub struct Clocks {
    /// By end core and link; none when every step is an edge of all.
    unequal: Option<[[Clock; 2]; 2]>,
    end_of_step: u64,
}

/// The longest period, in steps.
const SLOWEST: f64 = 3.0;

impl Clocks {
    /// One clock for all.
    pub fn equal() -> Self {
        Self {
            unequal: None,
            end_of_step: 0,
        }
    }

    /// Each of a random period, up to three times that of another. With `plesiochronous` lines, as those of transceivers
    /// with crystals of their own, the link clocks differ by at most 200 ppm.
    pub fn random(plesiochronous: bool, random: &mut Random) -> Self {
        let mut any = || 1.0 + (SLOWEST - 1.0) * random.fraction();
        let mut periods = [[any(), any()], [any(), any()]];
        if plesiochronous {
            let lag = 2e-4 * (2.0 * random.fraction() - 1.0);
            periods[1][1] = (periods[0][1] * (1.0 + lag)).max(1.0);
        }
        Self {
            unequal: Some(periods.map(|end| end.map(|period| Clock::new(period, random)))),
            end_of_step: 0,
        }
    }

    /// Edges of both ends in the next step.
    pub fn step(&mut self) -> [ClockEdges; 2] {
        let Some(clocks) = &mut self.unequal else {
            return [ClockEdges::BOTH; 2];
        };
        self.end_of_step += STEP;
        let end = self.end_of_step;
        // Times stay small however long it runs.
        if end >= STEP << 16 {
            self.end_of_step = 0;
        }
        let edges = clocks.each_mut().map(|[core, link]| ClockEdges {
            core: core.has_edge(end),
            link: link.has_edge(end),
        });
        if self.end_of_step == 0 {
            clocks
                .iter_mut()
                .flatten()
                .for_each(|clock| clock.next -= end);
        }
        edges
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unequal_clocks_have_their_rates_and_meet_in_every_way() {
        let mut random = Random::new(3);
        let mut clocks = Clocks::random(true, &mut random);
        let periods = (clocks.unequal.unwrap()).map(|end| end.map(|clock| clock.period));
        let (mut counts, mut ways) = ([[0; 2]; 2], [0; 4]);
        const STEPS: u64 = 1_000_000;
        for _ in 0..STEPS {
            let edges = clocks.step();
            for (counts, edges) in counts.iter_mut().zip(edges) {
                counts[0] += u64::from(edges.core);
                counts[1] += u64::from(edges.link);
            }
            ways[usize::from(edges[0].core) + 2 * usize::from(edges[0].link)] += 1;
        }
        for (count, period) in counts.iter().flatten().zip(periods.iter().flatten()) {
            let expected = STEPS as f64 * STEP as f64 / *period as f64;
            assert!(
                (*count as f64 - expected).abs() < 2.0,
                "{count}, {expected}"
            );
        }
        assert!(counts[0][1].abs_diff(counts[1][1]) < 200, "{counts:?}");
        assert!(ways.iter().all(|&way| way > STEPS / 50), "{ways:?}");
    }
}
