//! Lockstep of a whole network: one instance per block, wired over packed words, every output of
//! every block compared in every cycle, and a scoreboard from host to host.

mod control_traffic;
mod disturbance;
mod hosts;
mod pin_network;
mod replay;
mod scoreboard;
mod setup;
pub(super) mod whole;
mod wiring;

use serde::Serialize;

use crate::design::{Addressing, Plan};
use crate::golden::RouteSource;
use crate::topology::{BlockId, PortIndex};

use super::block::UNKNOWN;
use super::device::Device;
use super::lockstep::{Difference, Group};
use super::mismatch::{Failure, FailureKind, LaneKind};
use super::stimulus::Traffic;
use control_traffic::ControlTraffic;
use disturbance::{CableFaults, CableLosses};
pub use disturbance::{Disturbance, Disturbed};
use hosts::{Demand, NetworkHosts};
pub use pin_network::LockstepNetwork;
pub use replay::Replay;
pub use scoreboard::Totals;
use scoreboard::{Scoreboard, Tolerance};
use setup::{Masters, Readings};
use whole::Whole;
pub(super) use wiring::Place;
use wiring::{CreditFault, Wiring};

/// Cycles of reset at the start.
const RESET: u64 = 3;
/// Cycles within which the last packet has to arrive after the last one was sent, per block on the
/// way far more than any queue holds.
const DRAIN: u64 = 200_000;
/// Cycles of silence after the last packet before the credits are counted.
const QUIET: u64 = 64;
/// Cycles without a flit on any wire after which a network whose packets may be lost counts as empty:
/// longer than any host pauses.
const SILENCE: u64 = 300;

/// The two sides of the blocks of one module.
pub struct Pair {
    pub rtl: Box<dyn Device>,
    /// Without it nothing is compared (for measuring speed).
    pub golden: Option<Box<dyn Device>>,
}

/// What a run of a network is asked to do.
#[derive(Debug, Clone)]
pub struct NetworkRun {
    pub traffic: Traffic,
    /// Flits that each host offers in a thousand cycles.
    pub load: u32,
    /// Cycles of traffic; setting up and emptying come on top.
    pub cycles: u64,
    pub seed: u64,
    pub disturbance: Disturbance,
}

/// What a run without a failure did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NetworkSummary {
    pub traffic: Traffic,
    pub load_per_mille: u32,
    pub seed: u64,
    pub blocks: usize,
    /// All cycles, with setting up and emptying.
    pub cycles: u64,
    #[serde(flatten)]
    pub totals: Totals,
    /// Flits that crossed cables.
    pub cable_flits: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disturbed: Option<Disturbed>,
}

impl NetworkRun {
    /// Where golden models take their routes from: arithmetic shows errors in tables, but knows no
    /// alternates, which control traffic writes.
    pub(super) fn routes(&self) -> RouteSource {
        match self.disturbance.control_traffic {
            true => RouteSource::Tables,
            false => RouteSource::Arithmetic,
        }
    }

    /// Runs a plan; `devices` makes the two sides for the blocks of a module.
    pub fn run(
        &self,
        plan: &Plan,
        devices: &mut dyn FnMut(usize, &[BlockId]) -> Pair,
        watch: &mut dyn FnMut(u64),
    ) -> Result<NetworkSummary, Box<Failure>> {
        self.exercise(Machine::configured(plan, devices)?, watch)
    }

    /// Runs a plan whose blocks are all in one model, with the tables that it starts with.
    pub(super) fn run_whole(
        &self,
        plan: &Plan,
        whole: &mut Whole,
        watch: &mut dyn FnMut(u64),
    ) -> Result<NetworkSummary, Box<Failure>> {
        let mut group =
            |module: usize, blocks: &[BlockId]| Group::given(&plan.modules[module], blocks.len());
        let mut machine = Machine::new(plan, &mut group, Some(whole));
        machine.reset()?;
        self.exercise(machine, watch)
    }

