//! What the processes of a simulation say to each other, and the one that has nobody to talk to.

/// A process among those of a simulation. All of them make the same calls in the same order.
pub trait RankCommunicator {
    /// Number of this one.
    fn rank(&self) -> usize;

    /// How many there are.
    fn count(&self) -> usize;

    /// Sends bytes to other ranks, does something else meanwhile, and returns what the same ranks sent, in the order
    /// of `outgoing`.
    fn exchange(
        &self,
        outgoing: Vec<(usize, Vec<u8>)>,
        meanwhile: &mut dyn FnMut(),
    ) -> Vec<(usize, Vec<u8>)>;

    /// Values become their sums over all ranks.
    fn sum(&self, values: &mut [u64]) {
        let own: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        for (_, theirs) in self.exchange(self.to_all(&own), &mut || {}) {
            for (value, theirs) in values.iter_mut().zip(theirs.chunks_exact(8)) {
                *value += u64::from_le_bytes(theirs.try_into().expect("8 bytes"));
            }
        }
    }

    /// The greatest value of all ranks.
    fn greatest(&self, value: u64) -> u64 {
        let all = self.exchange(self.to_all(&value.to_le_bytes()), &mut || {});
        let theirs = all
            .iter()
            .map(|(_, bytes)| u64::from_le_bytes(bytes.as_slice().try_into().expect("8 bytes")));
        theirs.fold(value, u64::max)
    }

    /// These bytes for each of the other ranks.
    fn to_all(&self, bytes: &[u8]) -> Vec<(usize, Vec<u8>)> {
        let others = (0..self.count()).filter(|&rank| rank != self.rank());
        others.map(|rank| (rank, bytes.to_vec())).collect()
    }

    /// What every rank gives, by rank; on rank 0 only, nothing elsewhere.
    fn gather(&self, own: Vec<u8>) -> Vec<Vec<u8>> {
        if self.rank() > 0 {
            self.exchange(vec![(0, own)], &mut || {});
            return Vec::new();
        }
        let nothing = self.to_all(&[]);
        let mut all = vec![own];
        let theirs = self.exchange(nothing, &mut || {});
        all.extend(theirs.into_iter().map(|(_, bytes)| bytes));
        all
    }
}

/// The only process.
#[derive(Debug, Clone, Copy, Default)]
pub struct SingleRank;

impl RankCommunicator for SingleRank {
    fn rank(&self) -> usize {
        0
    }

    fn count(&self) -> usize {
        1
    }

    fn exchange(
        &self,
        _: Vec<(usize, Vec<u8>)>,
        meanwhile: &mut dyn FnMut(),
    ) -> Vec<(usize, Vec<u8>)> {
        meanwhile();
        Vec::new()
    }
}
