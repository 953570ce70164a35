//! 7.3: from one clock to the other, with equal clocks.

/// A value that is seen on the other side: through two registers, or three.
#[derive(Debug, Clone, Copy)]
pub struct Crossing<T, const REGISTERS: usize = 2> {
    registers: [T; REGISTERS],
}

impl<T: Copy + Default, const REGISTERS: usize> Default for Crossing<T, REGISTERS> {
    fn default() -> Self {
        Self {
            registers: [T::default(); REGISTERS],
        }
    }
}

impl<T: Copy, const REGISTERS: usize> Crossing<T, REGISTERS> {
    pub fn seen(&self) -> T {
        self.registers[REGISTERS - 1]
    }

    /// One cycle; `value` is that at its start.
    pub fn clock(&mut self, value: T) {
        self.registers.rotate_right(1);
        self.registers[0] = value;
    }
}

/// What a box carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Contents {
    pub alive: bool,
    pub ack: u32,
    pub limit: [u32; 2],
    /// The word of 7.9 at `reg_index`.
    pub word: u32,
}

/// The box and the bits that say where it is.
#[derive(Debug, Clone, Copy, Default)]
pub struct Carrier {
    contents: Contents,
    sent: bool,
    back: [bool; 2],
    seen: [bool; 2],
    taken: bool,
}

impl Carrier {
    /// What the core side takes in this cycle.
    pub fn taken(&self) -> Option<Contents> {
        (self.seen[1] != self.taken).then_some(self.contents)
    }

    /// One cycle; `contents` as at its start.
    pub fn clock(&mut self, contents: Contents) {
        let at = *self;
        if at.back[1] == at.sent {
            self.contents = contents;
            self.sent = !at.sent;
        }
        self.seen = [at.sent, at.seen[0]];
        self.taken = at.seen[1];
        self.back = [at.taken, at.back[0]];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_seen_in_the_third_cycle_after_it() {
        let mut crossing = Crossing::<u32>::default();
        let mut seen = Vec::new();
        // The change comes at the end of cycle 0.
        for value in [0, 1, 1, 1] {
            seen.push(crossing.seen());
            crossing.clock(value);
        }
        assert_eq!(seen, [0, 0, 0, 1]);
    }

    #[test]
    fn a_box_is_loaded_every_six_cycles() {
        let mut carrier = Carrier::default();
        let mut taken = Vec::new();
        for cycle in 0..40 {
            taken.extend(carrier.taken().map(|contents| (cycle, contents.ack)));
            carrier.clock(Contents {
                ack: cycle,
                ..Contents::default()
            });
        }
        assert_eq!(&taken[..3], [(3, 0), (9, 6), (15, 12)]);
    }
}
