//! Random legal traffic for one block: links, hosts and control port together, phase by phase.
//!
//! A run starts with a reset and random tables, then alternates phases of traffic, short and long,
//! with moments of rest in which everything is read back and the step bits change (they must not
//! change under traffic). Resets come under traffic and at rest; what follows them is mostly
//! contention, which shows what the reset left in the arbiters. Legal means: the contract of `docs/microarchitecture.md` holds on
//! every input. Knows nothing of the golden model.

mod aim;
mod control;
mod host;
mod link;
mod operations;

mod profile;
mod restrictions;

pub use control::{ControlMaster, ReadBack, Write};
pub use restrictions::Restrictions;

use mkns_design::{BlockModule, Pins};
use mkns_routing::TableEntry;
use mkns_topology::PortIndex;
use mkns_traffic::Pattern;

use super::packet::HostRules;
use aim::Aim;
use host::Hosts;
use link::{LinkRules, Links};
use mkns_random::Random;
use operations::Operations;
use profile::{POLLING, Profile};

/// Cycles without any output after which a block whose neighbours are at rest counts as empty.
const QUIET: u64 = 64;
/// Cycles after which a block that does not come to rest counts as hung: far more than all queues
/// of the largest block hold.
const HUNG: u64 = 50_000;

/// Share of the other phases in which links cut packets, per mille.
const CUTS: u32 = 150;

/// What the run is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Reset { until: u64 },
    Configure,
    Traffic { until: u64 },
    Drain { since: u64, quiet_since: u64 },
}

/// Random legal inputs for one block.
#[derive(Debug)]
pub struct BlockStimulus {
    module: BlockModule,
    pins: Pins,
    random: Random,
    stage: Stage,
    profile: Profile,
    aim: Aim,
    links: Links,
    hosts: Hosts,
    control: ControlMaster,
    operations: Operations,
    restrictions: Restrictions,
    /// No traffic yet since the last reset.
    fresh: bool,
    finishing: bool,
    /// Packets that left through network ports.
    pub packets: u64,
}

impl BlockStimulus {
    /// A stimulus that begins with a reset.
    pub fn new(module: &BlockModule, traffic: Pattern, seed: u64) -> Self {
        let pins = Pins::new(module);
        let is_it = |its: &Pattern| its.name() == traffic.name();
        let number = Pattern::LOCKSTEP.iter().position(is_it);
        let number = number.expect("a pattern of a lockstep") as u64;
        Self {
            // Where all kinds of traffic are one, as for POK_m*, they are still different runs.
            random: Random::branch(seed, 1 + (number << 8)),
            stage: Stage::Reset { until: 3 },
            profile: Profile::drain(pins.ports, pins.hosts),
            aim: Aim::new(module, traffic),
            links: links(module, &pins),
            hosts: hosts(module, &pins),
            control: ControlMaster::default(),
            operations: Operations::new(module),
            restrictions: Restrictions::default(),
            fresh: true,
            finishing: false,
            packets: 0,
            module: module.clone(),
            pins,
        }
    }

    /// Leaves something out of all traffic to come.
    pub fn restrict(&mut self, restrictions: &Restrictions) {
        self.restrictions = restrictions.clone();
    }

    /// For a module whose tables are given and stay: entry n of the first leads to port n of `ports`.
    pub fn know_destinations(&mut self, ports: usize) {
        self.operations.keep_configuration();
        for port in 0..ports.min(self.aim.depth(0)) {
            let entry = TableEntry::to(PortIndex(port as u8)).pack();
            self.aim.write(0, port, entry);
        }
    }

    /// Sets all inputs of a cycle.
    pub fn drive(&mut self, cycle: u64, inputs: &mut [u64]) {
        if matches!(self.stage, Stage::Reset { .. }) {
            inputs.fill(0);
            inputs[self.pins.rst] = 1;
            return;
        }
        inputs[self.pins.rst] = 0;
        let (pins, random) = (&self.pins, &mut self.random);
        let (profile, pattern) = (&self.profile, &self.aim);
        self.links
            .drive(cycle, pins, profile, pattern, random, inputs);
        self.hosts
            .drive(cycle, pins, profile, pattern, random, inputs);
        let delay = match profile.control {
            0 | POLLING => 0,
            _ => 200,
        };
        self.control.drive(pins, delay, random, inputs);
        if profile.noise {
            self.control.drive_noise(pins, random, inputs);
        }
    }

    /// Takes all outputs of the cycle and moves on. An error is a broken contract or a hang.
    pub fn observe(&mut self, cycle: u64, outputs: &[u64]) -> Result<(), String> {
        if let Stage::Reset { until } = self.stage {
            if cycle + 1 >= until {
                let look = self.random.chance(300);
                self.configure(look);
            }
            return Ok(());
        }
        self.links.observe(&self.pins, outputs)?;
        self.hosts.observe(&self.pins, outputs);
        self.control.observe(&self.pins, outputs);
        self.packets +=
            u64::from((outputs[self.pins.tx.valid] & outputs[self.pins.tx.last]).count_ones());
        if self.profile.control == POLLING {
            self.operations
                .poll(&mut self.control, &self.aim, &mut self.random);
        } else if self.profile.control > 0 && self.random.chance(self.profile.control) {
            self.operations
                .queue_one(&mut self.control, &mut self.aim, &mut self.random);
        }
        self.next_stage(cycle, outputs)
    }

