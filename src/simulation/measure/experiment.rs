//! One simulation: a network, its traffic, a warm-up, and what is measured after it.

use std::collections::BTreeMap;

use super::batches::Batches;
use super::clock::{Stopwatch, processor_time};
use super::point::{LinkRecord, Point};
use super::steps::{step_on, warm_up_on, with_keys};
use super::warm_up::{PERIOD, WarmUp};
use super::window::Window;
use crate::fabric::{Fabric, RankReport, RankShare, Stepping};
use crate::ranks::{RankCommunicator, SingleRank};
use crate::switch_core::KeySet;
use mkns_design::{Plan, RouteSource};
use mkns_topology::End;
use mkns_traffic::{Created, Pattern, Source, Traffic};

/// As the measured cycles of a plan of packets: until all of them have arrived.
pub const TO_THE_END: u64 = u64::MAX;

/// Cycles without an arrival after which the rest of a plan does not arrive any more.
const STANDSTILL: u64 = 100_000;

/// A warm-up takes this many mean latencies at least, and a measurement.
const WARM_UP_LATENCIES: f64 = 2.0;
const MEASURED_LATENCIES: f64 = 10.0;

/// Hosts create more than the network delivers when this share of what they created, and a packet
/// a host, were not delivered while it was measured.
const SATURATED: f64 = 0.02;

/// What to simulate and how to measure it.
#[derive(Debug, Clone)]
pub struct Experiment<'a> {
    pub plan: &'a Plan,
    pub routes: RouteSource,
    pub traffic: Traffic,
    pub warm_up: WarmUp,
    /// Measured cycles, or [`TO_THE_END`].
    pub cycles: u64,
    /// Parts of the network that threads step side by side; has no effect on results.
    pub parts: usize,
    /// Whether flows are recorded one by one.
    pub flows: bool,
    /// Whether links are recorded one by one.
    pub links: bool,
}

