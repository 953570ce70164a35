//! One block whose flits have all their data: core and PCIe-side ports, joined (sections 2, 3 and 6). Whoever judges
//! RTL puts pins and control port around it.

use std::sync::Arc;

use super::core::{Core, Shape};
use super::fabric::ports_below;
use super::flit::{FlitTag, TransmittedFlit, WordFlit};
use super::host_port::{HostPort, HostPortShape};
use super::layer_choice::Layers;
use super::switch_core::{KeySet, Pipeline, bits};
use mkns_design::{
    BlockModule, ComputedRoutes, Counter, Data, DataPath, DroppedHeader, Flit, LayerChoice,
    PathEvents, PathInputs, PathOutputs, PathRegister, StreamBeat,
};
use mkns_routing::BlockTables;

/// What the data paths of all blocks of a module share.
#[derive(Debug)]
pub struct PathShape<'a> {
    module: &'a BlockModule,
    core: Shape<'a>,
    host: Arc<HostPortShape>,
}

/// A data path of flits of `WORDS` · 64 bits.
struct Block<const WORDS: usize, K: KeySet> {
    network_ports: u32,
    /// V
    channels: usize,
    /// The keys of all network ports.
    network_keys: K,
    core: Core<WordFlit<WORDS>, K>,
    /// The stages to the core's tx pins.
    pipeline: Pipeline<WordFlit<WORDS>>,
    hosts: Vec<HostPort>,
}

impl<'a> PathShape<'a> {
    pub fn new(module: &'a BlockModule) -> Self {
        PathShape {
            module,
            core: Shape::new(module),
            host: Arc::new(HostPortShape::new(module)),
        }
    }

    /// The data path of a block that powers up with these tables (none: all entries 0), masks and entry channels. With
    /// `routes`, tables are ignored, whatever is written into them.
    pub fn path(
        &self,
        tables: Option<&BlockTables>,
        layers: Option<&LayerChoice>,
        routes: Option<ComputedRoutes>,
    ) -> Box<dyn DataPath> {
        match self.core.fits::<u64>() {
            true => self.path_of::<u64>(tables, layers, routes),
            false => self.path_of::<u128>(tables, layers, routes),
        }
    }

    fn path_of<K: KeySet>(
        &self,
        tables: Option<&BlockTables>,
        layers: Option<&LayerChoice>,
        routes: Option<ComputedRoutes>,
    ) -> Box<dyn DataPath> {
        match self.module.parameters.flit_bits / 64 {
            1 => Box::new(self.block::<1, K>(tables, layers, routes)),
            2 => Box::new(self.block::<2, K>(tables, layers, routes)),
            4 => Box::new(self.block::<4, K>(tables, layers, routes)),
            8 => Box::new(self.block::<8, K>(tables, layers, routes)),
            words => unreachable!("a valid spec has no flits of {words} words"),
        }
    }

    fn block<const WORDS: usize, K: KeySet>(
        &self,
        tables: Option<&BlockTables>,
        layers: Option<&LayerChoice>,
        routes: Option<ComputedRoutes>,
    ) -> Block<WORDS, K> {
        let module = self.module;
        let mut core: Core<WordFlit<WORDS>, K> = self.core.core(tables);
        if let (Some(core), Some(routes)) = (core.switch_mut(), routes) {
            core.compute_routes(routes);
        }
        let layers = Layers::new(module, layers);
        let host = |port| {
            let mut host = HostPort::new(module, Arc::clone(&self.host), port);
            if let Some(layers) = &layers {
                host.choose_layers(Arc::clone(layers));
            }
            host
        };
        let channels = module.parameters.virtual_channels as usize;
        Block {
            network_ports: module.network_ports,
            channels,
            network_keys: K::of_channels(ports_below(module.network_ports), channels),
            core,
            pipeline: Pipeline::new(module.core_ports() as usize, self.core.output_latency()),
            hosts: (0..module.pcie_ports).map(host).collect(),
        }
    }
}

impl<const WORDS: usize, K: KeySet> Block<WORDS, K> {
    /// `link_up` of all core ports: the PCIe side counts as links that are always up.
    fn core_links(&self, link_up: u32) -> u32 {
        let network = ports_below(self.network_ports);
        let all = ports_below(self.network_ports + self.hosts.len() as u32);
        link_up & network | all & !network
    }

    /// The core's ports of hosts, in order.
    fn host_ports(&self) -> std::ops::RangeFrom<usize> {
        self.network_ports as usize..
    }

    /// Whether this cycle changes nothing but the watch: no input calls for anything, nothing is under way.
    fn stays_at_rest(&self, inputs: &PathInputs, link_up: u32) -> bool {
        self.core.is_at_rest()
            && self.pipeline.is_empty()
            && self.core.last_link_up() == link_up
            && inputs.rx.is_empty()
            && inputs.tx_credit == 0
            && inputs.beats.is_empty()
            && self.hosts.iter().all(HostPort::is_at_rest)
    }

    /// Credits for all core ports: from the pins, and from the egress registers.
    fn tx_credit(&self, inputs: &PathInputs) -> K {
        let mut credits = K::EMPTY;
        for bit in inputs.tx_credit.keys() {
            credits.insert(K::key(bit / self.channels, bit % self.channels));
        }
        for (host, port) in self.hosts.iter().zip(self.host_ports()) {
            for channel in bits(host.egress_credit().into()) {
                credits.insert(K::key(port, channel));
            }
        }
        credits
    }

