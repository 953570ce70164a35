//! Sizes of a switch core, derived once from the module's parameters.

use super::key_set::KeySet;
use super::routes::RouteShape;
use mkns_design::BlockModule;
use mkns_spec::Switching;

/// Parameters of section 1 under the names used by the model.
#[derive(Debug, Clone)]
pub struct CoreShape {
    /// P
    pub ports: usize,
    /// V
    pub channels: usize,
    /// Whether packets may go a channel up.
    pub steps: bool,
    /// Requests that the watch of a channel goes round: all, or those of its own channel.
    pub watched_requests: u8,
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
    pub counters: bool,
    /// Value of the counters after a reset.
    pub counter_start: u32,
}

impl CoreShape {
    pub fn new(module: &BlockModule) -> CoreShape {
        let parameters = &module.parameters;
        let channels = parameters.virtual_channels as usize;
        assert!(channels.is_power_of_two());
        let steps = module.has_step();
        let watched_channels = if steps { channels as u8 } else { 1 };
        CoreShape {
            ports: module.core_ports() as usize,
            channels,
            steps,
            watched_requests: module.core_ports() as u8 * watched_channels,
            patience: 16 * channels as u8,
            credits: parameters.rx_buffer_flits as u16,
            line_credits: 0,
            host_credits: parameters.host_buffer_flits() as u16,
            first_host: module.network_ports as usize,
            banks: parameters.banks as usize,
            outputs_of_banks: outputs_of_banks(module.core_ports(), parameters.banks),
            header_need: match parameters.switching {
                Switching::Wormhole => 1,
                Switching::Vct => parameters.max_packet_flits as u16,
            },
            routes: RouteShape::new(module),
            counters: parameters.counters && parameters.control_port,
            counter_start: parameters.counter_start,
        }
    }

    pub fn all_ports(&self) -> u32 {
        (1 << self.ports) - 1
    }

    /// All keys of a set of inputs.
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

    /// The key of request v · P + i.
    #[inline]
    pub fn key_of_request<K: KeySet>(&self, mut number: usize) -> usize {
        let mut channel = 0;
        while number >= self.ports {
            number -= self.ports;
            channel += 1;
        }
        K::key(number, channel)
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