    /// Traffic, emptying, and a look at the counters.
    fn exercise(
        &self,
        mut machine: Machine,
        watch: &mut dyn FnMut(u64),
    ) -> Result<NetworkSummary, Box<Failure>> {
        let plan = machine.plan;
        let start = machine.cycle;
        let demand = Demand {
            traffic: self.traffic,
            load: self.load,
            seed: self.seed,
            start,
        };
        let mut hosts = NetworkHosts::new(plan, &machine.places, demand, &mut machine.groups);
        if self.disturbance.any() {
            machine.disturb(self);
        }
        let end = start + self.cycles;
        while machine.cycle < end {
            machine.traffic(&mut hosts, true)?;
            if machine.cycle.is_multiple_of(1024) {
                watch(machine.cycle - start);
            }
        }
        if self.disturbance.any() {
            machine.settle(&mut hosts)?;
            // All is well again: what is sent now arrives.
            let end = machine.cycle + self.cycles / 4;
            while machine.cycle < end {
                machine.traffic(&mut hosts, true)?;
            }
        }
        machine.empty(&mut hosts)?;
        if plan.spec.block.control_port {
            machine.read_back()?;
        }
        Ok(NetworkSummary {
            traffic: self.traffic,
            load_per_mille: self.load,
            seed: self.seed,
            blocks: plan.instances.len(),
            cycles: machine.cycle,
            totals: machine.board.totals(),
            cable_flits: machine.wiring.flits(),
            disturbed: machine.disturbed(),
        })
    }
}

/// All blocks, cables and the scoreboard.
struct Machine<'a> {
    plan: &'a Plan,
    groups: Vec<Group>,
    /// Place of each block.
    places: Vec<Place>,
    /// Block of each instance, by group.
    members: Vec<Vec<BlockId>>,
    wiring: Wiring,
    board: Scoreboard,
    masters: Masters,
    readings: Readings,
    /// All blocks in one model; none when each group has its own devices. The links between groups
    /// then carry what the golden blocks send.
    whole: Option<&'a mut Whole>,
    disturber: Option<Disturber>,
    cycle: u64,
}

/// What disturbs a machine.
struct Disturber {
    cables: Option<CableFaults>,
    control: Option<ControlTraffic>,
    losses: CableLosses,
    /// Disturbances may begin; otherwise they only end.
    active: bool,
}

impl<'a> Machine<'a> {
    fn new(
        plan: &'a Plan,
        group: &mut dyn FnMut(usize, &[BlockId]) -> Group,
        whole: Option<&'a mut Whole>,
    ) -> Self {
        let mut members = vec![Vec::new(); plan.modules.len()];
        let mut places = Vec::new();
        for instance in &plan.instances {
            let list: &mut Vec<BlockId> = &mut members[instance.module];
            places.push(Place {
                group: instance.module,
                instance: list.len(),
            });
            list.push(instance.block);
        }
        let mut groups: Vec<Group> = members
            .iter()
            .enumerate()
            .map(|(module, blocks)| group(module, blocks))
            .collect();
        let beat_bytes = plan.spec.block.pcie_bits / 8;
        Self {
            wiring: Wiring::new(plan, &places, &mut groups),
            board: Scoreboard::new(
                Addressing::new(plan),
                plan.network.terminals.len(),
                beat_bytes,
            ),
            masters: Masters::new(plan),
            readings: Readings::default(),
            whole,
            disturber: None,
            plan,
            groups,
            places,
            members,
            cycle: 0,
        }
    }

    /// A machine of single blocks after reset, its tables written; `devices` makes the two sides for
    /// the blocks of a module.
    fn configured(
        plan: &'a Plan,
        devices: &mut dyn FnMut(usize, &[BlockId]) -> Pair,
    ) -> Result<Self, Box<Failure>> {
        let mut group = |module: usize, blocks: &[BlockId]| {
            let pair = devices(module, blocks);
            Group::new(&plan.modules[module], blocks.len(), pair.rtl, pair.golden)
        };
        let mut machine = Machine::new(plan, &mut group, None);
        machine.reset()?;
        machine.configure()?;
        Ok(machine)
    }

