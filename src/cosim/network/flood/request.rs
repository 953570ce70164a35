//! What a host of a flood asks, and what the answer has to be: the requests in a row tell apart whether each was carried
//! out once, twice or not at all.

use mkns_contract::address::link_word::EXPECTED_PEER;
use mkns_contract::address::{ID, link};
use mkns_random::Random;

use super::targets::Target;

/// Eight words.
pub type Message = [u32; 8];

/// Operation and status of an answer (8.1).
const OKAY: (u32, u32) = (2, 0);
const WRONG_KEY: (u32, u32) = (3, 4);
const OLD_NUMBER: (u32, u32) = (3, 5);
/// Requesters of reads have this bit, so that an answer to a write is none to a read.
const READS: u32 = 0x8000;
/// A second requester of the same host.
const SECOND: u32 = 8;
/// So far back no message is on its way any more.
const FAR_BACK: u16 = 100;
/// Bits of EXPECTED_PEER that keep what is written while no peer is checked.
const KEPT: u64 = 1 << 24;
const IDENTITY: u32 = 0x4d4b_4e53;
const ADDRESS: u32 = (1 << 20) - 1;

/// A message and what its answer has to say.
#[derive(Debug, Clone)]
pub struct Request {
    pub words: Message,
    pub links: u32,
    verdict: (u32, u32),
    data: Option<u32>,
}

/// The sequences of a host at one block.
#[derive(Debug, Clone)]
pub struct Sequences {
    /// Those of the host's two requesters.
    writes: [u16; 2],
    reads: u16,
}

impl Default for Sequences {
    fn default() -> Self {
        Self {
            writes: [1_000; 2],
            reads: 0,
        }
    }
}

impl Sequences {
    fn write(&mut self, requester: usize) -> u32 {
        self.writes[requester] = self.writes[requester].wrapping_add(1);
        self.writes[requester].into()
    }

    fn read(&mut self) -> u32 {
        self.reads = self.reads.wrapping_add(1);
        self.reads.into()
    }
}

/// Words of a message with key 0.
fn words(operation: u32, number: u32, route: &[u8], address: u32, data: u32) -> Message {
    let mut words = [0; 8];
    words[0] = 1 | operation << 8 | (route.len() as u32) << 16;
    words[1] = number;
    for (hop, port) in route.iter().enumerate() {
        words[2 + hop / 8] |= u32::from(*port) << (4 * (hop % 8));
    }
    (words[6], words[7]) = (address, data);
    words
}

/// A read whose answer nobody waits for.
pub fn spare(host: u32, sequence: u16, route: &[u8]) -> Message {
    let number = (READS | SECOND | host) << 16 | u32::from(sequence);
    words(0, number, route, ID, 0)
}

/// The requests of one visit to a block: a write; one of another requester; the first again, which must not be carried
/// out; one with a wrong key; one with an old number; and a read, which finds what the second has written.
pub fn visit(
    host: u32,
    target: &Target,
    route: &[u8],
    sequences: &mut Sequences,
    random: &mut Random,
) -> Vec<Request> {
    let request = |words, verdict, data| Request {
        words,
        links: route.len() as u32,
        verdict,
        data,
    };
    let read = (READS | host) << 16 | sequences.read();
    let Some(port) = target.register_of else {
        let words = words(0, read, route, ID, 0);
        return vec![request(words, OKAY, Some(IDENTITY))];
    };
    let address = link(port, EXPECTED_PEER);
    let write = |number, data| words(1, number, route, address, data);
    let mut value = || random.below(KEPT) as u32;
    let (first, second) = (value(), value());
    let one = host << 16 | sequences.write(0);
    let other = (SECOND | host) << 16 | sequences.write(1);
    let old = host << 16 | u32::from((one as u16).wrapping_sub(FAR_BACK));
    let mut with_key = write(host << 16 | sequences.write(0), value());
    with_key[4 + random.below(2) as usize] = 1 << random.below(32);
    vec![
        request(write(one, first), OKAY, None),
        request(write(other, second), OKAY, None),
        request(write(one, first), OKAY, None),
        request(with_key, WRONG_KEY, None),
        request(write(old, !first), OLD_NUMBER, None),
        request(words(0, read, route, address, 0), OKAY, Some(second)),
    ]
}

impl Request {
    /// Whether these words answer it; then what is wrong with the answer.
    pub fn judge(&self, answer: &Message) -> Option<Result<(), String>> {
        let asked = &self.words;
        let is_answer = answer[0] >> 9 & 1 == 1 && answer[0] & 0xff == 1;
        if !is_answer || answer[1..4] != asked[1..4] || answer[6] & ADDRESS != asked[6] {
            return None;
        }
        let verdict = (answer[0] >> 8 & 15, answer[6] >> 20);
        let is_data_good = self.data.is_none_or(|data| data == answer[7]);
        Some(match verdict == self.verdict && is_data_good {
            true => Ok(()),
            false => Err(format!("{self:x?} is answered by {answer:x?}")),
        })
    }
}
