//! Collective operations as messages, by the algorithms that MPI libraries use for them (Thakur, Rabenseifner and
//! Gropp, *Optimization of Collective Communication Operations in MPICH*, IJHPCA 19(1), 2005). Adding numbers up takes
//! no time here.

use super::schedule::{Action, Schedule};

/// A collective operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Collective {
    /// Every rank gets the sum of all vectors of `bytes`: parts go round the ring twice (sums, then results).
    AllReduceRing,
    /// Sums for all as well, in ⌈log₂ n⌉ exchanges of whole vectors; ranks beyond a power of two hand theirs to a neighbour first.
    AllReduceDoubling,
    /// Every rank sends `bytes` to every other, first to its successor; nobody waits.
    AllToAll,
    /// Rank 0 sends `bytes` to all along a binomial tree.
    Broadcast,
    /// Ranks form a grid of three dimensions, as cubic as their number allows, with its ends joined; each sends `bytes`
    /// to its six neighbours.
    HaloExchange,
}

impl Collective {
    /// All of them, by their names.
    pub const ALL: [(&'static str, Self); 5] = [
        ("all-reduce-ring", Self::AllReduceRing),
        ("all-reduce-doubling", Self::AllReduceDoubling),
        ("all-to-all", Self::AllToAll),
        ("broadcast", Self::Broadcast),
        ("halo-exchange", Self::HaloExchange),
    ];

    /// The messages among this many ranks, at least one.
    pub fn schedule(self, ranks: u32, bytes: u64) -> Schedule {
        let mut maker = Maker::new(ranks);
        match self {
            Self::AllReduceRing => maker.ring(bytes),
            Self::AllReduceDoubling => maker.doubling(bytes),
            Self::AllToAll => maker.all_to_all(bytes),
            Self::Broadcast => maker.broadcast(bytes),
            Self::HaloExchange => maker.halo(bytes),
        }
        maker.schedule
    }
}

/// Adds messages; remembers what each rank received last.
struct Maker {
    schedule: Schedule,
    /// By rank: the last receive that later sends depend on.
    received: Vec<Option<u32>>,
}

impl Maker {
    fn new(ranks: u32) -> Self {
        Self {
            schedule: Schedule {
                ranks,
                operations: Vec::new(),
            },
            received: vec![None; ranks as usize],
        }
    }

    /// Messages of one step, all sent after what their senders received in earlier steps.
    fn step(&mut self, messages: impl IntoIterator<Item = (u32, u32, u64)>) {
        let mut arriving = Vec::new();
        for (from, to, bytes) in messages {
            let after: Vec<u32> = self.received[from as usize].into_iter().collect();
            let send = Action::Send { to, bytes, tag: 0 };
            self.schedule.add(from, send, &after);
            let after: Vec<u32> = self.received[to as usize].into_iter().collect();
            let receive = Action::Receive {
                from,
                bytes,
                tag: 0,
            };
            arriving.push((to, self.schedule.add(to, receive, &after)));
        }
        for (rank, receive) in arriving {
            self.received[rank as usize] = Some(receive);
        }
    }

    /// Step k: rank r sends part r − k to r + 1, for 2·(n − 1) steps.
    fn ring(&mut self, bytes: u64) {
        let ranks = self.schedule.ranks;
        let count = u64::from(ranks);
        let part = |number: u64| bytes * (number + 1) / count - bytes * number / count;
        for step in 0..2 * count.saturating_sub(1) {
            self.step((0..ranks).map(|rank| {
                let number = (u64::from(rank) + 2 * count - step) % count;
                (rank, (rank + 1) % ranks, part(number))
            }));
        }
    }

    fn doubling(&mut self, bytes: u64) {
        let ranks = self.schedule.ranks;
        let power = 1 << ranks.ilog2();
        let rest = ranks - power;
        // Of the first 2·rest ranks the even ones hand their vectors over and wait.
        let rank_of = |place: u32| match place < rest {
            true => 2 * place + 1,
            false => place + rest,
        };
        self.step((0..rest).map(|place| (2 * place, 2 * place + 1, bytes)));
        for bit in 0..power.ilog2() {
            let partner = |place: u32| rank_of(place ^ 1 << bit);
            self.step((0..power).map(|place| (rank_of(place), partner(place), bytes)));
        }
        self.step((0..rest).map(|place| (2 * place + 1, 2 * place, bytes)));
    }

    fn all_to_all(&mut self, bytes: u64) {
        let ranks = self.schedule.ranks;
        let distances = 1..ranks;
        self.step(distances.flat_map(|distance| {
            (0..ranks).map(move |rank| (rank, (rank + distance) % ranks, bytes))
        }));
    }

