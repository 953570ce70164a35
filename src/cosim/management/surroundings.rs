//! What is around a unit: links whose messages come, go and get lost, a host, and a control port.

use mkns_cable::MessageOutputs;
use mkns_contract::address::management_word::MANAGEMENT;
use mkns_golden::management_unit::{UnitInputs, UnitOutputs};
use mkns_random::Random;

use super::host::Host;
use super::messages::{Message, MessageSource};
use super::report::ManagementReport;
use super::slave::Slave;
use super::top::{LINKS, PORTS};

/// One link: the message that it brought, the one that is written into it, and cycles until that is sent.
#[derive(Debug, Clone, Default)]
struct Link {
    received: Option<Message>,
    writing: Message,
    busy: u64,
    word: u32,
}

pub struct Surroundings {
    random: Random,
    messages: MessageSource,
    links: Vec<Link>,
    link_up: u32,
    host: Host,
    slave: Slave,
    /// Chance of a cycle in which a link brings a message, of 1000.
    rate: u32,
    pub report: ManagementReport,
}

/// Longest time for which a link is busy, cycles.
const BUSY: u64 = 60;

impl Surroundings {
    /// `rates`: chances, of 1000, that a message comes over a link and that the host begins an access, per cycle.
    pub fn new(seed: u64, rates: (u32, u32)) -> Self {
        let messages = |number: u64| MessageSource::new(seed ^ number << 40, PORTS);
        Self {
            random: Random::branch(seed, 24),
            messages: messages(1),
            links: vec![Link::default(); PORTS],
            link_up: LINKS,
            host: Host::new(seed, messages(2), rates.1),
            slave: Slave::new(seed),
            rate: rates.0,
            report: ManagementReport::default(),
        }
    }

    /// The pins of this cycle.
    pub fn inputs(&self, rst: bool) -> UnitInputs {
        let links = self.links.iter().map(|link| MessageOutputs {
            word: link.word,
            full: link.received.is_some(),
            busy: link.busy > 0,
        });
        UnitInputs {
            rst,
            master: self.host.pins,
            window: self.slave.shown,
            register: self.slave.register,
            link_up: self.link_up,
            messages: links.collect(),
        }
    }

    /// A cycle with `rst` has passed.
    pub fn reset(&mut self) {
        self.links = vec![Link::default(); PORTS];
        self.host.reset();
        self.slave.reset();
    }

    /// The edge of a cycle in which the unit showed this.
    pub fn clock(&mut self, outputs: &UnitOutputs) {
        for (port, pins) in outputs.messages.iter().enumerate() {
            let link = &mut self.links[port];
            link.busy = link.busy.saturating_sub(1);
            let words = link.received.unwrap_or_default();
            link.word = pins.read.map_or(0, |number| words[number as usize]);
            if pins.release {
                link.received = None;
                self.report.released += 1;
            }
            if let Some((number, word)) = pins.write {
                link.writing[number as usize] = word;
            }
            if pins.send {
                link.busy = 1 + self.random.below(BUSY);
                self.report.count(&link.writing);
            }
        }
        for (port, link) in self.links.iter_mut().enumerate() {
            let has_link = LINKS >> port & 1 == 1;
            if has_link && link.received.is_none() && self.random.chance(self.rate) {
                link.received = Some(self.messages.message());
            }
        }
        if self.random.below(1_500) == 0 {
            self.link_up ^= 1 << self.random.below(PORTS as u64);
        }
        self.host.clock(&outputs.master);
        self.slave.clock(&outputs.window, outputs.register);
        self.report.accesses = self.slave.served;
        // A change in the cycle of an acknowledgement, too.
        let access = self.slave.register.filter(|access| access.write);
        let acknowledges = access.is_some_and(|it| it.address == MANAGEMENT && it.wdata & 4 != 0);
        if acknowledges && self.random.chance(300) {
            self.link_up ^= 1 << self.random.below(PORTS as u64);
        }
    }
}
