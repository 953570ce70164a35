//! 1.6, every request is served: the loads in which a simpler watch would let packets wait without end.

use mkns_design::{switch_module, switch_tables};
use mkns_spec::BlockParameters;

use super::modules::flit;
use crate::switch_core::SwitchCore;
use crate::{Core, CoreInputs, Flit};

const PORTS: usize = 6;
/// The streams come in here, and so does the long packet; on channel 0 the streams, on channel 1 the packet.
const BUSY: usize = 5;
/// The packet behind the long one comes in here.
const OTHER: usize = 1;
/// Outputs of one bank: two streams, and the slow channel.
const STREAMS: [usize; 2] = [2, 4];
const SLOW: usize = 0;
/// Cycles between two credits of the slow channel.
const PERIOD: usize = 40;
const LONG: usize = 80;

/// A core of the size of the default block, whose senders and receivers keep to their credits.
struct Load {
    core: SwitchCore,
    cycle: usize,
    /// Credits of the senders, by input and channel.
    credits: [[usize; 2]; PORTS],
    /// Flits still to be sent, by input and channel.
    queued: [[Vec<Flit>; 2]; PORTS],
    /// Credits that the receiver of (output, channel 0) returns in the next cycle.
    returned: Vec<u32>,
    /// Packets that have left by the slow channel.
    slow_packets: usize,
}

impl Load {
    fn new() -> Self {
        let parameters = BlockParameters {
            virtual_channels: 2,
            banks: 2,
            rx_buffer_flits: 30,
            ..BlockParameters::default()
        };
        let module = switch_module(PORTS as u32, parameters);
        let mut core = SwitchCore::new(&module, Some(&switch_tables(&module)));
        core.reset((1 << PORTS) - 1);
        Self {
            core,
            cycle: 0,
            credits: [[30; 2]; PORTS],
            queued: Default::default(),
            returned: vec![0; PORTS],
            slow_packets: 0,
        }
    }

    fn send(&mut self, input: usize, channel: usize, to: usize, flits: usize) {
        let flits = (1..=flits).rev().map(|left| Flit {
            channel,
            ..flit(to as u64, left == 1)
        });
        self.queued[input][channel].splice(0..0, flits.rev());
    }

    /// One cycle: both streams go on, and the slow channel gets a credit now and then.
    fn step(&mut self) {
        if self.queued[BUSY][0].len() < 20 {
            for to in STREAMS {
                self.send(BUSY, 0, to, 8);
            }
        }
        let mut inputs = CoreInputs {
            rx: vec![None; PORTS],
            tx_credit: std::mem::replace(&mut self.returned, vec![0; PORTS]),
            link_up: (1 << PORTS) - 1,
        };
        if self.cycle.is_multiple_of(PERIOD) {
            inputs.tx_credit[SLOW] |= 1 << 1;
        }
        for input in 0..PORTS {
            let first = self.cycle % 2;
            for channel in [first, 1 - first] {
                let can = self.credits[input][channel] > 0 && inputs.rx[input].is_none();
                if let Some(flit) = can.then(|| self.queued[input][channel].pop()).flatten() {
                    self.credits[input][channel] -= 1;
                    inputs.rx[input] = Some(flit);
                }
            }
            for channel in 0..2 {
                self.credits[input][channel] +=
                    (self.core.rx_credit(input) >> channel & 1) as usize;
            }
        }
        for output in 0..PORTS {
            if let Some(flit) = self.core.tx(output) {
                match flit.channel {
                    0 => self.returned[output] |= 1,
                    _ => self.slow_packets += usize::from(flit.last),
                }
            }
        }
        self.core.clock(&mut inputs);
        self.cycle += 1;
    }
}

/// Two streams claim a bank in every cycle. A long packet that needs this bank was interrupted for lack of credits; a
/// second packet, from another input, is watched behind it. Unless the long packet is exempt from claims as well, both
/// wait without end.
#[test]
fn page_1_the_packet_in_front_of_the_watched_one_is_exempt_from_claims() {
    let mut load = Load::new();
    load.send(BUSY, 1, SLOW, LONG);
    for _ in 0..400 {
        load.step();
    }
    load.send(OTHER, 1, SLOW, 4);
    // As many flits as there are, each a credit that comes by itself.
    let enough = (LONG + 4) * PERIOD + 2000;
    while load.slow_packets < 2 && load.cycle < enough {
        load.step();
    }
    assert_eq!(load.slow_packets, 2, "\n{}", load.core.describe());
}
