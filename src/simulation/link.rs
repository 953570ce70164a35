//! Links: L register stages between the tx pins of one block and the rx pins of another, and the
//! same for credits (section 5 of `docs/microarchitecture.md`).
//!
//! Moves flits and credits between packed words; only ports with activity cost anything. Knows
//! nothing of what happens in a block.

use mkns_design::Pins;
use mkns_design::{BlockModule, Plan};
use mkns_topology::{BlockId, End, PortIndex};

/// Where the link pins of a module lie in its words, and how they are packed.
#[derive(Debug, Clone)]
struct LinkPins {
    at: Pins,
    /// V
    channels: usize,
    /// VB
    channel_bits: usize,
    /// 64-bit words of a flit.
    flit_words: usize,
    /// Words of a credit vector.
    credit_words: usize,
}

/// A block's words in the arrays of the whole network.
#[derive(Debug, Clone, Copy)]
struct Place {
    module: usize,
    first_input: usize,
    first_output: usize,
    first_port: usize,
}

/// What a port of a block will find on its pins.
#[derive(Debug, Clone, Copy)]
enum Arrival {
    Flit {
        channel: u8,
        last: bool,
        bad: bool,
    },
    /// One bit a channel.
    Credits(u8),
}

#[derive(Debug, Clone, Copy)]
struct Event {
    to: End,
    arrival: Arrival,
}

/// All events that reach their pins in one cycle; the flits' data in order of the events.
#[derive(Debug, Clone, Default)]
struct Flight {
    events: Vec<Event>,
    data: Vec<u64>,
}

/// The other ends of a port; they differ on one-way cables.
#[derive(Debug, Clone, Copy)]
struct Peers {
    flits: Option<End>,
    credits: Option<End>,
}

/// All cables of a network.
#[derive(Debug, Clone)]
pub struct Wiring {
    pins: Vec<LinkPins>,
    places: Vec<Place>,
    input_words: usize,
    output_words: usize,
    /// Where the flits of every network port go and where its credits go, the end that it receives
    /// from, by `first_port` + port.
    peers: Vec<Peers>,
    /// What is on the wires, by the cycles it still needs; its length is L.
    flights: Vec<Flight>,
    next: usize,
    /// What stands on the pins now.
    arrived: Flight,
}

impl Wiring {
    /// The cables of a plan; the words of its blocks stand one block after the other.
    pub fn new(plan: &Plan) -> Wiring {
        let pins: Vec<LinkPins> = plan.modules.iter().map(LinkPins::new).collect();
        let index = plan.network.index();
        let (mut input_words, mut output_words) = (0, 0);
        let mut places = Vec::with_capacity(plan.instances.len());
        let mut peers = Vec::new();
        for instance in &plan.instances {
            let pins = &pins[instance.module];
            places.push(Place {
                module: instance.module,
                first_input: input_words,
                first_output: output_words,
                first_port: peers.len(),
            });
            input_words += pins.at.input_words;
            output_words += pins.at.output_words;
            let ports = plan.modules[instance.module].network_ports as u8;
            peers.extend((0..ports).map(|port| {
                let end = End {
                    block: instance.block,
                    port: PortIndex(port),
                };
                Peers {
                    flits: index.peer(end),
                    credits: index.receives_from(end).map(|link| link.peer),
                }
            }));
        }
        Wiring {
            pins,
            places,
            input_words,
            output_words,
            peers,
            flights: vec![Flight::default(); plan.spec.block.link_latency as usize],
            next: 0,
            arrived: Flight::default(),
        }
    }

    /// Input words of all blocks together.
    pub fn input_words(&self) -> usize {
        self.input_words
    }

    /// Output words of all blocks together.
    pub fn output_words(&self) -> usize {
        self.output_words
    }

    /// A block's part of the input words.
    pub fn inputs_of(&self, block: BlockId) -> std::ops::Range<usize> {
        let place = self.places[block.0 as usize];
        place.first_input..place.first_input + self.pins[place.module].at.input_words
    }

    /// A block's part of the output words.
    pub fn outputs_of(&self, block: BlockId) -> std::ops::Range<usize> {
        let place = self.places[block.0 as usize];
        place.first_output..place.first_output + self.pins[place.module].at.output_words
    }

    /// Sets `link_up` of a port.
    pub fn set_link_up(&self, end: End, up: bool, inputs: &mut [u64]) {
        let place = self.places[end.block.0 as usize];
        let word = &mut inputs[place.first_input + self.pins[place.module].at.link_up];
        *word = *word & !(1 << end.port.0) | u64::from(up) << end.port.0;
    }

