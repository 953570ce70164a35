//! Nothing is lost, doubled, mixed up or reordered, whatever the parameters and the traffic.

use std::collections::{BTreeMap, VecDeque};

use proptest::prelude::*;

use super::host_header::Header;
use super::testbench::{PinTestbench, two_channels};
use mkns_design::{switch_module, switch_tables};
use mkns_random::Random;
use mkns_spec::{BlockParameters, Switching};

/// Identity of a flit, as its data tells it: input, channel, packet, flit.
fn body(input: usize, channel: usize, packet: u64, flit: u64) -> u64 {
    (input as u64) << 56 | (channel as u64) << 48 | packet << 16 | flit
}

#[derive(Debug, Clone)]
struct Setup {
    ports: usize,
    parameters: BlockParameters,
    step: Vec<bool>,
    /// Of 100 chances: to send a flit, to give a credit back.
    load: u64,
    drain: u64,
    seed: u64,
}

fn setups() -> impl Strategy<Value = Setup> {
    let sizes = (4usize..=10, 0u32..3, 4u32..24, 1u32..=10, 1u32..12);
    let options = (any::<bool>(), any::<bool>());
    let traffic = (10u64..=100, 5u64..=100, 1u64..u64::MAX);
    let step = proptest::collection::vec(proptest::bool::weighted(0.2), 100);
    (sizes, options, traffic, step).prop_map(
        |((ports, channels, credits, banks, packet), (vct, deep), traffic, step)| {
            let vct = vct && packet <= credits;
            Setup {
                ports,
                parameters: BlockParameters {
                    virtual_channels: 1 << channels,
                    rx_buffer_flits: credits,
                    queue_flits: (credits + 2).next_power_of_two().max(8) << u32::from(deep),
                    banks: banks.min(ports as u32),
                    switching: if vct {
                        Switching::Vct
                    } else {
                        Switching::Wormhole
                    },
                    max_packet_flits: packet,
                    ..two_channels()
                },
                step,
                load: traffic.0,
                drain: traffic.1,
                seed: traffic.2,
            }
        },
    )
}

/// A packet that an upstream block is sending on one channel.
#[derive(Clone, Copy)]
struct Sending {
    destination: usize,
    number: u64,
    flits: u64,
    next: u64,
}

/// A block between senders and receivers that keep to the link protocol.
struct Bench {
    testbench: PinTestbench,
    random: Random,
    channels: usize,
    credits: u32,
    /// Credits that the sender of (input, channel) holds, and its packet under way.
    held: BTreeMap<(usize, usize), u32>,
    sending: BTreeMap<(usize, usize), Sending>,
    packets: u64,
    /// Flits on their way from (input, channel) to output.
    expected: BTreeMap<(usize, usize, usize), VecDeque<(u64, bool)>>,
    /// (input, channel) that (output, outgoing channel) is locked to by what left it.
    open: BTreeMap<(usize, usize), (usize, usize)>,
    /// Flits in the buffer behind (output, channel).
    buffered: BTreeMap<(usize, usize), u32>,
    step: Vec<Vec<bool>>,
}

impl Bench {
    fn new(setup: &Setup) -> Bench {
        let module = switch_module(setup.ports as u32, setup.parameters.clone());
        let mut tables = switch_tables(&module);
        for (place, row) in tables.step.iter_mut().enumerate() {
            row.copy_from_slice(&setup.step[place * 10..][..setup.ports]);
        }
        let channels = setup.parameters.virtual_channels as usize;
        let credits = setup.parameters.rx_buffer_flits;
        let pairs = (0..setup.ports).flat_map(|port| (0..channels).map(move |v| (port, v)));
        Bench {
            step: tables.step.clone(),
            testbench: PinTestbench::new(module, &tables),
            random: Random::new(setup.seed),
            channels,
            credits,
            held: pairs.map(|pair| (pair, credits)).collect(),
            sending: BTreeMap::new(),
            packets: 0,
            expected: BTreeMap::new(),
            open: BTreeMap::new(),
            buffered: BTreeMap::new(),
        }
    }

    fn cycle(&mut self, load: u64, drain: u64) {
        for input in 0..self.testbench.module.network_ports as usize {
            if self.random.below(100) < load {
                self.send_from(input);
            }
        }
        for (&(output, channel), flits) in &mut self.buffered {
            if *flits > 0 && self.random.below(100) < drain {
                *flits -= 1;
                self.testbench.give_credit(output, channel);
            }
        }
        for flit in self.testbench.tick() {
            self.check(flit.port, flit.channel, flit.data, flit.last);
            assert!(!flit.bad);
        }
        for (&(input, channel), held) in &mut self.held {
            *held += u32::from(self.testbench.returned_credit(input, channel));
            assert!(*held <= self.credits, "more credits than slots");
        }
    }

