//! 7.1: words of the line, their fields and their CRC.

use mkns_cable::Word;

/// The control word of E behind the `data` words that its CRC covers.
pub fn control_word(data: &[u64], e: SessionWord) -> Word {
    let covered = data.iter().fold(Crc::START, |crc, word| crc.over(*word));
    Word {
        control: true,
        data: u64::from(e.crc_behind(covered)) << 24 | e.0 & 0xff_ffff,
    }
}

/// HELLO with other bits turned in its field and the CRC that belongs to them; other words are the same.
pub fn forged_hello(word: Word, turned: u32) -> Word {
    let field = Field::of(word);
    match (word.control, field.meaning()) {
        (true, Meaning::Hello(_)) => {
            let forged = Field(field.0 ^ turned & 0x1f_ffff);
            control_word(&[], SessionWord::of_hello(forged))
        }
        _ => word,
    }
}

/// STATUS with an ACK and a FREE that are so much older, and the CRC that belongs to them, whatever the sessions: of
/// two words with equal sessions the CRCs differ by what their fields differ in. Other words are the same.
pub fn older_status(word: Word, ack: u32, free: u32) -> Word {
    let field = Field::of(word);
    match (word.control, field.meaning()) {
        (true, Meaning::Status(status)) => {
            let older = Status {
                ack: status.ack.wrapping_sub(ack) & 511,
                free: status.free.wrapping_sub(free) & 255,
                ..status
            };
            let without_sessions = |field| control_word(&[], SessionWord::of_hello(field)).data;
            let turned = without_sessions(field) ^ without_sessions(older.field());
            Word {
                data: word.data ^ turned,
                ..word
            }
        }
        _ => word,
    }
}

/// HELLO of an index with some content.
pub fn foreign_hello(index: u32, content: u16) -> Word {
    let field = Field(2 << 21 | (index & 15) << 17 | u32::from(content));
    control_word(&[], SessionWord::of_hello(field))
}

/// The word E, of which the upper 40 bits are not sent.
#[derive(Debug, Clone, Copy)]
pub struct SessionWord(u64);

/// Sessions of the sender and the receiver of a word.
#[derive(Debug, Clone, Copy)]
pub struct Sessions {
    pub sender: u8,
    pub receiver: u8,
}

impl SessionWord {
    /// `number` is that of the block's first flit in a T, otherwise 0.
    pub fn new(sessions: Sessions, number: u32, field: Field) -> Self {
        let sessions = u64::from(sessions.sender) << 56 | u64::from(sessions.receiver) << 48;
        Self(sessions | u64::from(number) << 24 | u64::from(field.0))
    }

    pub fn of_hello(field: Field) -> Self {
        Self(field.0.into())
    }

    /// The CRC over what it covers already and this word: bits 55:24 of the word that is sent.
    pub fn crc_behind(self, covered: Crc) -> u32 {
        covered.over(self.0).value()
    }
}

/// Bits 23:0 of a control word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field(pub u32);

