//! What a DMA channel of a card with LitePCIe is made of: Linux's device file, or a model of it. The driver is that of
//! LitePCIe (litepcie/software/kernel, 2024.12).
#![expect(
    unsafe_code,
    reason = "the driver switches its channels by ioctl alone"
)]

use std::fmt::Debug;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, open};
use rustix::ioctl::{Opcode, Updater, ioctl};

// The numbers of the driver's litepcie.h.
const REG: Opcode = 0xc00c_5300;
const DMA_WRITER: Opcode = 0xc018_5315;
const DMA_READER: Opcode = 0xc018_5316;
const MMAP_DMA_INFO: Opcode = 0x8030_5318;
const LOCK: Opcode = 0xc006_5319;
const MMAP_DMA_READER_UPDATE: Opcode = 0x4008_531b;

/// A direction of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Its DMA *reader*: it reads the memory of the host.
    ToCard,
    /// Its DMA *writer*.
    FromCard,
}

/// Buffers since a direction was switched on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BufferCounts {
    /// Done by the card, as of the last interrupt.
    pub card: i64,
    /// Read or written by the program.
    pub program: i64,
}

/// Opens the device of a channel.
pub trait LitePcieDriver: Debug + Send + Sync {
    /// As open(2).
    ///
    /// # Errors
    /// As open(2).
    fn open(&self) -> io::Result<Box<dyn LitePcieDevice>>;

    /// Which channel of its card this is.
    ///
    /// # Errors
    /// When nobody knows it.
    fn channel(&self) -> io::Result<u32>;

    /// How long the card may take for what is sent at a time; a card that is silent for half of it was reset. A card says
    /// every second that it lives.
    fn patience(&self) -> Duration {
        Duration::from_secs(10)
    }
}

/// An open device.
pub trait LitePcieDevice: Debug + Send {
    /// Bytes of a buffer: LITEPCIE_IOCTL_MMAP_DMA_INFO.
    ///
    /// # Errors
    /// As ioctl(2).
    fn buffer_bytes(&mut self) -> io::Result<usize>;
    /// Reserves a direction for this device: LITEPCIE_IOCTL_LOCK. False when another one has it.
    ///
    /// # Errors
    /// As ioctl(2).
    fn claim(&mut self, direction: Direction) -> io::Result<bool>;
    /// Switches a direction on or off, unless it is already, and tells the counts: LITEPCIE_IOCTL_DMA_READER and WRITER.
    ///
    /// # Errors
    /// As ioctl(2).
    fn switch(&mut self, direction: Direction, on: bool) -> io::Result<BufferCounts>;
    /// Sets the program's count of buffers to the card: LITEPCIE_IOCTL_MMAP_DMA_READER_UPDATE.
    ///
    /// # Errors
    /// As ioctl(2).
    fn set_written(&mut self, count: i64) -> io::Result<()>;
    /// As poll(2): until there is something to read, or fewer than half of the buffers are written and not done.
    ///
    /// # Errors
    /// As poll(2).
    fn wait(&mut self, direction: Direction, patience: Duration) -> io::Result<()>;
    /// The word at an offset of BAR 0: LITEPCIE_IOCTL_REG. The driver does not compare the offset with the size of the BAR.
    ///
    /// # Errors
    /// As ioctl(2).
    fn word(&mut self, offset: u32) -> io::Result<u32>;
    /// As read(2), of whole buffers.
    ///
    /// # Errors
    /// As read(2).
    fn read(&mut self, buffers: &mut [u8]) -> io::Result<usize>;
    /// As write(2), of whole buffers.
    ///
    /// # Errors
    /// As write(2).
    fn write(&mut self, buffers: &[u8]) -> io::Result<usize>;
}

/// The driver in Linux: the device file of one channel.
#[derive(Debug)]
pub struct LinuxLitePcie {
    pub path: PathBuf,
    /// Which channel of its card it is. The driver numbers the channels of all cards in one row, so without it the number in the
    /// name is taken, as is right for the first card.
    pub channel: Option<u32>,
}