    /// Who has the message sends it half as far each time.
    fn broadcast(&mut self, bytes: u64) {
        let ranks = self.schedule.ranks;
        let mut distance = ranks.next_power_of_two() / 2;
        while distance > 0 {
            let senders = (0..ranks).step_by(2 * distance as usize);
            let far = distance;
            let reached = senders.filter(|rank| rank + far < ranks);
            self.step(reached.map(|rank| (rank, rank + far, bytes)));
            distance /= 2;
        }
    }

    fn halo(&mut self, bytes: u64) {
        let ranks = self.schedule.ranks;
        let sizes = grid(ranks);
        let mut messages = Vec::new();
        for rank in 0..ranks {
            let mut stride = 1;
            for size in sizes {
                let digit = rank / stride % size;
                let neighbour = |digit: u32| rank - rank / stride % size * stride + digit * stride;
                if size > 1 {
                    messages.push((rank, neighbour((digit + 1) % size), bytes));
                    messages.push((rank, neighbour((digit + size - 1) % size), bytes));
                }
                stride *= size;
            }
        }
        self.step(messages);
    }
}

/// Three factors of a number, as equal as it allows, the largest first.
fn grid(ranks: u32) -> [u32; 3] {
    let divisors = |number: u32| (1..=number).filter(move |size| number.is_multiple_of(*size));
    let all = divisors(ranks).flat_map(|a| {
        let pairs = divisors(ranks / a).map(move |b| [a, b, ranks / a / b]);
        pairs.filter(|[a, b, c]| a >= b && b >= c)
    });
    all.min_by_key(|sizes| sizes.iter().sum::<u32>())
        .unwrap_or([ranks, 1, 1])
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Which ranks' data every rank has at the end, if a message carries all that its sender has when it may leave.
    fn known(schedule: &Schedule) -> Vec<HashSet<u32>> {
        let own = |rank| HashSet::from([rank]);
        let mut at: Vec<HashSet<u32>> = Vec::new();
        let partners = schedule.partners().expect("messages come out even");
        let mut end: Vec<HashSet<u32>> = (0..schedule.ranks).map(own).collect();
        for (place, operation) in schedule.operations.iter().enumerate() {
            let mut data = own(operation.rank);
            for &before in &operation.after_end {
                assert!((before as usize) < place, "waits for what is to come");
                data.extend(&at[before as usize]);
            }
            if matches!(operation.action, Action::Receive { .. }) {
                data.extend(at[partners[place] as usize].clone());
            }
            end[operation.rank as usize].extend(&data);
            at.push(data);
        }
        end
    }

    fn sent(schedule: &Schedule) -> u64 {
        let bytes = schedule
            .operations
            .iter()
            .map(|operation| match operation.action {
                Action::Send { bytes, .. } => bytes,
                _ => 0,
            });
        bytes.sum()
    }

    #[test]
    fn everybody_learns_of_everybody() {
        let all = [
            Collective::AllReduceRing,
            Collective::AllReduceDoubling,
            Collective::AllToAll,
        ];
        for collective in all {
            for ranks in [1, 2, 3, 6, 8, 13] {
                let known = known(&collective.schedule(ranks, 1000));
                let complete = known.iter().all(|data| data.len() == ranks as usize);
                assert!(complete, "{collective:?} of {ranks}: {known:?}");
            }
        }
    }

    #[test]
    fn bytes_are_those_of_the_algorithms() {
        // 2·(n − 1) rounds in which all parts together are sent once.
        assert_eq!(sent(&Collective::AllReduceRing.schedule(7, 1000)), 12_000);
        // 4 of 12 hand over and get back, 8 exchange three times.
        assert_eq!(sent(&Collective::AllReduceDoubling.schedule(12, 10)), 320);
        assert_eq!(sent(&Collective::AllToAll.schedule(5, 10)), 200);
        assert_eq!(sent(&Collective::Broadcast.schedule(13, 10)), 120);
        assert_eq!(sent(&Collective::HaloExchange.schedule(60, 10)), 3600);
    }

    #[test]
    fn a_broadcast_reaches_all_in_as_many_steps_as_the_logarithm() {
        for ranks in [1, 2, 5, 8, 13] {
            let schedule = Collective::Broadcast.schedule(ranks, 8);
            assert!(known(&schedule).iter().all(|data| data.contains(&0)));
            let mut depth = vec![0; ranks as usize];
            for operation in &schedule.operations {
                if let Action::Receive { from, .. } = operation.action {
                    depth[operation.rank as usize] = depth[from as usize] + 1;
                }
            }
            let most = depth.into_iter().max().unwrap_or(0);
            assert!(most <= ranks.next_power_of_two().ilog2(), "{ranks}: {most}");
        }
    }

    #[test]
    fn grids_are_as_cubic_as_can_be() {
        assert_eq!(grid(64), [4, 4, 4]);
        assert_eq!(grid(160), [8, 5, 4]);
        assert_eq!(grid(7), [7, 1, 1]);
    }
}
