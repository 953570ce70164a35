//! Sizes of a switch core, derived once from the module's parameters.

use super::{KeySet, MAX_CHANNELS};
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
        CoreShape {
            ports: module.core_ports() as usize,
            channels,
            channel_shift: channels.ilog2(),
            words: parameters.flit_bits as usize / 64,
            credits: parameters.rx_buffer_flits as u16,
            queue_flits: parameters.queue_flits as u16,
            banks: parameters.banks as usize,
            header_need: match parameters.switching {
                Switching::Wormhole => 1,
                Switching::Vct => parameters.max_packet_flits as u16,
            },
            register_route: parameters.register_route,
            register_read: parameters.register_read,
            counters: parameters.counters && parameters.control_port,
        }
    }

    /// P · V
    pub fn keys(&self) -> usize {
        self.ports * self.channels
    }

    pub fn key(&self, input: usize, channel: usize) -> usize {
        input << self.channel_shift | channel
    }

    pub fn input_of(&self, key: usize) -> usize {
        key >> self.channel_shift
    }

    pub fn channel_of(&self, key: usize) -> usize {
        key & (self.channels - 1)
    }

    pub fn all_ports(&self) -> u32 {
        (1 << self.ports) - 1
    }

    pub fn all_keys(&self) -> KeySet {
        (1 << self.keys()) - 1
    }

    /// All keys of one input.
    pub fn keys_of_input(&self, input: usize) -> KeySet {
        ((1 << self.channels) - 1) << (input << self.channel_shift)
    }

    /// All keys of a set of inputs.
    pub fn keys_of_inputs(&self, inputs: u32) -> KeySet {
        super::bits(inputs).fold(0, |set, input| set | self.keys_of_input(input))
    }

    /// D − C: a queue with this many flits stops the return of credits.
    pub fn full_mark(&self) -> u16 {
        self.queue_flits - self.credits
    }

    /// Outputs per bank: output o belongs to bank o mod B.
    pub fn bank_outputs(&self) -> Vec<u32> {
        let mut banks = vec![0; self.banks];
        for output in 0..self.ports {
            banks[output % self.banks] |= 1 << output;
        }
        banks
    }

    /// ⌈P / B⌉
    pub fn outputs_per_bank(&self) -> usize {
        self.ports.div_ceil(self.banks)
    }
}