impl LitePcieDriver for LinuxLitePcie {
    fn open(&self) -> io::Result<Box<dyn LitePcieDevice>> {
        let opened = open(&self.path, OFlags::RDWR | OFlags::CLOEXEC, Mode::empty());
        Ok(Box::new(File::from(opened?)))
    }

    fn channel(&self) -> io::Result<u32> {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let digits = name.trim_start_matches(|letter: char| !letter.is_ascii_digit());
        let channel = self.channel.or_else(|| digits.parse().ok());
        channel.ok_or_else(|| {
            io::Error::other("add ?channel=N, the number of this channel of its card")
        })
    }
}

/// `struct litepcie_ioctl_reg`.
#[repr(C)]
#[derive(Default)]
struct Reg {
    addr: u32,
    val: u32,
    is_write: u8,
}

/// `struct litepcie_ioctl_dma_reader` and `_writer`.
#[repr(C)]
#[derive(Default)]
struct Dma {
    enable: u8,
    hw_count: i64,
    sw_count: i64,
}

/// `struct litepcie_ioctl_lock`.
#[repr(C)]
#[derive(Default)]
struct Lock {
    reader_request: u8,
    writer_request: u8,
    reader_release: u8,
    writer_release: u8,
    reader_status: u8,
    writer_status: u8,
}

/// Asks the driver; `OPCODE` is the number of a request that hands over a `T`.
fn ask<const OPCODE: Opcode, T>(device: &File, request: &mut T) -> io::Result<()> {
    // SAFETY: each number is used below with the structure that litepcie.h names for it.
    let asked = unsafe { ioctl(device, Updater::<OPCODE, T>::new(request)) };
    asked.map_err(io::Error::from)
}

impl LitePcieDevice for File {
    fn buffer_bytes(&mut self) -> io::Result<usize> {
        // Offset, size and count of the buffers to the card, then from it.
        let mut numbers = [0_u64; 6];
        ask::<MMAP_DMA_INFO, _>(self, &mut numbers)?;
        usize::try_from(numbers[1]).map_err(io::Error::other)
    }

    fn claim(&mut self, direction: Direction) -> io::Result<bool> {
        let is_reader = direction == Direction::ToCard;
        let mut lock = Lock {
            reader_request: is_reader.into(),
            writer_request: (!is_reader).into(),
            ..Lock::default()
        };
        ask::<LOCK, _>(self, &mut lock)?;
        Ok(lock.reader_status == 1 && lock.writer_status == 1)
    }

    fn switch(&mut self, direction: Direction, on: bool) -> io::Result<BufferCounts> {
        let mut dma = Dma {
            enable: on.into(),
            ..Dma::default()
        };
        match direction {
            Direction::ToCard => ask::<DMA_READER, _>(self, &mut dma)?,
            Direction::FromCard => ask::<DMA_WRITER, _>(self, &mut dma)?,
        }
        Ok(BufferCounts {
            card: dma.hw_count,
            program: dma.sw_count,
        })
    }

    fn set_written(&mut self, mut count: i64) -> io::Result<()> {
        ask::<MMAP_DMA_READER_UPDATE, _>(self, &mut count)
    }

    fn wait(&mut self, direction: Direction, patience: Duration) -> io::Result<()> {
        let flags = match direction {
            Direction::ToCard => PollFlags::OUT,
            Direction::FromCard => PollFlags::IN,
        };
        let patience = Timespec::try_from(patience).map_err(io::Error::other)?;
        match poll(&mut [PollFd::new(self, flags)], Some(&patience)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn word(&mut self, offset: u32) -> io::Result<u32> {
        let mut register = Reg {
            addr: offset,
            ..Reg::default()
        };
        ask::<REG, _>(self, &mut register)?;
        Ok(register.val)
    }

    fn read(&mut self, buffers: &mut [u8]) -> io::Result<usize> {
        Read::read(self, buffers)
    }

    fn write(&mut self, buffers: &[u8]) -> io::Result<usize> {
        Write::write(self, buffers)
    }
}
