//! Registers behind a serial line: one line of text per request, one per answer.
//!
//! | request | answer |
//! |---|---|
//! | `r BBBB AAAAA` | `= VVVVVVVV`: the word at address A of block B |
//! | `w BBBB AAAAA VVVVVVVV` | `.`: written |
//! | either | `!`: the block does not answer, or refuses |
//!
//! Numbers are hexadecimal with as many digits as shown. A line ends with one line feed; an empty line is answered
//! with `!`. A line loses, cuts and garbles answers, so every request has a time-out and is repeated a few times, after
//! both ends are in step again.

use std::io::{self, Read, Write};
use std::ops::{Range, RangeInclusive};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::Registers;
use mkns_contract::{MAGIC, VERSIONS, address};
use mkns_topology::BlockId;

/// How often a request is sent until the manager gives up.
const TRIES: usize = 4;
/// Bytes of the longest answer, and some more.
const LONGEST: usize = 32;
/// Bytes without a pause after which a line counts as one that is never quiet.
const NOISE: usize = 4096;
/// The longest pause that is waited for.
const LONGEST_PAUSE: Duration = Duration::from_millis(250);
/// ID and VERSION: what they read is known, so they show whether requests and answers are in step.
const MARKERS: [(u32, RangeInclusive<u32>); 2] =
    [(address::ID, MAGIC..=MAGIC), (address::VERSION, VERSIONS)];
/// ERRORS is cleared by a write and registers of links act on one, so those writes are sent once.
const LINKS: Range<u32> = address::LINKS..address::HOST_BUFFERS;

/// Blocks at the other end of a line.
#[derive(Debug)]
pub struct SerialLine<D> {
    device: D,
    /// How long an answer may take.
    timeout: Duration,
    /// Bytes that came and are in no line yet.
    received: Vec<u8>,
    /// Whether the next line that comes is the answer to the next request.
    in_step: bool,
    /// A block whose ID was read over this line.
    known: Option<BlockId>,
}

/// What a line of the protocol says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Word(u32),
    Written,
    Refused,
}

/// Why a request has no answer.
enum Trouble {
    /// The request may be sent again.
    Transient(String),
    /// The device itself fails.
    Device(io::Error),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Device(error)
    }
}

impl<D: AsFd + Read + Write> SerialLine<D> {
    /// A line whose answers take `timeout` at most.
    pub fn new(device: D, timeout: Duration) -> Self {
        Self {
            device,
            timeout,
            received: Vec::new(),
            in_step: false,
            known: None,
        }
    }

    /// Sends a request until it has an answer, so often at most. `!` counts when it comes twice: a garbled request has
    /// that answer, too.
    fn ask(&mut self, request: &str, tries: usize) -> io::Result<Answer> {
        let is_read = request.starts_with('r');
        let mut why = String::new();
        let mut refused = false;
        let mut sent = 0;
        for attempt in 0..TRIES {
            let mut answer = self.get_in_step(attempt).map(|()| Answer::Refused);
            if answer.is_ok() {
                sent += 1;
                answer = self.exchange(request);
            }
            match answer {
                Ok(Answer::Refused) if refused || tries == 1 => return Ok(Answer::Refused),
                Ok(Answer::Refused) => {
                    refused = true;
                    continue;
                }
                Ok(answer) if is_read == matches!(answer, Answer::Word(_)) => return Ok(answer),
                Ok(_) => why = "the answer is that of another request".to_owned(),
                Err(Trouble::Transient(trouble)) => why = trouble,
                Err(Trouble::Device(error)) => return Err(error),
            }
            self.in_step = false;
            if sent == tries {
                break;
            }
        }
        let request = request.trim_end();
        let words = format!("no answer to `{request}`: {why}; given up after {sent} requests");
        Err(io::Error::new(io::ErrorKind::TimedOut, words))
    }

    /// A request and the line that comes after it.
    fn exchange(&mut self, request: &str) -> Result<Answer, Trouble> {
        self.send(request)?;
        let line = self.line()?;
        if !self.received.is_empty() || self.is_readable(Duration::ZERO)? {
            let words = "more than one line came".to_owned();
            return Err(Trouble::Transient(words));
        }
        let not_understood = || {
            let shown = line.escape_ascii();
            Trouble::Transient(format!("`{shown}` is not an answer of the protocol"))
        };
        parse(&line).ok_or_else(not_understood)
    }

    /// After trouble, and at the start: ends a request that the other end may hold half of, passes over what is still
    /// on its way, and makes sure that the next answer belongs to the next request.
    fn get_in_step(&mut self, attempt: usize) -> Result<(), Trouble> {
        if self.in_step && self.received.is_empty() && !self.is_readable(Duration::ZERO)? {
            return Ok(());
        }
        self.in_step = false;
        self.send("\n")?;
        self.await_pause()?;
        let empty = self.exchange("\n")?;
        if empty != Answer::Refused {
            let words = "an empty line was answered with what belongs to another request";
            return Err(Trouble::Transient(words.to_owned()));
        }
        if let Some(block) = self.known {
            let (address, expected) = &MARKERS[attempt % MARKERS.len()];
            let found = self.exchange(&read_request(block, *address))?;
            if found == Answer::Refused {
                // It may have failed since.
                self.known = None;
            }
            if !matches!(found, Answer::Word(word) if expected.contains(&word)) {
                let words = "answers are not those of the requests before them";
                return Err(Trouble::Transient(words.to_owned()));
            }
        }
        self.in_step = true;
        Ok(())
    }

