//! Sets of (port, channel) pairs as bits of one number, and what is kept for each port and pair.
//!
//! Key k = channel · PORTS + port, so that the order of keys is that of the page's v · P + i. The
//! smallest number that holds the ports and channels of a core makes its state the most compact.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Index, IndexMut, Not, Shl};

/// What one port or key has.
pub trait Lane: Copy + Debug + Send + Sync {}

impl<T: Copy + Debug + Send + Sync> Lane for T {}

/// One of something for each port or key, inside its owner.
pub trait Lanes<T>:
    Clone + Debug + Send + Sync + Index<usize, Output = T> + IndexMut<usize>
{
    fn filled(value: T) -> Self;
}

impl<T: Lane, const N: usize> Lanes<T> for [T; N] {
    fn filled(value: T) -> Self {
        [value; N]
    }
}

pub trait KeySet:
    Copy
    + Debug
    + Default
    + Send
    + Sync
    + 'static
    + PartialEq
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + Not<Output = Self>
    + Shl<usize, Output = Self>
{
    /// Places that a channel takes; cores have fewer ports.
    const PORTS: usize;
    /// Channels whose keys it can hold.
    const CHANNELS: usize;
    const EMPTY: Self;

    type PerPort<T: Lane>: Lanes<T>;
    type PerKey<T: Lane>: Lanes<T>;

    /// The ports of channel 0 as a set.
    fn of_ports(ports: u32) -> Self;

    /// The ports whose key of channel 0 is in the set.
    fn ports_of_channel_0(self) -> u32;

    /// The lowest key of a set that is not empty.
    fn first(self) -> usize;

    /// The set without its lowest key; it is not empty.
    fn without_first(self) -> Self;

    /// The keys of some ports on the first `channels` channels.
    #[inline]
    fn of_channels(ports: u32, channels: usize) -> Self {
        (0..channels).fold(Self::EMPTY, |keys, channel| {
            keys | Self::of_ports(ports) << Self::key(0, channel)
        })
    }

    #[inline]
    fn key(port: usize, channel: usize) -> usize {
        channel * Self::PORTS + port
    }

    #[inline]
    fn port_of(key: usize) -> usize {
        key % Self::PORTS
    }

    #[inline]
    fn channel_of(key: usize) -> usize {
        key / Self::PORTS
    }

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
    ($number:ty, $ports:literal) => {
        impl KeySet for $number {
            const PORTS: usize = $ports;
            const CHANNELS: usize = <$number>::BITS as usize / $ports;
            const EMPTY: Self = 0;

            type PerPort<T: Lane> = [T; $ports];
            type PerKey<T: Lane> = [T; <$number>::BITS as usize];

            #[inline]
            fn of_ports(ports: u32) -> Self {
                Self::from(ports)
            }

            #[inline]
            fn ports_of_channel_0(self) -> u32 {
                self as u32 & (((1u64 << $ports) - 1) as u32)
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

key_set!(u32, 16);
// Tori have four channels and few ports: half the state that ports for all 64 bits would take.
key_set!(u64, 16);
key_set!(u128, 32);

#[cfg(test)]
mod tests {
    use super::*;

    fn the_order_is_channel_then_port<K: KeySet>() {
        let mut set = K::EMPTY;
        let (port, last) = (K::PORTS - 1, K::CHANNELS - 1);
        let members = [
            K::key(3, 0),
            K::key(port, 0),
            K::key(0, last),
            K::key(port, last),
        ];
        members.iter().rev().for_each(|&key| set.insert(key));
        assert_eq!(set.keys().collect::<Vec<_>>(), members);
        assert_eq!(set.first_at_or_after(K::key(4, 0)), members[1]);
        set.remove(members[3]);
        assert!(!set.has(members[3]) && set.has(members[2]));
        assert_eq!(set.ports_of_channel_0(), 1 << 3 | 1 << port);
        assert_eq!(set.first_at_or_after(members[3]), members[0]);
        assert_eq!(K::port_of(members[3]), port);
        assert_eq!(K::channel_of(members[3]), last);
    }

    #[test]
    fn all_widths_order_their_keys_alike() {
        the_order_is_channel_then_port::<u32>();
        the_order_is_channel_then_port::<u64>();
        the_order_is_channel_then_port::<u128>();
    }
}
