//! The module `<name>_switch_assembly` against six golden switch blocks, under the link traffic of a block
//! run on its external ports.
//!
//! To the stimulus the assembly is one switch with as many ports as it has external ones, whose
//! tables stay as they are; its control accesses go to all six members at once. Parameters are those
//! of the generated network.

mod pins;

use mkns_routing::Turns;
use mkns_sim::ModelLibrary;
use mkns_traffic::Pattern;

use mkns_design::{BlockModule, Pins, Plan, RouteSource};
use mkns_rtl as rtl;
use mkns_topology::{BlockId, BlockRole, CableKind, End};

use super::block::{BlockSummary, UNKNOWN};
use super::lockstep::Group;
use super::mismatch::{Failure, FailureKind};
use super::models::Models;
use super::network::GroupSlot;
use super::network::single_model::{SingleModel, copy};
use super::open_packets::{OnWire, OpenPackets};
use super::session::{Request, RunListener, SessionError, each_pattern, replay, run_recorded};
use super::stimulus::BlockStimulus;
use mkns_random::mix;

/// Blocks of an assembly: four leaves, two spines.
const MEMBERS: u32 = 6;
/// Leaves, which have the external ports.
const LEAVES: usize = 4;

/// One assembly of each shape that the plan has, once per pattern asked for. `models`
/// holds the files of [`rtl::render_network`]. Empty when the plan has no assembly.
pub(crate) fn run_assemblies(
    plan: &Plan,
    models: &Models,
    request: &Request,
    listener: &dyn RunListener,
) -> Result<Vec<BlockSummary>, SessionError> {
    let mut summaries = Vec::new();
    let mut seen = Vec::new();
    for block in plan.network.block_ids() {
        let module = plan.instances[block.0 as usize].module;
        let leaf = matches!(
            plan.network.block(block).role,
            BlockRole::AssemblyLeaf { leaf: 0, .. }
        );
        if !leaf || seen.contains(&module) {
            continue;
        }
        seen.push(module);
        let bench = Bench::new(plan, block);
        let unrecorded = bench.library(models, false, listener)?;
        let make = |trace| match trace {
            true => bench.single(&bench.library(models, true, listener)?, request.seed),
            false => bench.single(&unrecorded, request.seed),
        };
        let one_run = |traffic, watch: &mut dyn FnMut(u64)| {
            let replay = replay(request, traffic, " --block assembly");
            let run = |single: &mut SingleModel, watch: &mut dyn FnMut(u64)| {
                bench.run(traffic, request, single, watch)
            };
            run_recorded(request, replay, make, run, watch)
        };
        summaries.extend(each_pattern(&bench.name, request, listener, one_run)?);
    }
    Ok(summaries)
}

/// One assembly on its own.
struct Bench {
    name: String,
    /// The six members and the cables between them.
    plan: Plan,
    parameters: Vec<(String, String)>,
    /// The assembly as the stimulus sees it.
    outside: BlockModule,
}

impl Bench {
    fn new(plan: &Plan, first: BlockId) -> Self {
        let part = members(plan, first);
        let mut outside = part.modules[part.instances[0].module].clone();
        // External port e is port e mod half of a leaf.
        let (half, built) = (outside.network_ports / 2, outside.built_ports());
        outside.network_ports = half * LEAVES as u32;
        outside.turns = Turns::none(outside.network_ports);
        let is_built = |port: &u32| built >> (port % half) & 1 == 1;
        for from in (0..outside.network_ports).filter(is_built) {
            for to in (0..outside.network_ports).filter(is_built) {
                if from != to {
                    outside.turns.insert(from as usize, to as usize);
                }
            }
        }
        let name = &plan.network.block(first).name;
        Self {
            name: name.trim_end_matches("_leaf0").to_owned(),
            parameters: rtl::assembly_parameters(plan, first),
            plan: part,
            outside,
        }
    }

    fn member_module(&self) -> &BlockModule {
        &self.plan.modules[self.plan.instances[0].module]
    }

    fn library(
        &self,
        models: &Models,
        trace: bool,
        listener: &dyn RunListener,
    ) -> mkns_sim::Result<ModelLibrary> {
        let (inputs, outputs) = self.vectors();
        let ports = (inputs.ports, outputs.ports);
        let progress = |progress| listener.building(progress);
        let parameters = self.parameters.clone();
        let module = rtl::assembly_name(&self.plan);
        models.library_of_top(&module, parameters, ports, trace, &progress)
    }

