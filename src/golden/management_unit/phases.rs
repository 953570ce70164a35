//! 8.3: the phases.

use super::control::is_at_rest;
use super::message;
use super::pins::UnitInputs;
use super::state::{
    LAST_AT, LastWrite, ManagementUnit, Operation, Phase, REQUESTERS, State, WORD_AFTER, WORDS,
};

/// Values of `status`.
const WRONG_KEY: u32 = 4;
const OLD_NUMBER: u32 = 5;
const NO_LINK: u32 = 8;

/// What a cycle of *leaving* does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Departure {
    Sends,
    TurnsBack,
    Drops,
}

/// How a write compares with the last one of its requester.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Age {
    New,
    Repeated { response: u32 },
    Old,
}

impl State {
    /// The entry of the route for which the message is here.
    fn entry(&self) -> u32 {
        match self.kept.operation.is_request() {
            true => self.kept.hop,
            false => self.kept.hop.wrapping_sub(1) & 15,
        }
    }

    /// The control port holds what a read brought.
    fn was_read(&self) -> bool {
        self.owner && self.kept.operation == Operation::Read
    }

    /// Rule 1 of *reading* does not apply; `notice` is the place of notices.
    fn may_arrive(&self, notice: usize) -> bool {
        let fits = match self.kept.operation.is_request() {
            true => self.place != notice,
            false => self.kept.hop != 0,
        };
        self.kept.version_good && fits
    }
}

impl ManagementUnit {
    pub(super) fn clock_phase(&mut self, at: &State, inputs: &UnitInputs) {
        if at.finished {
            self.state.owner = false;
            self.state.finished = false;
        }
        match at.phase {
            Phase::Clearing => self.clear(at),
            Phase::Looking => self.look(at, inputs),
            Phase::Reading => self.read_message(at),
            Phase::Accessing => self.access(at, inputs),
            Phase::Leaving => self.leave(at, inputs),
            Phase::Sending => self.send_message(at),
        }
    }

    /// The number of the word that is asked for.
    pub(super) fn asked(&self) -> Option<usize> {
        let at = &self.state;
        let number = at.at.min(WORDS - 1);
        let of_answer = at.back && (number == 4 || number == 5 || number == 7 && at.was_read());
        match at.phase {
            Phase::Reading | Phase::Accessing => Some(number),
            Phase::Sending => (!of_answer).then_some(number),
            _ => None,
        }
    }

    /// What was asked for in the cycle before.
    pub(super) fn brought(&self, inputs: &UnitInputs) -> u32 {
        let links = inputs.messages.iter().map(|pins| pins.word);
        // One of them was asked, and the others give 0.
        links.fold(self.word_of_window, |word, of_link| word | of_link)
    }

    /// The message is released at `place` in this cycle.
    pub(super) fn ends(&self, inputs: &UnitInputs) -> bool {
        let at = &self.state;
        match at.phase {
            Phase::Reading => at.at == LAST_AT && !at.may_arrive(self.ports + 1),
            Phase::Leaving => self.departure(at, inputs) == Departure::Drops,
            Phase::Sending => at.at == LAST_AT,
            _ => false,
        }
    }

    /// The place to which the message goes.
    pub(super) fn target(&self, at: &State) -> usize {
        let is_request = at.kept.operation.is_request();
        match (at.back, is_request, at.kept.hop) {
            (true, ..) => at.place,
            (false, false, 1) => self.ports,
            _ => at.kept.port,
        }
    }

    /// Number and contents of the word that goes to the target.
    pub(super) fn outgoing(&self, at: &State, inputs: &UnitInputs) -> Option<(usize, u32)> {
        let number = at.at.checked_sub(WORD_AFTER)?;
        let is_sending = at.phase == Phase::Sending;
        is_sending.then(|| (number, changed(at, number, self.word, inputs)))
    }

    fn clear(&mut self, at: &State) {
        self.last[at.at] = None;
        self.state.at = at.at + 1;
        if self.state.at == REQUESTERS {
            self.state.at = 0;
            self.state.phase = Phase::Looking;
        }
    }

    fn look(&mut self, at: &State, inputs: &UnitInputs) {
        let is_full = match inputs.messages.get(at.place) {
            Some(link) => link.full,
            None if at.place == self.ports => at.sending,
            None => at.notice.is_full(),
        };
        if !is_full {
            return self.go_on(at);
        }
        self.state = State {
            phase: Phase::Reading,
            at: 0,
            back: false,
            records: false,
            ..self.state
        };
    }

    /// `place` becomes the next number.
    fn go_on(&mut self, at: &State) {
        self.state.place = (at.place + 1) % (self.ports + 2);
    }

    fn read_message(&mut self, at: &State) {
        if let Some(number) = at.at.checked_sub(WORD_AFTER) {
            self.keep(at, number, self.word);
        }
        match at.at {
            LAST_AT => self.decide(at),
            _ => self.state.at = at.at + 1,
        }
    }

    fn keep(&mut self, at: &State, number: usize, word: u32) {
        let kept = &mut self.state.kept;
        match number {
            0 => {
                kept.version_good = message::version_good(word);
                kept.operation = Operation::of(word >> 8);
                kept.hop = message::hop(word);
                kept.length = message::length(word);
            }
            1 => kept.number = word,
            4 => kept.key_good = word == at.key[0],
            5 => kept.key_good = at.kept.key_good && word == at.key[1],
            6 => kept.address = message::address(word),
            _ => {}
        }
        if number == message::word_of_entry(at.entry()) {
            kept.port = message::entry(word, at.entry());
        }
    }

