//! Xilinx' XDMA driver for Linux (dma_ip_drivers, XDMA/linux-kernel, 2025.2) as its devices behave, in front of a card in
//! Icarus. What matters to a program:
//!
//! - A buffer becomes one descriptor per page that it touches; the core never joins two descriptors to a word.
//! - A read of a device that was opened with `O_TRUNC` ends where a packet ends, otherwise when its last descriptor ends.
//! - A read that does not end in time fails with `ETIMEDOUT`, and what has come is lost.
//! - A channel towards the host can be opened once.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use mkns_host::{OFlags, XdmaDevice, XdmaDriver};

use super::simulated_card::SimulatedCard;

const PAGE: usize = 4096;
const BUSY: i32 = 16;
const TIMED_OUT: i32 = 110;
/// The driver's is ten seconds.
const PATIENCE: Duration = Duration::from_millis(1500);
/// Cycles of the core in which others cannot use the card.
const TURN: u32 = 400;

/// The driver of one card with one channel each way.
#[derive(Debug, Clone)]
pub struct DriverModel {
    card: Arc<Mutex<SimulatedCard>>,
    reader_is_open: Arc<AtomicBool>,
    resets: Arc<AtomicU32>,
}

impl DriverModel {
    pub fn new(card: SimulatedCard) -> Self {
        Self {
            card: Arc::new(Mutex::new(card)),
            reader_is_open: Arc::default(),
            resets: Arc::default(),
        }
    }

    /// A reset of the core for so many cycles: reads in progress lose what they have and end as if nothing had come.
    pub fn reset(&self, cycles: u32) {
        let mut card = self.card();
        self.resets.fetch_add(1, Ordering::SeqCst);
        assert_eq!(card.ask(&format!("x {cycles}")), ".");
    }

    /// The card, while nobody else uses it.
    pub fn card(&self) -> MutexGuard<'_, SimulatedCard> {
        self.card.lock().expect("no test has failed")
    }
}

#[derive(Debug)]
enum Device {
    ToCard(DriverModel),
    FromCard {
        driver: DriverModel,
        ends_at_packets: bool,
    },
    Registers(DriverModel),
}

impl XdmaDriver for DriverModel {
    fn open(&self, device: &str, flags: OFlags) -> io::Result<Box<dyn XdmaDevice>> {
        let driver = self.clone();
        Ok(Box::new(match device {
            "h2c_0" => Device::ToCard(driver),
            "user" => Device::Registers(driver),
            "c2h_0" => {
                if self.reader_is_open.swap(true, Ordering::SeqCst) {
                    return Err(io::Error::from_raw_os_error(BUSY));
                }
                Device::FromCard {
                    driver,
                    ends_at_packets: flags.contains(OFlags::TRUNC),
                }
            }
            _ => return Err(io::ErrorKind::NotFound.into()),
        }))
    }
}

/// Bytes of the descriptors of a buffer.
fn descriptors(start: *const u8, length: usize) -> Vec<usize> {
    let (mut at, end) = (start as usize, start as usize + length);
    let mut list = Vec::new();
    while at < end {
        let next = end.min((at / PAGE + 1) * PAGE);
        list.push(next - at);
        at = next;
    }
    list
}

impl XdmaDevice for Device {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Self::FromCard {
            driver,
            ends_at_packets,
        } = self
        else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let until = Instant::now() + PATIENCE;
        let resets = driver.resets.load(Ordering::SeqCst);
        let (mut total, mut start) = (0, 0);
        for room in descriptors(buffer.as_ptr(), buffer.len()) {
            let mut filled = 0;
            while filled < room {
                let line = format!("d {} {TURN}", room - filled);
                let mut card = driver.card();
                if Instant::now() > until || driver.resets.load(Ordering::SeqCst) != resets {
                    return Err(io::Error::from_raw_os_error(TIMED_OUT));
                }
                let answer = card.ask(&line);
                drop(card);
                // Whoever waits for the card has a turn now.
                std::thread::sleep(Duration::from_millis(1));
                let mut words = answer.split(' ');
                let why = words.next().unwrap_or_default().to_owned();
                assert!(["e", "f", "n"].contains(&why.as_str()), "{answer}");
                let digits = words.nth(1).unwrap_or_default();
                for pair in digits.as_bytes().chunks(2) {
                    let digits = std::str::from_utf8(pair).expect("digits");
                    buffer[start + filled] = u8::from_str_radix(digits, 16).expect("digits");
                    filled += 1;
                }
                if why == "e" {
                    break;
                }
            }
            total += filled;
            start += room;
            if *ends_at_packets && filled < room {
                return Ok(total);
            }
        }
        Ok(total)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Self::ToCard(driver) = self else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let mut rest = bytes;
        let card = &mut driver.card();
        for length in descriptors(bytes.as_ptr(), bytes.len()) {
            let (descriptor, after) = rest.split_at(length);
            rest = after;
            let words = descriptor.chunks(8);
            let count = words.len();
            for (number, word) in words.enumerate() {
                let mut beat = [0; 8];
                beat[..word.len()].copy_from_slice(word);
                let data = u64::from_le_bytes(beat);
                let keep = 0xff_u8 >> (8 - word.len());
                let last = u8::from(rest.is_empty() && number + 1 == count);
                let answer = card.ask(&format!("b {data:x} {keep:x} {last}"));
                if answer != "." {
                    return Err(io::Error::from_raw_os_error(TIMED_OUT));
                }
            }
        }
        Ok(bytes.len())
    }

    fn word(&mut self, offset: u64) -> io::Result<u32> {
        match self {
            Self::Registers(driver) => driver.card().word(&format!("r {offset:x}")),
            _ => Err(io::ErrorKind::InvalidInput.into()),
        }
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        if let Self::FromCard { driver, .. } = self {
            driver.reader_is_open.store(false, Ordering::SeqCst);
        }
    }
}
