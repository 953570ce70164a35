//! When a host creates packets: at random, in bursts, when a window allows it, or as planned.

use std::collections::VecDeque;

use mkns_random::Random;

/// The process that creates packets.
#[derive(Debug, Clone, PartialEq)]
pub enum Injection {
    /// In every cycle with the same probability (Bernoulli).
    Random,
    /// Packets one after the other without a pause, then a pause; numbers of packets and pauses are
    /// geometrically distributed (on/off). `packets`: mean length of a burst.
    Bursts { packets: f64 },
    /// A host always has a next packet, but only a limited number of its packets are in flight at a time
    /// (closed loop). The load has no meaning then.
    Window { packets: u32 },
    /// Nothing but what is added while the network runs.
    Driven,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlannedPacket {
    pub cycle: u64,
    pub destination: u32,
    pub flits: u32,
}

/// The next creation of one host.
#[derive(Debug)]
pub struct Clock {
    process: Process,
    next: u64,
}

#[derive(Debug)]
enum Process {
    /// Never by itself.
    Silent,
    Random {
        /// Of a packet in a cycle.
        chance: f64,
    },
    Bursts {
        /// That a burst goes on after a packet.
        more: f64,
        /// Mean pause for every flit of a burst, cycles.
        pause: f64,
        /// Flits of the burst so far.
        flits: u64,
    },
    Window {
        /// Cycles from which on places in the window are free.
        free: VecDeque<u64>,
        places: u32,
    },
    Planned(VecDeque<PlannedPacket>),
}

impl Clock {
    /// `load`: flits per cycle, 0…1. `mean_flits`: of a packet.
    pub fn new(injection: &Injection, load: f64, mean_flits: f64) -> Clock {
        let process = match *injection {
            _ if load <= 0.0 && !matches!(injection, Injection::Window { .. }) => Process::Silent,
            Injection::Random => Process::Random {
                chance: (load / mean_flits).min(1.0),
            },
            Injection::Bursts { packets } => Process::Bursts {
                more: 1.0 - 1.0 / packets.max(1.0),
                pause: (1.0 - load).max(0.0) / load,
                flits: 0,
            },
            Injection::Window { packets } => Process::Window {
                free: vec![0; packets as usize].into(),
                places: packets,
            },
            Injection::Driven => Process::Silent,
        };
        Clock {
            process,
            next: u64::MAX,
        }
    }

    /// A host that never creates a packet by itself.
    pub fn silent() -> Clock {
        Clock {
            process: Process::Silent,
            next: u64::MAX,
        }
    }

    /// Packets in the order of their cycles.
    pub fn planned_packets(plan: Vec<PlannedPacket>) -> Clock {
        Clock {
            process: Process::Planned(plan.into()),
            next: u64::MAX,
        }
    }

    /// Chooses the first creation.
    pub fn start(&mut self, random: &mut Random) {
        self.next = match &self.process {
            Process::Silent => u64::MAX,
            Process::Random { chance } => geometric(*chance, random),
            // As if a burst had just ended.
            Process::Bursts { pause, more, .. } => {
                let mean = pause / (1.0 - more) + 1.0;
                geometric(1.0 / mean, random)
            }
            Process::Window { free, .. } => free.front().copied().unwrap_or(u64::MAX),
            Process::Planned(plan) => plan.front().map_or(u64::MAX, |packet| packet.cycle),
        };
    }

    /// Cycle of the next creation; `u64::MAX`: none in sight.
    #[inline]
    pub fn next(&self) -> u64 {
        self.next
    }

    /// The packet of the next creation, if it is planned.
    pub fn planned(&self) -> Option<PlannedPacket> {
        match &self.process {
            Process::Planned(plan) => plan.front().copied(),
            _ => None,
        }
    }

    /// A packet was created in cycle `now`; chooses the next creation.
    pub fn advance(&mut self, now: u64, flits: u32, random: &mut Random) {
        self.next = match &mut self.process {
            Process::Silent => u64::MAX,
            Process::Random { chance } => (now + 1).saturating_add(geometric(*chance, random)),
            Process::Bursts {
                more,
                pause,
                flits: burst,
            } => {
                *burst += u64::from(flits);
                let after = now + u64::from(flits);
                if random.fraction() < *more {
                    after
                } else {
                    let mean = *pause * std::mem::take(burst) as f64;
                    after.saturating_add(geometric(1.0 / (mean + 1.0), random))
                }
            }
            Process::Window { free, .. } => {
                free.pop_front();
                free.front().copied().unwrap_or(u64::MAX)
            }
            Process::Planned(plan) => {
                plan.pop_front();
                plan.front().map_or(u64::MAX, |packet| packet.cycle)
            }
        };
    }

    /// The packet of this many flits that was just created has no route, so that nothing will come back: its place in the
    /// window is free again when a host that sends all the time would be done with the packets of a window.
    pub fn give_up(&mut self, now: u64, flits: u32) {
        if let Process::Window { places, .. } = self.process {
            self.free_window(now + u64::from(flits) * u64::from(places));
        }
    }

    /// A place in the window is free from `cycle` on.
    pub fn free_window(&mut self, cycle: u64) {
        if let Process::Window { free, .. } = &mut self.process {
            let place = free.partition_point(|&other| other <= cycle);
            free.insert(place, cycle);
            self.next = free[0];
        }
    }
}

/// Failures before the first success of trials with this chance of success.
fn geometric(chance: f64, random: &mut Random) -> u64 {
    if chance >= 1.0 {
        return 0;
    }
    // 1 − fraction is never 0, nor is the logarithm of 1 − chance for the least chance.
    ((-random.fraction()).ln_1p() / (-chance).ln_1p()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean flits per cycle of packets of `flits` flits.
    fn rate(injection: &Injection, load: f64, flits: u32) -> f64 {
        let mut random = Random::new(7);
        let mut clock = Clock::new(injection, load, f64::from(flits));
        clock.start(&mut random);
        let mut packets = 0u64;
        while clock.next() < 2_000_000 {
            packets += 1;
            clock.advance(clock.next(), flits, &mut random);
        }
        (packets * u64::from(flits)) as f64 / 2e6
    }

    #[test]
    fn the_load_is_met_at_random_and_in_bursts() {
        for load in [0.02, 0.3, 0.9] {
            let random = rate(&Injection::Random, load, 9);
            assert!((random / load - 1.0).abs() < 0.02, "{load}: {random}");
            let bursts = rate(&Injection::Bursts { packets: 5.0 }, load, 9);
            assert!((bursts / load - 1.0).abs() < 0.05, "{load}: {bursts}");
        }
    }

    #[test]
    fn a_window_creates_as_places_get_free() {
        let mut random = Random::new(1);
        let mut clock = Clock::new(&Injection::Window { packets: 2 }, 0.0, 9.0);
        clock.start(&mut random);
        let mut created = Vec::new();
        for now in 0..20 {
            if now == 3 {
                clock.free_window(9);
                clock.free_window(7);
            }
            while clock.next() <= now {
                created.push(now);
                clock.advance(now, 9, &mut random);
            }
        }
        assert_eq!(created, [0, 0, 7, 9]);
    }

    #[test]
    fn reports_12_a_load_next_to_nothing_creates_next_to_nothing() {
        for load in [1e-6, 1e-12, 1e-16, 1e-17, 1e-300, f64::MIN_POSITIVE] {
            for injection in [Injection::Random, Injection::Bursts { packets: 4.0 }] {
                let rate = rate(&injection, load, 9);
                assert!(rate < 1e-3, "{injection:?} at {load}: {rate}");
            }
        }
    }
}