    /// Stop after the next rest.
    pub fn finish(&mut self) {
        self.finishing = true;
    }

    /// The stimulus has come to rest after [`BlockStimulus::finish`].
    pub fn finished(&self) -> bool {
        self.finishing && self.stage == Stage::Configure && self.control.idle()
    }

    /// The control operation in progress, for reports.
    pub fn control_operation(&self) -> String {
        self.control.describe()
    }

    fn next_stage(&mut self, cycle: u64, outputs: &[u64]) -> Result<(), String> {
        match self.stage {
            Stage::Configure if self.control.idle() && !self.finishing => {
                if !self.fresh && self.random.chance(200) {
                    self.reset(cycle);
                } else {
                    self.traffic(cycle);
                }
            }
            Stage::Traffic { .. } if self.finishing => self.drain(cycle),
            Stage::Traffic { until } if cycle >= until => match self.random.below(10) {
                0..=3 => self.drain(cycle),
                4..=5 => self.reset(cycle),
                _ => self.traffic(cycle),
            },
            Stage::Drain { since, quiet_since } => {
                if cycle - since > HUNG {
                    return Err(format!(
                        "the block does not come to rest within {HUNG} cycles"
                    ));
                }
                let quiet = outputs[self.pins.tx.valid] == 0
                    && outputs[self.pins.rx_credit] == 0
                    && self.links.at_rest(self.pins.channels)
                    && self.hosts.at_rest()
                    && self.control.idle();
                if !quiet {
                    self.stage = Stage::Drain {
                        since,
                        quiet_since: cycle,
                    };
                } else if cycle - quiet_since >= QUIET {
                    self.configure(true);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn reset(&mut self, cycle: u64) {
        self.fresh = true;
        self.links = links(&self.module, &self.pins);
        self.hosts = hosts(&self.module, &self.pins);
        self.control = ControlMaster::default();
        self.profile = Profile::drain(self.pins.ports, self.pins.hosts);
        self.stage = Stage::Reset {
            until: cycle + self.random.between(2, 4),
        };
    }

    fn configure(&mut self, look: bool) {
        self.profile = Profile::drain(self.pins.ports, self.pins.hosts);
        let (control, pattern) = (&mut self.control, &mut self.aim);
        self.operations
            .configure(look, control, pattern, &mut self.random);
        self.stage = Stage::Configure;
    }

    fn traffic(&mut self, cycle: u64) {
        let (ports, hosts) = (self.pins.ports, self.pins.hosts);
        let contended = self.random.chance(if self.fresh { 800 } else { 250 });
        let (profile, cycles) = if contended {
            let profile = Profile::contention(ports, hosts, &mut self.random);
            let (least, most) = *self.random.pick(&[(10, 80), (10, 80), (100, 500)]);
            (profile, self.random.between(least, most))
        } else if hosts > 0 && self.random.chance(120) {
            let profile = Profile::burst_of_faults(ports, hosts, &mut self.random);
            (profile, self.random.between(50, 200))
        } else if !self.module.kind.is_pok() && self.random.chance(CUTS) {
            let profile = Profile::cuts(ports, hosts, &mut self.random);
            (profile, self.random.between(1000, 2500))
        } else {
            let (least, most) = *self.random.pick(&[(20, 100), (200, 800), (800, 2500)]);
            let profile = Profile::draw(ports, hosts, &mut self.random);
            (profile, self.random.between(least, most))
        };
        self.fresh = false;
        self.profile = profile;
        if self.module.kind.is_pok() {
            // Links of distributed switches do not fail (section 6).
            self.profile.link_fall = 0;
        }
        self.profile.restrict(&self.restrictions);
        self.aim
            .redraw(self.profile.focused, cycles, &mut self.random);
        self.stage = Stage::Traffic {
            until: cycle + cycles,
        };
    }

    fn drain(&mut self, cycle: u64) {
        self.profile = Profile::drain(self.pins.ports, self.pins.hosts);
        self.stage = Stage::Drain {
            since: cycle,
            quiet_since: cycle,
        };
    }
}

fn links(module: &BlockModule, pins: &Pins) -> Links {
    let parameters = &module.parameters;
    let rules = LinkRules {
        built: module.built_ports(),
        credits: parameters.rx_buffer_flits,
        max_flits: parameters.max_packet_flits,
        latency: parameters.link_latency.into(),
        trains: module.kind.is_pok(),
        adaptive: module.candidates().is_some(),
    };
    Links::new(pins, rules)
}

fn hosts(module: &BlockModule, pins: &Pins) -> Hosts {
    let parameters = &module.parameters;
    let rules = HostRules {
        layout: module.layout.clone(),
        beat_bytes: parameters.pcie_bits / 8,
        flit_bytes: parameters.flit_bits / 8,
        max_packet_flits: parameters.max_packet_flits,
        layers: parameters.host_layers(),
        adaptive: module.candidates().is_some(),
    };
    Hosts::new(pins, rules, parameters.host_timeout)
}
