//! Many short jobs in one task: starting a task takes a cluster seconds, and arrays have a greatest length.

use super::job::Job;

/// Deals jobs out to tasks of about `seconds` each, and to at most `most` tasks; places in `jobs`, every one once.
/// A task begins with its longest job, and longer ones than `seconds` have a task of their own.
pub fn pack(jobs: &[Job], seconds: f64, most: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    // Ties in the order of the jobs.
    order.sort_by(|&a, &b| jobs[b].seconds.total_cmp(&jobs[a].seconds));
    let total: f64 = jobs.iter().map(|job| job.seconds).sum();
    let longest = order.first().map_or(0.0, |&first| jobs[first].seconds);
    let wanted = (total / seconds.max(longest).max(1e-3)).ceil() as usize;
    let tasks = wanted.clamp(1, most.max(1)).min(jobs.len());
    let mut loads = vec![(0.0_f64, Vec::new()); tasks];
    for place in order {
        // Longest first, each to the task with least to do.
        let least = loads.iter_mut().min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((load, task)) = least {
            *load += jobs[place].seconds;
            task.push(place);
        }
    }
    loads.into_iter().map(|(_, task)| task).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn job(seconds: f64) -> Job {
        Job {
            seconds,
            ..Job::new(Vec::new(), Vec::new(), &[])
        }
    }

    proptest! {
        #[test]
        fn every_job_is_in_one_task_and_no_task_is_much_longer_than_wanted(
            times in prop::collection::vec(0.01_f64..50.0, 1..120),
            wanted in 1.0_f64..200.0,
            most in 1_usize..40,
        ) {
            let jobs: Vec<Job> = times.iter().copied().map(job).collect();
            let tasks = pack(&jobs, wanted, most);
            let mut places: Vec<usize> = tasks.iter().flatten().copied().collect();
            places.sort_unstable();
            prop_assert_eq!(places, (0..jobs.len()).collect::<Vec<_>>());
            prop_assert!(tasks.len() <= most && tasks.iter().all(|task| !task.is_empty()));
            let longest = times.iter().copied().fold(0.0, f64::max);
            let total: f64 = times.iter().sum();
            let fair = (total / tasks.len() as f64).max(wanted.max(longest));
            for task in tasks {
                let length: f64 = task.iter().map(|&place| times[place]).sum();
                prop_assert!(length <= fair + longest, "{length} of {fair}");
            }
        }
    }

    #[test]
    fn short_jobs_share_a_task_and_a_long_one_does_not() {
        let mut jobs = vec![job(1.0); 60];
        jobs.push(job(60.0));
        let tasks = pack(&jobs, 60.0, 1000);
        let mut lengths: Vec<usize> = tasks.iter().map(Vec::len).collect();
        lengths.sort_unstable();
        assert_eq!(lengths, [1, 60]);
        assert!(pack(&[], 60.0, 1000).is_empty());
    }
}
