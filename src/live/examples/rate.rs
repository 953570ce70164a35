//! Flits that `mkns-host` moves over the sockets of `mkns live`, beside those of the fast model alone, for the same pattern
//! at saturation: `cargo run --release -p mkns-live --example rate -- ["MKNS(2,4,2,1)"] [SECONDS]`.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use mkns_design::Plan;
use mkns_host::Port;
use mkns_live::LiveServer;
use mkns_random::Random;
use mkns_simulation::live::OutsideRun;
use mkns_traffic::{NetworkSide, OutsideHosts, OutsidePacket, Requests};

/// Bytes of a payload: a packet of 33 flits.
const PAYLOAD: usize = 256;
const FLITS: u64 = 33;
/// Packets that wait at each host of the model alone, and that a program sends at a time.
const WAITING: usize = 16;
/// Threads of the programs: some send, as many receive.
const THREADS: u32 = 2;

/// Hosts in this process that always have packets.
struct Saturating {
    hosts: u32,
    random: Random,
    until: Instant,
    received: u64,
}

impl OutsideHosts for Saturating {
    fn exchange(&mut self, network: &mut dyn NetworkSide) -> Requests {
        self.received += network.take_arrived().len() as u64;
        for source in 0..self.hosts {
            for _ in network.waiting(source)..WAITING {
                network.send(OutsidePacket {
                    source,
                    destination: other_host(source, self.hosts, &mut self.random),
                    layer: 0,
                    payload: vec![0; PAYLOAD],
                });
            }
        }
        Requests {
            stop: Instant::now() > self.until,
            ..Requests::default()
        }
    }

    fn conclude(&mut self, _arrived: Vec<OutsidePacket>) {}
}

/// Uniform traffic.
fn other_host(source: u32, hosts: u32, random: &mut Random) -> u32 {
    (source + 1 + random.below(u64::from(hosts) - 1) as u32) % hosts
}

fn run(plan: &Plan, hosts: &mut dyn OutsideHosts) {
    let run = OutsideRun {
        plan,
        failures: &[],
        managed: None,
    };
    run.run(hosts).expect("a run to its end");
}

/// Flits per second of the model alone.
fn alone(plan: &Plan, length: Duration) -> f64 {
    let mut hosts = Saturating {
        hosts: plan.hosts(),
        random: Random::new(1),
        until: Instant::now() + length,
        received: 0,
    };
    run(plan, &mut hosts);
    (hosts.received * FLITS) as f64 / length.as_secs_f64()
}

/// Flits per second from program to program.
fn over_sockets(plan: &Plan, folder: &Path, length: Duration) -> f64 {
    let stop = Arc::new(AtomicBool::new(false));
    let mut server = LiveServer::start(folder, plan, None, Arc::clone(&stop)).expect("sockets");
    let (hosts, received) = (plan.hosts(), AtomicU64::new(0));
    let open = |host: u32| Port::open(&format!("live:{}/host_{host}", folder.display()));
    let ports: Vec<Port> = (0..hosts).map(|host| open(host).expect("a port")).collect();
    let address = |port: &Port| port.information().expect("told").address;
    let addresses: Vec<u32> = ports.iter().map(address).collect();
    let totals = thread::scope(|scope| {
        // Sockets that close end the threads which wait to send.
        let network = scope.spawn(move || {
            run(plan, &mut server);
            server.finish()
        });
        let (ports, addresses, stop, received) = (&ports, &addresses, &stop, &received);
        for thread in 0..hosts {
            scope.spawn(move || {
                let mut random = Random::new(u64::from(thread));
                while !stop.load(Ordering::Relaxed) {
                    let to = (0..WAITING).map(|_| other_host(thread, hosts, &mut random));
                    let payload = [0; PAYLOAD];
                    let packets: Vec<(u32, u32, &[u8])> = to
                        .map(|to| (addresses[to as usize], 0, &payload[..]))
                        .collect();
                    if ports[thread as usize].send_all(packets).is_err() {
                        return;
                    }
                }
            });
        }
        for thread in 0..THREADS {
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let mut came = 0;
                    for port in ports.iter().skip(thread as usize).step_by(THREADS as usize) {
                        while let Ok(Some(_)) = port.receive(Some(Duration::ZERO)) {
                            came += 1;
                        }
                    }
                    received.fetch_add(came, Ordering::Relaxed);
                    if came == 0 {
                        thread::sleep(Duration::from_micros(200));
                    }
                }
            });
        }
        thread::sleep(length);
        stop.store(true, Ordering::Relaxed);
        network.join().expect("the network ends")
    });
    println!("at the sockets: {totals:?}");
    (received.load(Ordering::Relaxed) * FLITS) as f64 / length.as_secs_f64()
}

fn main() {
    let mut words = std::env::args().skip(1);
    let notation = words.next().unwrap_or_else(|| "MKNS(2,4,2,1)".to_owned());
    let seconds = words.next().and_then(|word| word.parse().ok()).unwrap_or(5);
    let length = Duration::from_secs(seconds);
    let spec = mkns_spec::parse(&notation).expect("a notation of a network");
    let plan = mkns_design::build(&spec).expect("a plan");
    let folder = std::env::temp_dir().join(format!("mkns-rate-{}", std::process::id()));
    let first = alone(&plan, length);
    let sockets = over_sockets(&plan, &folder, length);
    let second = alone(&plan, length);
    let model = (first + second) / 2.0;
    println!("{notation}, packets of {FLITS} flits at saturation, million flits per second:");
    println!(
        "  model alone {:.2} (before {:.2}, after {:.2})",
        model / 1e6,
        first / 1e6,
        second / 1e6
    );
    println!(
        "  over sockets {:.2}, ratio {:.2}",
        sockets / 1e6,
        sockets / model
    );
}
