//! A pattern made for the hosts of a network, or for the ports of one block: the destination of each packet.

use std::sync::Arc;

use mkns_random::Random;

/// Where packets go; cheap to clone.
#[derive(Debug, Clone)]
pub enum Destinations {
    /// To all equally, including the sender.
    Uniform,
    /// To all but the sender equally.
    Others,
    /// One destination for every sender.
    Fixed(Arc<[u32]>),
    /// A share (0…1) to one host, the rest to all but the sender equally.
    HotSpot {
        host: u32,
        share: f64,
    },
    /// To the next one, but for 2 packets in 1,000, which go to any of the others: what a fair switch must not starve.
    Streams,
    AllToAll,
    /// The hosts to which each host passes on.
    Broadcast(Arc<Vec<Vec<u32>>>),
}

impl Destinations {
    /// Whether every host sends to itself and to nobody else.
    pub fn is_identity(&self) -> bool {
        match self {
            Self::Fixed(partners) => (0..).zip(&**partners).all(|(host, &to)| host == to),
            _ => false,
        }
    }

    /// Destination of packet number `count` of `host` among `hosts`.
    #[inline]
    pub fn draw(&self, host: u32, hosts: u32, count: u64, random: &mut Random) -> u32 {
        match self {
            Self::Uniform => random.below(hosts.into()) as u32,
            Self::Fixed(partners) => partners[host as usize],
            Self::HotSpot { host: hot, share } if random.fraction() < *share => *hot,
            Self::Streams if hosts > 2 && random.chance(2) => {
                (host + 2 + random.below(u64::from(hosts) - 2) as u32) % hosts
            }
            Self::Streams => (host + 1) % hosts,
            Self::Others | Self::HotSpot { .. } if hosts > 1 => {
                (host + 1 + random.below(u64::from(hosts) - 1) as u32) % hosts
            }
            Self::AllToAll if hosts > 1 => {
                let distance = 1 + (count % u64::from(hosts - 1)) as u32;
                (host + distance) % hosts
            }
            Self::Others | Self::HotSpot { .. } | Self::AllToAll | Self::Broadcast(_) => host,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of 10,000 packets of a sender go to each of 8.
    fn counts(destinations: &Destinations, host: u32) -> [u32; 8] {
        let mut random = Random::new(1);
        let mut counts = [0; 8];
        for count in 0..10_000 {
            counts[destinations.draw(host, 8, count, &mut random) as usize] += 1;
        }
        counts
    }

    #[test]
    fn a_hot_spot_gets_its_share_and_what_is_left_goes_to_all_but_the_sender() {
        let hot = Destinations::HotSpot {
            host: 3,
            share: super::super::HOT_SHARE,
        };
        let counts = counts(&hot, 5);
        assert_eq!(counts[5], 0);
        assert!((5_500..5_900).contains(&counts[3]), "{counts:?}");
        let rest = [0, 1, 2, 4, 6, 7].map(|host| counts[host]);
        assert!(
            rest.iter().all(|count| (630..800).contains(count)),
            "{counts:?}"
        );
    }

    #[test]
    fn streams_go_to_the_next_and_now_and_then_elsewhere() {
        let counts = counts(&Destinations::Streams, 7);
        assert!(
            counts[7] == 0 && (9_950..10_000).contains(&counts[0]),
            "{counts:?}"
        );
    }
}