    fn reset(&mut self) -> Result<(), Box<Failure>> {
        for cycle in 0..=RESET {
            for group in &mut self.groups {
                let rst = group.pins.rst;
                for instance in 0..group.count {
                    group.inputs_of(instance)[rst] = u64::from(cycle < RESET);
                }
            }
            if cycle < RESET {
                self.step()?;
            }
        }
        Ok(())
    }

    /// Tables, step bits and node addresses through the control ports.
    fn configure(&mut self) -> Result<(), Box<Failure>> {
        self.masters.write_configuration(self.plan);
        self.control()?;
        match self.masters.refused() {
            None => Ok(()),
            Some(block) => Err(self.failure(
                FailureKind::Contract,
                block,
                "the block refuses a write of its tables, step bits or node address".to_owned(),
            )),
        }
    }

    /// Lets the control masters finish what is queued.
    fn control(&mut self) -> Result<(), Box<Failure>> {
        let patience = self.cycle + DRAIN;
        while !self.masters.idle() {
            self.masters.drive(&self.places, &mut self.groups);
            self.step()?;
            self.masters
                .observe(&self.places, &self.groups, &mut self.readings);
            self.transfer()?;
            if self.cycle > patience {
                let note = "a control port does not answer".to_owned();
                return Err(self.failure(FailureKind::Contract, 0, note));
            }
        }
        // One more drive takes the last valid and ready off the pins.
        self.masters.drive(&self.places, &mut self.groups);
        Ok(())
    }

    /// One cycle with hosts.
    fn traffic(&mut self, hosts: &mut NetworkHosts, inject: bool) -> Result<(), Box<Failure>> {
        hosts.drive(self.cycle, inject, &mut self.groups, &mut self.board);
        self.drive_disturbance();
        self.step()?;
        self.observe_control_traffic();
        if self.whole.is_some() {
            self.note_beats();
        }
        hosts
            .observe(self.cycle, &mut self.groups, &mut self.board)
            .map_err(|(vm, note)| {
                let block = self.plan.network.terminals[vm as usize].block.0 as usize;
                self.failure(FailureKind::Scoreboard, block, note)
            })?;
        self.transfer()
    }

    /// From now on cables fail and control ports are used, as the run asks.
    fn disturb(&mut self, run: &NetworkRun) {
        let Disturbance {
            link_faults,
            control_traffic,
        } = run.disturbance;
        self.disturber = Some(Disturber {
            cables: link_faults.then(|| CableFaults::new(self.plan, run.seed)),
            control: control_traffic.then(|| ControlTraffic::new(self.plan, run.seed)),
            losses: CableLosses::new(self.plan),
            active: true,
        });
        self.board.tolerate(match (link_faults, control_traffic) {
            (false, _) => Tolerance::Exact,
            (true, false) => Tolerance::Losses,
            (true, true) => Tolerance::LossesAndDetours,
        });
    }

    /// Changes cables and begins control accesses at the start of a cycle.
    fn drive_disturbance(&mut self) {
        let Some(disturber) = &mut self.disturber else {
            return;
        };
        if let Some(faults) = &mut disturber.cables {
            for change in faults.step(self.cycle, disturber.active) {
                let cable = &self.plan.network.cables[change.cable];
                let cut = self.wiring.set_cable_up(cable, change.up, &mut self.groups);
                disturber.losses.change(cable, change.up, cut);
                if let Some(whole) = &mut self.whole {
                    whole.set_cable_up(change.cable, cable, change.up);
                }
            }
            for flit in self.wiring.arrivals() {
                disturber.losses.arrive(flit);
            }
        }
        if let Some(control) = &mut disturber.control {
            if disturber.active {
                control.step(self.plan, &mut self.masters);
            }
            self.masters.drive(&self.places, &mut self.groups);
        }
    }

    fn observe_control_traffic(&mut self) {
        if (self.disturber.as_ref()).is_some_and(|disturber| disturber.control.is_some()) {
            // What was read under traffic is compared, and not added up.
            let mut passing = Readings::default();
            self.masters
                .observe(&self.places, &self.groups, &mut passing);
        }
    }

