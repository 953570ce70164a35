//! One simulation: a network, its traffic, a warm-up, and what is measured after it.

use std::collections::BTreeMap;

use super::clock::{Stopwatch, processor_time};
use super::point::{LinkRecord, Point};
use super::warm_up::{Detector, Finding, PERIOD, WarmUp};
use super::window::Window;
use crate::fabric::{Arrived, Fabric, Piece, Share, Stepping};
use crate::ranks::{Alone, Ranks};
use crate::switch_core::KeySet;
use crate::traffic::{Packet, Traffic};
use mkns_design::Plan;
use mkns_design::RouteSource;
use mkns_topology::End;

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
    /// Measured cycles.
    pub cycles: u64,
    /// Parts of the network that threads step side by side; has no effect on results.
    pub parts: usize,
    /// Whether flows are recorded one by one.
    pub flows: bool,
    /// Whether links are recorded one by one.
    pub links: bool,
}

/// Evaluates an expression with the smallest key sets that fit all blocks of a plan.
macro_rules! with_keys {
    ($plan:expr, $keys:ident => $result:expr) => {
        if $crate::fabric::Fabric::<u32>::fits($plan) {
            type $keys = u32;
            $result
        } else if $crate::fabric::Fabric::<u64>::fits($plan) {
            type $keys = u64;
            $result
        } else {
            type $keys = u128;
            $result
        }
    };
}
pub(crate) use with_keys;

/// All packets that hosts take in the first `cycles` cycles, in the order of cycle, source and
/// destination.
pub fn deliveries(plan: &Plan, traffic: &Traffic, cycles: u64, parts: usize) -> Vec<Arrived> {
    with_keys!(plan, K => all_deliveries::<K>(plan, traffic, cycles, parts))
}

fn all_deliveries<K: KeySet>(
    plan: &Plan,
    traffic: &Traffic,
    cycles: u64,
    parts: usize,
) -> Vec<Arrived> {
    let mut fabric = Fabric::<K>::new(
        plan,
        RouteSource::Tables,
        traffic,
        Stepping::in_parts(parts),
    );
    let (mut all, mut batch) = (Vec::new(), Vec::new());
    let mut unused = Detector::default();
    while fabric.now() < cycles {
        step(&mut fabric, cycles, &mut batch, |latency, _, _| {
            unused.add(latency)
        });
        all.extend(&batch);
    }
    all.sort_unstable();
    all
}

/// A batch of cycles up to `end` at most; tells the latency of every packet delivered.
pub(crate) fn step<K: KeySet>(
    fabric: &mut Fabric<K>,
    end: u64,
    deliveries: &mut Vec<Arrived>,
    record: impl FnMut(u64, &Packet, &Arrived),
) {
    step_on(&Alone, fabric, end, deliveries, record);
}

/// A batch of cycles on several ranks; tells the latency of every packet that a host of this one had sent.
fn step_on<K: KeySet>(
    ranks: &dyn Ranks,
    fabric: &mut Fabric<K>,
    end: u64,
    deliveries: &mut Vec<Arrived>,
    mut record: impl FnMut(u64, &Packet, &Arrived),
) {
    fabric.step_on(end, ranks, deliveries);
    if fabric.reacts() {
        // They come block by block; hosts react to them in the order of their cycles.
        deliveries.sort_unstable();
    }
    for (place, arrived) in deliveries.iter().enumerate() {
        fabric.prefetch_sources(&deliveries[place..]);
        let packet = fabric
            .delivered(arrived)
            .expect("only packets that were sent arrive");
        if fabric.reacts() {
            // The sender has a place in its window.
            let known = arrived.cycle + fabric.reaction();
            fabric.source_mut(arrived.source).free_window(known);
        }
        record(arrived.cycle - packet.created, &packet, arrived);
    }
    pass_on(fabric);
}

/// Forgets the empty network; returns whether latencies settled.
pub(crate) fn warm_up<K: KeySet>(fabric: &mut Fabric<K>, until: WarmUp) -> bool {
    warm_up_on(&Alone, fabric, until)
}

/// Lets a network that is cut over several ranks warm up; returns whether latencies settled.
fn warm_up_on<K: KeySet>(ranks: &dyn Ranks, fabric: &mut Fabric<K>, until: WarmUp) -> bool {
    let mut deliveries = Vec::new();
    let mut detector = Detector::default();
    let mut period_end = PERIOD;
    loop {
        let end = match until {
            WarmUp::Cycles(cycles) if fabric.now() >= cycles => return true,
            WarmUp::Cycles(cycles) => cycles,
            WarmUp::Automatic => period_end,
        };
        step_on(ranks, fabric, end, &mut deliveries, |latency, _, _| {
            detector.add(latency)
        });
        if until == WarmUp::Automatic && fabric.now() == period_end {
            period_end += PERIOD;
            match detector.end_period(ranks) {
                Finding::GoOn => {}
                finding => return finding == Finding::Settled,
            }
        }
    }
}

