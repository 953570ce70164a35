//! Registers in a memory-mapped file, such as the user BAR of a PCIe core (`/dev/xdma0_user`).
//!
//! Block b has the 1 MiB from b · 0x100000 on, in the order of the AXI4-Lite ports of the generated top. The window of all blocks
//! may begin behind other things, as in the BAR of LitePCIe.
#![expect(
    unsafe_code,
    reason = "memory of the kernel is mapped, and read as devices are"
)]

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::ptr::NonNull;

use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

use super::Registers;
use mkns_contract::address;
use mkns_topology::BlockId;

/// Bytes of one block's registers: 20 address bits.
const WINDOW: usize = 1 << 20;
/// What PCIe gives for a read that nobody answers. No register of a block that works reads so but a counter.
const NOBODY: u32 = u32::MAX;
/// First address of the counters, and of what follows them.
const COUNTERS: std::ops::Range<u32> = address::CORE_COUNTERS..address::TABLES;

/// Words at offsets in bytes, as a PCIe core's window has them.
pub trait WordWindow {
    /// # Errors
    /// When the window itself is gone; a word that nobody answers for is all ones.
    fn read(&mut self, offset: usize) -> io::Result<u32>;
    /// # Errors
    /// As for [`WordWindow::read`].
    fn write(&mut self, offset: usize, value: u32) -> io::Result<()>;
}

/// The registers of all blocks.
#[derive(Debug)]
pub struct MappedRegisters<W = MappedFile> {
    words: W,
    bytes: usize,
}

/// A device that is mapped, or a regular file.
#[derive(Debug)]
pub struct MappedFile {
    /// Keeps its lock as long as it is open.
    file: File,
    /// The memory of a device. A regular file is read and written word by word: it may be cut at any time, which would
    /// end a program that has mapped it.
    mapping: Option<Mapping>,
    /// Of the window in the file.
    start: u64,
    bytes: usize,
}

/// Memory that is unmapped in the end.
#[derive(Debug)]
struct Mapping {
    start: NonNull<u8>,
    bytes: usize,
}

impl MappedRegisters {
    /// Opens the registers of this many blocks, from `start` on, a multiple of the size of a page. A regular file that is too
    /// short is refused. Of a device that has fewer blocks, such as the card of a node, the others give no answer.
    pub fn open(file: File, start: u64, blocks: usize) -> io::Result<Self> {
        let bytes = blocks * WINDOW;
        let about = file.metadata()?;
        let end = start + bytes as u64;
        // The BARs below /sys look like regular files, and can only be mapped.
        let read = || file.read_exact_at(&mut [0; 4], start);
        let can_be_read = || match read() {
            Ok(()) => true,
            Err(error) => error.kind() == io::ErrorKind::UnexpectedEof,
        };
        let is_regular = about.is_file() && can_be_read();
        if is_regular && about.len() < end {
            let found = about.len();
            let words = match start {
                0 => format!("{found} bytes, but {blocks} blocks take {bytes}"),
                _ => {
                    format!("{found} bytes, but {blocks} blocks from {start:#x} on end at {end:#x}")
                }
            };
            return Err(io::Error::new(io::ErrorKind::InvalidInput, words));
        }
        let mapping = match is_regular {
            true => None,
            false => Some(longest(blocks, |blocks| {
                Mapping::new(&file, start, blocks * WINDOW)
            })?),
        };
        let words = MappedFile {
            file,
            mapping,
            start,
            bytes,
        };
        Ok(Self::over(words, blocks))
    }
}

impl<W> MappedRegisters<W> {
    /// The registers of this many blocks in a window.
    pub fn over(words: W, blocks: usize) -> Self {
        Self {
            words,
            bytes: blocks * WINDOW,
        }
    }

    /// Where a word is.
    fn offset(&self, block: BlockId, address: u32) -> usize {
        let offset = block.0 as usize * WINDOW + address as usize;
        assert!(address.is_multiple_of(4) && (address as usize) < WINDOW);
        assert!(offset + 4 <= self.bytes, "a block of the network");
        offset
    }
}

impl<W: WordWindow> Registers for MappedRegisters<W> {
    type Error = io::Error;

    fn read(&mut self, block: BlockId, address: u32) -> Result<Option<u32>, io::Error> {
        let offset = self.offset(block, address);
        let value = self.words.read(offset)?;
        let is_answer = value != NOBODY || COUNTERS.contains(&address);
        Ok(is_answer.then_some(value))
    }

