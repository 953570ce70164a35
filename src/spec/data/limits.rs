//! Limits values of single fields; one table serves range checks, messages and the JSON schema test.

use std::fmt;

/// Bits of an address (`docs/microarchitecture.md`, header flit).
pub const ADDRESS_BITS: u32 = 20;
/// Entries of a routing table that the control port can reach (`docs/microarchitecture.md`, 4).
pub const TABLE_ENTRIES: u32 = 4096;
/// M: PCIe-side ports of an adapter block.
pub const VMS_PER_NODE: Limits = Limits::Range(1, 8);
/// d: network ports of a block.
pub const PORTS: Limits = Limits::Range(4, 16);
/// d where nothing else is said: the paper's devices (SMPO-10G).
pub const DEFAULT_PORTS: u32 = 10;
/// K: adapter blocks per line, whatever d and the join; see `validate` for the real limits.
pub const SIZES: Limits = Limits::Range(2, 32);
/// N: number of dimensions.
pub const DIMENSIONS: Limits = Limits::Range(1, 4);
/// Largest payload that the 13-bit length field of the header can state, bytes.
pub const MAX_PAYLOAD_BYTES: u32 = 8191;

/// The legal values of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limits {
    /// From … to, both included.
    Range(u32, u32),
    OneOf(&'static [u32]),
    /// Powers of two from … to.
    PowerOfTwo(u32, u32),
}

impl Limits {
    pub fn allows(self, value: u32) -> bool {
        match self {
            Self::Range(low, high) => (low..=high).contains(&value),
            Self::OneOf(values) => values.contains(&value),
            Self::PowerOfTwo(low, high) => (low..=high).contains(&value) && value.is_power_of_two(),
        }
    }
}

/// A whole number of a table: its key, its legal values, how to read and write it.
pub(crate) struct Number<T> {
    pub name: &'static str,
    pub limits: Limits,
    pub get: fn(&T) -> u32,
    pub set: fn(&mut T, u32),
}

/// Makes a [`Number`] whose key is the name of the struct field.
macro_rules! number {
    ($name:ident, $limits:expr) => {
        Number {
            name: stringify!($name),
            limits: $limits,
            get: |table| table.$name,
            set: |table, value| table.$name = value,
        }
    };
}
pub(super) use number;

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Range(low, high) => write!(f, "{low} to {high}"),
            Self::OneOf(values) => {
                let (last, others) = values.split_last().expect("a choice has values");
                let others: Vec<String> = others.iter().map(u32::to_string).collect();
                write!(f, "{} or {last}", others.join(", "))
            }
            Self::PowerOfTwo(low, high) => write!(f, "a power of two from {low} to {high}"),
        }
    }
}

/// Most virtual channels that a block can have.
pub const MOST_VIRTUAL_CHANNELS: u32 = 4;

/// The least number of virtual channels that blocks can have and that is enough; the most where
/// none is.
pub fn channels_for(needed: u32) -> u32 {
    needed.next_power_of_two().min(MOST_VIRTUAL_CHANNELS)
}

/// Bits that number `size` things: ⌈log2 size⌉, 0 for one thing.
pub fn bits_for(size: u32) -> u32 {
    u32::BITS - size.saturating_sub(1).leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_the_logarithm_rounded_up() {
        assert_eq!(
            [1, 2, 3, 4, 5, 8, 9, 20].map(bits_for),
            [0, 1, 2, 2, 3, 3, 4, 5]
        );
    }

    #[test]
    fn powers_of_two_need_both_range_and_form() {
        let limits = Limits::PowerOfTwo(8, 1024);
        assert!(limits.allows(8) && limits.allows(1024) && !limits.allows(4) && !limits.allows(24));
    }
}
