//! One switch block of the reference under load: latency without traffic, accepted load and fairness at saturation.
//!
//! Senders always have packets and sinks always have room; a link register lies on every side.

use super::queue_waits::QueueWaits;
use mkns_contract::header::source;
use mkns_contract::{Crc, Header, ones};
use mkns_design::{BlockModule, Pins, switch_module, switch_tables};
use mkns_golden::Block;
use mkns_random::Random;
use mkns_routing::BlockTables;
use mkns_spec::BlockParameters;
use mkns_traffic::{Destinations, Lengths};

/// The traffic of a bench.
#[derive(Debug, Clone)]
pub struct Offered {
    /// The output that each packet goes to.
    pub destinations: Destinations,
    /// Flits of packets, headers included.
    pub lengths: Lengths,
    /// Virtual channels in use, from 0 up.
    pub channels: usize,
}

/// What a saturated switch core forwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Saturation {
    /// Flits per port and cycle.
    pub accepted: f64,
    /// Flits of the least served input over those of the most served one.
    pub fairness: f64,
}

/// One switch block between senders and sinks.
pub struct SwitchBench {
    model: Block,
    at: Pins,
    pub inputs: Vec<u64>,
    pub outputs: Vec<u64>,
    offered: Offered,
    random: Random,
    /// Destination and flits left of the packet of (input, channel).
    packets: Vec<(usize, usize)>,
    credits: Vec<u32>,
    /// Credits on the wire to the senders and to the block.
    to_senders: u64,
    to_block: u64,
    /// Flits forwarded, by input.
    forwarded: Vec<u64>,
    /// How long packets wait, while that is measured.
    waits: Option<QueueWaits>,
    /// Cycles since then.
    now: u64,
}

/// Cycles from the rx pins to the tx pins of an idle block (`docs/microarchitecture.md`, 1).
const LATENCY: u64 = 5;

impl SwitchBench {
    /// A switch block of `ports` ports whose table leads destination n to port n.
    ///
    /// # Panics
    /// When ports × virtual channels exceed 64, which packs credits into more than one word.
    pub fn new(ports: u32, parameters: &BlockParameters, offered: Offered) -> Self {
        let vcs = parameters.virtual_channels as usize;
        assert!(ports as usize * vcs <= 64, "credits fit one word");
        let (module, tables) = Self::block(ports, parameters);
        let at = Pins::new(&module);
        let mut inputs = vec![0; at.input_words];
        inputs[at.link_up] = (1 << ports) - 1;
        let ports = ports as usize;
        Self {
            model: Block::new(&module, 0, Some(&tables)),
            inputs,
            outputs: vec![0; at.output_words],
            at,
            offered,
            random: Random::new(1),
            packets: vec![(0, 0); ports * vcs],
            credits: vec![parameters.rx_buffer_flits; ports * vcs],
            to_senders: 0,
            to_block: 0,
            forwarded: vec![0; ports],
            waits: None,
            now: 0,
        }
    }

    pub fn block(ports: u32, parameters: &BlockParameters) -> (BlockModule, BlockTables) {
        let module = switch_module(ports, parameters.clone());
        let tables = switch_tables(&module);
        (module, tables)
    }

    /// Cycles from the rx pins to the tx pins of an idle block; none when nothing comes out.
    pub fn zero_load_latency(&mut self) -> Option<u32> {
        self.offer(0.0);
        self.model.step(&self.inputs, &mut self.outputs);
        self.offer(0.0);
        self.send(0, 0);
        for cycle in 0..1000 {
            self.model.step(&self.inputs, &mut self.outputs);
            if self.absorb() > 0 {
                return Some(cycle);
            }
            self.offer(0.0);
        }
        None
    }

    /// Senders that offer a flit with probability `load` in each cycle; the first tenth of the
    /// cycles is not counted.
    pub fn run(&mut self, load: f64, cycles: u64) -> Saturation {
        let mut flits = 0;
        for cycle in 0..cycles {
            if cycle == cycles / 10 {
                self.forwarded.fill(0);
                flits = 0;
            }
            self.offer(load);
            self.model.step(&self.inputs, &mut self.outputs);
            flits += u64::from(self.absorb());
        }
        let counted = (cycles - cycles / 10) as f64;
        let least = self.forwarded.iter().min().copied().unwrap_or(0);
        let most = self.forwarded.iter().max().copied().unwrap_or(0);
        Saturation {
            accepted: flits as f64 / counted / self.at.ports as f64,
            fairness: least as f64 / most.max(1) as f64,
        }
    }

    /// The longest time in cycles that a packet is the oldest of its queue of (input, channel, output) and does not
    /// leave, in a fresh block whose senders offer a flit in every cycle.
    pub fn longest_wait(&mut self, cycles: u64) -> u64 {
        let queues = self.at.ports * self.at.ports * self.at.channels;
        self.waits = Some(QueueWaits::new(queues, LATENCY));
        for now in 0..cycles {
            self.now = now;
            self.cycle(1.0);
        }
        let waits = self.waits.take();
        waits.map_or(0, |mut waits| waits.longest(cycles))
    }

    /// One cycle of traffic; afterwards `inputs` and `outputs` are those of the cycle.
    pub fn cycle(&mut self, load: f64) {
        self.offer(load);
        self.model.step(&self.inputs, &mut self.outputs);
        self.absorb();
    }

