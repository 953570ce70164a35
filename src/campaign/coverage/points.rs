//! Points of behaviour, counted from the pins of a block: who sent to whom, buffers full and empty,
//! credits used up, tables written under traffic, every cause of a drop counted by the block itself.
//!
//! Knows the contract on the pins and the register map (`docs/microarchitecture.md`), and nothing of
//! how a block works inside.

use std::collections::{HashMap, HashSet};

use mkns_contract::{BlockModule, address};
use mkns_design::{Pins, StreamPins, get_bits};

/// Counters of a core port and of a PCIe port, in the order of the register map.
const CORE_COUNTERS: [&str; 9] = [
    "rx flits",
    "rx packets",
    "tx flits",
    "tx packets",
    "stalls",
    "no route",
    "U-turn",
    "link down",
    "link down at output",
];
const HOST_COUNTERS: [&str; 14] = [
    "packets in",
    "keep",
    "reserved",
    "layer",
    "destination",
    "over length",
    "too short",
    "too long",
    "aborted",
    "packets out",
    "CRC fault",
    "length fault",
    "bad",
    "time-out drops",
];

/// A flow of flits of one port and channel.
#[derive(Debug, Clone, Copy, Default)]
struct ChannelFlow {
    /// Flits of the current packet so far.
    flits: u32,
    /// Flits that no credit has come back for.
    owed: u32,
    was_full: bool,
}

/// Where the points of a kind begin in the list.
#[derive(Debug, Default)]
struct Bases {
    pair: usize,
    rx: usize,
    full: usize,
    empty: usize,
    tx: usize,
    exhausted: usize,
    restored: usize,
    host_waits: usize,
    host_refuses: usize,
    table_write: usize,
    core_counter: usize,
    host_counter: usize,
}

/// Points of one block, and what is remembered to recognise them.
#[derive(Debug)]
pub struct Points {
    pins: Pins,
    /// Flits of a receive buffer.
    depth: u32,
    names: Vec<String>,
    counts: Vec<u64>,
    base: Bases,
    /// Points that the block cannot reach: pairs of ports without a turn, and all of a port that is not built.
    unreachable: HashSet<usize>,
    has_tables: bool,
    has_counters: bool,
    rx: Vec<ChannelFlow>,
    tx: Vec<ChannelFlow>,
    /// Beats of the current packet on each host stream.
    from_host: Vec<u32>,
    to_host: Vec<u32>,
    /// First payload word of packets on the way, and the core port that they came in by.
    sources: HashMap<u64, usize>,
    reading: u64,
    /// What counters read after a reset.
    counter_start: u64,
}

impl Points {
    pub fn new(module: &BlockModule) -> Self {
        let pins = Pins::new(module);
        let flows = pins.ports * pins.channels;
        let has_tables = !module.kind.is_pok() && module.parameters.control_port;
        let mut points = Self {
            depth: module.parameters.rx_buffer_flits,
            names: Vec::new(),
            counts: Vec::new(),
            base: Bases::default(),
            unreachable: HashSet::new(),
            has_tables,
            has_counters: has_tables && module.parameters.counters,
            counter_start: u64::from(module.parameters.counter_start),
            rx: vec![ChannelFlow::default(); flows],
            tx: vec![ChannelFlow::default(); flows],
            from_host: vec![0; pins.hosts],
            to_host: vec![0; pins.hosts],
            sources: HashMap::new(),
            reading: 0,
            pins,
        };
        points.declare(module);
        points.counts = vec![0; points.names.len()];
        points
    }

