//! Where the hosts of a network are: those of this rank by block and port, all others by their rank.

use std::sync::Arc;

use super::partitioning::Partitioning;
use mkns_topology::BlockId;

/// Where a host of this rank is.
#[derive(Debug, Clone, Copy)]
pub struct HostSlot {
    /// Number of the block in its part.
    pub block: u32,
    pub part: u16,
    pub port: u8,
}

/// Where all hosts are.
#[derive(Debug, Clone)]
pub struct HostPlaces {
    own: Vec<HostSlot>,
    /// Hosts of this rank whose numbers follow each other: the number of the first, and its place in `own`.
    runs: Vec<(u32, u32)>,
    per_block: u32,
    /// Where there are others.
    partitioning: Option<Arc<Partitioning>>,
}

impl HostPlaces {
    /// Those of this rank, ascending, on blocks with this many each.
    pub fn new(
        own: impl Iterator<Item = (u32, HostSlot)>,
        per_block: u32,
        partitioning: Option<Arc<Partitioning>>,
    ) -> HostPlaces {
        let mut places = HostPlaces {
            own: Vec::new(),
            runs: Vec::new(),
            per_block,
            partitioning,
        };
        let mut next = None;
        for (host, place) in own {
            if next != Some(host) {
                places.runs.push((host, places.own.len() as u32));
            }
            places.own.push(place);
            next = Some(host + 1);
        }
        places.own.shrink_to_fit();
        places
    }

    /// Where a host of this rank is.
    #[inline]
    pub fn of(&self, host: u32) -> HostSlot {
        self.own[self.number(host).expect("a host of this rank")]
    }

    /// The rank of a host that is not on this one.
    pub fn other_rank(&self, host: u32) -> Option<usize> {
        let partitioning = self
            .partitioning
            .as_ref()
            .filter(|_| self.number(host).is_none())?;
        Some(partitioning.rank_of(BlockId(host / self.per_block)))
    }

    /// The place in `own` of a host, if it is one of this rank.
    #[inline]
    fn number(&self, host: u32) -> Option<usize> {
        let run = self.runs.partition_point(|&(first, _)| first <= host);
        let (first, number) = self.runs[run.checked_sub(1)?];
        let end = match self.runs.get(run) {
            Some(&(_, end)) => end as usize,
            None => self.own.len(),
        };
        let number = (number + host - first) as usize;
        (number < end).then_some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_hosts_are_found_and_others_are_not() {
        let place = |block| HostSlot {
            block,
            part: 0,
            port: 0,
        };
        let own = [3, 4, 5, 9].map(|host| (host, place(host)));
        let places = HostPlaces::new(own.into_iter(), 1, None);
        let found: Vec<u32> = (0..12)
            .filter_map(|host| places.number(host))
            .map(|number| places.own[number].block)
            .collect();
        assert_eq!(found, [3, 4, 5, 9]);
        assert_eq!(places.of(9).block, 9);
        assert_eq!(places.runs.len(), 2);
    }
}