    fn offer(&mut self, load: f64) {
        let at = &self.at;
        self.inputs[at.rx.valid..at.link_up].fill(0);
        self.inputs[at.tx_credit] = self.to_block;
        for key in ones(std::mem::take(&mut self.to_senders)) {
            self.credits[key] += 1;
        }
        for input in 0..self.at.ports {
            if self.random.fraction() >= load {
                continue;
            }
            let first = self.random.below(self.offered.channels as u64) as usize;
            let channel = (0..self.offered.channels)
                .map(|offset| (first + offset) % self.offered.channels)
                .find(|channel| self.credits[input * self.at.channels + channel] > 0);
            if let Some(channel) = channel {
                self.send(input, channel);
            }
        }
    }

    fn send(&mut self, input: usize, channel: usize) {
        let key = input * self.at.channels + channel;
        self.credits[key] -= 1;
        let (destination, left) = self.packets[key];
        let (destination, left, data) = if left == 0 {
            let destination = self.draw_output(input);
            let flits = self.offered.lengths.draw(&mut self.random) as usize;
            let queue = self.queue(input, channel, destination);
            if let Some(waits) = &mut self.waits {
                waits.arrives(queue, self.now);
            }
            let header = header(destination as u32, input as u32);
            (destination, flits, header)
        } else {
            (destination, left, header(0, input as u32))
        };
        self.packets[key] = (destination, left - 1);
        let at = &self.at;
        self.inputs[at.rx.valid] |= 1 << input;
        self.inputs[at.rx.channel] |= (channel as u64) << (input * self.at.channel_bits);
        self.inputs[at.rx.last] |= u64::from(left == 1) << input;
        self.inputs[at.rx.data + input * self.at.flit_words] = data;
    }

    /// Any but the input's own, which no packet can take.
    fn draw_output(&mut self, input: usize) -> usize {
        let (own, ports) = (input as u32, self.at.ports as u32);
        loop {
            let output = (self.offered.destinations).draw(own, ports, 0, &mut self.random);
            if output != own {
                return output as usize;
            }
        }
    }

    fn queue(&self, input: usize, channel: usize, output: usize) -> usize {
        (input * self.at.channels + channel) * self.at.ports + output
    }

    /// Takes what the block sent; returns the number of flits.
    fn absorb(&mut self) -> u32 {
        self.to_senders = self.outputs[self.at.rx_credit];
        let sent = self.outputs[self.at.tx.valid];
        self.to_block = 0;
        for port in ones(sent) {
            let (channel, data, is_last) = self.at.flit(&self.at.tx, &self.outputs, port);
            self.to_block |= 1 << (port * self.at.channels + channel);
            let source = source(data) as usize;
            self.forwarded[source] += 1;
            let queue = self.queue(source, channel, port);
            if let Some(waits) = &mut self.waits {
                waits.leaves(queue, is_last, self.now);
            }
        }
        sent.count_ones()
    }
}

/// A header word with its CRC.
fn header(destination: u32, source: u32) -> u64 {
    let header = Header {
        destination,
        source,
        ..Header::default()
    };
    Crc::new(false).stamp(header.pack())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bench(destinations: Destinations, lengths: Lengths, channels: usize) -> SwitchBench {
        let parameters = BlockParameters {
            virtual_channels: channels as u32,
            ..BlockParameters::default()
        };
        let offered = Offered {
            destinations,
            lengths,
            channels,
        };
        SwitchBench::new(10, &parameters, offered)
    }

    #[test]
    fn a_flit_takes_5_cycles() {
        let mut bench = bench(Destinations::Others, Lengths::Fixed(1), 1);
        assert_eq!(bench.zero_load_latency(), Some(LATENCY as u32));
    }

    /// Least figures for (flits of a packet, channels in use), a little below what a model of queues gave.
    #[test]
    fn saturated_uniform_traffic_finds_little_in_its_way() {
        let least = [
            (1, [0.94, 0.95]),
            (2, [0.94, 0.94]),
            (3, [0.95, 0.95]),
            (4, [0.95, 0.95]),
            (9, [0.91, 0.94]),
            (33, [0.77, 0.86]),
        ];
        for (flits, least) in least {
            for (channels, least) in [1, 2].into_iter().zip(least) {
                let mut bench = bench(Destinations::Others, Lengths::Fixed(flits), channels);
                let result = bench.run(1.0, 40_000);
                let what = format!("{flits} flits, {channels} channels: {result:?}");
                assert!(result.accepted > least && result.fairness > 0.85, "{what}");
            }
        }
    }

    #[test]
    fn a_permutation_flows_at_full_rate_and_evenly() {
        let bench = || {
            bench(
                Destinations::Fixed((1..10).chain([0]).collect()),
                Lengths::Fixed(1),
                2,
            )
        };
        let result = bench().run(1.0, 2000);
        assert!(result.accepted > 0.999, "{result:?}");
        assert!(result.fairness > 0.999, "{result:?}");
        let half = bench().run(0.5, 2000);
        assert!((0.45..0.55).contains(&half.accepted), "{half:?}");
    }

    /// Without the watch (`docs/microarchitecture.md`, 1.6) packets between two streams wait for good.
    #[test]
    fn streams_starve_nobody() {
        for channels in [1, 2] {
            let mut bench = bench(Destinations::Streams, Lengths::Between(1, 33), channels);
            let wait = bench.longest_wait(100_000);
            assert!((100..4000).contains(&wait), "{channels} channels: {wait}");
        }
    }
}
