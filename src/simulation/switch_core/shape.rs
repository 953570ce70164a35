//! Sizes of a switch core, derived once from the module's parameters.

use super::adaptive::{AdaptiveShape, NEVER_SHORT};
use super::key_set::KeySet;
use super::routes::RouteShape;
use mkns_contract::ones;
use mkns_design::{BlockModule, BlocksBetween};
use mkns_routing::TableEntry;
use mkns_spec::Switching;

/// The most ports that a core has.
pub const MOST_PORTS: usize = 32;

/// Parameters of section 1 under the names used by the model.
#[derive(Debug, Clone)]
pub struct CoreShape {
    /// P
    pub ports: usize,
    /// V
    pub channels: usize,
    /// Whether a channel of an output watches the requests of all channels: where packets may go a channel up, but not
    /// in adaptive blocks.
    watches_all: bool,
    /// By output: how many requests a channel watches in turn, of all channels or of its own; at least 1.
    pub watched_requests: [u8; MOST_PORTS],
    /// By output: the inputs that lead to it, in ascending order, and how many there are.
    inputs_of_output: [[u8; MOST_PORTS]; MOST_PORTS],
    input_counts: [u8; MOST_PORTS],
    /// By input, bit o: packets may go from it to output o.
    turns: Vec<u32>,
    /// Whether table entries may name an alternate port.
    alternates: bool,
    /// N: chances that may go past a request until it is overdue.
    pub patience: u8,
    /// C
    pub credits: u16,
    /// More credits that a sender to another block may have, for flits that a serial link holds.
    pub line_credits: u16,
    /// B
    pub banks: usize,
    /// E, and the first port that it belongs to.
    host_credits: u16,
    first_host: usize,
    outputs_of_banks: Vec<u32>,
    /// Credits that a header needs to leave.
    pub header_need: u16,
    pub routes: RouteShape,
    /// Of adaptive blocks.
    pub adaptive: Option<AdaptiveShape>,
}

impl CoreShape {
    pub fn new(module: &BlockModule) -> CoreShape {
        let parameters = &module.parameters;
        let channels = parameters.virtual_channels as usize;
        assert!(channels.is_power_of_two());
        let watches_all = module.has_step() && !parameters.adaptive;
        let ports = module.core_ports();
        let mut watched_requests = [1; MOST_PORTS];
        let mut inputs_of_output = [[0; MOST_PORTS]; MOST_PORTS];
        let mut input_counts = [0; MOST_PORTS];
        for output in 0..ports as usize {
            let inputs = module.turns.inputs_of(output);
            let count = inputs.count_ones() as u8;
            let watched_channels = if watches_all { channels as u8 } else { 1 };
            watched_requests[output] = (count * watched_channels).max(1);
            input_counts[output] = count;
            for (place, input) in inputs_of_output[output].iter_mut().zip(ones(inputs)) {
                *place = input as u8;
            }
        }
        CoreShape {
            ports: ports as usize,
            channels,
            watches_all,
            watched_requests,
            inputs_of_output,
            input_counts,
            turns: module.turns.rows().to_vec(),
            alternates: module.alternates,
            patience: 16 * channels as u8,
            credits: parameters.rx_buffer_flits as u16,
            line_credits: 0,
            host_credits: parameters.host_buffer_flits() as u16,
            first_host: module.network_ports as usize,
            banks: parameters.banks as usize,
            outputs_of_banks: outputs_of_banks(ports, parameters.banks),
            header_need: match parameters.switching {
                Switching::Wormhole => 1,
                Switching::Vct => parameters.max_packet_flits as u16,
            },
            routes: RouteShape::new(module),
            adaptive: AdaptiveShape::new(module),
        }
    }

    /// From now on every packet goes over one of these blocks.
    pub fn lead_over(&mut self, module: &BlockModule, between: &BlocksBetween) {
        self.adaptive = Some(AdaptiveShape::between(module, between));
    }

    /// Whether every packet goes over a random block.
    pub fn goes_over_blocks(&self) -> bool {
        (self.adaptive.as_ref()).is_some_and(|shape| shape.between.is_some())
    }

    pub fn all_ports(&self) -> u32 {
        (1 << self.ports) - 1
    }

    #[inline]
    pub fn keys_of_inputs<K: KeySet>(&self, inputs: u32) -> K {
        K::of_channels(inputs, self.channels)
    }

    /// Whether a set can hold the keys of the core; it has more places than ports, so that the one
    /// after the last port is a key too.
    pub fn fits<K: KeySet>(&self) -> bool {
        self.ports < K::PORTS && self.channels <= K::CHANNELS
    }

    /// Credits per channel of an output after reset.
    pub fn credits_of(&self, output: usize) -> u16 {
        if output < self.first_host {
            self.credits
        } else {
            self.host_credits
        }
    }

    /// Credits of a channel of an output after reset: those of the adaptive channel never run out.
    pub fn credits_of_key<K: KeySet>(&self, key: usize) -> u16 {
        let (output, channel) = (K::port_of(key), K::channel_of(key));
        let is_adaptive =
            |shape: &AdaptiveShape| channel == shape.channel && output < shape.network_ports;
        match self.adaptive.as_ref().is_some_and(is_adaptive) && !self.goes_over_blocks() {
            true => NEVER_SHORT,
            false => self.credits_of(output),
        }
    }

    /// The key of the request with a number among those that an output watches; `channel` is the one that watches.
    #[inline]
    pub fn key_of_watched<K: KeySet>(&self, output: usize, channel: usize, number: u8) -> usize {
        let (mut number, mut channel) = (number, channel);
        if self.watches_all {
            channel = 0;
            while number >= self.input_counts[output] {
                number -= self.input_counts[output];
                channel += 1;
            }
        }
        let input = self.inputs_of_output[output % MOST_PORTS][usize::from(number) % MOST_PORTS];
        K::key(usize::from(input), channel)
    }

    /// Whether a block takes a table entry: its port and its alternate are ones that some input turns to.
    pub fn accepts(&self, entry: u16) -> bool {
        let entry = TableEntry::unpack(entry);
        let outputs = self.turns.iter().fold(0, |outputs, row| outputs | row);
        let leads = |port: u8| outputs >> port & 1 == 1;
        let is_way = leads(entry.port)
            && (entry.alternate).is_none_or(|port| self.alternates && leads(port));
        !entry.valid || entry.same || is_way
    }

    /// Whether packets may go from an input to an output.
    #[inline]
    pub fn turns(&self, input: usize, output: usize) -> bool {
        self.turns[input] >> output & 1 == 1
    }

    /// Outputs of a bank.
    #[inline]
    pub fn bank_outputs(&self, bank: usize) -> u32 {
        self.outputs_of_banks[bank]
    }
}

fn outputs_of_banks(ports: u32, banks: u32) -> Vec<u32> {
    let of_bank = |bank| (0..ports).filter(move |output| output % banks == bank);
    (0..banks)
        .map(|bank| of_bank(bank).fold(0, |outputs, output| outputs | 1 << output))
        .collect()
}
