//! The threads that clock a network: each has a partition of the blocks, and all meet after every cycle.
//!
//! A partition is moved to its thread and back in each cycle, so nobody waits for a lock. Results do not
//! depend on the number of threads: blocks see their neighbours' outputs of the cycle before.

use std::hint;
use std::sync::mpsc::{Receiver, RecvError, Sender, TryRecvError, channel};
use std::thread;
use std::time::Instant;

use super::thread_choice::ThreadChoice;
use crate::lockstep::Group;
use mkns_design::Plan;
use mkns_topology::BlockId;

/// How often a thread looks for the next cycle before it lets others run, and before it sleeps.
const LOOKS: std::ops::Range<u32> = 500..5_000;

/// Blocks of one module that one thread clocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    /// Index into [`Plan::modules`].
    pub module: usize,
    pub thread: usize,
    pub blocks: Vec<BlockId>,
}

/// The blocks of a plan dealt out to `threads`, as evenly as they go, in the order of threads.
pub fn partitions(plan: &Plan, threads: usize) -> Vec<Partition> {
    let count = plan.instances.len();
    let threads = threads.clamp(1, count);
    let mut partitions = Vec::new();
    for thread in 0..threads {
        let own = &plan.instances[count * thread / threads..count * (thread + 1) / threads];
        for module in 0..plan.modules.len() {
            let blocks: Vec<BlockId> = (own.iter())
                .filter(|instance| instance.module == module)
                .map(|instance| instance.block)
                .collect();
            if !blocks.is_empty() {
                partitions.push(Partition {
                    module,
                    thread,
                    blocks,
                });
            }
        }
    }
    partitions
}

/// A cycle of a partition, on its way to the thread or back.
struct Task {
    groups: Vec<Group>,
    cycle: u64,
    compare: bool,
}

struct Helper {
    /// First group of its partition.
    first: usize,
    tasks: Sender<Task>,
    done: Receiver<Task>,
}

/// The helpers of the thread that asks; it clocks the first partition itself.
pub struct WorkerPool {
    helpers: Vec<Helper>,
    thread_choice: ThreadChoice,
}

impl WorkerPool {
    /// Threads for partitions in the order of [`partitions`], one group per partition. Where a thread cannot be had,
    /// the others do its work.
    pub fn new(partitions: &[Partition]) -> Self {
        let mut helpers: Vec<Helper> = Vec::new();
        for (number, partition) in partitions.iter().enumerate() {
            if number > 0 && partition.thread != partitions[number - 1].thread {
                helpers.extend(Helper::new(number));
            }
        }
        Self {
            helpers,
            thread_choice: ThreadChoice::new(Instant::now()),
        }
    }

    /// One cycle of all groups, with the helpers where they make it faster.
    pub fn step(&mut self, groups: &mut Vec<Group>, cycle: u64, compare: bool) {
        let with_helpers =
            !self.helpers.is_empty() && self.thread_choice.with_helpers(Instant::now());
        let helpers = if with_helpers { &self.helpers[..] } else { &[] };
        for helper in helpers.iter().rev() {
            let task = Task {
                groups: groups.split_off(helper.first),
                cycle,
                compare,
            };
            helper
                .tasks
                .send(task)
                .expect("a helper waits for its task");
        }
        groups
            .iter_mut()
            .for_each(|group| group.step(cycle, compare));
        for helper in helpers {
            let mut task = receive(&helper.done).expect("a helper ends its task");
            groups.append(&mut task.groups);
        }
    }
}

impl Helper {
    fn new(first: usize) -> Option<Self> {
        let (tasks, asked) = channel::<Task>();
        let (answer, done) = channel();
        let work = move || {
            while let Ok(mut task) = receive(&asked) {
                let (cycle, compare) = (task.cycle, task.compare);
                (task.groups.iter_mut()).for_each(|group| group.step(cycle, compare));
                if answer.send(task).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().spawn(work).ok()?;
        Some(Self { first, tasks, done })
    }
}

/// What comes next; looks for a while, because a cycle is shorter than falling asleep.
fn receive<T>(from: &Receiver<T>) -> Result<T, RecvError> {
    for look in 0..LOOKS.end {
        match from.try_recv() {
            Err(TryRecvError::Empty) if look < LOOKS.start => hint::spin_loop(),
            Err(TryRecvError::Empty) => thread::yield_now(),
            other => return other.map_err(|_| RecvError),
        }
    }
    from.recv()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_is_in_one_partition() {
        let spec = mkns_spec::parse("MKNS(2,4,2,1)").expect("a valid spec");
        let plan = mkns_design::build(&spec).expect("a plan");
        for threads in [1, 2, 3, 7, 100] {
            let partitions = partitions(&plan, threads);
            let mut blocks: Vec<BlockId> = partitions
                .iter()
                .flat_map(|partition| partition.blocks.clone())
                .collect();
            blocks.sort_unstable();
            assert_eq!(blocks, plan.network.block_ids().collect::<Vec<_>>());
            assert!(partitions.is_sorted_by_key(|partition| partition.thread));
            let busy = partitions.last().map(|partition| partition.thread + 1);
            assert_eq!(busy, Some(threads.min(plan.instances.len())));
        }
    }
}
