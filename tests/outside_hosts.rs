//! Hosts outside the program send over the fast model and over pins (references on both sides): every packet arrives as
//! it was sent, also while a part fails and a manager reroutes, and every one is accounted for.

use mkns::cosim::{LiveFaults, Pair, golden_network_device, serve_outside};
use mkns::design::{Data, Device, Pins, Plan};
use mkns::routing::{self, Routing};
use mkns::simulation::live::OutsideRun;
use mkns::spec;
use mkns::topology::{self, BlockId, Faults, Part};
use mkns::traffic::{NetworkSide, OutsideHosts, OutsidePacket, OutsideTotals, Requests};

/// Hosts that follow a script.
struct Script {
    /// What is sent, in the order of its cycles.
    sends: Vec<(u64, OutsidePacket)>,
    /// A part that fails, and when.
    failing: Option<(u64, Part)>,
    /// The first cycle in which the run may end.
    end: u64,
    received: Vec<OutsidePacket>,
}

impl OutsideHosts for Script {
    fn exchange(&mut self, network: &mut dyn NetworkSide) -> Requests {
        let now = network.cycle();
        self.received.extend(network.take_arrived());
        let due = self.sends.partition_point(|(cycle, _)| *cycle <= now);
        for (_, packet) in self.sends.drain(..due) {
            network.send(packet);
        }
        let failing = self.failing.take_if(|(cycle, _)| *cycle <= now);
        Requests {
            failing: failing.map(|(_, part)| part).into_iter().collect(),
            stop: now >= self.end && self.sends.is_empty() && network.is_idle(),
            ..Requests::default()
        }
    }

    fn conclude(&mut self, arrived: Vec<OutsidePacket>) {
        self.received.extend(arrived);
    }
}

fn network(notation: &str, settings: &[&str]) -> (Plan, Routing) {
    let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    let spec = spec::parse_with(notation, &settings).expect("a valid spec");
    let network = topology::build(&spec);
    let routes = routing::build(&spec, &network, &Faults::none()).expect("routes");
    (Plan::new(&spec, network, routes.clone()), routes)
}

/// Packets of all lengths between all hosts, a few at a time.
fn packets(plan: &Plan, count: u32, apart: u64) -> Vec<(u64, OutsidePacket)> {
    let hosts = plan.hosts();
    let packet = |number: u32| {
        let length = number * 37 % 257;
        OutsidePacket {
            source: number % hosts,
            destination: (number * 7 + number / hosts + 1) % hosts,
            layer: 0,
            payload: (0..length).map(|byte| (byte ^ number) as u8).collect(),
        }
    };
    (0..count)
        .map(|number| (u64::from(number) * apart, packet(number)))
        .collect()
}

/// Runs a script on the fast model.
fn fast(plan: &Plan, managed: Option<&Routing>, script: &mut Script) -> OutsideTotals {
    let run = OutsideRun {
        plan,
        failures: &[],
        managed,
    };
    run.run(script).expect("a run to its end").totals
}

/// Runs a script on pins, with references on both sides.
fn on_pins(
    plan: &Plan,
    managed: Option<&Routing>,
    script: &mut Script,
) -> Result<OutsideTotals, String> {
    let golden = |module: usize, blocks: &[BlockId]| golden_network_device(plan, module, blocks);
    let mut devices = |module: usize, blocks: &[BlockId]| Pair {
        rtl: golden(module, blocks),
        golden: None,
    };
    let live = LiveFaults {
        failures: Vec::new(),
        managed: managed.cloned(),
        in_band: None,
    };
    let report = serve_outside(plan, 1, &mut devices, &live, script);
    report
        .map(|report| report.totals)
        .map_err(|failure| failure.note.clone())
}

fn sorted(mut packets: Vec<OutsidePacket>) -> Vec<OutsidePacket> {
    packets.sort_by_key(|packet| (packet.source, packet.destination, packet.payload.clone()));
    packets
}

#[test]
fn every_packet_arrives_as_it_was_sent() {
    for settings in [
        &[][..],
        &["pcie_bits=128"],
        &["flit_bits=128", "pcie_bits=64"],
    ] {
        let (plan, _) = network("MKNS(2,4,2,1)", settings);
        let sends = packets(&plan, 400, 5);
        let sent = sorted(sends.iter().map(|(_, packet)| packet.clone()).collect());
        let script = || Script {
            sends: sends.clone(),
            failing: None,
            end: 0,
            received: Vec::new(),
        };
        let expected = OutsideTotals {
            sent: 400,
            received: 400,
            ..OutsideTotals::default()
        };
        let mut over_fast = script();
        assert_eq!(fast(&plan, None, &mut over_fast), expected);
        assert_eq!(sorted(over_fast.received), sent);
        let mut over_pins = script();
        assert_eq!(on_pins(&plan, None, &mut over_pins), Ok(expected));
        assert_eq!(sorted(over_pins.received), sent);
    }
}

