//! Sizes of a switch core, derived once from the module's parameters.

use super::key_set::KeySet;
use super::routes::RouteShape;
use mkns_design::BlockModule;
use mkns_spec::{BlockParameters, Switching};

/// Most ports of a core.
pub(super) const MAX_PORTS: usize = 32;

/// Parameters of section 1 under the names used by the model.
#[derive(Debug, Clone)]
pub struct CoreShape {
    /// P
    pub ports: usize,
    /// V
    pub channels: usize,
    /// C
    pub credits: u16,
    /// B
    pub banks: usize,
    /// F (section 1.5)
    full_mark: u16,
    /// o mod B
    banks_of_outputs: [u8; MAX_PORTS],
    outputs_of_banks: Vec<u32>,
    /// Credits that a header needs to leave.
    pub header_need: u16,
    pub routes: RouteShape,
    pub register_route: bool,
    pub register_read: bool,
    pub registered_arbitration: bool,
    pub counters: bool,
    /// Whether anybody asks for a flit in `stage1` that already counts in its queue.
    pub shows_stage1: bool,
    /// Value of the counters after a reset.
    pub counter_start: u32,
}

/// F, flits. One place less with registered arbitration, which keeps one free for the marks of packet ends.
fn full_mark(parameters: &BlockParameters) -> u16 {
    let spare = u32::from(parameters.registered_arbitration);
    (parameters.queue_flits - parameters.rx_buffer_flits - spare) as u16
}

impl CoreShape {
    pub fn new(module: &BlockModule) -> CoreShape {
        let parameters = &module.parameters;
        let channels = parameters.virtual_channels as usize;
        assert!(channels.is_power_of_two());
        CoreShape {
            ports: module.core_ports() as usize,
            channels,
            credits: parameters.rx_buffer_flits as u16,
            full_mark: full_mark(parameters),
            banks: parameters.banks as usize,
            banks_of_outputs: std::array::from_fn(|output| {
                (output as u32 % parameters.banks) as u8
            }),
            outputs_of_banks: outputs_of_banks(module.core_ports(), parameters.banks),
            header_need: match parameters.switching {
                Switching::Wormhole => 1,
                Switching::Vct => parameters.max_packet_flits as u16,
            },
            routes: RouteShape::new(module),
            register_route: parameters.register_route,
            register_read: parameters.register_read,
            registered_arbitration: parameters.registered_arbitration,
            counters: parameters.counters && parameters.control_port,
            shows_stage1: true,
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

    /// Cycles from the pop of a flit to the tx pins (section 1.7).
    pub fn output_latency(&self) -> usize {
        3 + usize::from(self.register_read)
    }

    /// F: a queue with this many flits stops the return of credits (section 1.5).
    pub fn full_mark(&self) -> u16 {
        self.full_mark
    }

    /// The bank that an output belongs to.
    pub fn bank_of(&self, output: usize) -> usize {
        usize::from(self.banks_of_outputs[output])
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
