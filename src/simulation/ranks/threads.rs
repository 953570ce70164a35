//! Ranks that are threads of one process and share nothing but messages.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::RankCommunicator;

/// A thread that plays a rank.
struct ThreadRank {
    rank: usize,
    /// To and from every rank.
    senders: Vec<Sender<Vec<u8>>>,
    receivers: Vec<Receiver<Vec<u8>>>,
}

impl RankCommunicator for ThreadRank {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.senders.len()
    }

    fn exchange(
        &self,
        outgoing: Vec<(usize, Vec<u8>)>,
        meanwhile: &mut dyn FnMut(),
    ) -> Vec<(usize, Vec<u8>)> {
        let ranks: Vec<usize> = outgoing.iter().map(|(rank, _)| *rank).collect();
        for (rank, bytes) in outgoing {
            self.senders[rank]
                .send(bytes)
                .expect("all ranks go on to the end");
        }
        meanwhile();
        let receive = |rank: usize| {
            self.receivers[rank]
                .recv()
                .expect("all ranks go on to the end")
        };
        ranks
            .into_iter()
            .map(|rank| (rank, receive(rank)))
            .collect()
    }
}

/// Does some work as each of `count` ranks; returns what they found, by rank.
pub fn in_threads<T: Send>(
    count: usize,
    work: impl Fn(&dyn RankCommunicator) -> T + Sync,
) -> Vec<T> {
    let mut ranks: Vec<ThreadRank> = (0..count)
        .map(|rank| ThreadRank {
            rank,
            senders: Vec::new(),
            receivers: Vec::new(),
        })
        .collect();
    for from in 0..count {
        for to in 0..count {
            let (sender, receiver) = channel();
            ranks[from].senders.push(sender);
            // Of rank `to` those before `from` are there already.
            ranks[to].receivers.push(receiver);
        }
    }
    thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = ranks
            .into_iter()
            .map(|rank| scope.spawn(move || work(&rank)))
            .collect();
        let ended = threads.into_iter().map(|thread| thread.join());
        ended.map(|found| found.expect("no rank panics")).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_bytes_reach_all() {
        let found = in_threads(3, |ranks| {
            let own = ranks.rank() as u64;
            let mut values = [own, 10];
            ranks.sum(&mut values);
            let all = ranks.gather(vec![own as u8; own as usize]);
            (values, ranks.greatest(own), all)
        });
        for (rank, (values, greatest, all)) in found.into_iter().enumerate() {
            assert_eq!((values, greatest), ([3, 30], 2));
            let wanted = vec![vec![], vec![1], vec![2, 2]];
            assert_eq!(all, if rank == 0 { wanted } else { Vec::new() });
        }
    }
}
