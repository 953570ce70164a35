//! A serial line whose answers are lost, cut, garbled and late: every request is answered rightly or given up.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::thread;
use std::time::{Duration, Instant};

use super::{Registers, SerialLine};
use mkns_topology::BlockId;

const TIMEOUT: Duration = Duration::from_millis(100);

/// What becomes of an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
enum AnswerFault {
    Whole,
    Lost,
    Cut,
    Noise(&'static [u8]),
    /// Another one comes.
    Instead(&'static [u8]),
    Late(Duration),
    /// The request is taken for a garbled one.
    Misheard,
}

/// The bridge of `hdl-templates/fpga/register_bridge.v`: 4 blocks whose register A reads ID at 0, VERSION at 4, else
/// what was written, else the block's number above A. `fate` says what becomes of the answer to each request.
fn bridge(
    mut line: UnixStream,
    fate: impl Fn(usize, &str) -> AnswerFault + Send + 'static,
) -> thread::JoinHandle<Vec<String>> {
    thread::spawn(move || {
        let mut written = BTreeMap::new();
        let mut heard = Vec::new();
        let mut request = String::new();
        let mut byte = [0];
        while line.read(&mut byte).is_ok_and(|count| count == 1) {
            if byte[0] != b'\n' {
                request.push(byte[0] as char);
                continue;
            }
            let asked = std::mem::take(&mut request);
            let fate = fate(heard.len(), &asked);
            let answer = match fate {
                AnswerFault::Misheard => None,
                _ => answer(&asked, &mut written),
            };
            let mut answer = answer.unwrap_or("!".to_owned()).into_bytes();
            answer.push(b'\n');
            heard.push(asked);
            match fate {
                AnswerFault::Lost => continue,
                AnswerFault::Cut => answer.truncate(3),
                AnswerFault::Noise(noise) => {
                    answer.splice(0..0, noise.iter().copied()).for_each(drop)
                }
                AnswerFault::Instead(other) => answer = other.to_vec(),
                AnswerFault::Late(time) => thread::sleep(time),
                AnswerFault::Whole | AnswerFault::Misheard => {}
            }
            if line.write_all(&answer).is_err() {
                break;
            }
        }
        heard
    })
}

fn answer(request: &str, written: &mut BTreeMap<(u32, u32), u32>) -> Option<String> {
    let words: Vec<&str> = request.split(' ').collect();
    let number = |word: &str, digits: usize| {
        let number = u32::from_str_radix(word, 16).ok();
        number.filter(|_| word.len() == digits)
    };
    let block = number(words.get(1)?, 4).filter(|&block| block < 4)?;
    let address = number(words.get(2)?, 5)?;
    match (words[0], words.len()) {
        ("r", 3) => {
            let value = match address {
                0 => 0x4D4B_4E53,
                // Blocks with an odd number have a management unit.
                4 => 0x100 | block & 1,
                _ => *(written.get(&(block, address))).unwrap_or(&(block << 20 | address)),
            };
            Some(format!("= {value:08x}"))
        }
        ("w", 4) => {
            written.insert((block, address), number(words[3], 8)?);
            Some(".".to_owned())
        }
        _ => None,
    }
}

fn line(fate: impl Fn(usize, &str) -> AnswerFault + Send + 'static) -> SerialLine<UnixStream> {
    let (near, far) = UnixStream::pair().expect("two sockets");
    drop(bridge(far, fate));
    SerialLine::new(near, TIMEOUT)
}

/// Reads and writes all blocks, each value another one.
fn exercise(mut line: SerialLine<UnixStream>) -> io::Result<()> {
    for block in (0..4).map(BlockId) {
        assert_eq!(line.read(block, 0)?, Some(0x4D4B_4E53));
    }
    for round in 0..4 {
        for block in (0..4).map(BlockId) {
            let address = 0x40000 + 4 * round;
            let read = line.read(block, address)?;
            assert_eq!(read, Some(block.0 << 20 | address), "{block:?} {address:x}");
            assert!(line.write(block, address, round)?);
            assert_eq!(line.read(block, address)?, Some(round));
        }
    }
    assert_eq!(line.read(BlockId(9), 0x14)?, None, "there is no such block");
    assert!(!line.write(BlockId(9), 0x40000, 1)?);
    Ok(())
}

#[test]
fn abuse_4_answers_that_are_lost_cut_garbled_or_late_are_asked_for_again() {
    let fates = [
        AnswerFault::Lost,
        AnswerFault::Cut,
        AnswerFault::Noise(b"\xff"),
        AnswerFault::Noise(b"x\n"),
        AnswerFault::Noise(b"\n\n"),
        AnswerFault::Noise(b"= 00000000\n"),
        AnswerFault::Late(TIMEOUT + TIMEOUT / 2),
        AnswerFault::Late(TIMEOUT * 4),
        AnswerFault::Misheard,
    ];
    thread::scope(|scope| {
        for fate in fates {
            scope.spawn(move || {
                let fails = move |number: usize, _: &str| match number % 13 == 12 {
                    true => fate,
                    false => AnswerFault::Whole,
                };
                let ended = exercise(line(fails));
                assert!(ended.is_ok(), "{fate:?}: {ended:?}");
            });
        }
    });
}

#[test]
fn abuse_4_capitals_and_carriage_returns_are_understood_and_signs_are_not() {
    let digits = |text: &'static [u8]| {
        let mut line = line(
            move |_, request| match request.starts_with("r 0001 00014") {
                true => AnswerFault::Instead(text),
                false => AnswerFault::Whole,
            },
        );
        line.read(BlockId(1), 0x14)
    };
    for right in [&b"= 0010ABCD\n"[..], b"= 0010abcd\r\n"] {
        assert_eq!(digits(right).expect("an answer"), Some(0x10_ABCD));
    }
    for wrong in [
        &b"= +0003ff\n"[..],
        b"= 3ff\n",
        b"=  00003ff\n",
        b"= 0003ff00 \n",
        b"x= 0003ff00\n",
    ] {
        let error = digits(wrong).expect_err("not a number of the protocol");
        let words = error.to_string();
        assert!(words.contains("`r 0001 00014`"), "{words}");
        assert!(words.contains("not an answer of the protocol"), "{words}");
    }
}

#[test]
fn abuse_4_a_line_that_never_answers_is_given_up_with_the_request() {
    let begun = Instant::now();
    let error = line(|_, _| AnswerFault::Lost).read(BlockId(3), 0x14);
    let error = error.expect_err("nobody answers");
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    let words = error.to_string();
    assert!(
        words.contains("`r 0003 00014`") && words.contains("nothing came within"),
        "{words}"
    );
    assert!(begun.elapsed() < TIMEOUT * 20);
}

#[test]
fn abuse_4_noise_without_end_and_lines_without_end_are_given_up() {
    let (near, mut far) = UnixStream::pair().expect("two sockets");
    thread::spawn(move || while far.write_all(&[0; 64]).is_ok() {});
    let error = SerialLine::new(near, TIMEOUT).read(BlockId(0), 0);
    let words = error.expect_err("noise").to_string();
    assert!(words.contains("without a pause"), "{words}");
    let long = AnswerFault::Noise(&[b'='; 200]);
    let is_read = |request: &str| request.starts_with('r');
    let mut line = line(move |_, request| {
        if is_read(request) {
            long
        } else {
            AnswerFault::Whole
        }
    });
    let words = line
        .read(BlockId(0), 0x14)
        .expect_err("too long")
        .to_string();
    assert!(words.contains("a line of more than 32 bytes"), "{words}");
}

#[test]
fn abuse_4_what_the_other_end_holds_from_before_is_no_part_of_the_first_request() {
    let (near, far) = UnixStream::pair().expect("two sockets");
    let mut before = near.try_clone().expect("the same socket");
    before.write_all(b"w 0001 4000").expect("half a request");
    let heard = bridge(far, |_, _| AnswerFault::Whole);
    let mut line = SerialLine::new(near, TIMEOUT);
    assert_eq!(
        line.read(BlockId(1), 0x14).expect("an answer"),
        Some(0x10_0014)
    );
    drop((line, before));
    let heard = heard.join().expect("the bridge ends");
    assert_eq!(heard, ["w 0001 4000", "", "r 0001 00014"]);
}

/// ERRORS is cleared by the write, so a second one could clear what came in between.
#[test]
fn abuse_4_a_write_that_is_no_setting_is_sent_once() {
    for address in [0x18, 0x5000 + 4 * 23] {
        let (near, far) = UnixStream::pair().expect("two sockets");
        let heard = bridge(far, |_, request| match request.starts_with('w') {
            true => AnswerFault::Lost,
            false => AnswerFault::Whole,
        });
        let mut line = SerialLine::new(near, TIMEOUT);
        assert!(line.write(BlockId(1), address, 1).is_err());
        drop(line);
        let heard = heard.join().expect("the bridge ends");
        let writes = heard.iter().filter(|request| request.starts_with('w'));
        assert_eq!(writes.count(), 1, "{heard:?}");
    }
}
