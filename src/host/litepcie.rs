//! A DMA channel of a card with LitePCIe, by way of the device of LitePCIe's driver.
//!
//! The driver knows no packets. It has a ring of buffers per direction, which the card goes through again and again from
//! the moment the direction is switched on, and it learns by one interrupt per 32 buffers how far the card is. So both
//! directions work in runs ([`crate::litepcie_run`]). To the card: write the buffers of some packets, switch on, wait until
//! the card is past them, switch off. From the card: switch on, read until half of the ring is read, behind which the card
//! stops, switch off. Thus no buffer is sent twice, and none is overwritten before it is read.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use std::{io, thread};

use crate::arrivals::{Arrival, Arrivals};
use crate::litepcie_driver::{Direction, LitePcieDevice, LitePcieDriver};
use crate::litepcie_run::{self, RunFromCard};
use crate::{PortCounters, PortError, ReceivedPacket};

/// Bytes of the packets of one run to the card, at most: padded, they fit the buffers below.
pub const MOST_PACKETS: usize = 256 << 10;
/// Buffers per interrupt: DMA_BUFFER_PER_IRQ.
const GROUP: i64 = 32;
/// Half of the ring: what may be written at a time, and what the card sends in a run.
const HALF: i64 = 128;
/// Buffers that the core may have read before the card has taken them; it holds less than 20 KiB.
const ON_THE_WAY: i64 = 8;
/// Where the window of the blocks' registers begins in BAR 0: `mmap_base` of litepcie.yml.
const WINDOW: u32 = 0x10_0000;
/// How long the driver is waited for at a time.
const TURN: Duration = Duration::from_millis(100);

type Device = Box<dyn LitePcieDevice>;

/// An open channel.
#[derive(Debug)]
pub struct LitePciePort {
    to_card: Mutex<ToCard>,
    from_card: Arrivals,
    /// A device that no direction needs, and which channel of its card it is.
    registers: Mutex<Device>,
    channel: io::Result<u32>,
    closing: Arc<AtomicBool>,
}

impl LitePciePort {
    /// Opens the device of a channel and reserves both directions.
    pub fn open(driver: &dyn LitePcieDriver) -> Result<Self, PortError> {
        let failed = || PortError::system("open the channel");
        let device = |direction: Direction| {
            let mut device = driver.open().map_err(failed())?;
            match device.claim(direction).map_err(failed())? {
                true => Ok(device),
                false => Err(failed()(io::Error::from(io::ErrorKind::ResourceBusy))),
            }
        };
        let mut to_card = device(Direction::ToCard)?;
        let from_card = device(Direction::FromCard)?;
        let buffer_bytes = to_card
            .buffer_bytes()
            .map_err(PortError::system("ask for the size of the buffers"))?;
        let registers = Mutex::new(driver.open().map_err(failed())?);
        let (sender, arrivals) = Arrivals::channel();
        let closing = Arc::new(AtomicBool::new(false));
        let mut reader = FromCard {
            device: from_card,
            buffers: vec![0; buffer_bytes * HALF as usize],
            buffer_bytes,
            sender,
            closing: Arc::clone(&closing),
            silence: driver.patience() / 2,
            sent: None,
        };
        thread::Builder::new()
            .name("litepcie reader".to_owned())
            .spawn(move || reader.read_all())
            .map_err(PortError::system("start a thread that reads"))?;
        // Another number than that of the last run of whoever had the card before.
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let number = now.map_or(0, |now| now.as_micros() as u32);
        Ok(Self {
            to_card: Mutex::new(ToCard {
                device: to_card,
                buffer_bytes,
                patience: driver.patience(),
                number,
            }),
            from_card: arrivals,
            registers,
            channel: driver.channel(),
            closing,
        })
    }

    /// Sends packets; when it returns, the card has taken them.
    pub fn send(&self, packets: &[u8]) -> Result<(), PortError> {
        let mut to_card = self.to_card.lock().unwrap_or_else(|held| held.into_inner());
        to_card.send(packets)
    }

    /// What the card counts, by way of its window of registers.
    pub fn counters(&self) -> Result<PortCounters, PortError> {
        let mut registers = self
            .registers
            .lock()
            .unwrap_or_else(|held| held.into_inner());
        let word = |address: u32| registers.word(WINDOW + address);
        let channel = match &self.channel {
            Ok(channel) => Ok(*channel),
            Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
        };
        let counters = channel.and_then(|channel| PortCounters::read(word, channel));
        counters.map_err(PortError::system("read the registers of the card"))
    }

    pub fn receive(&self, patience: Option<Duration>) -> Result<Option<ReceivedPacket>, PortError> {
        self.from_card.receive(patience)
    }
}