impl Experiment<'_> {
    pub fn run(&self) -> Point {
        self.run_watched(&|_| {})
    }

    /// Runs it and tells `watch` again and again how many more cycles have been measured.
    pub fn run_watched(&self, watch: &dyn Fn(u64)) -> Point {
        let begun = processor_time();
        let rank_share = RankShare::whole(self.plan, Stepping::in_parts(self.parts));
        let cut_seconds = processor_time() - begun;
        let (point, _) = self.run_on(&SingleRank, &rank_share, watch);
        Point {
            set_up_seconds: cut_seconds + point.set_up_seconds,
            ..point
        }
    }

    /// Runs the share of one of several ranks, which all run the same experiment; the plan is that of the piece. What
    /// is measured is the whole network's, on every rank; flows and links are on rank 0 only.
    pub fn run_on(
        &self,
        ranks: &dyn RankCommunicator,
        rank_share: &RankShare<'_>,
        watch: &dyn Fn(u64),
    ) -> (Point, RankReport) {
        let begun = processor_time();
        with_keys!(self.plan, K => {
            let fabric = Fabric::<K>::of_share(rank_share, self.routes, &self.traffic);
            let set_up_seconds = processor_time() - begun;
            let (point, share) = self.run_with(ranks, rank_share, fabric, watch);
            (Point { set_up_seconds, ..point }, share)
        })
    }

    fn run_with<K: KeySet>(
        &self,
        ranks: &dyn RankCommunicator,
        rank_share: &RankShare<'_>,
        mut fabric: Fabric<K>,
        watch: &dyn Fn(u64),
    ) -> (Point, RankReport) {
        let stopwatch = Stopwatch::start(self.parts * ranks.count());
        let settled = warm_up_on(ranks, &mut fabric, self.warm_up);
        let warm_up_cycles = fabric.now();
        let mut window = self.measure(ranks, &mut fabric, watch);
        let seconds = stopwatch.seconds();
        let routers = rank_share.blocks as f64;
        let cycles = match self.cycles {
            TO_THE_END if window.last_delivery > warm_up_cycles => {
                window.last_delivery - warm_up_cycles
            }
            _ => fabric.now() - warm_up_cycles,
        };
        let host_cycles = f64::from(self.plan.hosts()) * cycles as f64;
        let load = |flits: u64| flits as f64 / host_cycles;
        let latency_mean = window.latencies.mean();
        let own = fabric.memory();
        let mut sums = [own.state as u64, own.buffers as u64];
        ranks.sum(&mut sums);
        let share = fabric.share();
        window.gather(ranks);
        let by_host = |flits: u64| flits as f64 / cycles as f64;
        let point = Point {
            offered_load: load(window.created.flits),
            accepted_load: load(window.delivered_flits),
            load_without_route: load(window.created.flits_without_route),
            load_to_self: load(window.created.flits_to_self),
            accepted_load_least: by_host(window.accepted.0),
            accepted_load_most: by_host(window.accepted.1),
            latency_mean,
            latency_min: window.latencies.least(),
            latency_p50: window.latencies.percentile(0.5),
            latency_p99: window.latencies.percentile(0.99),
            latency_max: window.latencies.greatest(),
            hops_mean: window.blocks as f64 / window.arrived_packets.max(1) as f64,
            packets: window.latencies.packets(),
            created_packets: window.run.packets,
            packets_without_route: window.run.packets_without_route,
            packets_under_way: window.open_packets.saturating_sub(window.lost_in_run),
            packets_lost: window.lost_in_run,
            choices: window.choices.if_any(),
            warm_up_cycles,
            cycles,
            settled: settled && self.has_settled(&window, warm_up_cycles),
            short: self.cycles != TO_THE_END && (cycles as f64) < MEASURED_LATENCIES * latency_mean,
            saturated: self.is_saturated(&window, cycles),
            router_cycles_per_second: routers * fabric.now() as f64 / seconds,
            set_up_seconds: 0.0,
            state_bytes_per_router: sums[0] as f64 / routers,
            buffer_bytes_per_router: sums[1] as f64 / routers,
            flows: window.flow_records(),
            links: self.link_records(&window.link_flits, cycles),
        };
        (point, share)
    }

    /// Whether a warm-up that was given is long enough, as far as the measured cycles show; traces are measured from
    /// their beginning.
    fn has_settled(&self, window: &Window, warm_up_cycles: u64) -> bool {
        match (self.warm_up, self.traffic.pattern) {
            (WarmUp::Automatic, _) | (_, Pattern::Trace) => true,
            _ => {
                let least = WARM_UP_LATENCIES * window.latencies.mean();
                warm_up_cycles as f64 >= least && window.batches.is_steady()
            }
        }
    }

    /// Whether hosts created more than the network delivered of what has a route and was not lost on the way. What a steady network holds and this
    /// one did not hold yet, as the warm-up was too short, does not count: by Little's law load times latency.
    fn is_saturated(&self, window: &Window, cycles: u64) -> bool {
        let created = (window.created.flits - window.created.flits_without_route) as f64;
        let lost = window.lost_packets as f64 * self.traffic.lengths.mean();
        let backlog = created - lost - window.delivered_flits as f64;
        let a_packet_each = f64::from(self.plan.hosts()) * self.traffic.lengths.mean();
        let filling = match self.warm_up {
            WarmUp::Automatic => 0.0,
            WarmUp::Cycles(_) => {
                let held = created / cycles as f64 * window.latencies.mean();
                (held - window.open_before as f64 * self.traffic.lengths.mean()).max(0.0)
            }
        };
        backlog > SATURATED * created + a_packet_each + filling
    }

    fn measure<K: KeySet>(
        &self,
        ranks: &dyn RankCommunicator,
        fabric: &mut Fabric<K>,
        watch: &dyn Fn(u64),
    ) -> Window {
        let created_before: Vec<Created> = fabric.sources().map(Source::created).collect();
        let sent_before = fabric.flits_sent();
        let lost_before = fabric.packets_dropped();
        let choices_before = fabric.choices();
        fabric.take_arrivals();
        let start = fabric.now();
        let mut window = Window::default();
        window.batches = Batches::new(start, self.cycles);
        window.open_before = fabric.sources().map(Source::open_packets).sum();
        let mut accepted = vec![0; self.plan.hosts() as usize];
        let end = start.saturating_add(self.cycles);
        let mut deliveries = Vec::new();
        let mut next = start;
        while fabric.now() < end {
            if self.cycles != TO_THE_END {
                next = end;
            } else if fabric.now() == next {
                if self.plan_is_done(ranks, fabric, window.last_delivery) {
                    break;
                }
                next += PERIOD;
            }
            let begun = fabric.now();
            step_on(
                ranks,
                fabric,
                next,
                &mut deliveries,
                |latency, packet, arrived| {
                    window.latencies.add(latency);
                    window.delivered_flits += u64::from(packet.flits);
                    window.last_delivery = window.last_delivery.max(arrived.cycle + 1);
                    window.batches.add(arrived.cycle, latency, packet.flits);
                    accepted[arrived.source as usize] += u64::from(packet.flits);
                    if self.flows {
                        let flow = (arrived.source, arrived.destination);
                        window.add_to_flow(flow, latency, packet.flits);
                    }
                },
            );
            watch(fabric.now() - begun);
        }
        let created = fabric.sources().zip(&created_before);
        let created = created.map(|(source, before)| (source.host(), source.created() - *before));
        let created: Vec<(u32, Created)> = created.collect();
        window.created = created.iter().map(|(_, created)| *created).sum();
        let offering = created.iter().filter(|(_, created)| created.packets > 0);
        let by_host = offering.map(|(host, _)| accepted[*host as usize]);
        window.accepted = by_host.fold((u64::MAX, 0), |(least, most), flits| {
            (least.min(flits), most.max(flits))
        });
        window.run = fabric.sources().map(Source::created).sum();
        window.open_packets = fabric.sources().map(Source::open_packets).sum();
        window.lost_in_run = fabric.packets_dropped();
        window.lost_packets = window.lost_in_run - lost_before;
        window.choices = fabric.choices() - choices_before;
        let arrivals = fabric.take_arrivals();
        (window.arrived_packets, window.blocks) = (arrivals.packets, arrivals.blocks);
        if self.links {
            let difference = |((block, after), (_, before)): ((u32, Vec<u32>), (u32, Vec<u32>))| {
                let ports = after.into_iter().zip(before);
                let sent = ports.map(|(after, before)| after.wrapping_sub(before));
                (block, sent.collect())
            };
            let blocks = fabric.flits_sent().into_iter().zip(sent_before);
            window.link_flits = blocks.map(difference).collect();
        }
        window.sum(ranks);
        window
    }

    /// Whether all packets of the plan have arrived, or nothing has for so long that the rest will not, on all ranks.
    fn plan_is_done<K: KeySet>(
        &self,
        ranks: &dyn RankCommunicator,
        fabric: &Fabric<K>,
        last_delivery: u64,
    ) -> bool {
        let created = fabric.sources().map(|source| source.created().packets);
        let open = fabric.sources().map(Source::open_packets);
        let mut sums = [created.sum(), open.sum()];
        ranks.sum(&mut sums);
        let planned = || self.traffic.plan.iter().flatten();
        let last = planned().map(|packet| packet.cycle).max().unwrap_or(0);
        let last = last.max(ranks.greatest(last_delivery));
        let is_done = sums == [planned().count() as u64, 0];
        is_done || fabric.now() > last.saturating_add(STANDSTILL)
    }

    /// All directions of all cables, in their order.
    fn link_records(&self, flits: &BTreeMap<u32, Vec<u32>>, cycles: u64) -> Vec<LinkRecord> {
        if flits.is_empty() {
            return Vec::new();
        }
        let record = |from: End, to: End, dimension| LinkRecord {
            from,
            to,
            dimension,
            load: f64::from(flits[&from.block.0][usize::from(from.port.0)]) / cycles as f64,
        };
        let all = self.plan.network.cables.iter().flat_map(|cable| {
            let directions = cable.directions();
            directions.map(|(from, to)| record(from, to, cable.dimension))
        });
        all.collect()
    }
}
