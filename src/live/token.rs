//! What an event of the sockets is about, as a number that the system hands back.

/// What an event is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token {
    Wake,
    ControlListener,
    Control(u32),
    HostListener(u32),
    Host(u32),
}

impl Token {
    pub fn pack(self) -> u64 {
        let (kind, number) = match self {
            Self::Wake => (0, 0),
            Self::ControlListener => (1, 0),
            Self::Control(number) => (2, number),
            Self::HostListener(number) => (3, number),
            Self::Host(number) => (4, number),
        };
        u64::from(number) << 8 | kind
    }

    pub fn unpack(word: u64) -> Self {
        let number = (word >> 8) as u32;
        match word & 0xff {
            0 => Self::Wake,
            1 => Self::ControlListener,
            2 => Self::Control(number),
            3 => Self::HostListener(number),
            _ => Self::Host(number),
        }
    }
}
