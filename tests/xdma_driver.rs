//! The host library on the card of `examples/xdma_card`, behind a model of Xilinx' driver: packets of all lengths come back,
//! late readers lose nothing that fits, one program at a time reads, a reset leaves whole packets, and counters tell what
//! was lost. What the driver wants of a program is wanted by the model, too: faults planted into calls are found.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mkns::fpga::{HostCore, register_window};
use mkns::{design, rtl, spec};
use mkns_host::{OFlags, Port, XdmaDevice, XdmaDriver, wire};

use crate::common::simulated_card::{Edit, SimulatedCard};
use crate::common::xdma_driver::DriverModel;

const SPEC: &str = include_str!("../examples/xdma_card/network.toml");
const CARD: &str = include_str!("../examples/xdma_card/card.v");
const NETWORK: &str = include_str!("../examples/xdma_card/card_network.v");
/// Longer than any packet takes, in a simulator on a busy machine.
const LONG: Duration = Duration::from_secs(60);

fn driver() -> DriverModel {
    driver_with(&[])
}

/// The Verilog of the example's card.
pub(crate) fn card_sources() -> Vec<(String, String)> {
    let spec = spec::parse_toml("xdma_card", SPEC).expect("a valid spec");
    let plan = design::build(&spec).expect("a plan");
    let mut files = rtl::render_network(&plan).expect("a network");
    files.extend(HostCore::Xdma.files("// test"));
    files.extend(register_window("// test"));
    files.retain(|(name, _)| name.ends_with(".v"));
    files.sort();
    files.dedup();
    files.push(("card.v".to_owned(), CARD.to_owned()));
    files.push(("card_network.v".to_owned(), NETWORK.to_owned()));
    files
}

/// With faults planted into the card.
fn driver_with(edits: &[Edit]) -> DriverModel {
    let card = SimulatedCard::start(&card_sources(), "xdma_example_tb.v", edits);
    DriverModel::new(card)
}

