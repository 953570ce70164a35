//! One verilated model that holds many blocks, beside the golden network of the same blocks.
//!
//! Copies bits between the words of the single blocks and the vectors of the model: inputs go to
//! both sides, outputs come back as given sides of the groups. What the model does not show (links
//! inside it) is the golden network's on both sides. Where cables are serial, boards take the place of the golden network:
//! words between them are moved by who moves them between boards that are models of their own. Knows where bits lie and
//! nothing of traffic.

use mkns_sim::{Model, PortDecl};

use crate::lockstep::Group;
use mkns_design::{Device, Plan, Port, RouteSource, get_bits, set_bits, word_offset};
use mkns_golden::Network;
use mkns_topology::{BlockId, Cable};

use super::GroupSlot;
use super::group_slot::places;
use super::worker_pool::Partition;
use crate::golden_devices::planned_device;
use crate::trace::Recording;

/// Word of `rst` among the model's inputs: it is always added first.
const RESET_WORD: usize = 0;

/// Bits of a block's words and their place in the words of the model; both counted from bit 0 of
/// the first word.
#[derive(Debug, Clone, Copy)]
struct Field {
    block: BlockId,
    own: usize,
    model: usize,
    bits: usize,
}

/// The ports of one direction of a model, and the fields in them.
#[derive(Debug, Clone, Default)]
pub struct Vectors {
    pub ports: Vec<PortDecl>,
    fields: Vec<Field>,
    words: usize,
    /// First bit and number of the bits that say which cables are up.
    cables_up: Option<(usize, usize)>,
}

impl Vectors {
    /// Adds a port and returns its first bit.
    pub fn port(&mut self, name: &str, bits: usize) -> usize {
        let first = self.words * 64;
        let port = PortDecl::new(name, bits as u32);
        self.words += port.words();
        self.ports.push(port);
        first
    }

    /// Adds the input that has one bit a cable; they are 1 until [`SingleModel::set_cable_up`].
    pub fn cables(&mut self, name: &str, count: usize) {
        self.cables_up = Some((self.port(name, count), count));
    }

    /// Joins `bits` of a block's words, from bit `own` on, to the model's from `model` on.
    pub fn field(&mut self, block: BlockId, own: usize, model: usize, bits: usize) {
        self.fields.push(Field {
            block,
            own,
            model,
            bits,
        });
    }

    /// Adds the control ports of all blocks: vectors by block number.
    pub fn control(&mut self, plan: &Plan, table: &dyn Fn(usize) -> Vec<Port>) {
        let own: Vec<Vec<Port>> = (0..plan.modules.len()).map(table).collect();
        let signals = own[0].iter().filter(|port| port.name.starts_with("s_axil"));
        for signal in signals {
            let bits = signal.bits as usize;
            let first = self.port(signal.name, bits * plan.instances.len());
            for (number, instance) in plan.instances.iter().enumerate() {
                let at = 64 * word_offset(&own[instance.module], signal.name);
                self.field(instance.block, at, first + number * bits, bits);
            }
        }
    }
}

/// Inputs and outputs of the generated top (`docs/microarchitecture.md`, section 5): streams by host,
/// control signals by block, cables by number.
pub fn network_vectors(plan: &Plan) -> (Vectors, Vectors) {
    let (mut inputs, mut outputs) = (Vectors::default(), Vectors::default());
    reset(&mut inputs, plan);
    inputs.cables("cable_up", plan.network.cables.len());
    streams(&mut inputs, plan, &|module| {
        plan.modules[module].port_table().inputs
    });
    streams(&mut outputs, plan, &|module| {
        plan.modules[module].port_table().outputs
    });
    control(&mut inputs, &mut outputs, plan);
    (inputs, outputs)
}

/// Adds `rst`, which all blocks share.
pub fn reset(inputs: &mut Vectors, plan: &Plan) {
    let first = inputs.port("rst", 1);
    for instance in &plan.instances {
        let table = plan.modules[instance.module].port_table().inputs;
        inputs.field(instance.block, 64 * word_offset(&table, "rst"), first, 1);
    }
}

/// Adds the control ports of both directions.
pub fn control(inputs: &mut Vectors, outputs: &mut Vectors, plan: &Plan) {
    inputs.control(plan, &|module| plan.modules[module].port_table().inputs);
    outputs.control(plan, &|module| plan.modules[module].port_table().outputs);
}

fn streams(vectors: &mut Vectors, plan: &Plan, table: &dyn Fn(usize) -> Vec<Port>) {
    let hosts = &plan.network.hosts;
    let module = |block: BlockId| plan.instances[block.0 as usize].module;
    let adapter = module(hosts[0].block);
    let ports = plan.modules[adapter].pcie_ports as usize;
    for port in table(adapter) {
        if !port.name.contains("_pcie_") {
            continue;
        }
        let bits = port.bits as usize / ports;
        let first = vectors.port(port.name, bits * hosts.len());
        for host in hosts {
            let words = word_offset(&table(module(host.block)), port.name);
            let own = 64 * words + usize::from(host.pcie_port) * bits;
            vectors.field(host.block, own, first + host.host as usize * bits, bits);
        }
    }
}

/// What the model is compared with.
enum Golden {
    /// Blocks and the cables between them.
    Network(Box<Network>),
    /// The blocks of each group; the links between them are on the pins of the groups.
    Groups(Vec<Box<dyn Device>>),
}