impl Drop for LitePciePort {
    fn drop(&mut self) {
        self.closing.store(true, Ordering::Relaxed);
    }
}

#[derive(Debug)]
struct ToCard {
    device: Device,
    buffer_bytes: usize,
    patience: Duration,
    /// Of the last run.
    number: u32,
}

impl ToCard {
    fn send(&mut self, packets: &[u8]) -> Result<(), PortError> {
        self.number = self.number.wrapping_add(1);
        let run = litepcie_run::to_card(self.number, packets, self.buffer_bytes)?;
        let sent = self.run(&run);
        let off = self.device.switch(Direction::ToCard, false);
        sent.and(off.map(drop))
            .map_err(PortError::system("send packets"))
    }

    /// Writes the buffers of a run, and waits until the card is past them.
    fn run(&mut self, run: &[u8]) -> io::Result<()> {
        let written = self.device.write(run)?;
        if written != run.len() {
            let words = format!("the driver took {written} of {} bytes", run.len());
            return Err(io::Error::other(words));
        }
        let buffers = (run.len() / self.buffer_bytes) as i64;
        // The interrupt that the card can make only when it has taken all.
        let target = (buffers + ON_THE_WAY + GROUP - 1) / GROUP * GROUP;
        let mut counts = self.device.switch(Direction::ToCard, true)?;
        // With this count there is room to write as soon as the card is there.
        self.device.set_written(target + HALF - 1)?;
        let until = Instant::now() + self.patience;
        while counts.card < target {
            if Instant::now() > until {
                let words = "the card takes nothing: it is in reset, or its network is blocked";
                return Err(io::Error::new(io::ErrorKind::TimedOut, words));
            }
            self.device.wait(Direction::ToCard, TURN)?;
            counts = self.device.switch(Direction::ToCard, true)?;
        }
        Ok(())
    }
}

/// The thread that reads.
#[derive(Debug)]
struct FromCard {
    device: Device,
    buffers: Vec<u8>,
    buffer_bytes: usize,
    sender: SyncSender<Arrival>,
    closing: Arc<AtomicBool>,
    /// After this time without a sign of life, the card was reset.
    silence: Duration,
    /// Packets that the card has sent, as far as known.
    sent: Option<u32>,
}

impl FromCard {
    /// Reads run after run until the port is closed or the device fails.
    fn read_all(&mut self) {
        while !self.closing.load(Ordering::Relaxed) {
            let read = self.run();
            let off = self.device.switch(Direction::FromCard, false);
            let read = match off {
                Ok(_) => read,
                Err(error) => Err(PortError::system("switch the channel off")(error)),
            };
            if let Err(error) = read {
                let is_last = matches!(error, PortError::System { .. });
                if self.sender.send(Err(error)).is_err() || is_last {
                    return;
                }
            }
        }
    }

    /// A run: half of the ring, or until the card has been silent for too long.
    fn run(&mut self) -> Result<(), PortError> {
        let failed = || PortError::system("read packets");
        let mut run = RunFromCard::default();
        let mut is_known = false;
        let mut heard = Instant::now();
        self.device
            .switch(Direction::FromCard, true)
            .map_err(failed())?;
        loop {
            self.device
                .wait(Direction::FromCard, TURN)
                .map_err(failed())?;
            if self.closing.load(Ordering::Relaxed) || heard.elapsed() > self.silence {
                return Ok(());
            }
            let counts = self
                .device
                .switch(Direction::FromCard, true)
                .map_err(failed())?;
            let left = HALF.min(counts.card) - counts.program;
            if left <= 0 {
                continue;
            }
            let bytes = left as usize * self.buffer_bytes;
            let read = self
                .device
                .read(&mut self.buffers[..bytes])
                .map_err(failed())?;
            heard = Instant::now();
            let mut packets = Vec::new();
            run.take(&self.buffers[..read], |packet| packets.push(packet))?;
            if !is_known {
                is_known = true;
                self.expect(run.sent_before());
            }
            self.sent = run.sent();
            for packet in packets {
                if self.sender.send(Ok(packet)).is_err() {
                    return Ok(());
                }
            }
            if counts.program + (read / self.buffer_bytes) as i64 >= HALF {
                return Ok(());
            }
        }
    }

    /// Compares what the card says that it has sent with what has come. A card that begins at 0 was reset.
    fn expect(&mut self, sent_before: Option<u32>) {
        if let (Some(before), Some(seen)) = (sent_before, self.sent)
            && before != 0
            && before != seen
        {
            let packets = before.wrapping_sub(seen);
            drop(self.sender.send(Err(PortError::Missing { packets })));
        }
    }
}
