//! How long a request is waited for until it is sent again. Behind saturated data a message waits for up to 1,024 slots at
//! each link, and a repetition that comes too early takes the place of an answer.

/// Looks at the window for an answer: without a link, and more for every link.
const LOOKS: u32 = 100;
const LOOKS_PER_LINK: u32 = 60;
const MOST_DOUBLINGS: u32 = 3;

/// Learns from the requests before.
#[derive(Debug, Clone, Copy, Default)]
pub struct Patience {
    doublings: u32,
}

impl Patience {
    /// Looks for an answer over this many links.
    pub fn looks(&self, links: u32) -> u32 {
        (LOOKS + LOOKS_PER_LINK * links) << self.doublings
    }

    /// Answers came in time lately.
    pub fn is_short(&self) -> bool {
        self.doublings == 0
    }

    /// No answer came: it was waited too briefly, or the message was lost.
    pub fn grows(&mut self) {
        self.doublings = MOST_DOUBLINGS.min(self.doublings + 1);
    }

    /// The only message of a request was answered with this many looks left.
    pub fn answered(&mut self, links: u32, left: u32) {
        if left > self.looks(links) / 4 * 3 {
            self.doublings = self.doublings.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_doubles_up_to_a_limit_and_halves_when_answers_come_early() {
        let mut patience = Patience::default();
        let first = patience.looks(2);
        assert!(first == 220 && patience.is_short());
        (0..9).for_each(|_| patience.grows());
        assert_eq!(patience.looks(2), 8 * first);
        patience.answered(2, 6 * first);
        assert_eq!(patience.looks(2), 8 * first, "a quarter was used");
        patience.answered(2, 6 * first + 1);
        assert_eq!(patience.looks(2), 4 * first);
    }
}