    /// Sends a flit on a random channel that has a credit, if the packet under way has one.
    fn send_from(&mut self, input: usize) {
        let channel = self.random.below(self.channels as u64) as usize;
        let place = (input, channel);
        if self.held[&place] == 0 {
            return;
        }
        let ports = u64::from(self.testbench.module.network_ports);
        let longest = u64::from(self.testbench.module.parameters.max_packet_flits);
        let (random, packets) = (&mut self.random, &mut self.packets);
        self.sending.entry(place).or_insert_with(|| {
            *packets += 1;
            let hop = 1 + random.below(ports - 1);
            Sending {
                destination: ((input as u64 + hop) % ports) as usize,
                number: *packets,
                flits: 1 + random.below(longest),
                next: 0,
            }
        });
        self.send_next_flit(input, channel);
    }

    /// The next flit of the packet under way on one channel.
    fn send_next_flit(&mut self, input: usize, channel: usize) {
        let place = (input, channel);
        let packet = self.sending[&place];
        let last = packet.next + 1 == packet.flits;
        let data = if packet.next == 0 {
            let header = Header {
                destination: packet.destination as u32,
                source: packet.number as u32,
                ..Header::default()
            };
            header.pack()
        } else {
            body(input, channel, packet.number, packet.next)
        };
        if last {
            self.sending.remove(&place);
        } else {
            self.sending
                .entry(place)
                .and_modify(|packet| packet.next += 1);
        }
        self.held.entry(place).and_modify(|held| *held -= 1);
        self.testbench.send(input, channel, last, data);
        let flow = (input, channel, packet.destination);
        let flits = self.expected.entry(flow).or_default();
        flits.push_back((data, last));
    }

    /// A flit left: it is the oldest of its flow, on the right channel, and no packet of the
    /// channel is open from elsewhere.
    fn check(&mut self, output: usize, channel: usize, data: u64, last: bool) {
        let from = self.open.get(&(output, channel)).copied();
        let flow = from.unwrap_or_else(|| self.flow_with_oldest(output, data));
        let (input, incoming) = flow;
        let step = usize::from(self.step[input][output]);
        assert_eq!(channel, (incoming + step).min(self.channels - 1));
        let oldest = self
            .expected
            .get_mut(&(input, incoming, output))
            .and_then(VecDeque::pop_front);
        assert_eq!(Some((data, last)), oldest, "from {flow:?} to {output}");
        if last {
            self.open.remove(&(output, channel));
        } else {
            self.open.insert((output, channel), flow);
        }
        let buffered = self.buffered.entry((output, channel)).or_default();
        *buffered += 1;
        assert!(*buffered <= self.credits, "sent without a credit");
    }

    fn flow_with_oldest(&self, output: usize, data: u64) -> (usize, usize) {
        self.expected
            .iter()
            .find(|((_, _, to), flits)| {
                *to == output && flits.front().is_some_and(|(front, _)| *front == data)
            })
            .map(|((input, channel, _), _)| (*input, *channel))
            .unwrap_or_else(|| panic!("{data:#x} is the oldest flit of no flow to {output}"))
    }

    /// Finishes the packets under way and waits until all is out and every credit is at home.
    fn finish(&mut self) {
        for _ in 0..20_000 {
            let all_out = self.expected.values().all(VecDeque::is_empty);
            let all_home = self.held.values().all(|held| *held == self.credits);
            if self.sending.is_empty() && all_out && all_home {
                break;
            }
            for (&(output, channel), flits) in &mut self.buffered {
                if *flits > 0 {
                    *flits -= 1;
                    self.testbench.give_credit(output, channel);
                }
            }
            let waiting: Vec<(usize, usize)> = self.sending.keys().copied().collect();
            let mut busy = 0u32;
            for (input, channel) in waiting {
                if busy >> input & 1 == 0 && self.held[&(input, channel)] > 0 {
                    busy |= 1 << input;
                    self.send_next_flit(input, channel);
                }
            }
            for flit in self.testbench.tick() {
                self.check(flit.port, flit.channel, flit.data, flit.last);
            }
            for (&(input, channel), held) in &mut self.held {
                *held += u32::from(self.testbench.returned_credit(input, channel));
            }
        }
        let left: usize = self.expected.values().map(VecDeque::len).sum();
        assert_eq!(
            left,
            0,
            "flits never came out:\n{}",
            self.testbench.block.describe()
        );
        for (place, held) in &self.held {
            assert_eq!(*held, self.credits, "credits of {place:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    #[test]
    fn every_flit_comes_out_once_in_order_on_the_right_channel(setup in setups()) {
        let mut bench = Bench::new(&setup);
        for _ in 0..1500 {
            bench.cycle(setup.load, setup.drain);
        }
        prop_assert!(bench.packets > 0);
        bench.finish();
    }
}