    fn declare(&mut self, module: &BlockModule) {
        let (ports, hosts, channels) = (self.pins.ports, self.pins.hosts, self.pins.channels);
        let port = |number: usize| match number < ports {
            true => format!("port {number}"),
            false => format!("PCIe port {}", number - ports),
        };
        let of_lanes = |text: &str| -> Vec<String> {
            let flows = 0..ports * channels;
            let name = |flow| {
                format!(
                    "port {}, channel {}: {text}",
                    flow / channels,
                    flow % channels
                )
            };
            flows.map(name).collect()
        };
        let of_hosts = |text: &str| -> Vec<String> {
            (0..hosts)
                .map(|host| format!("PCIe port {host}: {text}"))
                .collect()
        };
        let all = ports + hosts;
        // A POK unit leads branches to trunks and back, and nothing else.
        let pairs = if module.kind.is_pok() { 0 } else { all * all };
        let pair = |number| format!("from {} to {}", port(number / all), port(number % all));
        self.base.pair = self.list((0..pairs).map(pair).collect());
        let missing = (0..pairs).filter(|pair| !module.turns.contains(pair / all, pair % all));
        let first = self.base.pair;
        self.unreachable.extend(missing.map(|pair| first + pair));
        self.base.rx = self.list(of_lanes("flit in"));
        self.base.full = self.list(of_lanes("receive buffer full"));
        self.base.empty = self.list(of_lanes("receive buffer empty after it was full"));
        self.base.tx = self.list(of_lanes("flit out"));
        self.base.exhausted = self.list(of_lanes("no credit left"));
        self.base.restored = self.list(of_lanes("all credits back after none was left"));
        if !module.kind.is_pok() {
            let never_in = |port: usize| module.built_ports() >> port & 1 == 0;
            let never_out = |port: usize| module.turns.inputs_of(port) == 0;
            let base = &self.base;
            for flow in 0..ports * channels {
                if never_in(flow / channels) {
                    let inputs = [base.rx, base.full, base.empty];
                    self.unreachable.extend(inputs.map(|first| first + flow));
                }
                if never_out(flow / channels) {
                    let outputs = [base.tx, base.exhausted, base.restored];
                    self.unreachable.extend(outputs.map(|first| first + flow));
                }
            }
        }
        self.base.host_waits = self.list(of_hosts("host has to wait"));
        self.base.host_refuses = self.list(of_hosts("host refuses a beat"));
        let counters = |names: &[&str], what: &str| -> Vec<String> {
            let read = |name| format!("{what} counter `{name}` read above 0");
            names.iter().map(read).collect()
        };
        if self.has_tables {
            self.base.table_write = self.list(vec!["table written under traffic".to_owned()]);
        }
        if self.has_counters {
            self.base.core_counter = self.list(counters(&CORE_COUNTERS, "port"));
        }
        if self.has_counters && hosts > 0 {
            self.base.host_counter = self.list(counters(&HOST_COUNTERS, "PCIe port"));
        }
    }

    fn list(&mut self, names: Vec<String>) -> usize {
        let base = self.names.len();
        self.names.extend(names);
        base
    }

    /// Names and counts.
    pub fn counts(&self) -> impl Iterator<Item = (&str, u64)> {
        let names = self.names.iter().map(String::as_str);
        let points = names.zip(self.counts.iter().copied()).enumerate();
        let points = points.filter(|(number, _)| !self.unreachable.contains(number));
        points.map(|(_, point)| point)
    }

    /// A cycle on the pins.
    pub fn observe(&mut self, inputs: &[u64], outputs: &[u64]) {
        if inputs[self.pins.rst] == 1 {
            self.rx.fill(ChannelFlow::default());
            self.tx.fill(ChannelFlow::default());
            self.from_host.fill(0);
            self.to_host.fill(0);
            self.sources.clear();
            return;
        }
        self.observe_links(true, inputs, outputs);
        self.observe_links(false, outputs, inputs);
        self.observe_hosts(inputs, outputs);
        if self.has_tables {
            self.observe_control(inputs, outputs);
        }
    }

    /// Port, channel, first payload word (when this flit holds it) of each valid flit.
    fn flits(&mut self, is_input: bool, words: &[u64]) -> Vec<(usize, Option<u64>)> {
        let (link, flows) = match is_input {
            true => (self.pins.rx, &mut self.rx),
            false => (self.pins.tx, &mut self.tx),
        };
        let mut found = Vec::new();
        for port in (0..self.pins.ports).filter(|port| words[link.valid] >> port & 1 == 1) {
            let (channel, data, is_last) = self.pins.flit(&link, words, port);
            let number = port * self.pins.channels + channel;
            let flow = &mut flows[number];
            found.push((number, (flow.flits == 1).then_some(data)));
            flow.flits = if is_last { 0 } else { flow.flits + 1 };
            flow.owed += 1;
        }
        found
    }

    /// Flits that pass the core ports in one direction, and the credits that come back for them.
    fn observe_links(&mut self, is_input: bool, words: &[u64], back: &[u64]) {
        for (flow, payload) in self.flits(is_input, words) {
            let port = flow / self.pins.channels;
            match payload {
                Some(data) if is_input => _ = self.sources.insert(data, port),
                _ => self.arrived(payload, port),
            }
            let first = if is_input { self.base.rx } else { self.base.tx };
            self.counts[first + flow] += 1;
        }
        let (base, pins) = (&self.base, &self.pins);
        let (flows, credits, full, empty) = match is_input {
            true => (&mut self.rx, pins.rx_credit, base.full, base.empty),
            false => (&mut self.tx, pins.tx_credit, base.exhausted, base.restored),
        };
        for (number, flow) in flows.iter_mut().enumerate() {
            let credit = get_bits(&back[credits..], number, 1);
            let (is_full, is_empty) = settle(flow, credit, self.depth);
            self.counts[full + number] += u64::from(is_full);
            self.counts[empty + number] += u64::from(is_empty);
        }
    }