    /// The last cycle of *reading*.
    fn decide(&mut self, at: &State) {
        let kept = &at.kept;
        if !at.may_arrive(self.ports + 1) {
            return self.drop_message(at);
        }
        if !kept.operation.is_request() || kept.hop != kept.length {
            self.state.records = true;
            self.state.phase = Phase::Leaving;
            return;
        }
        self.state.back = true;
        let refusal = match (kept.operation, kept.key_good, self.age(kept.number)) {
            (Operation::Read, ..) => None,
            (_, false, _) => Some(WRONG_KEY),
            (_, _, Age::Old) => Some(OLD_NUMBER),
            (_, _, Age::Repeated { response }) => Some(response),
            (_, _, Age::New) => None,
        };
        match refusal {
            Some(status) => {
                self.state.status = status;
                self.state.phase = Phase::Leaving;
            }
            None => self.state.phase = Phase::Accessing,
        }
    }

    fn age(&self, number: u32) -> Age {
        let requester = message::requester(number);
        let last = self.last[requester as usize % REQUESTERS];
        let Some(last) = last.filter(|last| message::requester(last.number) == requester) else {
            return Age::New;
        };
        let last_sequence = message::sequence(last.number);
        match message::sequence(number).wrapping_sub(last_sequence) {
            0 => Age::Repeated {
                response: last.response,
            },
            1..0x8000 => Age::New,
            _ => Age::Old,
        }
    }

    fn access(&mut self, at: &State, inputs: &UnitInputs) {
        let window = &inputs.window;
        let writes = at.kept.operation == Operation::Write;
        let (accepted, answered, response) = match writes {
            true => (window.awready, window.bvalid, window.bresp),
            false => (window.arready, window.rvalid, window.rresp),
        };
        match (at.owner, at.asking) {
            (false, _) if is_at_rest(at, inputs) => {
                self.state.owner = true;
                self.state.asking = true;
            }
            (false, _) => {}
            (true, true) => self.state.asking = !accepted,
            (true, false) if answered => {
                self.state.status = response;
                self.state.phase = Phase::Leaving;
                if writes {
                    let number = at.kept.number;
                    let requester = message::requester(number) as usize % REQUESTERS;
                    self.last[requester] = Some(LastWrite { number, response });
                }
            }
            (true, false) => {}
        }
    }

    /// The rules of *leaving*.
    fn departure(&self, at: &State, inputs: &UnitInputs) -> Departure {
        let target = self.target(at);
        let (is_reached, is_busy) = match target == self.ports && self.is_to_window(at) {
            true => (true, at.received),
            false => {
                let up = (self.links & inputs.link_up) >> target & 1 == 1;
                let link = inputs.messages.get(target);
                (up, link.is_some_and(|link| link.busy))
            }
        };
        match (is_reached, is_busy) {
            (true, false) => Departure::Sends,
            (false, _) if at.kept.operation.is_request() && !at.back => Departure::TurnsBack,
            _ => Departure::Drops,
        }
    }

    /// The target is the window, not a port that has its number in a route and does not exist.
    pub(super) fn is_to_window(&self, at: &State) -> bool {
        match at.back {
            true => at.place == self.ports,
            false => !at.kept.operation.is_request() && at.kept.hop == 1,
        }
    }

    fn leave(&mut self, at: &State, inputs: &UnitInputs) {
        match self.departure(at, inputs) {
            Departure::Sends => {
                self.state.at = 0;
                self.state.phase = Phase::Sending;
            }
            Departure::TurnsBack => {
                self.state.back = true;
                self.state.records = false;
                self.state.status = NO_LINK | at.kept.hop << 4;
            }
            Departure::Drops => self.drop_message(at),
        }
    }

    fn send_message(&mut self, at: &State) {
        if at.at < LAST_AT {
            self.state.at = at.at + 1;
            return;
        }
        if self.is_to_window(at) {
            self.state.received = true;
        }
        self.release(at);
    }

    fn drop_message(&mut self, at: &State) {
        self.state.dropped = at.dropped.wrapping_add(1);
        self.release(at);
    }

    fn release(&mut self, at: &State) {
        if at.place == self.ports {
            self.state.sending = false;
        }
        self.go_on(at);
        self.state.phase = Phase::Looking;
        self.state.finished = at.owner;
    }
}

/// *Word* with the changes of *sending*.
fn changed(at: &State, number: usize, mut word: u32, inputs: &UnitInputs) -> u32 {
    let kept = &at.kept;
    if at.records {
        let hop = match kept.operation.is_request() {
            true => kept.hop + 1,
            false => at.entry(),
        };
        if number == 0 {
            word = message::with_hop(word, hop);
        }
        if number == message::word_of_entry(at.entry()) {
            word = message::with_entry(word, at.entry(), at.place);
        }
    }
    if at.back {
        let is_refused = at.status & 0b1100 != 0;
        word = match number {
            0 => message::with_operation(word, 2 + u32::from(is_refused)),
            6 => message::with_status(word, at.status),
            7 if at.was_read() => inputs.window.rdata,
            _ => word,
        };
    }
    word
}