    /// Throws away what comes until nothing comes for a while.
    fn await_pause(&mut self) -> Result<(), Trouble> {
        self.received.clear();
        let pause = self.timeout.min(LONGEST_PAUSE);
        let mut passed = 0;
        while self.is_readable(pause)? {
            passed += self.receive()?;
            self.received.clear();
            if passed > NOISE {
                let words = format!(
                    "{passed} bytes came without a pause: this is not the line of a register bridge"
                );
                return Err(Trouble::Device(io::Error::new(
                    io::ErrorKind::InvalidData,
                    words,
                )));
            }
        }
        Ok(())
    }

    fn send(&mut self, request: &str) -> Result<(), Trouble> {
        let mut left = request.as_bytes();
        let until = Instant::now() + self.timeout;
        while !left.is_empty() {
            if !self.is_ready(PollFlags::OUT, remaining(until))? {
                let words = format!("the line accepts nothing for {:?}", self.timeout);
                return Err(Trouble::Transient(words));
            }
            match self.device.write(left) {
                Ok(0) => return Err(Trouble::Device(io::ErrorKind::WriteZero.into())),
                Ok(written) => left = &left[written..],
                Err(error) if is_passing(&error) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// The next line, without its end.
    fn line(&mut self) -> Result<Vec<u8>, Trouble> {
        let until = Instant::now() + self.timeout;
        loop {
            if let Some(end) = self.received.iter().position(|&byte| byte == b'\n') {
                let mut line: Vec<u8> = self.received.drain(..=end).collect();
                line.truncate(end);
                if line.ends_with(b"\r") {
                    line.pop();
                }
                return Ok(line);
            }
            if self.received.len() > LONGEST {
                let words = format!("a line of more than {LONGEST} bytes");
                return Err(Trouble::Transient(words));
            }
            if !self.is_readable(remaining(until))? {
                let words = format!("nothing came within {:?}", self.timeout);
                return Err(Trouble::Transient(words));
            }
            self.receive()?;
        }
    }

    /// Takes what has come, a little at a time.
    fn receive(&mut self) -> io::Result<usize> {
        let mut bytes = [0; LONGEST];
        match self.device.read(&mut bytes) {
            Ok(0) => Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "the other end has closed the line",
            )),
            Ok(count) => {
                self.received.extend(&bytes[..count]);
                Ok(count)
            }
            Err(error) if is_passing(&error) => Ok(0),
            Err(error) => Err(error),
        }
    }

    fn is_readable(&self, wait: Duration) -> io::Result<bool> {
        self.is_ready(PollFlags::IN, wait)
    }

    fn is_ready(&self, what: PollFlags, wait: Duration) -> io::Result<bool> {
        let mut polled = [PollFd::new(&self.device, what)];
        let wait = Timespec::try_from(wait).map_err(io::Error::other)?;
        match poll(&mut polled, Some(&wait)) {
            Ok(ready) => Ok(ready > 0),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

/// Neither an end nor an error.
fn is_passing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
    )
}

fn remaining(until: Instant) -> Duration {
    until.saturating_duration_since(Instant::now())
}

fn read_request(block: BlockId, address: u32) -> String {
    format!("r {:04x} {address:05x}\n", block.0)
}

/// A line as the protocol has it, and nothing that is only like it.
fn parse(line: &[u8]) -> Option<Answer> {
    match line {
        b"!" => Some(Answer::Refused),
        b"." => Some(Answer::Written),
        [b'=', b' ', digits @ ..] => {
            let is_word = digits.len() == 8 && digits.iter().all(u8::is_ascii_hexdigit);
            let digits = std::str::from_utf8(digits).ok().filter(|_| is_word)?;
            u32::from_str_radix(digits, 16).ok().map(Answer::Word)
        }
        _ => None,
    }
}

impl<D: AsFd + Read + Write> Registers for SerialLine<D> {
    type Error = io::Error;

    fn read(&mut self, block: BlockId, address: u32) -> Result<Option<u32>, io::Error> {
        let answer = self.ask(&read_request(block, address), TRIES)?;
        if address == address::ID && answer == Answer::Word(MAGIC) {
            self.known = Some(block);
        }
        Ok(match answer {
            Answer::Word(word) => Some(word),
            _ => None,
        })
    }

    fn write(&mut self, block: BlockId, address: u32, value: u32) -> Result<bool, io::Error> {
        let sets_a_value = address != address::ERRORS && !LINKS.contains(&address);
        let tries = if sets_a_value { TRIES } else { 1 };
        let request = format!("w {:04x} {address:05x} {value:08x}\n", block.0);
        Ok(self.ask(&request, tries)? == Answer::Written)
    }
}
