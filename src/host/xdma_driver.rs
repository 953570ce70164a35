//! What the devices of a card with Xilinx' XDMA core are made of: Linux's device files, or a model of them.

use std::fmt::Debug;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use rustix::fs::{Mode, OFlags, open};

/// Opens the devices of a card.
pub trait XdmaDriver: Debug + Send + Sync {
    /// Opens a device, such as `c2h_0`, with the flags of open(2).
    ///
    /// # Errors
    /// As open(2).
    fn open(&self, device: &str, flags: OFlags) -> io::Result<Box<dyn XdmaDevice>>;
}

/// An open device.
pub trait XdmaDevice: Debug + Send {
    /// As read(2).
    ///
    /// # Errors
    /// As read(2).
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize>;
    /// As write(2).
    ///
    /// # Errors
    /// As write(2).
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize>;
    /// A word of the registers: pread(2) of four bytes.
    ///
    /// # Errors
    /// As pread(2).
    fn word(&mut self, offset: u64) -> io::Result<u32>;
}

/// The driver in Linux: device files whose names begin with a path.
#[derive(Debug)]
pub struct LinuxXdma(pub PathBuf);

impl XdmaDriver for LinuxXdma {
    fn open(&self, device: &str, flags: OFlags) -> io::Result<Box<dyn XdmaDevice>> {
        let name = format!("{}_{device}", self.0.display());
        let named = |error: rustix::io::Errno| {
            let error = io::Error::from(error);
            io::Error::new(error.kind(), format!("{name}: {error}"))
        };
        let opened = open(name.as_str(), flags | OFlags::CLOEXEC, Mode::empty());
        Ok(Box::new(File::from(opened.map_err(named)?)))
    }
}

impl XdmaDevice for File {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Read::read(self, buffer)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Write::write(self, bytes)
    }

    fn word(&mut self, offset: u64) -> io::Result<u32> {
        let mut bytes = [0; 4];
        self.read_exact_at(&mut bytes, offset)?;
        Ok(u32::from_le_bytes(bytes))
    }
}
