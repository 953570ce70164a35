//! Ways to the registers of a running network that the command line names: a memory-mapped file, a serial line.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;
use std::time::Duration;

use rustix::fs::OFlags;
use rustix::termios::{OptionalActions, isatty, tcgetattr, tcsetattr};

use super::CommandError;
use mkns_diag::{Code, Exit};
use mkns_manage::{MappedRegisters, SerialLine};

/// Who else may use the same registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherAccess {
    /// Nobody who locks them: two managers would undo each other's writes.
    Alone,
    /// Anybody: nothing is written.
    Together,
}

/// Bytes of a page: what is mapped begins at one.
const PAGE: u64 = 4096;

/// A place in a file, such as 0x100000.
pub fn file_offset(text: &str) -> Result<u64, String> {
    let digits = text.strip_prefix("0x");
    let number = digits.map_or_else(|| text.parse(), |digits| u64::from_str_radix(digits, 16));
    let offset = number
        .ok()
        .filter(|offset| offset.is_multiple_of(PAGE) && *offset < 1 << 40);
    offset.ok_or_else(|| format!("it has to be a multiple of {PAGE} below 2^40, such as 0x100000"))
}

/// The registers of all blocks in a memory-mapped file, from `start` on.
pub fn mapped_registers(
    path: &Path,
    start: u64,
    blocks: usize,
    other_access: OtherAccess,
) -> Result<MappedRegisters, CommandError> {
    let remedy = "give a file or device that can be read and written, with 1 MiB for each block";
    let unusable = |error| unusable(path, &error, remedy);
    let file = open(path).map_err(unusable)?;
    if other_access == OtherAccess::Alone {
        lock(&file, path)?;
    }
    MappedRegisters::open(file, start, blocks).map_err(unusable)
}

/// Those behind a register bridge, whose answers take `timeout` at most.
pub fn serial_registers(path: &Path, timeout: Duration) -> Result<SerialLine<File>, CommandError> {
    let remedy = "give the serial device of a register bridge, such as /dev/ttyUSB0";
    let file = open(path).and_then(serial_device);
    let file = file.map_err(|error| unusable(path, &error, remedy))?;
    lock(&file, path)?;
    Ok(SerialLine::new(file, timeout))
}

/// Never waits: a FIFO has no other end, a modem no carrier.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let flags = flags.bits().cast_signed();
    options
        .read(true)
        .write(true)
        .custom_flags(flags)
        .open(path)
}

/// A device that passes on every byte as it is.
fn serial_device(file: File) -> io::Result<File> {
    if !file.metadata()?.file_type().is_char_device() {
        let words = "not a serial device";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, words));
    }
    if isatty(&file) {
        let mut settings = tcgetattr(&file)?;
        settings.make_raw();
        tcsetattr(&file, OptionalActions::Now, &settings)?;
    }
    Ok(file)
}

fn lock(file: &File, path: &Path) -> Result<(), CommandError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            let fact = format!("{} is in use by another mkns", path.display());
            let remedy = "end the manager that is running: two would undo each other's writes";
            Err(CommandError::new(Code::InputOutput, fact, remedy))
        }
        // Some file systems and devices have no locks.
        Err(TryLockError::Error(_)) => Ok(()),
    }
}

fn unusable(path: &Path, error: &io::Error, remedy: &str) -> CommandError {
    let fact = format!("{}: {error}", path.display());
    CommandError {
        exit: Exit::Usage,
        ..CommandError::new(Code::InputOutput, fact, remedy)
    }
}
