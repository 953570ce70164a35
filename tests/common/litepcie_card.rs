//! A generated node card with two hosts behind LitePCIe in Icarus, behind a model of its driver, and programs at its channels.

use std::fs;
use std::time::{Duration, Instant};

use mkns_host::{Direction, LitePcieDevice, LitePcieDriver, Port, wire};

use super::litepcie_driver::LitePcieModel;
use super::simulated_card::{Edit, SimulatedCard};
use crate::fpga_node::{pair, sources, write};

/// Longer than any packet takes, in a simulator on a busy machine.
pub const LONG: Duration = Duration::from_secs(300);
/// Within this time a program reads what the card has written.
const TURN: Duration = Duration::from_secs(2);
/// Bytes of the longest payload of the network.
pub const LONGEST: usize = 120;
pub const MARK: u64 = 0x2b;

/// Buffers of the driver as it is built, and shorter ones, which a simulator passes sooner.
pub const REAL: usize = 8192;
pub const SHORT: usize = 512;

/// The channels of a card, for programs that are patient.
pub fn channels(buffer_bytes: usize, edits: &[Edit]) -> [LitePcieModel; 2] {
    channels_with(buffer_bytes, LONG, edits)
}

pub fn channels_with(
    buffer_bytes: usize,
    patience: Duration,
    edits: &[Edit],
) -> [LitePcieModel; 2] {
    LitePcieModel::of_card(card(buffer_bytes, edits), buffer_bytes / 8, patience)
}

/// The card, with counters in its block.
pub fn card(buffer_bytes: usize, edits: &[Edit]) -> SimulatedCard {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let spec = folder.path().join("two_hosts.toml");
    let text = fs::read_to_string(pair()).expect("the example");
    let text = text.replace("vms_per_node = 1", "vms_per_node = 2");
    fs::write(&spec, text).expect("writable");
    let place = "vcu118 --pcie litepcie --set block.control_port=true --set block.counters=true";
    let node = write(
        spec.to_str().expect("a name"),
        "ab_0_0_0_0",
        place,
        folder.path(),
    );
    let mut files = sources(&node);
    // The sign of life every 4,096 cycles: the simulator's seconds are long.
    let size = format!("parameter BUFFER_BYTES = {buffer_bytes}, // DMA");
    let settings = [
        ("parameter BUFFER_BYTES = 8192, // DMA", size.as_str()),
        ("parameter QUIET_BITS = 27 ", "parameter QUIET_BITS = 12 "),
    ];
    let (_, adapter) = files
        .iter_mut()
        .find(|(name, _)| name == "adapter_litepcie.v")
        .expect("the wrapper");
    for (right, other) in settings {
        assert_eq!(adapter.matches(right).count(), 1, "`{right}`");
        *adapter = adapter.replace(right, other);
    }
    let models = ["litepcie_model.v", "litepcie_node_tb.v"];
    let words = buffer_bytes / 8;
    SimulatedCard::with_core(&files, &models, &[("BUFFER_WORDS", words)], edits)
}

/// The port of a channel; waits for a reader that is just being closed.
pub fn port(channel: &LitePcieModel) -> Port {
    let until = Instant::now() + LONG;
    loop {
        match Port::of_litepcie(channel) {
            Ok(port) => return port,
            Err(error) if Instant::now() > until => panic!("{error}"),
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

pub fn payload(number: u8, length: usize) -> Vec<u8> {
    (0..length)
        .map(|place| number ^ (place * 7) as u8)
        .collect()
}

/// What arrives until nothing has come while buffers of a whole interrupt pass, three times.
pub fn all_that_comes(channel: &LitePcieModel, port: &Port) -> Result<Vec<Vec<u8>>, String> {
    let mut payloads = Vec::new();
    let mut pauses = 0;
    while pauses < 3 {
        match port.receive(Some(TURN)) {
            Ok(Some(packet)) => payloads.push(packet.payload),
            Ok(None) => {
                pauses += 1;
                channel.ask("t 3000");
            }
            Err(error) => return Err(error.to_string()),
        }
    }
    Ok(payloads)
}

/// The device of one direction of a channel, as a program of somebody's own opens it.
pub fn device(channel: &LitePcieModel, direction: Direction) -> Box<dyn LitePcieDevice> {
    let until = Instant::now() + LONG;
    loop {
        let mut device = channel.open().expect("a device");
        if device.claim(direction).expect("an answer") {
            return device;
        }
        drop(device);
        assert!(Instant::now() < until, "the channel stays busy");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A run to the card with packets for the other host, and how many packets it holds.
pub fn run(number: u32, payloads: &[Vec<u8>]) -> Vec<u8> {
    let mut run = (0x524e_4b4d_u64 << 32 | u64::from(number))
        .to_le_bytes()
        .to_vec();
    for payload in payloads {
        let start = run.len();
        wire::append(&mut run, 1, 0, payload).expect("a packet");
        run[start + 7] = (MARK << 2) as u8 | run[start + 7] & 3;
        run.resize(run.len().next_multiple_of(8), 0);
    }
    run.extend([0xff; 8]);
    run.resize(run.len().next_multiple_of(SHORT), 0);
    run
}

/// Whether the packets are some of those sent, in order and each once.
pub fn are_of(arrived: &[Vec<u8>], sent: &[Vec<u8>]) -> bool {
    let mut sent = sent.iter();
    arrived.iter().all(|one| sent.any(|other| other == one))
}
