//! A network that runs while its parts fail, and its control ports as a manager sees them.
//!
//! Accesses take the cycles that they take at the AXI4-Lite ports of the RTL (section 4 of
//! `docs/microarchitecture.md`). The blocks are stepped only when something changes: what a read gives is known before.

use std::collections::VecDeque;
use std::convert::Infallible;

use super::managed::TimedBlocks;
use super::outside::OutsideTraffic;
use super::period::{FailurePeriod, State, Sums};
use crate::fabric::{Arrived, Fabric, RegisterFiles};
use crate::switch_core::KeySet;
use mkns_design::Plan;
use mkns_manage::{FailureSeen, History, Registers, RouteChange};
use mkns_topology::{BlockId, Faults, Part};
use mkns_traffic::{Created, OutsideTotals, Source};

/// Cycles from the valid of an access to its register: what is read stands there in this one, what is written from the
/// next one on.
const SAMPLED: u64 = 1;
/// Cycles of an access, up to the next one of the same master.
const ACCESS: u64 = 3;
/// Cycles that the blocks may be behind the master.
const BEHIND: u64 = 1024;

/// A network in which parts fail.
pub struct Running<'a, K: KeySet> {
    plan: &'a Plan,
    pub fabric: Fabric<K>,
    files: RegisterFiles,
    /// First cycle that counts.
    start: u64,
    /// What has failed.
    faults: Faults,
    /// Blocks whose links have changed since somebody asked, and when.
    changed: Vec<(u64, BlockId)>,
    /// What will, by cycle.
    coming: VecDeque<(Part, u64)>,
    /// Cycle in which the next access may begin.
    clock: u64,
    pub history: History,
    pub periods: Vec<FailurePeriod>,
    /// Packets that each host had begun at the end of each period.
    begun: Vec<Vec<u32>>,
    sums: Sums,
    /// What hosts had created at the end of the last period.
    created: Created,
    /// Source and number of packets that arrived marked bad, and how many of those did not tell.
    cut: Vec<(u32, u32)>,
    cut_unknown: u64,
    pub totals: Totals,
    deliveries: Vec<Arrived>,
    /// Who sends, beside the sources' own traffic.
    outside: Option<OutsideTraffic<'a>>,
    watch: &'a dyn Fn(u64),
}

/// Packets of the whole run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Totals {
    /// Begun by hosts.
    pub sent: u64,
    /// Arrived whole.
    pub received: u64,
    /// Arrived marked bad: cut by a cable that failed.
    pub bad: u64,
    /// Never arrived.
    pub lost: u64,
    /// Created and never sent: their hosts fell silent, or routes no longer lead to their destinations.
    pub withdrawn: u64,
}

impl<'a, K: KeySet> Running<'a, K> {
    /// A network after its warm-up, in which parts will fail, at cycles counted from now.
    pub fn new(
        plan: &'a Plan,
        fabric: Fabric<K>,
        failures: &[(Part, u64)],
        watch: &'a dyn Fn(u64),
    ) -> Self {
        let start = fabric.now();
        let mut coming: Vec<(Part, u64)> = failures.to_vec();
        coming.sort_by_key(|(_, cycle)| *cycle);
        let mut running = Self {
            plan,
            files: RegisterFiles::new(plan),
            start,
            faults: plan.faults.clone(),
            changed: Vec::new(),
            coming: coming.into(),
            clock: start,
            history: History::default(),
            periods: Vec::new(),
            begun: Vec::new(),
            sums: Sums::default(),
            created: fabric.sources().map(Source::created).sum(),
            cut: Vec::new(),
            cut_unknown: 0,
            totals: Totals::default(),
            deliveries: Vec::new(),
            outside: None,
            fabric,
            watch,
        };
        running.fabric.take_arrivals();
        let under_way = running
            .fabric
            .sources()
            .map(|source| source.missing().count());
        running.totals.sent = under_way.sum::<usize>() as u64;
        let begun = running.begun_now();
        running.begun.push(begun);
        running
    }

    /// From now on hosts outside send and receive.
    pub fn attach(&mut self, outside: OutsideTraffic<'a>) {
        self.outside = Some(outside);
    }

    /// Whether hosts outside have asked for the end.
    pub fn has_stopped(&self) -> bool {
        self.outside
            .as_ref()
            .is_some_and(|outside| outside.has_stopped)
    }

