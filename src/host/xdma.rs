//! A channel of a card with Xilinx' XDMA core, by way of the devices of Xilinx' driver (dma_ip_drivers, XDMA/linux-kernel).
//!
//! What the driver wants: one `write` per packet, which it marks by the end of packet; one `read` per packet, from a file
//! that was opened with `O_TRUNC`, because only then does a read end where the packet ends; buffers that start at a page,
//! because each page is a descriptor of its own. A read waits ten seconds at most and then fails, so a thread reads
//! again and again. Only one program at a time may open a channel for reading.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use rustix::fs::OFlags;

use crate::arrivals::{Arrival, Arrivals};
use crate::page_buffer::PageBuffer;
use crate::xdma_driver::{XdmaDevice, XdmaDriver};
use crate::{PortCounters, PortError, ReceivedPacket, wire};

/// Pages that hold the longest packet.
const PAGES: usize = 3;
/// What older drivers return when no packet came in their time: ERESTARTSYS, which is no error of the system's own list.
const NOTHING_CAME: i32 = 512;

type Device = Box<dyn XdmaDevice>;

/// An open channel.
#[derive(Debug)]
pub struct XdmaPort {
    driver: Arc<dyn XdmaDriver>,
    channel: u32,
    to_card: Mutex<(Device, PageBuffer)>,
    from_card: Arrivals,
    closing: Arc<AtomicBool>,
}

impl XdmaPort {
    /// Opens the devices `h2c_N` and `c2h_N` of a card.
    pub fn open(driver: Arc<dyn XdmaDriver>, channel: u32) -> Result<Self, PortError> {
        let device = |direction: &str, flags: OFlags| {
            let name = format!("{direction}_{channel}");
            let opened = driver.open(&name, flags);
            opened.map_err(PortError::system(format!("open channel {channel}")))
        };
        let reader = device("c2h", OFlags::RDONLY | OFlags::TRUNC)?;
        let writer = device("h2c", OFlags::WRONLY)?;
        let (sender, from_card) = Arrivals::channel();
        let closing = Arc::new(AtomicBool::new(false));
        let closes = Arc::clone(&closing);
        thread::Builder::new()
            .name("xdma reader".to_owned())
            .spawn(move || read_all(reader, &sender, &closes))
            .map_err(PortError::system("start a thread that reads"))?;
        Ok(Self {
            driver,
            channel,
            to_card: Mutex::new((writer, PageBuffer::new(PAGES))),
            from_card,
            closing,
        })
    }

    /// Sends one packet.
    pub fn send(&self, packet: &[u8]) -> Result<(), PortError> {
        let mut to_card = self.to_card.lock().unwrap_or_else(|held| held.into_inner());
        let (device, buffer) = &mut *to_card;
        let bytes = &mut buffer.bytes()[..packet.len()];
        bytes.copy_from_slice(packet);
        let written = device
            .write(bytes)
            .map_err(PortError::system("write a packet"))?;
        match written == packet.len() {
            true => Ok(()),
            false => {
                let short = io::Error::other(format!("{written} of {} bytes", packet.len()));
                Err(PortError::system("write a whole packet")(short))
            }
        }
    }

    /// What the card counts, by way of its window of registers.
    pub fn counters(&self) -> Result<PortCounters, PortError> {
        let failed = || PortError::system("read the registers of the card");
        let mut registers = (self.driver)
            .open("user", OFlags::RDONLY)
            .map_err(failed())?;
        let word = |address: u32| registers.word(address.into());
        PortCounters::read(word, self.channel).map_err(failed())
    }

    pub fn receive(&self, patience: Option<Duration>) -> Result<Option<ReceivedPacket>, PortError> {
        self.from_card.receive(patience)
    }
}

impl Drop for XdmaPort {
    fn drop(&mut self) {
        self.closing.store(true, Ordering::Relaxed);
    }
}