/// What a field says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    T,
    Status(Status),
    Resume {
        number: u32,
    },
    Hello(Hello),
    /// M, 23:20 = 7
    Message,
    /// 23:20 = 6
    Nothing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status {
    pub error: bool,
    pub request: bool,
    /// Mod 512.
    pub ack: u32,
    /// Mod 256.
    pub free: u32,
    pub channel: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hello {
    pub index: usize,
    pub seen: bool,
    pub content: u16,
}

impl Field {
    pub fn of(word: Word) -> Self {
        Self(word.data as u32 & 0xff_ffff)
    }

    pub fn meaning(self) -> Meaning {
        let bits = |low: u32, count: u32| self.0 >> low & ((1 << count) - 1);
        match bits(21, 3) {
            4.. => Meaning::T,
            3 if bits(20, 1) == 1 => Meaning::Message,
            3 => Meaning::Nothing,
            2 => Meaning::Hello(Hello {
                index: bits(17, 4) as usize,
                seen: bits(16, 1) == 1,
                content: bits(0, 16) as u16,
            }),
            1 => Meaning::Resume { number: bits(0, 9) },
            _ => Meaning::Status(Status {
                error: bits(20, 1) == 1,
                request: bits(19, 1) == 1,
                ack: bits(10, 9),
                free: bits(2, 8),
                channel: bits(0, 1) as usize,
            }),
        }
    }

    /// T behind flits with these `last` and `vc`; the final one is `bad`.
    pub fn of_t(flits: &[(bool, usize)], bad: bool) -> Self {
        let n = flits.len() as u32;
        let ends = (flits.iter().rev().enumerate()).fold(0, |bits, (j, (last, channel))| {
            bits | u32::from(*last) << (12 + j) | (*channel as u32) << (4 + j)
        });
        Self(1 << 23 | (n - 1) << 20 | ends | u32::from(bad) << 3)
    }

    /// Of a T: n, the flits of the block.
    pub fn flits(self) -> usize {
        (self.0 >> 20 & 7) as usize + 1
    }

    /// Of a T: `last` and `vc` of the block's flit number `at` from 0, and whether it is the final one and bad.
    pub fn flit(self, at: usize) -> (bool, usize, bool) {
        let j = self.flits() - 1 - at;
        let bit = |place: usize| self.0 >> place & 1;
        (bit(12 + j) == 1, bit(4 + j) as usize, j == 0 && bit(3) == 1)
    }
}

impl Status {
    pub fn field(self) -> Field {
        let flags = u32::from(self.error) << 20 | u32::from(self.request) << 19;
        Field(flags | self.ack << 10 | self.free << 2 | self.channel as u32)
    }
}

impl Hello {
    pub fn field(self) -> Field {
        let content = u32::from(self.content);
        Field(2 << 21 | (self.index as u32) << 17 | u32::from(self.seen) << 16 | content)
    }
}

/// M
pub const MESSAGE: Field = Field(7 << 20);

pub fn resume(number: u32) -> Field {
    Field(1 << 21 | number)
}

/// CRC-32C, under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crc(u32);

/// The polynomial 0x1EDC6F41 reflected, by the byte that is divided.
const TABLE: [u32; 256] = table();

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut rest = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            rest = (rest >> 1) ^ (0x82f6_3b78 * (rest & 1));
            bit += 1;
        }
        table[byte] = rest;
        byte += 1;
    }
    table
}

impl Crc {
    pub const START: Self = Self(u32::MAX);

    /// Over one word more, its lowest byte first.
    pub fn over(self, word: u64) -> Self {
        self.over_bytes(&word.to_le_bytes())
    }

    fn over_bytes(self, bytes: &[u8]) -> Self {
        let divide = |rest: u32, byte: &u8| rest >> 8 ^ TABLE[usize::from(rest as u8 ^ byte)];
        Self(bytes.iter().fold(self.0, divide))
    }

    pub fn value(self) -> u32 {
        !self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SESSIONS: Sessions = Sessions {
        sender: 1,
        receiver: 2,
    };

    #[test]
    fn the_crc_is_crc_32c() {
        let crc = Crc::START.over_bytes(b"123456789");
        assert_eq!(crc.value(), 0xe306_9283);
    }

    #[test]
    fn examples_of_the_page() {
        let field = Field::of_t(&[(true, 1)], false);
        assert_eq!(field, Field(0x80_1010));
        let t = control_word(
            &[0x0123_4567_89ab_cdef],
            SessionWord::new(SESSIONS, 5, field),
        );
        assert_eq!(t.data, 0x00a3_c1e7_b480_1010);
        let status = Status {
            error: false,
            request: false,
            ack: 6,
            free: 3,
            channel: 1,
        };
        let word = control_word(&[], SessionWord::new(SESSIONS, 0, status.field()));
        assert_eq!(word.data, 0x00a1_6afd_0200_180d);
        assert_eq!(Field::of(word).meaning(), Meaning::Status(status));
        let hello = Hello {
            index: 1,
            seen: false,
            content: 1,
        };
        let word = control_word(&[], SessionWord::of_hello(hello.field()));
        assert_eq!(word.data, 0x0010_9c34_8542_0001);
        assert_eq!(Field::of(word).meaning(), Meaning::Hello(hello));
    }

    #[test]
    fn a_t_says_which_flits_end_packets_and_their_channels() {
        let flits = [(false, 1), (true, 0), (true, 1)];
        let field = Field::of_t(&flits, true);
        assert_eq!((field.meaning(), field.flits()), (Meaning::T, 3));
        let read: Vec<_> = (0..3).map(|at| field.flit(at)).collect();
        assert_eq!(read, [(false, 1, false), (true, 0, false), (true, 1, true)]);
    }
}
