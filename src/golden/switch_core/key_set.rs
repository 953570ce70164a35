//! Sets of (port, channel) pairs as bits of one number: 64 bits for up to two channels, 128 for
//! four.
//!
//! Key k = channel · 32 + port, so that the order of keys is that of the page's v · P + i.

use super::MAX_CHANNELS;
use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Shl};

/// Places that a channel takes; cores have fewer ports.
pub const KEYS_PER_CHANNEL: usize = 32;

/// The key of (port, channel).
#[inline]
pub fn key(port: usize, channel: usize) -> usize {
    channel * KEYS_PER_CHANNEL + port
}

#[inline]
pub fn port_of(key: usize) -> usize {
    key % KEYS_PER_CHANNEL
}

#[inline]
pub fn channel_of(key: usize) -> usize {
    // The mask changes nothing and tells the compiler that arrays by channel are long enough.
    key / KEYS_PER_CHANNEL % MAX_CHANNELS
}

/// A set of keys.
pub trait KeySet:
    Copy
    + Debug
    + Default
    + PartialEq
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + Not<Output = Self>
    + Shl<usize, Output = Self>
{
    /// Channels whose keys it can hold.
    const CHANNELS: usize;
    const EMPTY: Self;

    /// The ports of channel 0 as a set.
    fn of_ports(ports: u32) -> Self;

    /// The lowest key of a set that is not empty.
    fn first(self) -> usize;

    /// The set without its lowest key; it is not empty.
    fn without_first(self) -> Self;

    #[inline]
    fn of(key: usize) -> Self {
        Self::of_ports(1) << key
    }

    #[inline]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    #[inline]
    fn has(self, key: usize) -> bool {
        !(self & Self::of(key)).is_empty()
    }

    #[inline]
    fn insert(&mut self, key: usize) {
        *self |= Self::of(key);
    }

    #[inline]
    fn remove(&mut self, key: usize) {
        *self &= !Self::of(key);
    }

    /// The first key at or after `start`, cyclically; the set is not empty. `start` is a key.
    #[inline]
    fn first_at_or_after(self, start: usize) -> usize {
        let later = self & (!Self::EMPTY << start);
        (if later.is_empty() { self } else { later }).first()
    }

    /// The keys, lowest first.
    #[inline]
    fn keys(mut self) -> impl Iterator<Item = usize> {
        std::iter::from_fn(move || {
            (!self.is_empty()).then(|| {
                let key = self.first();
                self = self.without_first();
                key
            })
        })
    }
}

macro_rules! key_set {
    ($number:ty) => {
        impl KeySet for $number {
            const CHANNELS: usize = <$number>::BITS as usize / KEYS_PER_CHANNEL;
            const EMPTY: Self = 0;

            #[inline]
            fn of_ports(ports: u32) -> Self {
                Self::from(ports)
            }

            #[inline]
            fn first(self) -> usize {
                self.trailing_zeros() as usize
            }

            #[inline]
            fn without_first(self) -> Self {
                self & self.wrapping_sub(1)
            }
        }
    };
}

key_set!(u64);
key_set!(u128);

#[cfg(test)]
mod tests {
    use super::*;

    fn the_order_is_channel_then_port<K: KeySet>() {
        let mut set = K::EMPTY;
        let last = K::CHANNELS - 1;
        let members = [key(3, 0), key(31, 0), key(0, last), key(31, last)];
        members.iter().rev().for_each(|&key| set.insert(key));
        assert_eq!(set.keys().collect::<Vec<_>>(), members);
        assert_eq!(set.first_at_or_after(key(4, 0)), members[1]);
        set.remove(members[3]);
        assert!(!set.has(members[3]) && set.has(members[2]));
        assert_eq!(set.first_at_or_after(members[3]), members[0]);
        assert_eq!((port_of(members[3]), channel_of(members[3])), (31, last));
    }

    #[test]
    fn both_widths_order_their_keys_alike() {
        the_order_is_channel_then_port::<u64>();
        the_order_is_channel_then_port::<u128>();
    }
}