    /// A packet with this first payload word leaves by a core port.
    fn arrived(&mut self, payload: Option<u64>, port: usize) {
        let all = self.pins.ports + self.pins.hosts;
        if self.base.rx == self.base.pair {
            return; // pairs are not counted
        }
        if let Some(source) = payload.and_then(|data| self.sources.get(&data)) {
            self.counts[self.base.pair + source * all + port] += 1;
        }
    }

    fn observe_hosts(&mut self, inputs: &[u64], outputs: &[u64]) {
        let (ingress, egress) = (self.pins.ingress, self.pins.egress);
        for host in 0..self.pins.hosts {
            let offered = inputs[ingress.valid] >> host & 1 == 1;
            if offered && outputs[ingress.ready] >> host & 1 == 1 {
                let payload = beat(
                    &ingress,
                    inputs,
                    host,
                    self.pins.beat_words,
                    &mut self.from_host,
                );
                if let Some(data) = payload {
                    self.sources.insert(data, self.pins.ports + host);
                }
            } else if offered {
                self.counts[self.base.host_waits + host] += 1;
            }
            let shown = outputs[egress.valid] >> host & 1 == 1;
            if shown && inputs[egress.ready] >> host & 1 == 1 {
                let payload = beat(
                    &egress,
                    outputs,
                    host,
                    self.pins.beat_words,
                    &mut self.to_host,
                );
                self.arrived(payload, self.pins.ports + host);
            } else if shown {
                self.counts[self.base.host_refuses + host] += 1;
            }
        }
    }

    fn observe_control(&mut self, inputs: &[u64], outputs: &[u64]) {
        let (master, block) = (self.pins.control_in, self.pins.control_out);
        let writes = inputs[master.awvalid] & outputs[block.awready] == 1;
        if writes
            && inputs[master.awaddr] >= u64::from(address::TABLES)
            && inputs[self.pins.rx.valid] != 0
        {
            self.counts[self.base.table_write] += 1;
        }
        if inputs[master.arvalid] & outputs[block.arready] == 1 {
            self.reading = inputs[master.araddr];
        }
        let answered = outputs[block.rvalid] & inputs[master.rready] == 1;
        let counts_something =
            outputs[block.rdata] != self.counter_start && outputs[block.rresp] == 0;
        if !(self.has_counters && answered && counts_something) {
            return;
        }
        let counter = (self.reading >> 2 & 15) as usize;
        match self.reading as u32 & !0xfff {
            address::CORE_COUNTERS => self.counts[self.base.core_counter + counter] += 1,
            address::PCIE_COUNTERS => self.counts[self.base.host_counter + counter] += 1,
            _ => {}
        }
    }
}

/// Takes a credit; says whether the buffer is full now, and whether it is empty after it was full.
fn settle(flow: &mut ChannelFlow, credit: u64, depth: u32) -> (bool, bool) {
    let is_full = flow.owed >= depth;
    flow.was_full |= is_full;
    flow.owed = flow.owed.saturating_sub(credit as u32);
    let is_empty = flow.was_full && flow.owed == 0;
    flow.was_full &= !is_empty;
    (is_full, is_empty)
}

/// Takes a beat of a host stream; its low word if it is the first of a payload.
fn beat(
    stream: &StreamPins,
    words: &[u64],
    host: usize,
    beat_words: usize,
    beats: &mut [u32],
) -> Option<u64> {
    let data = words[stream.data + host * beat_words];
    let payload = (beats[host] == 1).then_some(data);
    let is_last = words[stream.last] >> host & 1 == 1;
    beats[host] = if is_last { 0 } else { beats[host] + 1 };
    payload
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_is_full_at_its_depth_and_empty_when_all_credits_are_back() {
        let mut flow = ChannelFlow {
            owed: 2,
            ..ChannelFlow::default()
        };
        assert_eq!(settle(&mut flow, 0, 2), (true, false));
        assert_eq!(settle(&mut flow, 1, 2), (true, false));
        assert_eq!(settle(&mut flow, 1, 2), (false, true));
        assert_eq!(settle(&mut flow, 0, 2), (false, false));
    }
}
