//! A serial terminal: decodes one line, sampled once an oscillator cycle, into text.

/// What one line has said.
pub struct Terminal {
    pub cycles_a_bit: u32,
    /// Cycles since the start bit; none while the line is idle.
    pub since: Option<u32>,
    pub bits: u32,
    pub text: String,
}

impl Terminal {
    pub fn sample(&mut self, line: bool) {
        let Some(since) = self.since else {
            if !line {
                self.since = Some(0);
                self.bits = 0;
            }
            return;
        };
        let since = since + 1;
        self.since = Some(since);
        // the middle of bit n is n + 1/2 bits after the start
        let (bit, rest) = (since / self.cycles_a_bit, since % self.cycles_a_bit);
        if rest != self.cycles_a_bit / 2 {
            return;
        }
        match bit {
            // a glitch, such as registers before the first clock edge, is no start bit
            0 if line => self.since = None,
            0 => {}
            1..=8 => self.bits |= u32::from(line) << (bit - 1),
            _ => {
                assert!(line, "a stop bit");
                self.text.push(char::from(self.bits as u8));
                self.since = None;
            }
        }
    }

    pub fn lines(&self) -> Vec<&str> {
        let ended = self.text.rsplit_once("\r\n").map_or("", |(ended, _)| ended);
        ended
            .split("\r\n")
            .filter(|line| !line.is_empty())
            .collect()
    }
}