    fn single(&self, library: &ModelLibrary, seed: u64) -> mkns_sim::Result<SingleModel> {
        let rtl = library.instance(mix(seed))?;
        let vectors = self.vectors();
        Ok(SingleModel::new(
            &self.plan,
            rtl,
            vectors,
            RouteSource::Tables,
        ))
    }

    fn run(
        &self,
        traffic: Pattern,
        request: &Request,
        single: &mut SingleModel,
        watch: &mut dyn FnMut(u64),
    ) -> Result<BlockSummary, Box<Failure>> {
        let places: Vec<GroupSlot> = (0..MEMBERS as usize)
            .map(|instance| GroupSlot { group: 0, instance })
            .collect();
        let mut groups = [Group::given(self.member_module(), places.len())];
        let mut wires = vec![OpenPackets::new(&groups[0].pins); places.len()];
        let (joints_in, joints_out) = self.joints();
        let pins = Pins::new(&self.outside);
        let (mut inputs, mut outputs) = (vec![0; pins.input_words], vec![0; pins.output_words]);
        let mut stimulus = BlockStimulus::new(&self.outside, traffic, request.seed);
        // Random tables would send packets in circles.
        stimulus.know_destinations(pins.ports);
        let mut cycle = 0;
        while !stimulus.finished() {
            stimulus.drive(cycle, &mut inputs);
            for joint in &joints_in {
                let member = groups[0].inputs_of(joint.member);
                copy(&inputs, joint.outside, member, joint.own, joint.bits);
            }
            single.step(&mut groups, &places);
            self.compare(cycle, single, &mut groups[0], &mut wires)?;
            for joint in &joints_out {
                let member = groups[0].outputs_of(joint.member);
                copy(member, joint.own, &mut outputs, joint.outside, joint.bits);
            }
            stimulus.observe(cycle, &outputs).map_err(|note| {
                Failure::sentence(FailureKind::Contract, &self.name, cycle, note)
            })?;
            cycle += 1;
            if cycle == request.cycles {
                stimulus.finish();
            }
            if cycle.is_multiple_of(4096) {
                watch(cycle.min(request.cycles));
            }
        }
        Ok(BlockSummary {
            block: format!("assembly {}", self.name),
            traffic,
            seed: request.seed,
            cycles: cycle,
            packets: stimulus.packets,
            scored: None,
        })
    }

    fn compare(
        &self,
        cycle: u64,
        single: &SingleModel,
        group: &mut Group,
        wires: &mut [OpenPackets],
    ) -> Result<(), Box<Failure>> {
        if let Some(message) = single.stopped() {
            let kind = FailureKind::Assertion;
            return Err(Failure::sentence(kind, &self.name, cycle, message));
        }
        group.step(cycle, cycle >= UNKNOWN);
        if let Some(difference) = group.difference {
            let member = difference.instance;
            let id = BlockId(member as u32);
            let name = &self.plan.network.block(id).name;
            let mut failure =
                wires[member].divergence(group, difference, cycle, name, OnWire::note);
            failure.state = single.describe(id);
            return Err(failure);
        }
        if cycle < UNKNOWN {
            return Ok(());
        }
        for (member, wires) in wires.iter_mut().enumerate() {
            // Switch blocks have no hosts, whose inputs alone would matter.
            wires.observe(&group.pins, &[], group.outputs_of(member));
        }
        Ok(())
    }
}

/// A plan of the six blocks from leaf 0 on and the cables between them.
fn members(plan: &Plan, first: BlockId) -> Plan {
    let range = first.0 as usize..(first.0 + MEMBERS) as usize;
    let inside = |end: End| range.contains(&(end.block.0 as usize));
    let moved = |end: End| End {
        block: BlockId(end.block.0 - first.0),
        ..end
    };
    let mut part = plan.clone();
    part.network.hosts.clear();
    part.network.blocks = plan.network.blocks[range.clone()].to_vec();
    part.network.cables.retain(|cable| {
        cable.kind == CableKind::AssemblyInternal && inside(cable.a) && inside(cable.b)
    });
    for cable in &mut part.network.cables {
        (cable.a, cable.b) = (moved(cable.a), moved(cable.b));
    }
    part.instances = plan.instances[range].to_vec();
    for instance in &mut part.instances {
        instance.block.0 -= first.0;
    }
    part
}