    fn write(&mut self, block: BlockId, address: u32, value: u32) -> Result<bool, io::Error> {
        let offset = self.offset(block, address);
        self.words.write(offset, value)?;
        // Writes over PCIe have no answer; a read behind one arrives after it.
        Ok(self.read(block, 0)?.is_some())
    }
}

impl WordWindow for MappedFile {
    fn read(&mut self, offset: usize) -> io::Result<u32> {
        match &self.mapping {
            Some(mapping) if offset >= mapping.bytes => Ok(NOBODY),
            // SAFETY: an aligned word of the mapping, which lives as long as `self`.
            Some(mapping) => Ok(unsafe { mapping.word(offset).read_volatile() }),
            None => {
                let mut bytes = [0; 4];
                let read = (self.file).read_exact_at(&mut bytes, self.start + offset as u64);
                read.map_err(cut)?;
                Ok(u32::from_le_bytes(bytes))
            }
        }
    }

    fn write(&mut self, offset: usize, value: u32) -> io::Result<()> {
        match &self.mapping {
            Some(mapping) if offset >= mapping.bytes => {}
            // SAFETY: an aligned word of the mapping, which lives as long as `self`.
            Some(mapping) => unsafe { mapping.word(offset).write_volatile(value) },
            None => {
                // A write behind the end would make the file longer.
                if self.file.metadata()?.len() < self.start + self.bytes as u64 {
                    return Err(cut(io::ErrorKind::UnexpectedEof.into()));
                }
                let place = self.start + offset as u64;
                self.file.write_all_at(&value.to_le_bytes(), place)?;
            }
        }
        Ok(())
    }
}

/// The file has become shorter than the registers.
fn cut(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => {
            let words = "the file has become shorter than the registers of all blocks";
            io::Error::new(io::ErrorKind::UnexpectedEof, words)
        }
        _ => error,
    }
}

/// The mapping of as many blocks as a device has, up to this many.
fn longest<M>(blocks: usize, mut map: impl FnMut(usize) -> io::Result<M>) -> io::Result<M> {
    let mut blocks = blocks;
    loop {
        match map(blocks) {
            Err(error) if error.kind() == io::ErrorKind::InvalidInput && blocks > 1 => blocks -= 1,
            mapped => return mapped,
        }
    }
}

impl Mapping {
    fn new(file: &File, start: u64, bytes: usize) -> io::Result<Self> {
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new mapping at an address of the kernel's choice overlaps nothing of this program.
        let start = unsafe {
            mmap(
                std::ptr::null_mut(),
                bytes,
                access,
                MapFlags::SHARED,
                file,
                start,
            )
        }?;
        let start = NonNull::new(start.cast()).expect("a mapping is not at 0");
        Ok(Self { start, bytes })
    }

    /// The word at an offset below the number of bytes.
    fn word(&self, offset: usize) -> *mut u32 {
        assert!(offset + 4 <= self.bytes);
        // SAFETY: the offset is within the mapping.
        unsafe { self.start.as_ptr().add(offset).cast() }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the mapping is this one's own, and nothing else points into it.
        let unmapped = unsafe { munmap(self.start.as_ptr().cast(), self.bytes) };
        debug_assert!(unmapped.is_ok());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_may_have_fewer_blocks() {
        let invalid = || io::Error::from_raw_os_error(22);
        let of_three = |blocks| (blocks <= 3).then_some(blocks).ok_or_else(invalid);
        assert_eq!(longest(88, of_three).expect("three"), 3);
        let none = longest(88, |_| Err::<(), _>(invalid()));
        assert_eq!(none.expect_err("no window").raw_os_error(), Some(22));
    }

    #[test]
    fn a_window_may_begin_behind_other_things() {
        let file = tempfile::tempfile().expect("a file");
        file.set_len(3 << 20).expect("room");
        let again = || file.try_clone().expect("a file");
        let error = MappedRegisters::open(again(), 2 << 20, 2).expect_err("too short");
        assert!(error.to_string().contains("end at 0x400000"), "{error}");
        let mut registers = MappedRegisters::open(again(), 1 << 20, 2).expect("registers");
        assert!(registers.write(BlockId(1), 0x10, 7).expect("a file"));
        let mut word = [0; 4];
        file.read_exact_at(&mut word, (2 << 20) + 0x10)
            .expect("a word");
        assert_eq!(word, [7, 0, 0, 0]);
    }
}