    /// Flits on the rx pins of the core.
    fn receive(&mut self, inputs: &PathInputs) {
        for (port, flit) in &inputs.rx {
            let flit = word_flit(flit.channel as u8, flit.last, flit.bad, &flit.data.words());
            self.core.receive(*port, flit, &mut self.pipeline);
        }
        for (host, port) in self.hosts.iter().zip(self.network_ports as usize..) {
            if let Some((channel, last, data)) = host.injected() {
                let flit = word_flit(channel, last, false, data);
                self.core.receive(port, flit, &mut self.pipeline);
            }
        }
    }

    fn clock_egress(&mut self, inputs: &PathInputs) {
        let arriving = self.pipeline.pins_mask();
        for (q, port) in (0..self.hosts.len()).zip(self.host_ports()) {
            let flit = self.pipeline.at_pins(port);
            let flit = (arriving >> port & 1 == 1).then_some(TransmittedFlit {
                tag: flit.tag,
                data: &flit.data,
            });
            self.hosts[q].clock_egress(inputs.ready >> q & 1 == 1, flit);
        }
    }

    /// `core_credit`: the core's rx_credit registers at the start of the cycle.
    fn clock_ingress(&mut self, inputs: &PathInputs, core_credit: K) {
        let mut beats = inputs.beats.iter().peekable();
        let ports = self.host_ports();
        for ((q, host), port) in self.hosts.iter_mut().enumerate().zip(ports) {
            let credit = host.host_credits(|channel| core_credit.has(K::key(port, channel)));
            let beat = beats.next_if(|(at, _)| *at == q).map(|(_, beat)| beat);
            host.clock_ingress(beat, credit, inputs.node_address);
        }
    }

    fn events(&self) -> PathEvents {
        let of_core = self.core.events();
        let dropped = |(port, header): (u8, u64)| DroppedHeader {
            port: port.into(),
            header,
        };
        PathEvents {
            errors: (self.hosts.iter()).fold(of_core.errors, |all, host| all | host.errors()),
            first_drop: of_core.first_drop.map(dropped),
        }
    }
}

impl<const WORDS: usize, K: KeySet> DataPath for Block<WORDS, K> {
    fn show(&self, outputs: &mut PathOutputs) {
        for port in bits(self.pipeline.pins_mask() & ports_below(self.network_ports)) {
            let flit = self.pipeline.at_pins(port);
            outputs.tx.push((port, pin_flit(flit)));
        }
        for key in self.core.rx_credit(self.network_keys).keys() {
            let bit = K::port_of(key) * self.channels + K::channel_of(key);
            outputs.rx_credit |= 1 << bit;
        }
        for (q, host) in self.hosts.iter().enumerate() {
            outputs.ready |= u32::from(host.ready()) << q;
            if let Some(beat) = host.beat_out() {
                let beat = StreamBeat {
                    data: data_of(beat.data),
                    keep: beat.keep,
                    last: beat.last,
                    user: beat.user,
                };
                outputs.beats.push((q, beat));
            }
        }
    }

    /// Every part reads the registers of its neighbours as they are at the start of the cycle, which fixes the order.
    fn clock(&mut self, inputs: &PathInputs) -> PathEvents {
        let link_up = self.core_links(inputs.link_up);
        if self.stays_at_rest(inputs, link_up) {
            self.core.rest();
            return PathEvents::default();
        }
        let core_credit = self.core.rx_credit(!K::EMPTY & !self.network_keys);
        let tx_credit = self.tx_credit(inputs);
        self.clock_egress(inputs);
        self.pipeline.advance();
        self.core
            .start_cycle(link_up, tx_credit, &mut self.pipeline);
        self.receive(inputs);
        self.core.end_cycle();
        self.clock_ingress(inputs, core_credit);
        self.events()
    }

    fn reset(&mut self, link_up: u32) {
        self.core.reset(self.core_links(link_up));
        self.pipeline.reset();
        self.hosts.iter_mut().for_each(HostPort::reset);
    }

    fn counter(&self, counter: Counter) -> u32 {
        match counter {
            Counter::Core { port, c } => self.core.counter(port, c),
            Counter::Pcie { port, c } => self.hosts[port].counter(c),
        }
    }

    fn register(&self, register: PathRegister) -> Option<u32> {
        let layers = || self.hosts.first()?.layers();
        match (register, &self.core) {
            (PathRegister::Step { row }, Core::Switch(core)) => Some(core.step_row(row)),
            (PathRegister::Mask { a }, _) => layers()?.mask(a),
            (PathRegister::Entry { l }, _) => layers()?.entry(l),
            _ => None,
        }
    }

    fn write(&mut self, register: PathRegister, value: u32) {
        let layers = self.hosts.iter_mut().filter_map(HostPort::layers_mut);
        match register {
            PathRegister::Mask { a } => layers.for_each(|layers| _ = layers.write_mask(a, value)),
            PathRegister::Entry { l } => layers.for_each(|layers| _ = layers.write_entry(l, value)),
            _ => _ = self.core.write(register, value),
        }
    }

    fn describe(&self) -> String {
        let mut text = self.core.describe();
        self.pipeline.describe(&mut text);
        for host in &self.hosts {
            host.describe(&mut text);
        }
        text
    }
}

/// `data` may be wider than the flit.
fn word_flit<const WORDS: usize>(
    channel: u8,
    last: bool,
    bad: bool,
    data: &[u64],
) -> WordFlit<WORDS> {
    let tag = FlitTag { channel, last, bad };
    let mut flit = WordFlit {
        tag,
        data: [0; WORDS],
    };
    flit.data.copy_from_slice(&data[..WORDS]);
    flit
}

fn pin_flit<const WORDS: usize>(flit: &WordFlit<WORDS>) -> Flit {
    Flit {
        channel: flit.tag.channel.into(),
        last: flit.tag.last,
        bad: flit.tag.bad,
        data: data_of(&flit.data),
    }
}

/// Words above those given are 0.
fn data_of(words: &[u64]) -> Data {
    Data::of(words)
}
