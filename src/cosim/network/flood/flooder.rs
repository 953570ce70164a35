//! A host of a flood at the window of its block: it sends a request again until it is answered, and takes what comes.

use mkns_contract::address::management;
use mkns_contract::address::management_word::{
    IS_RECEIVED, MANAGEMENT, RECEIVED, SEND, SENDING, SENDS, TAKES,
};
use mkns_design::{Pins, Plan};
use mkns_manage::Patience;
use mkns_random::Random;
use mkns_topology::BlockId;

use super::report::FloodReport;
use super::request::{Message, Request, Sequences, spare, visit};
use super::targets::{Target, neighbours, route, targets};
use crate::stimulus::{ControlMaster, Write};

/// Messages after which a request is given up: far more than it may take.
const MOST: usize = 100;
/// Chance, of 1000, that a route begins with a link that need not be on the way.
const DETOURS: u32 = 300;
/// Words of an answer that count.
const READ_WORDS: [usize; 6] = [0, 1, 2, 3, 6, 7];

/// What the master at the control port does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Looking,
    Taking,
    Writing,
}

/// One host.
pub struct Flooder {
    number: u32,
    block: BlockId,
    spare: u32,
    targets: Vec<(Target, Sequences)>,
    neighbours: Vec<Vec<(u8, BlockId)>>,
    master: ControlMaster,
    random: Random,
    step: Step,
    /// What was read since the last write.
    reads: Vec<u32>,
    /// Requests of this visit, the open one last; messages that it took, and looks until it is sent again.
    open: Vec<Request>,
    sent: usize,
    looks: u32,
    patience: Patience,
    spares: u16,
    leaves: bool,
    report: FloodReport,
}

impl Flooder {
    /// The host with this number among the blocks with hosts; `spare` as in a flood.
    pub fn new(plan: &Plan, (hosts, number): (&[BlockId], usize), spare: u32, seed: u64) -> Self {
        let targets = targets(plan, hosts, number).into_iter();
        Self {
            number: number as u32,
            block: hosts[number],
            spare,
            targets: targets
                .map(|target| (target, Sequences::default()))
                .collect(),
            neighbours: neighbours(plan),
            master: ControlMaster::default(),
            random: Random::branch(seed, 40 + number as u64),
            step: Step::Writing,
            reads: Vec::new(),
            open: Vec::new(),
            sent: 0,
            looks: 0,
            patience: Patience::default(),
            spares: 0,
            leaves: false,
            report: FloodReport::default(),
        }
    }

    pub fn block(&self) -> BlockId {
        self.block
    }

    pub fn report(&self) -> &FloodReport {
        &self.report
    }

    pub fn leave(&mut self) {
        self.leaves = true;
    }

    pub fn has_left(&self) -> bool {
        self.leaves && self.open.is_empty() && self.master.idle()
    }

    pub fn drive(&mut self, pins: &Pins, inputs: &mut [u64]) {
        if self.master.idle() {
            self.go_on();
        }
        self.master.drive(pins, 0, &mut self.random, inputs);
    }

    pub fn observe(&mut self, pins: &Pins, outputs: &[u64]) {
        self.master.observe(pins, outputs);
        let read = self.master.finished_read();
        self.reads.extend(read.map(|read| read.data));
    }

    /// What the master does next, after what it has done.
    fn go_on(&mut self) {
        let reads = std::mem::take(&mut self.reads);
        match (self.step, reads[..].first()) {
            (Step::Looking, Some(state)) => self.has_looked(*state),
            (Step::Taking, Some(_)) => self.take(&reads),
            _ => self.look(),
        }
    }

    fn look(&mut self) {
        if self.open.is_empty() {
            if self.leaves {
                return;
            }
            self.begin_visit();
        }
        self.step = Step::Looking;
        self.master.read(management(MANAGEMENT));
    }

    fn has_looked(&mut self, state: u32) {
        if state & IS_RECEIVED != 0 {
            self.step = Step::Taking;
            for number in READ_WORDS {
                self.master.read(management(RECEIVED + number as u32));
            }
            return;
        }
        self.looks = self.looks.saturating_sub(1);
        if state & SENDING != 0 {
            return self.look();
        }
        if self.looks == 0 {
            return self.send_request();
        }
        if !self.leaves && self.random.chance(self.spare) {
            let at = self.random_target();
            let route = self.route_to(at);
            self.spares = self.spares.wrapping_add(1);
            return self.send(&spare(self.number, self.spares, &route));
        }
        self.look();
    }

    /// A message has come.
    fn take(&mut self, reads: &[u32]) {
        let mut words = [0; 8];
        for (number, word) in READ_WORDS.into_iter().zip(reads) {
            words[number] = *word;
        }
        let judged = self.open.last().and_then(|request| request.judge(&words));
        if let Some(judged) = judged.filter(|_| self.sent > 0) {
            self.report.note(self.sent);
            if let (1, Some(request)) = (self.sent, self.open.last()) {
                self.patience.answered(request.links, self.looks);
            }
            self.report.wrong.extend(judged.err());
            self.end_request();
        }
        self.step = Step::Writing;
        self.master.write(Write::new(management(MANAGEMENT), TAKES));
    }

    fn send_request(&mut self) {
        let Some(request) = self.open.last() else {
            return self.look();
        };
        if self.sent == MOST {
            self.report.unanswered += 1;
            // What follows in this visit depends on it.
            self.open.clear();
            self.sent = 0;
            return self.look();
        }
        let words = request.words;
        if self.sent > 0 {
            self.patience.grows();
        }
        self.looks = self.patience.looks(request.links);
        self.sent += 1;
        self.send(&words);
    }

    fn send(&mut self, words: &Message) {
        self.report.messages += 1;
        self.step = Step::Writing;
        let words = (SEND..).zip(words).map(|(n, word)| (n, *word));
        for (n, word) in words.chain([(MANAGEMENT, SENDS)]) {
            self.master.write(Write::new(management(n), word));
        }
    }

    fn end_request(&mut self) {
        self.open.pop();
        (self.sent, self.looks) = (0, 0);
    }

    fn begin_visit(&mut self) {
        let at = self.random_target();
        let route = self.route_to(at);
        let (target, sequences) = &mut self.targets[at];
        self.open = visit(self.number, target, &route, sequences, &mut self.random);
        self.open.reverse();
        (self.sent, self.looks) = (0, 0);
    }

    fn random_target(&mut self) -> usize {
        self.random.below(self.targets.len() as u64) as usize
    }

    /// The shortest, or one that begins with another link.
    fn route_to(&mut self, at: usize) -> Vec<u8> {
        let to = self.targets[at].0.block;
        let links = &self.neighbours[self.block.0 as usize];
        let mut begin = (Vec::new(), self.block);
        if self.random.chance(DETOURS) {
            let (port, peer) = links[self.random.below(links.len() as u64) as usize];
            begin = (vec![port], peer);
        }
        let rest = route(&self.neighbours, begin.1, to);
        begin.0.extend(rest.expect("all blocks are joined"));
        begin.0
    }
}