/// Reads packets until the port is closed or the device fails.
fn read_all(mut device: Device, sender: &SyncSender<Arrival>, closing: &AtomicBool) {
    let mut buffer = PageBuffer::new(PAGES);
    while !closing.load(Ordering::Relaxed) {
        let arrival = match device.read(buffer.bytes()) {
            Ok(0) => return,
            Ok(length) => wire::split_received(&buffer.bytes()[..length]).map(|(packet, _)| packet),
            Err(error) if is_pause(&error) => continue,
            Err(error) => Err(PortError::system("read a packet")(error)),
        };
        let is_last = matches!(arrival, Err(PortError::System { .. }));
        if sender.send(arrival).is_err() || is_last {
            return;
        }
    }
}

/// Whether an error only says that nothing came.
fn is_pause(error: &io::Error) -> bool {
    let kind = matches!(
        error.kind(),
        io::ErrorKind::Interrupted | io::ErrorKind::TimedOut
    );
    kind || error.raw_os_error() == Some(NOTHING_CAME)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xdma_driver::LinuxXdma;
    use rustix::fs::{CWD, FileType, Mode, mknodat, open};
    use std::fs::{self, File};
    use std::io::Write as _;

    /// Named pipes stand in for the devices: one write is one read there, too, while nobody else writes.
    #[test]
    fn a_packet_is_one_write_and_one_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("xdma0");
        let pipe = |direction: &str| {
            let name = format!("{}_{direction}_1", path.display());
            let mode = Mode::RUSR | Mode::WUSR;
            mknodat(CWD, name.as_str(), FileType::Fifo, mode, 0).expect("a pipe");
            // Both ends, so that opening waits for nobody.
            let flags = OFlags::RDWR;
            File::from(open(name.as_str(), flags, Mode::empty()).expect("both ends"))
        };
        let (mut from_host, mut to_host) = (pipe("h2c"), pipe("c2h"));
        let driver = Arc::new(LinuxXdma(path.clone()));
        let port = XdmaPort::open(driver, 1).expect("a port");
        let mut packet = Vec::new();
        wire::append(&mut packet, 7, 0, b"over the card").expect("a packet");
        port.send(&packet).expect("sent");
        let mut sent = vec![0; 100];
        let length = io::Read::read(&mut from_host, &mut sent).expect("a packet");
        assert_eq!(&sent[..length], &packet[..]);
        let error = port.counters().expect_err("there are no registers");
        assert!(error.to_string().contains("xdma0_user"), "{error}");
        let mut registers = vec![0; 1 << 20];
        registers[..4].copy_from_slice(b"SNKM");
        for (at, value) in [
            (0x3040, 7),
            (0x3044, 1),
            (0x3060, 2),
            (0x6010, 1),
            (0x6018, 5),
        ] {
            registers[at] = value;
        }
        fs::write(format!("{}_user", path.display()), registers).expect("written");
        let counters = port.counters().expect("registers");
        let wanted = PortCounters {
            sent: 7,
            refused: 3,
            dropped: 5,
            waiting: 1,
            ..PortCounters::default()
        };
        assert_eq!(counters, wanted);
        assert_eq!(port.receive(Some(Duration::ZERO)).expect("no error"), None);
        to_host.write_all(&packet).expect("an answer");
        let answer = port
            .receive(Some(Duration::from_secs(10)))
            .expect("no error");
        assert_eq!(answer.expect("an answer").payload, b"over the card");
        to_host.write_all(&packet[..10]).expect("half an answer");
        let error = port.receive(None).expect_err("it is cut").to_string();
        assert!(
            error.contains("2 bytes are left of a payload of 13"),
            "{error}"
        );
    }

    #[test]
    fn a_read_that_ends_without_a_packet_is_no_error() {
        assert!(is_pause(&io::Error::from_raw_os_error(NOTHING_CAME)));
        assert!(!is_pause(&io::Error::from_raw_os_error(5)));
    }
}