/// The packets of a flow stay in order.
#[test]
fn packets_of_a_flow_arrive_in_their_order() {
    let (plan, _) = network("MKNS(2,4,2,1)", &[]);
    let packet = |number: u8| OutsidePacket {
        source: 3,
        destination: 28,
        layer: 0,
        payload: vec![number; 1 + usize::from(number) % 40],
    };
    let sends: Vec<(u64, OutsidePacket)> = (0..100).map(|number| (0, packet(number))).collect();
    let sent: Vec<OutsidePacket> = sends.iter().map(|(_, packet)| packet.clone()).collect();
    let script = || Script {
        sends: sends.clone(),
        failing: None,
        end: 0,
        received: Vec::new(),
    };
    let (mut over_fast, mut over_pins) = (script(), script());
    fast(&plan, None, &mut over_fast);
    on_pins(&plan, None, &mut over_pins).expect("no fault");
    assert_eq!((&over_fast.received, &over_pins.received), (&sent, &sent));
}

/// A cable fails when hosts say so; the manager reroutes, and what is sent afterwards arrives.
#[test]
fn every_packet_is_accounted_for_when_a_part_fails() {
    let (plan, routes) = network("MKNS(2,4,2,1)", &["routing=vtftr"]);
    let part = Faults::named(&plan.network, ["kb_y1"])
        .expect("a block")
        .parts()
        .next();
    let failing = part.map(|part| (1_000, part));
    let before = packets(&plan, 500, 5);
    let end = 60_000;
    // Everybody sends to everybody when the repair is long done.
    let after = packets(&plan, 500, 5)
        .into_iter()
        .map(|(cycle, packet)| (end + cycle, packet));
    let sends: Vec<(u64, OutsidePacket)> = before.into_iter().chain(after).collect();
    let script = || Script {
        sends: sends.clone(),
        failing,
        end,
        received: Vec::new(),
    };
    let mut over_fast = script();
    let mut over_pins = script();
    let runs = [
        (
            fast(&plan, Some(&routes), &mut over_fast),
            over_fast.received,
        ),
        (
            on_pins(&plan, Some(&routes), &mut over_pins).expect("no fault"),
            over_pins.received,
        ),
    ];
    for (totals, received) in runs {
        let OutsideTotals {
            sent,
            bad,
            lost,
            withdrawn,
            ..
        } = totals;
        assert_eq!(sent + withdrawn, 1_000, "{totals:?}");
        assert_eq!(received.len() as u64, sent - bad - lost, "{totals:?}");
        assert!(lost + bad > 0 && lost + bad < 100, "{totals:?}");
        for (cycle, packet) in sends.iter().filter(|(cycle, _)| *cycle > end) {
            assert!(
                received.contains(packet),
                "the packet of cycle {cycle} is missing"
            );
        }
    }
}

/// A block that changes a byte of the third packet that it hands to its host.
struct Corrupting {
    block: Box<dyn Device>,
    pins: Pins,
    packets: u32,
}

impl Device for Corrupting {
    fn step_all(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        self.block.step_all(inputs, outputs);
        let egress = self.pins.egress;
        let beat = self.pins.beat(&egress, outputs, 0);
        if let Some(mut beat) = beat.filter(|beat| beat.last) {
            self.packets += 1;
            if self.packets == 3 {
                beat.data = Data::of(&[beat.data.low() ^ 1 << 5]);
                self.pins.set_beat(&egress, outputs, 0, Some(&beat));
            }
        }
    }
}

#[test]
fn a_changed_byte_is_found() {
    let (plan, _) = network("MKNS(1,2,1,0)", &[]);
    let sends = packets(&plan, 40, 30);
    let mut script = Script {
        sends,
        failing: None,
        end: 0,
        received: Vec::new(),
    };
    let mut devices = |module: usize, blocks: &[BlockId]| Pair {
        rtl: Box::new(Corrupting {
            block: golden_network_device(&plan, module, blocks),
            pins: Pins::new(&plan.modules[module]),
            packets: 0,
        }),
        golden: None,
    };
    let report = serve_outside(&plan, 1, &mut devices, &LiveFaults::default(), &mut script);
    let failure = report.expect_err("a byte differs");
    assert!(
        failure.note.contains("that nobody sent to it"),
        "{}",
        failure.note
    );
}