/// Receivers pass broadcasts on.
fn pass_on<K: KeySet>(fabric: &mut Fabric<K>) {
    for (arrived, flits) in fabric.take_taken() {
        for child in 0..fabric.children_of(arrived.destination).len() {
            let destination = fabric.children_of(arrived.destination)[child];
            let created = arrived.cycle + fabric.reaction();
            fabric.source_mut(arrived.destination).add(Packet {
                destination,
                flits,
                created,
            });
        }
    }
}

impl Experiment<'_> {
    /// Runs it.
    pub fn run(&self) -> Point {
        self.run_watched(&|_| {})
    }

    /// Runs it and tells `watch` again and again how many more cycles have been measured.
    pub fn run_watched(&self, watch: &dyn Fn(u64)) -> Point {
        let begun = processor_time();
        let piece = Piece::whole(self.plan, Stepping::in_parts(self.parts));
        self.run_piece(&Alone, &piece, begun, watch).0
    }

    /// Runs the share of one of several ranks, which all run the same experiment; the plan is that of the piece. What
    /// is measured is the whole network's, on every rank; flows and links are on rank 0 only.
    pub fn run_on(
        &self,
        ranks: &dyn Ranks,
        piece: &Piece<'_>,
        watch: &dyn Fn(u64),
    ) -> (Point, Share) {
        self.run_piece(ranks, piece, processor_time(), watch)
    }

    /// `begun`: processor time at the beginning.
    fn run_piece(
        &self,
        ranks: &dyn Ranks,
        piece: &Piece<'_>,
        begun: f64,
        watch: &dyn Fn(u64),
    ) -> (Point, Share) {
        with_keys!(self.plan, K => {
            let fabric = Fabric::<K>::of_piece(piece, self.routes, &self.traffic);
            let set_up_seconds = processor_time() - begun;
            let (point, share) = self.run_with(ranks, piece, fabric, watch);
            (Point { set_up_seconds, ..point }, share)
        })
    }

    fn run_with<K: KeySet>(
        &self,
        ranks: &dyn Ranks,
        piece: &Piece<'_>,
        mut fabric: Fabric<K>,
        watch: &dyn Fn(u64),
    ) -> (Point, Share) {
        let stopwatch = Stopwatch::start(self.parts * ranks.count());
        let settled = warm_up_on(ranks, &mut fabric, self.warm_up);
        let warm_up_cycles = fabric.now();
        let mut window = self.measure(ranks, &mut fabric, watch);
        let seconds = stopwatch.seconds();
        let routers = piece.blocks as f64;
        let cycles = fabric.now() - warm_up_cycles;
        let hosts = f64::from(self.plan.hosts());
        let host_cycles = hosts * cycles as f64;
        let offered_load = window.created_flits as f64 / host_cycles;
        let accepted_load = window.delivered_flits as f64 / host_cycles;
        let own = fabric.memory();
        let mut sums = [own.state as u64, own.buffers as u64];
        ranks.sum(&mut sums);
        let share = fabric.share();
        window.gather(ranks);
        let backlog = window.created_flits as f64 - window.delivered_flits as f64;
        let allowed = SATURATED * window.created_flits as f64 + hosts * self.traffic.lengths.mean();
        let point = Point {
            offered_load,
            accepted_load,
            latency_mean: window.latencies.mean(),
            latency_min: window.latencies.least(),
            latency_p50: window.latencies.percentile(0.5),
            latency_p99: window.latencies.percentile(0.99),
            latency_max: window.latencies.greatest(),
            hops_mean: window.blocks as f64 / window.arrived_packets.max(1) as f64,
            packets: window.latencies.packets(),
            warm_up_cycles,
            cycles,
            settled,
            saturated: backlog > allowed,
            router_cycles_per_second: routers * fabric.now() as f64 / seconds,
            set_up_seconds: 0.0,
            state_bytes_per_router: sums[0] as f64 / routers,
            buffer_bytes_per_router: sums[1] as f64 / routers,
            flows: window.flow_records(),
            links: self.link_records(&window.link_flits, cycles),
        };
        (point, share)
    }

    fn measure<K: KeySet>(
        &self,
        ranks: &dyn Ranks,
        fabric: &mut Fabric<K>,
        watch: &dyn Fn(u64),
    ) -> Window {
        let created = |fabric: &Fabric<K>| fabric.sources().map(|s| s.created().1).sum::<u64>();
        let mut window = Window::default();
        let (created_before, sent_before) = (created(fabric), fabric.flits_sent());
        fabric.take_arrivals();
        let end = fabric.now() + self.cycles;
        let mut deliveries = Vec::new();
        while fabric.now() < end {
            let begun = fabric.now();
            step_on(
                ranks,
                fabric,
                end,
                &mut deliveries,
                |latency, packet, arrived| {
                    window.latencies.add(latency);
                    window.delivered_flits += u64::from(packet.flits);
                    if self.flows {
                        let flow = (arrived.source, arrived.destination);
                        window.add_to_flow(flow, latency, packet.flits);
                    }
                },
            );
            watch(fabric.now() - begun);
        }
        window.created_flits = created(fabric) - created_before;
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