    /// What became of the packets of hosts outside, when nothing moves any more.
    pub fn conclude_outside(&mut self) -> OutsideTotals {
        let Some(outside) = &mut self.outside else {
            return OutsideTotals::default();
        };
        outside.conclude(&self.fabric);
        outside.totals
    }

    /// Cycles since the start.
    pub fn cycle(&self) -> u64 {
        self.clock - self.start
    }

    /// Lets the time of the next access come, `cycle` cycles after the start.
    pub fn wait_until(&mut self, cycle: u64) {
        self.clock = self.clock.max(self.start + cycle);
        self.advance(self.clock);
    }

    /// A manager has rerouted, so that these pairs are served.
    pub fn repaired(&mut self, repair: RouteChange) {
        self.advance(self.clock);
        self.end_period();
        self.totals.withdrawn += self.fabric.serve(repair.served.clone());
        if let Some(outside) = &mut self.outside {
            outside.serve(&self.fabric, self.fabric.addresses());
        }
        self.history.repaired(self.cycle(), repair);
    }

    /// Ends the last period, stops the hosts and waits until nothing moves, for `patience` cycles at most; false when
    /// something still does. What has not arrived then is lost.
    pub fn settle(&mut self, patience: u64) -> bool {
        self.advance(self.clock);
        self.end_period();
        self.fabric.hold(true);
        let end = self.clock + patience;
        while !self.fabric.is_at_rest() {
            if self.clock > end {
                return false;
            }
            self.clock += 64;
            self.advance(self.clock);
        }
        self.count();
        true
    }

    /// Up to cycle `end` of the network; parts fail when they are due.
    fn advance(&mut self, end: u64) {
        while let Some(&(part, cycle)) = self.coming.front()
            && self.start + cycle <= end
        {
            self.step(self.start + cycle);
            self.coming.pop_front();
            self.fail(part, cycle);
        }
        self.step(end);
    }

    fn step(&mut self, end: u64) {
        while self.fabric.now() < end {
            let before = self.fabric.now();
            let mut deliveries = std::mem::take(&mut self.deliveries);
            self.fabric.step(end, &mut deliveries);
            for arrived in &deliveries {
                self.take(arrived);
            }
            self.deliveries = deliveries;
            self.exchange();
            (self.watch)(self.fabric.now() - before);
        }
    }

    /// Lets hosts outside take and send; parts fail when they say so.
    fn exchange(&mut self) {
        let Some(outside) = &mut self.outside else {
            return;
        };
        let requests = outside.exchange(&mut self.fabric);
        for part in requests.failing {
            self.fail(part, self.fabric.now() - self.start);
        }
    }

    fn take(&mut self, arrived: &Arrived) {
        let packet = self.fabric.delivered(arrived);
        if let Some(outside) = &mut self.outside {
            outside.deliver(&self.fabric, (arrived.source, arrived.number), arrived.bad);
        }
        if arrived.bad {
            self.totals.bad += 1;
            match packet {
                Some(_) => self.cut.push((arrived.source, arrived.number)),
                None => self.cut_unknown += 1,
            }
            return;
        }
        let packet = packet.expect("a packet that is whole arrives once");
        self.totals.received += 1;
        self.sums.latencies.add(arrived.cycle - packet.created);
        self.sums.flits += u64::from(packet.flits);
    }

    fn fail(&mut self, part: Part, cycle: u64) {
        self.end_period();
        let network = &self.plan.network;
        let faults: Faults = self.faults.parts().chain([part]).collect();
        for (number, cable) in (0..).zip(&network.cables) {
            if self.faults.cable_works(network, number) && !faults.cable_works(network, number) {
                self.fabric.cut(cable);
                let ends = [cable.a, cable.b];
                (self.changed).extend(ends.map(|end| (self.start + cycle, end.block)));
            }
        }
        for host in &network.hosts {
            let works = |faults: &Faults| faults.host_works(network, host.host);
            if works(&self.faults) && !works(&faults) {
                let source = self.fabric.source_mut(host.host);
                self.totals.withdrawn += source.silence() as u64;
            }
        }
        self.faults = faults;
        self.history.failures.push(FailureSeen {
            part: part.name(network),
            cycle,
        });
    }

