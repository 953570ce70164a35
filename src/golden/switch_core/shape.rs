//! The parameters of a switch core, by the letters of the page, and the numbers of requests.

use mkns_design::BlockModule;
use mkns_routing::BlockTables;
use mkns_spec::Switching;

/// A value for every virtual channel; those beyond V − 1 keep their reset value.
pub type PerChannel<T> = [T; 4];

/// The most ports that a core has: its links are the bits of a word.
pub const MOST_PORTS: usize = 32;

/// The most requests that an output has: they are the bits of a set.
pub const MOST_REQUESTS: usize = 128;

/// A request of an output, k = v·P + i: the queue of input i's channel v in front of it (1.1).
pub type Request = usize;

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
    /// A channel of an output watches the requests of all channels: with `STEPS` = 1, but not in adaptive blocks.
    pub watches_all: bool,
    /// `TURNS`: row i, bit o.
    pub turns: Vec<u32>,
    /// `STEP`: row i, bit o.
    pub step: Vec<u32>,
    /// By request, its pair (i, v); of all four channels, as a [`PerChannel`] has them.
    pairs: Vec<(usize, usize)>,
    /// By output and request, the next one that the output may watch: of all or of its own channel. An output without queues watches nothing: the request stays.
    next_watched: Vec<Vec<Request>>,
}

impl Shape {
    pub fn new(module: &BlockModule, tables: Option<&BlockTables>) -> Self {
        let parameters = &module.parameters;
        let output_credits = |o| match o < module.network_ports {
            true => parameters.rx_buffer_flits as usize,
            false => parameters.host_buffer_flits() as usize,
        };
        let ports = module.core_ports() as usize;
        let requests = ports * parameters.virtual_channels as usize;
        let watches_all = module.has_step() && !parameters.adaptive;
        let next = |k: Request| match watches_all {
            true => (k + 1) % requests,
            false => k / ports * ports + (k + 1) % ports,
        };
        let mut shape = Self {
            ports,
            channels: parameters.virtual_channels as usize,
            banks: parameters.banks as usize,
            credits: (0..module.core_ports()).map(output_credits).collect(),
            header_needs: match parameters.switching {
                Switching::Wormhole => 1,
                Switching::Vct => parameters.max_packet_flits as usize,
            },
            watches_all,
            step: step(module, tables),
            turns: module.turns.rows().to_vec(),
            pairs: (0..4 * ports).map(|k| (k % ports, k / ports)).collect(),
            next_watched: Vec::new(),
        };
        let watched = |o: usize, k: Request| {
            let mut found = next(k);
            while found != k && !shape.has_queue(o, found) {
                found = next(found);
            }
            found
        };
        let of_output = |o: usize| (0..requests).map(|k| watched(o, k)).collect();
        shape.next_watched = (0..ports).map(of_output).collect();
        shape
    }

    /// P·V
    pub fn requests(&self) -> usize {
        self.ports * self.channels
    }

    /// Whether output o has a queue for request k.
    pub fn has_queue(&self, o: usize, k: Request) -> bool {
        self.has_turn(self.input(k), o)
    }

    /// Whether packets may go from input i to output o.
    pub fn has_turn(&self, i: usize, o: usize) -> bool {
        self.turns[i] >> o & 1 == 1
    }

    /// The request that each channel of output o watches first.
    pub fn first_watched(&self, o: usize) -> PerChannel<Request> {
        std::array::from_fn(|w| {
            let first = if self.watches_all { 0 } else { w * self.ports };
            match first < self.requests() && !self.has_queue(o, first) {
                true => self.next_watched(o, first),
                false => first,
            }
        })
    }

    /// The next request of the watched set of output o that k is in (1.6 rule 5), cyclically.
    pub fn next_watched(&self, o: usize, k: Request) -> Request {
        self.next_watched[o][k]
    }

    /// v·P + i
    pub fn request(&self, i: usize, v: usize) -> Request {
        v * self.ports + i
    }

    /// i of a request.
    pub fn input(&self, k: Request) -> usize {
        self.pairs[k].0
    }

    /// v of a request.
    pub fn channel(&self, k: Request) -> usize {
        self.pairs[k].1
    }

    /// The bank of output o.
    pub fn bank(&self, o: usize) -> usize {
        o % self.banks
    }

    /// ⌈P/B⌉: outputs of a bank.
    pub fn bank_outputs(&self) -> usize {
        self.ports.div_ceil(self.banks)
    }
}

/// `STEP`: row i, bit o, where there is a turn.
fn step(module: &BlockModule, tables: Option<&BlockTables>) -> Vec<u32> {
    let mut rows = vec![0; module.core_ports() as usize];
    let given = tables.iter().flat_map(|tables| &tables.step);
    for ((row, outputs), turns) in rows.iter_mut().zip(given).zip(module.turns.rows()) {
        for (o, &up) in outputs.iter().enumerate() {
            *row |= u32::from(up) << o & turns;
        }
    }
    rows
}
