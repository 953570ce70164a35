//! A manager outside brings up, watches and repairs a running network through its sockets: references on both sides.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use mkns::cosim::{Failure, LiveFaults, Pair, golden_network_device, serve_outside};
use mkns::design::{self, Plan};
use mkns::host::Port;
use mkns::live::{LiveError, LiveServer, LiveWindow, ask};
use mkns::manage::{Manager, Messenger};
use mkns::simulation::live::OutsideReport;
use mkns::topology::{BlockId, Part};

const PATIENCE: Duration = Duration::from_secs(120);
const OWN: BlockId = BlockId(0);

fn plan() -> Plan {
    // Flat tables have no closed form: routes are those that are written.
    let settings = [
        "routing=up_down",
        "link.kind=serial",
        "link.management=in_band",
    ];
    let spec = mkns::spec::parse_with("MKNS(1,3x2,2,1)", &settings.map(str::to_owned));
    design::build(&spec.expect("a valid spec")).expect("the network can be built")
}

/// Runs the network in this thread and a manager in another one, which ends the run.
fn run(
    plan: &Plan,
    manager: impl FnOnce(&Path) + Send + 'static,
) -> Result<OutsideReport, Box<Failure>> {
    let folder = tempfile::tempdir().expect("a folder");
    let sockets: PathBuf = folder.path().join("net");
    let stop = Arc::new(AtomicBool::new(false));
    let server = LiveServer::start(&sockets, plan, Some(OWN), stop);
    let mut server = server.expect("sockets");
    let mut devices = |module: usize, blocks: &[BlockId]| Pair {
        rtl: golden_network_device(plan, module, blocks),
        golden: None,
    };
    let outside = thread::spawn(move || {
        manager(&sockets);
        ask(&sockets, "stop").expect("it stops");
    });
    let report = serve_outside(plan, 1, &mut devices, &LiveFaults::default(), &mut server);
    outside.join().expect("the manager succeeds");
    server.finish();
    report
}

fn host(sockets: &Path, number: u32) -> Port {
    Port::open(&format!("live:{}/host_{number}", sockets.display())).expect("a port")
}

/// Every host sends to every other one.
fn all_pairs_are_served(ports: &[Port]) {
    let addresses = ports.iter().map(|port| port.information().expect("told"));
    let addresses: Vec<u32> = addresses.map(|told| told.address).collect();
    for (from, port) in ports.iter().enumerate() {
        for (to, address) in addresses.iter().enumerate().filter(|(to, _)| *to != from) {
            let payload = [from as u8, to as u8];
            port.send(*address, 0, &payload).expect("sent");
            let packet = ports[to].receive(Some(PATIENCE)).expect("an open port");
            assert_eq!(packet.expect("a packet in time").payload, payload);
        }
    }
}

fn repair(manager: &mut Manager, messenger: &mut Messenger, window: &mut LiveWindow) -> String {
    let start = Instant::now();
    loop {
        let change = manager.round(&mut messenger.through(&mut *window));
        if let Some(change) = change.expect("the manager goes on") {
            return change.failed.join(", ");
        }
        assert!(start.elapsed() < PATIENCE, "nothing is noticed");
    }
}

#[test]
fn a_manager_outside_brings_a_network_up_and_repairs_it() {
    let plan = plan();
    let outside = plan.clone();
    let report = run(&plan, move |sockets| {
        let mut window = LiveWindow::open(sockets).expect("a control port");
        assert_eq!(window.block(), outside.network.block(OWN).name);
        let second = LiveWindow::open(sockets);
        assert!(matches!(second, Err(LiveError::SecondManager(_))));
        let ports: Vec<Port> = (0..outside.hosts())
            .map(|number| host(sockets, number))
            .collect();
        // Blocks are empty: this packet goes nowhere.
        let last = ports[ports.len() - 1].information().expect("told").address;
        ports[0].send(last, 0, b"too early").expect("sent");
        let mut messenger = Messenger::new(OWN, OWN, 1).with_key(7);
        let done = messenger.through(&mut window).bring_up(&outside);
        let (mut manager, done) = done.expect("as planned");
        assert_eq!(done.blocks, outside.network.blocks.len());
        all_pairs_are_served(&ports);
        let cable = outside.network.cables.iter();
        let cable = cable.clone().position(|cable| cable.a.block == OWN);
        let cable = Part::Cable(cable.expect("a cable") as u32).name(&outside.network);
        ask(sockets, &format!("fail {cable}")).expect("it fails");
        assert_eq!(repair(&mut manager, &mut messenger, &mut window), cable);
        all_pairs_are_served(&ports);
    });
    let report = report.unwrap_or_else(|failure| panic!("{failure}"));
    let pairs = u64::from(plan.hosts() * (plan.hosts() - 1));
    assert_eq!(report.totals.received, 2 * pairs, "{report:?}");
    assert_eq!(report.totals.lost, 1, "{report:?}");
    assert_eq!(report.history.failures.len(), 1, "{report:?}");
}
