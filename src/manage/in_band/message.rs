//! The words of a management message (`docs/microarchitecture.md`, 8.1): a request, and what an answer says of it.

use mkns_topology::{BlockId, End};

/// Links that a route can have.
pub const LONGEST_ROUTE: usize = 15;
/// Bits of an address.
const ADDRESS: u32 = (1 << 20) - 1;
/// Operations, and what statuses of errors mean.
const WRITE: u32 = 1;
const ANSWER: u32 = 2;
const ERROR: u32 = 3;
const SLAVE_ERROR: u32 = 2;
const WRONG_KEY: u32 = 4;
const OLD_NUMBER: u32 = 5;
const NO_LINK: u32 = 8;
const NOTIFY: u32 = 6;

/// Eight words.
pub type Words = [u32; 8];

/// A read or a write of one register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    pub is_write: bool,
    /// Requester and sequence.
    pub number: u32,
    /// The end at which the message leaves each block that it passes.
    pub route: Vec<End>,
    pub key: u64,
    pub address: u32,
    pub data: u32,
}

/// What an answer says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Carried out; of a read the value.
    Done(u32),
    /// The register answered with a slave error.
    Refused,
    WrongKey,
    OldNumber,
    /// The link at this end of the route is down, or there is none.
    NoLink(End),
}

impl Verdict {
    /// The value of what was carried out.
    pub fn value(self) -> Option<u32> {
        match self {
            Self::Done(value) => Some(value),
            _ => None,
        }
    }
}

impl Request {
    pub fn words(&self) -> Words {
        let mut words = [0; 8];
        words[0] = 1 | (u32::from(self.is_write) * WRITE) << 8 | (self.route.len() as u32) << 16;
        words[1] = self.number;
        for (hop, end) in self.route.iter().enumerate() {
            words[2 + hop / 8] |= u32::from(end.port.0) << (4 * (hop % 8));
        }
        words[4] = self.key as u32;
        words[5] = (self.key >> 32) as u32;
        words[6] = self.address;
        words[7] = if self.is_write { self.data } else { 0 };
        words
    }

    /// What these words say of the request; none when they answer another one. The route is compared, too, because
    /// writes to different blocks may have one number.
    pub fn verdict(&self, answer: &Words) -> Option<Verdict> {
        let asked = self.words();
        let operation = answer[0] >> 8 & 15;
        let is_of_this = answer[1..4] == asked[1..4]
            && answer[6] & ADDRESS == self.address
            && answer[0] & 0xff == 1
            && answer[0] >> 16 & 15 == asked[0] >> 16 & 15;
        if !is_of_this {
            return None;
        }
        let status = answer[6] >> 20;
        match (operation, status & 15) {
            (ANSWER, 0) => Some(Verdict::Done(answer[7])),
            (ANSWER, SLAVE_ERROR) => Some(Verdict::Refused),
            (ERROR, WRONG_KEY) => Some(Verdict::WrongKey),
            (ERROR, OLD_NUMBER) => Some(Verdict::OldNumber),
            (ERROR, NO_LINK) => {
                let hop = (status >> 4 & 15) as usize;
                self.route.get(hop).copied().map(Verdict::NoLink)
            }
            _ => None,
        }
    }
}

/// The notice of a block. `back` has the ends at which it leaves blocks on its way, that of the last one first.
pub fn notice(block: BlockId, back: &[End]) -> Words {
    let mut words = [0; 8];
    let links = back.len() as u32;
    words[0] = 1 | NOTIFY << 8 | (links + 1) << 12 | links << 16;
    for (hop, end) in (1..).zip(back) {
        words[2 + hop / 8] |= u32::from(end.port.0) << (4 * (hop % 8));
    }
    words[7] = block.0;
    words
}

/// Whether a message is a notice.
pub fn is_notice(word: u32) -> bool {
    word & 0xff == 1 && word >> 8 & 15 == NOTIFY
}

#[cfg(test)]
mod tests {
    use super::*;
    use mkns_topology::PortIndex;

    fn request() -> Request {
        let end = |block, port| End {
            block: BlockId(block),
            port: PortIndex(port),
        };
        Request {
            is_write: true,
            number: 0x0011_0005,
            route: (0..9).map(|hop| end(hop, hop as u8 + 1)).collect(),
            key: 0x1_0000_0002,
            address: 0x40004,
            data: 9,
        }
    }

    #[test]
    fn words_are_those_of_the_page() {
        let expected = [0x0009_0101, 0x0011_0005, 0x8765_4321, 9, 2, 1, 0x40004, 9];
        assert_eq!(request().words(), expected);
    }

    #[test]
    fn an_answer_is_taken_for_its_own_request_only() {
        let request = request();
        let mut answer = request.words();
        answer[0] = answer[0] & !0xf00 | 0x200;
        (answer[4], answer[5]) = (0, 0);
        assert_eq!(request.verdict(&answer), Some(Verdict::Done(9)));
        for word in [1, 2, 3, 6] {
            let mut other = answer;
            other[word] ^= 1;
            assert_eq!(request.verdict(&other), None, "word {word}");
        }
        answer[6] |= 2 << 20;
        assert_eq!(request.verdict(&answer), Some(Verdict::Refused));
        answer[0] ^= 0x100;
        answer[6] = 0x038 << 20 | 0x40004;
        assert_eq!(
            request.verdict(&answer),
            Some(Verdict::NoLink(request.route[3]))
        );
    }
}
