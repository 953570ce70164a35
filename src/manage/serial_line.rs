//! Registers behind a serial line: one line of text a request, one an answer.
//!
//! | request | answer |
//! |---|---|
//! | `r BBBB AAAAA` | `= VVVVVVVV`: the word at address A of block B |
//! | `w BBBB AAAAA VVVVVVVV` | `.`: written |
//! | either | `!`: the block does not answer, or refuses |
//!
//! Numbers are hexadecimal with as many digits as shown, in small letters. A line ends with one line feed.

use std::io::{self, BufRead, Write};

use super::Registers;
use mkns_topology::BlockId;

/// Blocks at the other end of a line.
#[derive(Debug)]
pub struct SerialLine<R, W> {
    answers: R,
    requests: W,
}

impl<R: BufRead, W: Write> SerialLine<R, W> {
    /// Reads answers from one end and writes requests to the other.
    pub fn new(answers: R, requests: W) -> Self {
        Self { answers, requests }
    }

    fn ask(&mut self, request: &str) -> io::Result<String> {
        self.requests.write_all(request.as_bytes())?;
        self.requests.flush()?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        match answer.strip_suffix('\n') {
            Some(answer) => Ok(answer.trim_end_matches('\r').to_owned()),
            None => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

fn not_understood(answer: &str) -> io::Error {
    let words = format!("the answer `{answer}` is none of the protocol's");
    io::Error::new(io::ErrorKind::InvalidData, words)
}

impl<R: BufRead, W: Write> Registers for SerialLine<R, W> {
    type Error = io::Error;

    fn read(&mut self, block: BlockId, address: u32) -> Result<Option<u32>, io::Error> {
        let answer = self.ask(&format!("r {:04x} {address:05x}\n", block.0))?;
        if answer == "!" {
            return Ok(None);
        }
        let digits = answer.strip_prefix("= ").filter(|digits| digits.len() == 8);
        let word = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        word.map(Some).ok_or_else(|| not_understood(&answer))
    }

    fn write(&mut self, block: BlockId, address: u32, value: u32) -> Result<bool, io::Error> {
        let request = format!("w {:04x} {address:05x} {value:08x}\n", block.0);
        match self.ask(&request)?.as_str() {
            "." => Ok(true),
            "!" => Ok(false),
            answer => Err(not_understood(answer)),
        }
    }
}
