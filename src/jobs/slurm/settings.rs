//! What a user says about tasks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The table `[slurm]` of a study.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Partition; Slurm's default without it.
    pub partition: Option<String>,
    /// Minutes of work that are packed into a task, about.
    pub task_minutes: f64,
    /// Time limit of a task; from the expected time without it.
    pub time_minutes: Option<u64>,
    /// Memory of a task, MiB; Slurm's default without it.
    pub memory_mib: Option<u64>,
    /// Processors of a task, and runs that it makes at a time.
    pub cpus: u32,
    /// Tasks at the same time; as many as there is room for without it.
    pub at_once: Option<u32>,
    /// Tasks of an array at most (`MaxArraySize` of the cluster less one).
    pub most_tasks: usize,
    /// Further arguments of `sbatch`.
    pub args: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            partition: None,
            task_minutes: 10.0,
            time_minutes: None,
            memory_mib: None,
            cpus: 1,
            at_once: None,
            most_tasks: 1000,
            args: Vec::new(),
        }
    }
}

impl Settings {
    /// What is wrong, if anything.
    pub fn complaint(&self) -> Option<String> {
        let zero = [
            ("task_minutes", self.task_minutes <= 0.0),
            ("time_minutes", self.time_minutes == Some(0)),
            ("memory_mib", self.memory_mib == Some(0)),
            ("cpus", self.cpus == 0),
            ("at_once", self.at_once == Some(0)),
            ("most_tasks", self.most_tasks == 0),
        ];
        let (key, _) = zero.into_iter().find(|(_, is_zero)| *is_zero)?;
        Some(format!("`{key}` of [slurm] is 0, but it must be above 0"))
    }

    /// Arguments of `sbatch` for `tasks` tasks, the longest of about `seconds`.
    pub(super) fn arguments(&self, tasks: usize, seconds: f64) -> Vec<String> {
        // Expected times are guesses.
        let guess = (4.0 * seconds / 60.0 / f64::from(self.cpus)).ceil() as u64 + 10;
        let at_once = self
            .at_once
            .map_or(String::new(), |most| format!("%{most}"));
        let mut list = vec![
            format!("--array=0-{}{at_once}", tasks - 1),
            format!("--time={}", self.time_minutes.unwrap_or(guess)),
            format!("--cpus-per-task={}", self.cpus),
            "--requeue".to_owned(),
        ];
        list.extend(
            self.partition
                .iter()
                .map(|name| format!("--partition={name}")),
        );
        list.extend(self.memory_mib.iter().map(|size| format!("--mem={size}M")));
        list.extend(self.args.iter().cloned());
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_become_arguments_of_sbatch() {
        let settings = Settings {
            partition: Some("short".to_owned()),
            memory_mib: Some(512),
            cpus: 2,
            at_once: Some(50),
            args: vec!["--qos=low".to_owned()],
            ..Settings::default()
        };
        let wanted = "--array=0-9%50 --time=12 --cpus-per-task=2 --requeue --partition=short --mem=512M --qos=low";
        assert_eq!(settings.arguments(10, 60.0).join(" "), wanted);
        assert_eq!(settings.complaint(), None);
        let wrong = Settings {
            cpus: 0,
            ..settings
        };
        assert!(
            wrong
                .complaint()
                .is_some_and(|fact| fact.contains("`cpus`"))
        );
    }
}