    /// Ends the disturbances and waits until nothing moves; then what is missing is lost.
    fn settle(&mut self, hosts: &mut NetworkHosts) -> Result<(), Box<Failure>> {
        let patience = self.cycle + DRAIN;
        let mut silent = 0;
        while silent < SILENCE {
            if let Some(disturber) = &mut self.disturber {
                disturber.active = false;
            }
            self.traffic(hosts, false)?;
            let repaired =
                |disturber: &Disturber| disturber.cables.as_ref().is_none_or(CableFaults::all_up);
            let rest = hosts.all_idle()
                && self.wiring.is_quiet()
                && self.masters.idle()
                && self.disturber.as_ref().is_none_or(repaired);
            let home = self.wiring.credits_in_use() == 0;
            silent = if rest && home { silent + 1 } else { 0 };
            if self.cycle > patience {
                let missing = self.wiring.credits_in_use();
                let note = format!(
                    "the network does not come to rest after its cables are repaired; {missing} \
                     credits are not at home"
                );
                return Err(self.failure(FailureKind::Scoreboard, 0, note));
            }
        }
        self.board.write_off();
        Ok(())
    }

    /// What the disturbances did.
    fn disturbed(&self) -> Option<Disturbed> {
        let disturber = self.disturber.as_ref()?;
        let (cables, control) = (&disturber.cables, &disturber.control);
        Some(Disturbed {
            cable_failures: cables.as_ref().map_or(0, CableFaults::failures),
            packets_lost: self.board.lost(),
            packets_bad: self.board.bad(),
            control_operations: control.as_ref().map_or(0, ControlTraffic::operations),
        })
    }

    /// Keeps track of the packets that hosts receive, for the report of a difference.
    fn note_beats(&mut self) {
        for (block, place) in self.places.iter().enumerate() {
            let group = &self.groups[place.group];
            let first = place.instance * group.pins.input_words;
            let inputs = &group.inputs[first..first + group.pins.input_words];
            let outputs = group.outputs_of(place.instance);
            let wires = self.wiring.wires(block);
            wires.observe_hosts(&group.pins, inputs, outputs);
        }
    }

    /// Runs without new packets until everything has arrived and every credit is at home.
    fn empty(&mut self, hosts: &mut NetworkHosts) -> Result<(), Box<Failure>> {
        let patience = self.cycle + DRAIN;
        let mut quiet = 0;
        while quiet < QUIET {
            self.traffic(hosts, false)?;
            let rest = hosts.all_idle() && self.board.missing() == 0;
            let home = self.wiring.credits_in_use() == 0;
            quiet = if rest && home { quiet + 1 } else { 0 };
            if self.cycle > patience {
                return Err(self.lost());
            }
        }
        Ok(())
    }

    fn lost(&self) -> Box<Failure> {
        let (block, note) = match self.board.first_missing() {
            Some(packet) => (
                self.plan.network.terminals[packet.destination as usize]
                    .block
                    .0 as usize,
                format!(
                    "{} packets are lost, the first is number {} from VM {} to VM {}",
                    self.board.missing(),
                    packet.sequence,
                    packet.source,
                    packet.destination
                ),
            ),
            None => {
                let missing = self.wiring.credits_in_use();
                (0, format!("{missing} credits do not come home"))
            }
        };
        self.failure(FailureKind::Scoreboard, block, note)
    }

    /// Error bits and packet counters have to agree with the scoreboard.
    fn read_back(&mut self) -> Result<(), Box<Failure>> {
        self.masters
            .read_totals(self.plan, self.disturber.is_some());
        self.control()?;
        if let (Some((block, bits)), None) = (self.readings.errors, &self.disturber) {
            let note = format!("the error bits are {bits:#x} after traffic without errors");
            return Err(self.failure(FailureKind::Scoreboard, block, note));
        }
        match self.miscounted() {
            Some(note) if self.plan.spec.block.counters => {
                Err(self.failure(FailureKind::Scoreboard, 0, note))
            }
            _ => Ok(()),
        }
    }

