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
    /// Further options of `sbatch`, each with its value in one word: `--qos=low`.
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
        if !(self.task_minutes.is_finite() && self.task_minutes > 0.0) {
            let minutes = self.task_minutes;
            return Some(format!(
                "`task_minutes` of [slurm] is {minutes}, but it must be a number above 0"
            ));
        }
        if let Some(word) = self.args.iter().find(|word| !is_option(word)) {
            return Some(format!(
                "`{word}` is no option of sbatch: write each with its value in one word, such as `--qos=low`"
            ));
        }
        let zero = [
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

/// Whether a word is an option. Any other would be the script that sbatch runs; `--` lets the next be it.
fn is_option(word: &str) -> bool {
    word.starts_with('-') && word.contains(|letter: char| letter.is_ascii_alphanumeric())
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

    #[test]
    fn abuse_15_slurm_receives_only_options_and_finite_minutes() {
        for word in ["/tmp/evil.sh", "evil.sh", "", "-", "--", " --qos=low"] {
            let settings = Settings {
                args: vec!["--qos=low".to_owned(), word.to_owned()],
                ..Settings::default()
            };
            let fact = settings.complaint().expect("no option");
            assert!(
                fact.starts_with(&format!("`{word}` is no option")),
                "{fact}"
            );
        }
        for minutes in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
            let settings = Settings {
                task_minutes: minutes,
                ..Settings::default()
            };
            let fact = settings.complaint().expect("no number of minutes");
            assert!(fact.contains("`task_minutes`"), "{fact}");
        }
    }
}
