//! The serial cables of a simulated block: their flight, their rate, and the flits that their buffers hold.
//!
//! A flit waits at its output until the line is free, then flies. Flits that the far link port holds for its block are
//! counted in the block's queues, so the sender has credits for both.

use mkns_design::Plan;
use mkns_spec::SerialLink;

/// Most network ports of a simulated block.
const PORTS: usize = 32;
/// Parts of a cycle in which the line's time is counted.
const PARTS: u64 = 100_000;

/// The serial cables of one block.
#[derive(Debug, Clone)]
pub struct SerialPorts {
    cables: SerialCables,
    /// Ports whose cable is serial.
    pub ports: u32,
    /// When the line of an output is free, parts of cycles.
    free: [u64; PORTS],
}

/// What serial cables of a network have in common.
#[derive(Debug, Clone, Copy)]
pub struct SerialCables {
    /// Cycles that a serial cable takes more than a parallel one.
    longer: u64,
    /// Parts of a cycle that the line is taken by a flit.
    spacing: u64,
    /// Credits per channel of a sender besides those of a parallel link.
    pub more_credits: u16,
    /// Flits that can wait for a line.
    backlog: u64,
}

impl SerialCables {
    /// None where all cables are parallel.
    pub fn of(plan: &Plan) -> Option<Self> {
        let (link, block) = (plan.spec.link.as_ref()?, &plan.spec.block);
        let most = link.receive_flits + block.rx_buffer_flits;
        Some(Self {
            longer: u64::from(link.latency().saturating_sub(block.link_latency)),
            spacing: spacing(link),
            more_credits: link.receive_flits as u16,
            backlog: u64::from(most * block.virtual_channels),
        })
    }

    /// Cycles after which a flit is there at the latest, those of a parallel cable not counted.
    pub fn farthest(self) -> u64 {
        self.longer + (self.backlog + 1) * self.spacing / PARTS
    }

    /// Those of a block of which `ports` have a serial cable; none where it has none.
    pub fn ports_of(self, ports: u32) -> Option<Box<SerialPorts>> {
        let serial = SerialPorts {
            cables: self,
            ports,
            free: [0; PORTS],
        };
        (ports != 0).then(|| Box::new(serial))
    }
}

fn spacing(link: &SerialLink) -> u64 {
    (PARTS * PARTS).div_ceil(link.flits_per_100_000_cycles().into())
}

impl SerialPorts {
    /// Cycles that a flit popped in cycle `now` takes more than through a parallel cable.
    pub fn delay_of_flit(&mut self, output: usize, now: u64) -> u64 {
        if self.ports >> output & 1 == 0 {
            return 0;
        }
        let now = now * PARTS;
        let departure = self.free[output].max(now);
        self.free[output] = departure + self.cables.spacing;
        (departure - now) / PARTS + self.cables.longer
    }

    /// Cycles that a credit takes more than through a parallel cable.
    pub fn delay_of_credit(&self, input: usize) -> u64 {
        u64::from(self.ports >> input & 1) * self.cables.longer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_line_passes_its_rate_and_no_two_flits_in_a_cycle() {
        let link = SerialLink::default();
        let cables = SerialCables {
            longer: 57,
            spacing: spacing(&link),
            more_credits: 0,
            backlog: 0,
        };
        let mut ports = cables.ports_of(1 << 3).expect("a serial port");
        // As many flits as the line takes, offered where the last one left.
        let mut arrivals: Vec<u64> = Vec::new();
        for now in 0..1_000 {
            arrivals.push(now + ports.delay_of_flit(3, now));
        }
        assert!(arrivals.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(arrivals[0], 57);
        assert_eq!(arrivals[864], 57 + 1_000);
        assert_eq!(ports.delay_of_flit(2, 5), 0);
        assert_eq!([2, 3].map(|input| ports.delay_of_credit(input)), [0, 57]);
    }
}
