//! The parameters of a switch core, by the letters of the page, and the numbers of requests.

use mkns_design::BlockModule;
use mkns_spec::Switching;

/// Most virtual channels of a block.
const MOST_CHANNELS: usize = 4;

/// A value for every virtual channel; those beyond V − 1 keep their reset value.
pub type PerChannel<T> = [T; MOST_CHANNELS];

/// Parameters.
#[derive(Debug, Clone)]
pub struct Shape {
    /// P
    pub ports: usize,
    /// V
    pub channels: usize,
    /// B
    pub banks: usize,
    /// C, or E for the outputs to hosts: credits of an output's channels after reset.
    pub credits: Vec<usize>,
    /// Credits that a header needs: room for `MAX_PACKET_FLITS` with `SWITCHING_VCT`, otherwise 1.
    pub header_needs: usize,
    /// `STEP`: row i, bit o.
    pub step: Vec<u32>,
    /// `COUNTER_START`
    pub counter_start: u32,
}

/// A request of an output: a queue in front of it, named by input and channel (1.1). Its number is
/// k = v·P + i.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Request {
    pub input: usize,
    pub channel: usize,
}

impl Shape {
    pub fn new(module: &BlockModule, step: Vec<u32>) -> Self {
        let parameters = &module.parameters;
        let output_credits = |o| match o < module.network_ports {
            true => parameters.rx_buffer_flits as usize,
            false => parameters.host_buffer_flits() as usize,
        };
        Self {
            ports: module.core_ports() as usize,
            channels: parameters.virtual_channels as usize,
            banks: parameters.banks as usize,
            credits: (0..module.core_ports()).map(output_credits).collect(),
            header_needs: match parameters.switching {
                Switching::Wormhole => 1,
                Switching::Vct => parameters.max_packet_flits as usize,
            },
            step,
            counter_start: parameters.counter_start,
        }
    }

    /// k of a request.
    pub fn number(&self, k: Request) -> usize {
        k.channel * self.ports + k.input
    }

    /// The request with number k.
    pub fn request(&self, number: usize) -> Request {
        Request {
            input: number % self.ports,
            channel: number / self.ports,
        }
    }

    /// The request with the next number, mod P·V.
    pub fn after(&self, k: Request) -> Request {
        self.request((self.number(k) + 1) % (self.ports * self.channels))
    }

    /// The outputs of every bank b are b, b + B, …; this is the bank of output o.
    pub fn bank(&self, o: usize) -> usize {
        o % self.banks
    }

    /// ⌈P/B⌉: places of a bank's outputs.
    pub fn bank_outputs(&self) -> usize {
        self.ports.div_ceil(self.banks)
    }
}

/// Some requests of one output, bit k.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RequestSet(u128);

impl RequestSet {
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn insert(&mut self, number: usize) {
        self.0 |= 1 << number;
    }

    /// The numbers in the set, in order.
    pub fn numbers(self) -> impl Iterator<Item = usize> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let number = (left != 0).then(|| left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(number)
        })
    }

    /// The first number at or after `pointer`, cyclically.
    pub fn first_from(self, pointer: usize) -> Option<usize> {
        let at_or_after = self.0 >> pointer << pointer;
        let chosen = if at_or_after != 0 {
            at_or_after
        } else {
            self.0
        };
        (chosen != 0).then(|| chosen.trailing_zeros() as usize)
    }
}
