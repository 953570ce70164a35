//! One simulation: a network, its traffic, a warm-up, and what is measured after it.

use super::clock::{Stopwatch, processor_time};
use super::point::{LinkRecord, Point};
use super::warm_up::{Detector, Finding, PERIOD, WarmUp};
use super::window::Window;
use crate::fabric::{Arrived, Fabric, Stepping};
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
    mut record: impl FnMut(u64, &Packet, &Arrived),
) {
    fabric.step(end, deliveries);
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
            react(fabric, arrived, &packet);
        }
        record(arrived.cycle - packet.created, &packet, arrived);
    }
}

/// Forgets the empty network; returns whether latencies settled.
pub(crate) fn warm_up<K: KeySet>(fabric: &mut Fabric<K>, until: WarmUp) -> bool {
    let mut deliveries = Vec::new();
    let mut detector = Detector::default();
    let mut period_end = PERIOD;
    loop {
        let end = match until {
            WarmUp::Cycles(cycles) if fabric.now() >= cycles => return true,
            WarmUp::Cycles(cycles) => cycles,
            WarmUp::Automatic => period_end,
        };
        step(fabric, end, &mut deliveries, |latency, _, _| {
            detector.add(latency)
        });
        if until == WarmUp::Automatic && fabric.now() == period_end {
            period_end += PERIOD;
            match detector.end_period() {
                Finding::GoOn => {}
                finding => return finding == Finding::Settled,
            }
        }
    }
}

/// What hosts send because of a delivery: the sender has a place in its window, the receiver passes
/// broadcasts on.
fn react<K: KeySet>(fabric: &mut Fabric<K>, arrived: &Arrived, packet: &Packet) {
    let known = arrived.cycle + fabric.reaction();
    fabric.source_mut(arrived.source).free_window(known);
    for child in 0..fabric.children_of(arrived.destination).len() {
        let destination = fabric.children_of(arrived.destination)[child];
        fabric.source_mut(arrived.destination).add(Packet {
            destination,
            flits: packet.flits,
            created: known,
        });
    }
}

impl Experiment<'_> {
    /// Runs it.
    pub fn run(&self) -> Point {
        self.run_watched(&|_| {})
    }

    /// Runs it and tells `watch` again and again how many more cycles have been measured.
    pub fn run_watched(&self, watch: &dyn Fn(u64)) -> Point {
        with_keys!(self.plan, K => self.run_with::<K>(watch))
    }

    fn run_with<K: KeySet>(&self, watch: &dyn Fn(u64)) -> Point {
        let begun = processor_time();
        let mut fabric = Fabric::<K>::new(
            self.plan,
            self.routes,
            &self.traffic,
            Stepping::in_parts(self.parts),
        );
        let set_up_seconds = processor_time() - begun;
        let stopwatch = Stopwatch::start(self.parts);
        let settled = warm_up(&mut fabric, self.warm_up);
        let warm_up_cycles = fabric.now();
        let window = self.measure(&mut fabric, watch);
        let seconds = stopwatch.seconds();
        let routers = self.plan.instances.len() as f64;
        let cycles = fabric.now() - warm_up_cycles;
        let hosts = self.plan.network.terminals.len() as f64;
        let host_cycles = hosts * cycles as f64;
        let offered_load = window.created_flits as f64 / host_cycles;
        let accepted_load = window.delivered_flits as f64 / host_cycles;
        let memory = fabric.memory();
        let backlog = window.created_flits as f64 - window.delivered_flits as f64;
        let allowed = SATURATED * window.created_flits as f64 + hosts * self.traffic.lengths.mean();
        Point {
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
            set_up_seconds,
            state_bytes_per_router: memory.state as f64 / routers,
            buffer_bytes_per_router: memory.buffers as f64 / routers,
            flows: window.flow_records(),
            links: self.link_records(&window.link_flits, cycles),
        }
    }

    fn measure<K: KeySet>(&self, fabric: &mut Fabric<K>, watch: &dyn Fn(u64)) -> Window {
        let created = |fabric: &Fabric<K>| fabric.sources().map(|s| s.created().1).sum::<u64>();
        let mut window = Window::default();
        let (created_before, sent_before) = (created(fabric), fabric.flits_sent());
        fabric.take_arrivals();
        let end = fabric.now() + self.cycles;
        let mut deliveries = Vec::new();
        while fabric.now() < end {
            let begun = fabric.now();
            step(fabric, end, &mut deliveries, |latency, packet, arrived| {
                window.latencies.add(latency);
                window.delivered_flits += u64::from(packet.flits);
                if self.flows {
                    let flow = (arrived.source, arrived.destination);
                    window.add_to_flow(flow, latency, packet.flits);
                }
            });
            watch(fabric.now() - begun);
        }
        window.created_flits = created(fabric) - created_before;
        let arrivals = fabric.take_arrivals();
        (window.arrived_packets, window.blocks) = (arrivals.packets, arrivals.blocks);
        if self.links {
            let difference = |(after, before): (Vec<u32>, Vec<u32>)| {
                let ports = after.into_iter().zip(before);
                ports
                    .map(|(after, before)| after.wrapping_sub(before))
                    .collect()
            };
            let blocks = fabric.flits_sent().into_iter().zip(sent_before);
            window.link_flits = blocks.map(difference).collect();
        }
        window
    }

    /// All directions of all cables, in their order.
    fn link_records(&self, flits: &[Vec<u32>], cycles: u64) -> Vec<LinkRecord> {
        if flits.is_empty() {
            return Vec::new();
        }
        let record = |from: End, to: End, dimension| LinkRecord {
            from,
            to,
            dimension,
            load: f64::from(flits[from.block.0 as usize][usize::from(from.port.0)]) / cycles as f64,
        };
        let all = self.plan.network.cables.iter().flat_map(|cable| {
            let directions = cable.directions();
            directions.map(|(from, to)| record(from, to, cable.dimension))
        });
        all.collect()
    }
}
