//! Ranks of a simulation that are processes of MPI, started by `mpirun` or `srun`.
//!
//! Empty without the feature `mpi`, so that a plain build needs no MPI.
#![cfg(feature = "mpi")]
#![expect(unsafe_code, reason = "MPI is to end while its owner lives on")]

use std::mem::ManuallyDrop;
use std::thread;

use mkns_simulation::ranks::RankCommunicator;
use mpi::Threading;
use mpi::collective::SystemOperation;
use mpi::environment::Universe;
use mpi::request::WaitGuard;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Source};

/// This process among those of `MPI_COMM_WORLD`. Its last one ends MPI.
pub struct MpiRanks {
    universe: ManuallyDrop<Universe>,
    world: SimpleCommunicator,
}

impl MpiRanks {
    /// Starts MPI; none when this process has started it before.
    pub fn start() -> Option<MpiRanks> {
        // Threads step parts; the one that started MPI speaks.
        let (universe, _) = mpi::initialize_with_threading(Threading::Funneled)?;
        let world = universe.world();
        Some(MpiRanks {
            universe: ManuallyDrop::new(universe),
            world,
        })
    }
}

impl Drop for MpiRanks {
    fn drop(&mut self) {
        if thread::panicking() {
            // The others would wait for ever.
            self.world.abort(1);
        }
        // SAFETY: nothing uses it afterwards.
        unsafe { ManuallyDrop::drop(&mut self.universe) }
    }
}

impl RankCommunicator for MpiRanks {
    fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    fn count(&self) -> usize {
        self.world.size() as usize
    }

    fn exchange(
        &self,
        outgoing: Vec<(usize, Vec<u8>)>,
        meanwhile: &mut dyn FnMut(),
    ) -> Vec<(usize, Vec<u8>)> {
        let process = |rank: usize| self.world.process_at_rank(rank as i32);
        mpi::request::scope(|scope| {
            let sends = outgoing.iter().map(|(rank, bytes)| {
                WaitGuard::from(process(*rank).immediate_send(scope, &bytes[..]))
            });
            let sends: Vec<_> = sends.collect();
            meanwhile();
            let receive = |rank: usize| process(rank).receive_vec::<u8>().0;
            let incoming = outgoing.iter().map(|(rank, _)| (*rank, receive(*rank)));
            let incoming = incoming.collect();
            drop(sends);
            incoming
        })
    }

    fn sum(&self, values: &mut [u64]) {
        let mut sums = vec![0; values.len()];
        self.world
            .all_reduce_into(&*values, &mut sums[..], SystemOperation::sum());
        values.copy_from_slice(&sums);
    }

    fn greatest(&self, value: u64) -> u64 {
        let mut greatest = 0;
        self.world
            .all_reduce_into(&value, &mut greatest, SystemOperation::max());
        greatest
    }
}