    /// The period up to now is over.
    fn end_period(&mut self) {
        let arrivals = self.fabric.take_arrivals();
        self.sums.arrived += arrivals.packets;
        self.sums.blocks += arrivals.blocks;
        let from = self.periods.last().map_or(0, |period| period.to);
        let to = self.fabric.now() - self.start;
        if to == from {
            return;
        }
        let created: Created = self.fabric.sources().map(Source::created).sum();
        self.sums.created = created - std::mem::replace(&mut self.created, created);
        let sums = std::mem::take(&mut self.sums);
        let (state, hosts) = (self.state(), self.working_hosts());
        let period = sums.period((from, to), state, hosts, self.cut_pairs());
        self.periods.push(period);
        let begun = self.begun_now();
        self.begun.push(begun);
    }

    fn state(&self) -> State {
        let History { failures, repairs } = &self.history;
        let is_known = |part: &String| repairs.iter().any(|seen| seen.repair.failed.contains(part));
        match failures.iter().all(|seen| is_known(&seen.part)) {
            _ if failures.is_empty() => State::Whole,
            true if self.cut_pairs() > 0 => State::PairsCut,
            true => State::LedRound,
            false => State::Failed,
        }
    }

    /// Pairs of working hosts without a route by the routes that the blocks were given last.
    fn cut_pairs(&self) -> u64 {
        match (self.history.repairs.last(), &self.plan.served) {
            (Some(seen), _) => seen.repair.pairs_without_route,
            (None, Some(served)) => served.working_pairs_without_route(),
            (None, None) => 0,
        }
    }

    fn working_hosts(&self) -> usize {
        let network = &self.plan.network;
        let hosts = network.hosts.iter();
        let works = hosts.filter(|host| self.faults.host_works(network, host.host));
        works.count()
    }

    fn begun_now(&self) -> Vec<u32> {
        self.fabric.sources().map(|source| source.begun()).collect()
    }

    /// What was sent and what was lost, by periods. What was under way at the start counts in the first one.
    fn count(&mut self) {
        let begun = &self.begun;
        for (period, ends) in self.periods.iter_mut().zip(begun.windows(2)) {
            let sent = |(before, after): (&u32, &u32)| u64::from(after - before);
            period.sent = ends[0].iter().zip(&ends[1]).map(sent).sum();
            self.totals.sent += period.sent;
        }
        let missing = self.fabric.sources().zip(0..);
        let missing = missing.flat_map(|(source, host)| source.missing().map(move |n| (host, n)));
        let missing: Vec<(u32, u32)> = missing.collect();
        self.totals.lost = missing.len() as u64 - self.cut_unknown;
        for &(host, number) in missing.iter().chain(&self.cut) {
            let is_later = |ends: &&Vec<u32>| ends[host as usize] < number;
            let place = begun.iter().take_while(is_later).count().max(1) - 1;
            self.periods[place].lost += 1;
        }
    }
}

impl<K: KeySet> Registers for Running<'_, K> {
    type Error = Infallible;

    fn read(&mut self, block: BlockId, address: u32) -> Result<Option<u32>, Infallible> {
        let value = self.read_at(self.clock + SAMPLED, block, address);
        self.clock += ACCESS;
        Ok(value)
    }

    fn write(&mut self, block: BlockId, address: u32, value: u32) -> Result<bool, Infallible> {
        let is_written = self.write_at(self.clock + SAMPLED, block, address, value);
        self.clock += ACCESS;
        Ok(is_written)
    }

    fn hold_hosts(&mut self, stop: bool) -> Result<bool, Infallible> {
        self.hold(stop);
        Ok(true)
    }
}

impl<K: KeySet> TimedBlocks for Running<'_, K> {
    fn clock(&self) -> u64 {
        self.clock
    }

    fn wait(&mut self, cycles: u64) {
        self.clock += cycles;
    }

    fn read_at(&mut self, cycle: u64, block: BlockId, address: u32) -> Option<u32> {
        let fails = self
            .coming
            .front()
            .is_some_and(|(_, failing)| self.start + failing <= cycle);
        if fails || cycle > self.fabric.now() + BEHIND {
            self.advance(cycle);
        }
        self.fabric.read(&self.files, block, address)
    }

    fn write_at(&mut self, cycle: u64, block: BlockId, address: u32, value: u32) -> bool {
        self.advance(cycle + 1);
        self.fabric.write(&self.files, block, address, value)
    }

    fn take_changed(&mut self) -> Vec<(u64, BlockId)> {
        std::mem::take(&mut self.changed)
    }

    fn hold(&mut self, stop: bool) {
        self.advance(self.clock);
        self.fabric.hold(stop);
    }
}