/// The port of host 0; waits for a reader that is just being closed.
fn port(driver: &DriverModel) -> Port {
    let until = Instant::now() + LONG;
    loop {
        match Port::of_driver(Arc::new(driver.clone()), 0) {
            Ok(port) => return port,
            Err(error) if Instant::now() > until => panic!("{error}"),
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

fn payload(number: u8, length: usize) -> Vec<u8> {
    (0..length)
        .map(|place| number ^ (place * 7) as u8)
        .collect()
}

/// Sends packets while nobody reads, and lets them come back to the card's buffer.
fn send_unread(driver: &DriverModel, packets: &[Vec<u8>]) {
    let mut device = driver.open("h2c_0", OFlags::WRONLY).expect("a device");
    for payload in packets {
        let mut packet = Vec::new();
        wire::append(&mut packet, 1, 0, payload).expect("a packet");
        // aligned, so that no page ends in it
        let mut memory = vec![0_u8; 3 * 4096];
        let start = memory.as_ptr().align_offset(4096);
        memory[start..start + packet.len()].copy_from_slice(&packet);
        let written = device.write(&memory[start..start + packet.len()]);
        assert_eq!(written.expect("written"), packet.len());
    }
    assert_eq!(driver.card().ask("t 4000"), ".");
}

fn is_waiting(driver: &DriverModel) -> bool {
    let mut registers = driver.open("user", OFlags::RDONLY).expect("a device");
    registers.word(0x6000).expect("a register") == 1
}

/// What arrives until nothing has come for a while.
fn all_that_comes(port: &Port) -> Vec<Vec<u8>> {
    let next = || {
        port.receive(Some(Duration::from_secs(2)))
            .expect("no error")
    };
    std::iter::from_fn(next)
        .map(|packet| packet.payload)
        .collect()
}

#[test]
fn packets_of_all_lengths_come_back() {
    let driver = driver();
    let port = port(&driver);
    let lengths = [0, 1, 7, 8, 9, 64, 255, 256];
    for (length, number) in lengths.into_iter().zip(1..) {
        let sent = payload(number, length);
        port.send(1, 0, &sent).expect("sent");
        let answer = port.receive(Some(LONG)).expect("no error");
        let answer = answer.expect("an answer");
        assert_eq!((answer.source, answer.payload), (1, sent), "{length} bytes");
    }
    // Refused by the card, and counted.
    port.send(1, 0, &[0; 257]).expect("sent");
    port.send(0xfffff, 0, b"nobody").expect("sent");
    assert_eq!(
        port.receive(Some(Duration::from_secs(1)))
            .expect("no error"),
        None
    );
    let counters = port.counters().expect("registers");
    assert_eq!((counters.sent, counters.refused), (8, 2));
    assert_eq!(
        (counters.received, counters.damaged, counters.dropped),
        (8, 0, 0)
    );
}

#[test]
fn a_late_reader_loses_nothing_that_fits_and_is_told() {
    let driver = driver();
    assert!(!is_waiting(&driver));
    let packets: Vec<_> = (0..8).map(|number| payload(number, 100)).collect();
    send_unread(&driver, &packets);
    assert_eq!(driver.card().ask("t 20000"), ".");
    assert!(is_waiting(&driver));
    assert_eq!(driver.card().word("i").expect("interrupts"), 1);
    let port = port(&driver);
    assert_eq!(all_that_comes(&port), packets);
    assert!(!is_waiting(&driver));
    // One more packet, one more interrupt.
    port.send(1, 0, b"one more").expect("sent");
    assert_eq!(all_that_comes(&port), [b"one more"]);
    assert_eq!(driver.card().word("i").expect("interrupts"), 2);
}

#[test]
fn what_does_not_fit_is_missing_as_a_whole_and_counted() {
    let driver = driver();
    let packets: Vec<_> = (0..40).map(|number| payload(number, 256)).collect();
    send_unread(&driver, &packets);
    let port = port(&driver);
    let arrived = all_that_comes(&port);
    let counters = port.counters().expect("registers");
    assert_eq!(
        (counters.sent, counters.received, counters.damaged),
        (40, 40, 0)
    );
    assert!(counters.dropped > 0);
    assert_eq!(arrived.len() as u32 + counters.dropped, 40);
    let mut sent = packets.iter();
    assert!(
        arrived.iter().all(|one| sent.any(|other| other == one)),
        "in order"
    );
}

#[test]
fn one_program_reads_a_channel() {
    let driver = driver();
    let first = port(&driver);
    let error = Port::of_driver(Arc::new(driver.clone()), 0).expect_err("in use");
    assert!(error.to_string().contains("busy"), "{error}");
    first.send(1, 0, b"first").expect("sent");
    assert_eq!(all_that_comes(&first), [b"first"]);
    drop(first);
    let second = port(&driver);
    second.send(1, 0, b"second").expect("sent");
    assert_eq!(all_that_comes(&second), [b"second"]);
}

#[test]
fn a_reset_leaves_whole_packets() {
    let driver = driver();
    let port = port(&driver);
    let mut sent: Vec<Vec<u8>> = Vec::new();
    for round in 0..6_u8 {
        for number in 0..3 {
            let payload = payload(16 * round + number, 200);
            port.send(1, 0, &payload).expect("sent");
            sent.push(payload);
        }
        driver.card().ask(&format!("t {}", 40 * u32::from(round)));
        driver.reset(1 + 9 * u32::from(round));
        driver.card().ask("t 400");
    }
    sent.push(b"the last".to_vec());
    port.send(1, 0, b"the last").expect("sent");
    let arrived = all_that_comes(&port);
    assert_eq!(arrived.last().map(Vec::as_slice), Some(&b"the last"[..]));
    let mut sent = sent.iter();
    assert!(
        arrived.iter().all(|one| sent.any(|other| other == one)),
        "{arrived:?}"
    );
}

/// Programs that do not do what the driver wants.
#[derive(Debug)]
enum Faulty {
    /// Reads are to end where packets end: not asked for.
    WithoutEndOfPacket(DriverModel),
    /// The buffer of a write does not begin at a page.
    Askew(DriverModel),
}

#[derive(Debug)]
struct AskewDevice(Box<dyn XdmaDevice>);

impl XdmaDriver for Faulty {
    fn open(&self, device: &str, flags: OFlags) -> io::Result<Box<dyn XdmaDevice>> {
        match self {
            Self::WithoutEndOfPacket(driver) => driver.open(device, flags - OFlags::TRUNC),
            Self::Askew(driver) => {
                let device = driver.open(device, flags)?;
                Ok(Box::new(AskewDevice(device)))
            }
        }
    }
}

impl XdmaDevice for AskewDevice {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut memory = vec![0; bytes.len() + 2 * 4096];
        let start = memory.as_ptr().align_offset(4096) + 4096 - 12;
        memory[start..start + bytes.len()].copy_from_slice(bytes);
        self.0.write(&memory[start..start + bytes.len()])
    }

    fn word(&mut self, offset: u64) -> io::Result<u32> {
        self.0.word(offset)
    }
}

#[test]
fn calls_that_the_driver_does_not_want_are_found() {
    for faulty in [Faulty::WithoutEndOfPacket, Faulty::Askew] {
        let driver = driver();
        let port = Port::of_driver(Arc::new(faulty(driver.clone())), 0).expect("a port");
        port.send(1, 0, &payload(0, 100)).expect("sent");
        let answer = port
            .receive(Some(Duration::from_secs(4)))
            .expect("no error");
        assert_eq!(answer, None, "the packet is lost");
        let counters = port.counters().expect("registers");
        assert_eq!(counters.sent + counters.refused, 1);
    }
}

/// What the card says of packets that wait or are lost, and its interrupt; what was wrong first.
fn judge(driver: &DriverModel) -> Result<(), String> {
    let packets: Vec<_> = (0..40).map(|number| payload(number, 256)).collect();
    send_unread(driver, &packets);
    let word = |address: u64| {
        let mut registers = driver.open("user", OFlags::RDONLY).expect("a device");
        registers.word(address).map_err(|error| error.to_string())
    };
    let (waiting, damaged, dropped) = (word(0x6000)?, word(0x6004)?, word(0x6008)?);
    if waiting != 1 || damaged != 0 || dropped == 0 {
        return Err(format!(
            "waiting {waiting}, {damaged} damaged, {dropped} dropped"
        ));
    }
    let mut card = driver.card();
    while card.ask("d 4096 400").starts_with('e') {}
    // A packet that is taken as soon as it comes: its interrupt is sent all the same.
    let mut header = Vec::new();
    wire::append(&mut header, 1, 0, &[]).expect("a packet");
    let header = u64::from_le_bytes(header.try_into().expect("eight bytes"));
    for line in [&format!("b {header:x} ff 1"), "d 4096 4000", "t 100"] {
        let answer = card.ask(line);
        if answer.starts_with("FAULT") || answer.starts_with('n') {
            return Err(answer);
        }
    }
    match card.word("i") {
        Ok(2) => Ok(()),
        other => Err(format!("interrupts: {other:?}")),
    }
}

#[test]
fn faults_planted_into_the_card_are_found() {
    assert_eq!(judge(&driver()), Ok(()));
    for fault in [
        ("request <= waiting || !is_sent;", "request <= waiting;"),
        ("request <= waiting || !is_sent;", "request <= 1'b1;"),
        (
            "2'd0: value = {31'd0, waiting[host]};",
            "2'd0: value = 32'd0;",
        ),
        (
            "2'd2: value = dropped[32*host +: 32];",
            "2'd2: value = damaged[32*host +: 32];",
        ),
    ] {
        assert!(judge(&driver_with(&[fault])).is_err(), "`{}`", fault.1);
    }
}
