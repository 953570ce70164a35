//! A file whose words are somewhere else: the system asks this process for every read and write of it (FUSE,
//! include/uapi/linux/fuse.h), and nothing is kept in between. It has one name, `window`, and is read and written by whole
//! words of four bytes. Needs root, because it is mounted.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::{self, JoinHandle};

use mkns::manage::WordWindow;

const NAME: &[u8] = b"window\0";
const ROOT: u64 = 1;
const FILE: u64 = 2;
const NO_ENTRY: i32 = -2;
const INPUT_OUTPUT: i32 = -5;
const NO_CALL: i32 = -38;
/// No page of the file is kept.
const DIRECT_IO: u32 = 1;
/// Bytes of the head of a request.
const HEAD: usize = 40;

/// The mounted file; unmounted in the end.
#[derive(Debug)]
pub struct WordFile {
    folder: tempfile::TempDir,
    server: Option<JoinHandle<()>>,
}

impl WordFile {
    /// A file of so many bytes with these words.
    pub fn serve(words: impl WordWindow + Send + 'static, bytes: u64) -> io::Result<Self> {
        let device = File::options().read(true).write(true).open("/dev/fuse")?;
        let folder = tempfile::tempdir()?;
        // The mounting program has the device as its standard input.
        let mounted = Command::new("mount")
            .args(["-i", "-t", "fuse", "-o"])
            .arg("fd=0,rootmode=40000,user_id=0,group_id=0")
            .arg("mkns")
            .arg(folder.path())
            .stdin(Stdio::from(device.try_clone()?))
            .output()?;
        if !mounted.status.success() {
            let said = String::from_utf8_lossy(&mounted.stderr);
            return Err(io::Error::other(format!("no file can be mounted: {said}")));
        }
        let mut server = Server {
            device,
            words,
            bytes,
        };
        let server = thread::spawn(move || while server.serve_one().is_ok() {});
        Ok(Self {
            folder,
            server: Some(server),
        })
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("window")
    }

    fn unmount(folder: &Path) {
        drop(Command::new("umount").arg("-l").arg(folder).output());
    }
}

impl Drop for WordFile {
    fn drop(&mut self) {
        Self::unmount(self.folder.path());
        if let Some(server) = self.server.take() {
            drop(server.join());
        }
    }
}

struct Server<W> {
    device: File,
    words: W,
    bytes: u64,
}

fn number(request: &[u8], at: usize) -> u64 {
    let bytes = request
        .get(at..at + 8)
        .and_then(|bytes| bytes.try_into().ok());
    u64::from_le_bytes(bytes.unwrap_or_default())
}

impl<W: WordWindow> Server<W> {
    /// One request; an error when the file is unmounted.
    fn serve_one(&mut self) -> io::Result<()> {
        let mut request = vec![0; 1 << 17];
        let length = match self.device.read(&mut request) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(()),
            read => read?,
        };
        request.truncate(length);
        let opcode = number(&request, 4) as u32;
        // FORGET, INTERRUPT and BATCH_FORGET have no answer.
        if [2, 36, 42].contains(&opcode) {
            return Ok(());
        }
        let (error, body) = match self.answer(opcode, &request) {
            Ok(body) => (0, body),
            Err(error) => (error, Vec::new()),
        };
        let mut answer = (16 + body.len() as u32).to_le_bytes().to_vec();
        answer.extend(error.to_le_bytes());
        answer.extend(&request[8..16]);
        answer.extend(body);
        self.device.write_all(&answer)
    }

    fn answer(&mut self, opcode: u32, request: &[u8]) -> Result<Vec<u8>, i32> {
        let node = number(request, 16);
        let zeros = |count: usize| vec![0; count];
        match opcode {
            // LOOKUP: the answer holds for no time.
            1 if node == ROOT && &request[HEAD..] == NAME => {
                let mut entry = FILE.to_le_bytes().to_vec();
                entry.extend(zeros(32));
                entry.extend(self.attributes(FILE));
                Ok(entry)
            }
            1 => Err(NO_ENTRY),
            // GETATTR, and SETATTR, which changes nothing
            3 | 4 => {
                let mut answer = zeros(16);
                answer.extend(self.attributes(node));
                Ok(answer)
            }
            // OPEN and OPENDIR
            14 | 27 => {
                let mut answer = zeros(8);
                answer.extend(DIRECT_IO.to_le_bytes());
                answer.extend(zeros(4));
                Ok(answer)
            }
            15 => self.read(number(request, 48), number(request, 56) as u32),
            16 => {
                let data = request.get(HEAD + 40..).unwrap_or_default();
                self.write(number(request, 48), data)
            }
            // RELEASE, FLUSH, RELEASEDIR, DESTROY
            18 | 25 | 29 | 38 => Ok(Vec::new()),
            // INIT: version 7.31, requests of a page and less
            26 => {
                let mut answer = zeros(64);
                answer[0] = 7;
                answer[4] = 31;
                answer[20..24].copy_from_slice(&4096_u32.to_le_bytes());
                Ok(answer)
            }
            _ => Err(NO_CALL),
        }
    }

    fn attributes(&self, node: u64) -> Vec<u8> {
        let (mode, size) = match node {
            ROOT => (0o040_700, 0),
            _ => (0o100_600, self.bytes),
        };
        let mut attributes = node.to_le_bytes().to_vec();
        attributes.extend(u64::to_le_bytes(size));
        attributes.resize(60, 0);
        attributes.extend(u32::to_le_bytes(mode));
        attributes.extend(1_u32.to_le_bytes());
        attributes.resize(88, 0);
        attributes
    }

    fn read(&mut self, offset: u64, bytes: u32) -> Result<Vec<u8>, i32> {
        if !offset.is_multiple_of(4) || bytes != 4 {
            return Err(INPUT_OUTPUT);
        }
        let word = self.words.read(offset as usize);
        word.map(|word| word.to_le_bytes().to_vec())
            .map_err(|_| INPUT_OUTPUT)
    }

    fn write(&mut self, offset: u64, data: &[u8]) -> Result<Vec<u8>, i32> {
        let Ok(word) = data.try_into() else {
            return Err(INPUT_OUTPUT);
        };
        let word = u32::from_le_bytes(word);
        let written = self.words.write(offset as usize, word);
        written.map_err(|_| INPUT_OUTPUT)?;
        Ok([4, 0, 0, 0, 0, 0, 0, 0].to_vec())
    }
}
