//! What is to be run: a command line of `mkns`, and what it is called in results.

use mkns_scratch::ContentKey;
use serde::{Deserialize, Serialize};

use super::version::program_identity;

/// One command line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Names the job in its folder: equal for equal command lines, files and programs only.
    pub key: String,
    /// Arguments of `mkns`, without `--format json`.
    pub words: Vec<String>,
    /// Columns of its row, such as `load` and `0.3`.
    pub labels: Vec<(String, String)>,
    /// Seconds that it takes, about.
    pub seconds: f64,
}

impl Job {
    /// A job of this program; `inputs` are the contents of the files that its words name.
    pub fn new(words: Vec<String>, labels: Vec<(String, String)>, inputs: &[String]) -> Job {
        let mut key = ContentKey::new("job");
        key.add("program", program_identity());
        for word in &words {
            key.add("word", word);
        }
        for input in inputs {
            key.add("input", input);
        }
        Job {
            key: key.finish(),
            words,
            labels,
            seconds: 1.0,
        }
    }
}

/// Whether a text is the key of a job: 32 hexadecimal digits. Nothing else that a file says becomes a file's name.
pub fn is_key(text: &str) -> bool {
    text.len() == 32
        && text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// What one run may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall time, models included, seconds.
    pub seconds: u64,
    /// Processor time of the run itself, without the compilers that it starts, seconds.
    #[serde(default)]
    pub cpu_seconds: Option<u64>,
    /// Address space, bytes; the compilers that it starts have the same limit.
    pub memory_bytes: u64,
}

/// Jobs that share limits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    pub limits: Limits,
    pub jobs: Vec<Job>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_changes_with_words_and_files() {
        let job = |words: &[&str], inputs: &[&str]| {
            let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
            Job::new(
                owned(words),
                Vec::new(),
                &Vec::<String>::from_iter(owned(inputs)),
            )
            .key
        };
        let key = job(&["sim", "a.toml"], &["ports = 8"]);
        assert_eq!(key, job(&["sim", "a.toml"], &["ports = 8"]));
        assert_ne!(key, job(&["sim", "a.toml"], &["ports = 9"]));
        assert_ne!(job(&["ab", "c"], &[]), job(&["a", "bc"], &[]));
    }
}