    /// Where counters and scoreboard disagree.
    fn miscounted(&self) -> Option<String> {
        let (totals, read) = (self.board.totals(), &self.readings);
        let (bad, lost) = (self.board.bad(), self.board.lost());
        let out = totals.packets_received + bad;
        if (read.packets_in, read.packets_out) != (totals.packets_sent, out) {
            return Some(format!(
                "the blocks counted {} packets in and {} out",
                read.packets_in, read.packets_out
            ));
        }
        if (read.faulty, read.timeout_drops) != (bad, 0) {
            return Some(format!(
                "the hosts took {bad} packets marked bad, the blocks counted {} and {} dropped by \
                 timeout",
                read.faulty, read.timeout_drops
            ));
        }
        let on_cables = (self.disturber.as_ref()).map_or(0, |disturber| disturber.losses.balance());
        let explained = read.dropped as i64 + on_cables;
        (explained != lost as i64).then(|| {
            format!(
                "{lost} packets are lost; the blocks counted {} drops, and cables lost {on_cables} \
                 more than were counted twice",
                read.dropped
            )
        })
    }

    /// One cycle of all blocks, compared.
    fn step(&mut self) -> Result<(), Box<Failure>> {
        let compare = self.cycle >= UNKNOWN;
        if let Some(whole) = &mut self.whole {
            whole.step(&mut self.groups, &self.places);
            if let Some(message) = whole.stopped() {
                let mut failure = self.failure(FailureKind::Assertion, 0, message);
                failure.block = self.plan.network.name.clone();
                return Err(failure);
            }
        }
        for number in 0..self.groups.len() {
            let difference = self.groups[number].step(self.cycle, compare);
            if let Some(difference) = difference {
                return Err(self.divergence(number, difference));
            }
            if let Some((instance, message)) = self.groups[number].stopped() {
                let block = self.members[number][instance].0 as usize;
                return Err(self.failure(FailureKind::Assertion, block, message));
            }
        }
        self.cycle += 1;
        Ok(())
    }

    fn transfer(&mut self) -> Result<(), Box<Failure>> {
        let moved = self.wiring.transfer(&mut self.groups);
        moved.map_err(|fault| self.credit_fault(fault))
    }

    fn credit_fault(&self, fault: CreditFault) -> Box<Failure> {
        let block = self.plan.network.block(fault.block);
        let what = if fault.spent_too_many {
            "sends a flit without a credit"
        } else {
            "is given a credit that it has not spent"
        };
        let note = format!(
            "port {} {what} on channel {}",
            block.port_label(PortIndex(fault.port)),
            fault.channel
        );
        self.failure(FailureKind::Contract, fault.block.0 as usize, note)
    }

    fn divergence(&mut self, number: usize, difference: Difference) -> Box<Failure> {
        let id = self.members[number][difference.instance];
        let block = self.plan.network.block(id);
        let first_port = block.port_label(PortIndex(0)) as usize;
        let group = &self.groups[number];
        let (mut failure, lane) =
            Failure::divergence(group, difference, self.cycle, &block.name, first_port);
        let expected = group.expected_of(difference.instance);
        let actual = group.outputs_of(difference.instance);
        let board = &self.board;
        self.wiring.wires(id.0 as usize).annotate(
            &mut failure,
            &lane,
            &group.pins,
            expected,
            actual,
            |wire| board.identify(wire),
        );
        if let Some(whole) = &self.whole {
            failure.state = whole.describe(id);
            if let LaneKind::Host(port) = lane.kind {
                let vm = id.0 as usize * group.pins.hosts + port;
                failure.note = format!("host port of VM {vm}");
            }
        }
        Box::new(failure)
    }

    fn failure(&self, kind: FailureKind, block: usize, note: String) -> Box<Failure> {
        let place = self.places[block];
        let name = &self.plan.network.blocks[block].name;
        let mut failure = Failure::sentence(kind, name, self.cycle, note);
        failure.state = match &self.whole {
            Some(whole) => whole.describe(BlockId(block as u32)),
            None => self.groups[place.group].describe(place.instance),
        };
        Box::new(failure)
    }
}