/// The model and the golden network.
pub struct SingleModel {
    rtl: Model,
    golden: Golden,
    /// Places of the blocks, for what [`Golden::Groups`] say.
    places: Vec<GroupSlot>,
    inputs: Vectors,
    outputs: Vectors,
    input_words: Vec<u64>,
    output_words: Vec<u64>,
    cycle: u64,
    /// First cycle of a waveform.
    record_from: Option<u64>,
}

impl SingleModel {
    /// An instance whose ports are the vectors, and golden blocks with the plan's node addresses.
    pub fn new(plan: &Plan, rtl: Model, vectors: (Vectors, Vectors), routes: RouteSource) -> Self {
        let golden = Golden::Network(Box::new(Network::new(plan, routes)));
        Self::beside(rtl, vectors, golden, Vec::new())
    }

    /// An instance beside golden devices of the blocks of `partitions`, each with all that its blocks power up with.
    pub fn with_boards(
        plan: &Plan,
        rtl: Model,
        vectors: (Vectors, Vectors),
        partitions: &[Partition],
        routes: RouteSource,
    ) -> Self {
        let devices = partitions
            .iter()
            .map(|partition| planned_device(plan, partition.module, &partition.blocks, routes));
        let golden = Golden::Groups(devices.collect());
        Self::beside(rtl, vectors, golden, places(plan, partitions))
    }

    fn beside(
        rtl: Model,
        vectors: (Vectors, Vectors),
        golden: Golden,
        places: Vec<GroupSlot>,
    ) -> Self {
        let (inputs, outputs) = vectors;
        let mut input_words = vec![0; inputs.words];
        if let Some((first, bits)) = inputs.cables_up {
            (first..first + bits).for_each(|bit| set_bits(&mut input_words, bit, 1, 1));
        }
        Self {
            rtl,
            golden,
            places,
            input_words,
            output_words: vec![0; outputs.words],
            inputs,
            outputs,
            cycle: 0,
            record_from: None,
        }
    }

    /// One cycle of both sides, from the inputs of the groups to their outputs.
    pub fn step(&mut self, groups: &mut [Group], places: &[GroupSlot]) {
        for field in &self.inputs.fields {
            let place = places[field.block.0 as usize];
            let from = groups[place.group].inputs_of(place.instance);
            if let Golden::Network(network) = &mut self.golden {
                let golden = network.inputs_mut(field.block);
                copy(from, field.own, golden, field.own, field.bits);
            }
            let model = &mut self.input_words;
            copy(from, field.own, model, field.model, field.bits);
        }
        if self.record_from == Some(self.cycle) {
            self.rtl.trace_on();
        }
        self.cycle += 1;
        self.rtl.step(&self.input_words, &mut self.output_words);
        self.step_golden(groups, places);
        for field in &self.outputs.fields {
            let place = places[field.block.0 as usize];
            let (actual, _) = groups[place.group].sides_of(place.instance);
            copy(
                &self.output_words,
                field.model,
                actual,
                field.own,
                field.bits,
            );
        }
    }

    /// One cycle of the golden side, whose outputs become those of both sides.
    fn step_golden(&mut self, groups: &mut [Group], places: &[GroupSlot]) {
        let network = match &mut self.golden {
            Golden::Network(network) => network,
            Golden::Groups(devices) => {
                for (group, device) in groups.iter_mut().zip(devices) {
                    device.step_all(&group.inputs, &mut group.expected);
                    group.actual.copy_from_slice(&group.expected);
                }
                return;
            }
        };
        network.step();
        if self.input_words[RESET_WORD] & 1 == 1 {
            network.reset_links();
        }
        for (place, block) in places.iter().zip((0..).map(BlockId)) {
            let (actual, expected) = groups[place.group].sides_of(place.instance);
            expected.copy_from_slice(network.outputs(block));
            actual.copy_from_slice(expected);
        }
    }

    /// A cable goes up or down, in RTL and golden network.
    pub fn set_cable_up(&mut self, number: usize, cable: &Cable, up: bool) {
        if let Some((first, _)) = self.inputs.cables_up {
            set_bits(&mut self.input_words, first + number, 1, u64::from(up));
            if let Golden::Network(network) = &mut self.golden {
                network.set_cable_up(cable, up);
            }
        }
    }

    /// The golden model's words on a block.
    pub fn describe(&self, block: BlockId) -> String {
        match &self.golden {
            Golden::Network(network) => network.describe(block),
            Golden::Groups(devices) => {
                let place = self.places[block.0 as usize];
                devices[place.group].describe(place.instance)
            }
        }
    }

    /// What the RTL said when an assertion stopped it.
    pub fn stopped(&self) -> Option<String> {
        self.rtl.stop().map(|stop| stop.message)
    }

    /// Records the RTL's signals around the failure in `cycle`, which ends the run.
    pub fn record(&mut self, recording: &Recording, cycle: u64) -> mkns_sim::Result<()> {
        self.rtl.open_trace(&recording.path, "1ns")?;
        self.rtl.trace_off();
        self.record_from = Some(recording.first(cycle));
        Ok(())
    }

    /// Completes the waveform.
    pub fn end_record(&mut self) {
        self.rtl.close_trace();
    }
}

/// Copies a field of any width; places are counted from bit 0 of the first word.
pub fn copy(from: &[u64], from_bit: usize, to: &mut [u64], to_bit: usize, bits: usize) {
    for done in (0..bits).step_by(64) {
        let part = (bits - done).min(64);
        let value = get_bits(from, from_bit + done, part);
        set_bits(to, to_bit + done, part, value);
    }
}
