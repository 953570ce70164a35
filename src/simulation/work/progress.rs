//! Which operations of a schedule are done, and which become ready when: the part of a run that knows nothing of
//! networks.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use mkns_workload::{Action, Schedule};

/// No operation.
const NONE: u32 = u32::MAX;

/// What happens at a time; the order decides among events of a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Event {
    /// All that the operation waits for has happened.
    Ready(u32),
    /// A processor takes up computing.
    Started(u32),
    /// Computing is done.
    Ended(u32),
    /// The whole message of this receive has arrived.
    Arrived(u32),
}

/// What is known of an operation.
#[derive(Debug, Clone, Copy)]
pub struct Record {
    /// Cycles; [`u64::MAX`] before.
    pub start: u64,
    pub end: u64,
    /// The operation that it waited for last.
    pub cause: u32,
    /// Events that it waits for.
    missing: u32,
    has_arrived: bool,
}

impl Record {
    /// The operation that it waited for last, if it waited.
    pub fn cause(&self) -> Option<u32> {
        (self.cause != NONE).then_some(self.cause)
    }
}

/// The state of all operations.
#[derive(Debug)]
pub struct Progress<'a> {
    schedule: &'a Schedule,
    partners: &'a [u32],
    records: Vec<Record>,
    /// By operation: those that wait for its end, and for its start.
    waiting: Vec<[Vec<u32>; 2]>,
    events: BinaryHeap<Reverse<(u64, Event)>>,
    /// By rank and processor: when it is free, and what it did last.
    processors: HashMap<(u32, u32), (u64, u32)>,
    cycles_per_nanosecond: f64,
}

impl<'a> Progress<'a> {
    /// Nothing is done; `clock_mhz`: cycles of a microsecond.
    pub fn new(schedule: &'a Schedule, partners: &'a [u32], clock_mhz: f64) -> Self {
        let operations = &schedule.operations;
        let mut waiting = vec![[Vec::new(), Vec::new()]; operations.len()];
        let mut events = BinaryHeap::new();
        let mut records = Vec::with_capacity(operations.len());
        for (place, operation) in operations.iter().enumerate() {
            let place = place as u32;
            for (side, list) in [&operation.after_end, &operation.after_start]
                .into_iter()
                .enumerate()
            {
                list.iter()
                    .for_each(|&before| waiting[before as usize][side].push(place));
            }
            let missing = operation.after_end.len() + operation.after_start.len();
            if missing == 0 {
                events.push(Reverse((0, Event::Ready(place))));
            }
            records.push(Record {
                start: u64::MAX,
                end: u64::MAX,
                cause: NONE,
                missing: missing as u32,
                has_arrived: false,
            });
        }
        Self {
            schedule,
            partners,
            records,
            waiting,
            events,
            processors: HashMap::new(),
            cycles_per_nanosecond: clock_mhz / 1e3,
        }
    }

    /// Cycle of the next event.
    pub fn next_cycle(&self) -> Option<u64> {
        self.events.peek().map(|Reverse((cycle, _))| *cycle)
    }

    pub fn next_before(&mut self, cycle: u64) -> Option<(u64, Event)> {
        self.next_cycle().filter(|next| *next < cycle)?;
        self.events.pop().map(|Reverse(event)| event)
    }

    /// The whole message of a receive arrives.
    pub fn arrives(&mut self, cycle: u64, receive: u32) {
        self.events.push(Reverse((cycle, Event::Arrived(receive))));
    }

    /// Does what follows from an event; returns the send whose message is handed over now, if one is.
    pub fn handle(&mut self, cycle: u64, event: Event) -> Option<u32> {
        match event {
            Event::Ready(place) => return self.begin(cycle, place),
            Event::Started(place) => self.release(cycle, place, 1),
            Event::Ended(place) => self.end(cycle, place),
            Event::Arrived(place) => {
                self.records[place as usize].has_arrived = true;
                if self.records[place as usize].start != u64::MAX {
                    self.records[place as usize].cause = self.partners[place as usize];
                    self.end(cycle, place);
                }
            }
        }
        None
    }

    fn begin(&mut self, cycle: u64, place: u32) -> Option<u32> {
        let operation = &self.schedule.operations[place as usize];
        if let Action::Compute {
            nanoseconds,
            processor,
        } = operation.action
        {
            let processor = (operation.rank, processor);
            let (free, last) = self
                .processors
                .get(&processor)
                .copied()
                .unwrap_or((0, NONE));
            let start = cycle.max(free);
            if free > cycle {
                self.records[place as usize].cause = last;
            }
            let cycles = (nanoseconds as f64 * self.cycles_per_nanosecond).ceil() as u64;
            self.records[place as usize].start = start;
            self.processors.insert(processor, (start + cycles, place));
            self.events.push(Reverse((start, Event::Started(place))));
            self.events
                .push(Reverse((start + cycles, Event::Ended(place))));
            return None;
        }
        self.records[place as usize].start = cycle;
        self.release(cycle, place, 1);
        let is_send = matches!(operation.action, Action::Send { .. });
        if is_send || self.records[place as usize].has_arrived {
            self.end(cycle, place);
        }
        is_send.then_some(place)
    }

    fn end(&mut self, cycle: u64, place: u32) {
        self.records[place as usize].end = cycle;
        self.release(cycle, place, 0);
    }

    /// Those that wait for the end (0) or the start (1) of an operation wait for one event less.
    fn release(&mut self, cycle: u64, place: u32, side: usize) {
        for next in std::mem::take(&mut self.waiting[place as usize][side]) {
            let record = &mut self.records[next as usize];
            record.missing -= 1;
            record.cause = place;
            if record.missing == 0 {
                self.events.push(Reverse((cycle, Event::Ready(next))));
            }
        }
    }

    /// All operations.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The first operation that is not done.
    pub fn unfinished(&self) -> Option<u32> {
        let place = self
            .records
            .iter()
            .position(|record| record.end == u64::MAX);
        place.map(|place| place as u32)
    }
}
