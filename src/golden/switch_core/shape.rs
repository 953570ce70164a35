//! Sizes of a switch core, derived once from the module's parameters.

use super::{KeySet, MAX_CHANNELS};

/// Places that a channel takes in a [`KeySet`]; cores have fewer ports.
const KEYS_PER_CHANNEL: usize = 32;
use crate::design::BlockModule;
use crate::spec::Switching;

/// Parameters of section 1 under the names used by the model.
#[derive(Debug, Clone)]
pub struct CoreShape {
    /// P
    pub ports: usize,
    /// V
    pub channels: usize,
    /// log2 V
    channel_shift: u32,
    /// 64-bit words of a flit, W / 64.
    pub words: usize,
    /// C
    pub credits: u16,
    /// D
    pub queue_flits: u16,
    /// B
    pub banks: usize,
    /// o mod B
    banks_of_outputs: [u8; KEYS_PER_CHANNEL],
    /// Credits that a header needs to leave.
    pub header_need: u16,
    pub register_route: bool,
    pub register_read: bool,
    pub counters: bool,
}

impl CoreShape {
    pub fn new(module: &BlockModule) -> CoreShape {
        let parameters = &module.parameters;
        let channels = parameters.virtual_channels as usize;
        assert!(channels <= MAX_CHANNELS && channels.is_power_of_two());
        assert!((module.core_ports() as usize) < KEYS_PER_CHANNEL);
        CoreShape {
            ports: module.core_ports() as usize,
            channels,
            channel_shift: channels.ilog2(),
            words: parameters.flit_bits as usize / 64,
            credits: parameters.rx_buffer_flits as u16,
            queue_flits: parameters.queue_flits as u16,
            banks: parameters.banks as usize,
            banks_of_outputs: std::array::from_fn(|output| {
                (output as u32 % parameters.banks) as u8
            }),
            header_need: match parameters.switching {
                Switching::Wormhole => 1,
                Switching::Vct => parameters.max_packet_flits as u16,
            },
            register_route: parameters.register_route,
            register_read: parameters.register_read,
            counters: parameters.counters && parameters.control_port,
        }
    }

    pub fn key(&self, input: usize, channel: usize) -> usize {
        channel * KEYS_PER_CHANNEL + input
    }

    pub fn input_of(&self, key: usize) -> usize {
        key % KEYS_PER_CHANNEL
    }

    pub fn channel_of(&self, key: usize) -> usize {
        key / KEYS_PER_CHANNEL
    }

    /// The bit of (port, channel) in a credit vector.
    pub fn credit_bit(&self, port: usize, channel: usize) -> usize {
        port << self.channel_shift | channel
    }

    /// Port and channel of a bit of a credit vector.
    pub fn credit_of_bit(&self, bit: usize) -> (usize, usize) {
        (bit >> self.channel_shift, bit & (self.channels - 1))
    }

    pub fn all_ports(&self) -> u32 {
        (1 << self.ports) - 1
    }

    /// All keys of a set of inputs.
    pub fn keys_of_inputs(&self, inputs: u32) -> KeySet {
        (0..self.channels).fold(0, |set, channel| {
            set | KeySet::from(inputs) << (channel * KEYS_PER_CHANNEL)
        })
    }

    /// D − C: a queue with this many flits stops the return of credits.
    pub fn full_mark(&self) -> u16 {
        self.queue_flits - self.credits
    }

    /// The bank that an output belongs to.
    pub fn bank_of(&self, output: usize) -> usize {
        usize::from(self.banks_of_outputs[output])
    }

    /// Outputs of each bank.
    pub fn bank_outputs(&self) -> Vec<u32> {
        let mut banks = vec![0; self.banks];
        for output in 0..self.ports {
            banks[self.bank_of(output)] |= 1 << output;
        }
        banks
    }
}