    /// The clock edge: takes the outputs of this cycle and puts onto the link inputs what the
    /// next cycle finds there.
    pub fn transfer(&mut self, inputs: &mut [u64], outputs: &[u64]) {
        let mut flight = std::mem::take(&mut self.flights[self.next]);
        flight.events.clear();
        flight.data.clear();
        for block in 0..self.places.len() {
            self.collect(block, outputs, &mut flight);
        }
        self.flights[self.next] = flight;
        self.next = (self.next + 1) % self.flights.len();
        self.clear_arrived(inputs);
        std::mem::swap(&mut self.arrived, &mut self.flights[self.next]);
        self.apply_arrived(inputs);
    }

    /// All registers 0: nothing is on the wires, nothing stands on the link inputs.
    pub fn reset(&mut self, inputs: &mut [u64]) {
        self.clear_arrived(inputs);
        self.arrived = Flight::default();
        self.flights.fill(Flight::default());
    }

    #[inline]
    fn collect(&self, block: usize, outputs: &[u64], flight: &mut Flight) {
        let place = self.places[block];
        let pins = &self.pins[place.module];
        let words = &outputs[place.first_output..];
        let peer = |port: usize| self.peers[place.first_port + port];
        let mut valid = words[pins.at.tx.valid];
        while valid != 0 {
            let port = valid.trailing_zeros() as usize;
            valid &= valid - 1;
            let Some(to) = peer(port).flits else {
                continue;
            };
            let channel = words[pins.at.tx.channel] >> (port * pins.channel_bits);
            let arrival = Arrival::Flit {
                channel: channel as u8 & ((1 << pins.channel_bits) - 1),
                last: words[pins.at.tx.last] >> port & 1 == 1,
                bad: words[pins.at.tx.bad] >> port & 1 == 1,
            };
            flight.events.push(Event { to, arrival });
            let first = pins.at.tx.data + port * pins.flit_words;
            flight
                .data
                .extend_from_slice(&words[first..][..pins.flit_words]);
        }
        for word in 0..pins.credit_words {
            let mut credits = words[pins.at.rx_credit + word];
            while credits != 0 {
                let place_in_word = credits.trailing_zeros() as usize / pins.channels;
                let shift = place_in_word * pins.channels;
                let own = ((1u64 << pins.channels) - 1) << shift;
                let arrival = Arrival::Credits(((credits & own) >> shift) as u8);
                credits &= !own;
                let port = word * 64 / pins.channels + place_in_word;
                if let Some(to) = peer(port).credits {
                    flight.events.push(Event { to, arrival });
                }
            }
        }
    }

    fn clear_arrived(&mut self, inputs: &mut [u64]) {
        for event in &self.arrived.events {
            let place = self.places[event.to.block.0 as usize];
            let pins = &self.pins[place.module];
            let words = &mut inputs[place.first_input..];
            match event.arrival {
                Arrival::Credits(_) => words[pins.at.tx_credit..][..pins.credit_words].fill(0),
                Arrival::Flit { .. } => {
                    words[pins.at.rx.valid] = 0;
                    words[pins.at.rx.channel] = 0;
                    words[pins.at.rx.last] = 0;
                    words[pins.at.rx.bad] = 0;
                    pins.flit_at(event.to.port, words).fill(0);
                }
            }
        }
    }

    fn apply_arrived(&mut self, inputs: &mut [u64]) {
        let mut data = &self.arrived.data[..];
        for event in &self.arrived.events {
            let place = self.places[event.to.block.0 as usize];
            let pins = &self.pins[place.module];
            let words = &mut inputs[place.first_input..];
            let port = usize::from(event.to.port.0);
            match event.arrival {
                Arrival::Credits(channels) => {
                    // V divides 64: the credits of a port lie in one word.
                    let bit = port * pins.channels;
                    words[pins.at.tx_credit + bit / 64] |= u64::from(channels) << (bit % 64);
                }
                Arrival::Flit { channel, last, bad } => {
                    words[pins.at.rx.valid] |= 1 << port;
                    words[pins.at.rx.channel] |= u64::from(channel) << (port * pins.channel_bits);
                    words[pins.at.rx.last] |= u64::from(last) << port;
                    words[pins.at.rx.bad] |= u64::from(bad) << port;
                    let (flit, rest) = data.split_at(pins.flit_words);
                    pins.flit_at(event.to.port, words).copy_from_slice(flit);
                    data = rest;
                }
            }
        }
    }
}

impl LinkPins {
    fn new(module: &BlockModule) -> LinkPins {
        LinkPins {
            at: Pins::new(module),
            channels: module.parameters.virtual_channels as usize,
            channel_bits: module.virtual_channel_bits() as usize,
            flit_words: module.parameters.flit_bits as usize / 64,
            credit_words: (module.network_ports * module.parameters.virtual_channels).div_ceil(64)
                as usize,
        }
    }

    fn flit_at<'a>(&self, port: PortIndex, words: &'a mut [u64]) -> &'a mut [u64] {
        let first = self.at.rx.data + usize::from(port.0) * self.flit_words;
        &mut words[first..][..self.flit_words]
    }
}
