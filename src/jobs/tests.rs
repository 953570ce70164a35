//! No result is lost or counted twice, whatever is killed when: the folder of results under processes that die at any
//! point, two that run the same job, collectors, repeated and reordered merges.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use serde_json::json;

use super::{Job, Outcome, Status, Store};

const JOBS: u64 = 6;

fn job(number: u64) -> Job {
    Job::new(vec!["sim".to_owned(), number.to_string()], Vec::new(), &[])
}

/// What a process finds, which depends on the job, and how long it took, which does not.
fn found(number: u64, run: u64) -> Outcome {
    Outcome {
        status: Status::Finished,
        exit_code: Some(0),
        seconds: run as f64,
        result: json!({ "packets": 100 + number }),
        ..Outcome::without(&job(number), Status::Finished, "")
    }
}

/// What happens to a folder.
#[derive(Debug, Clone)]
enum Event {
    /// A job runs to its end.
    Run(u64),
    /// Its process dies when the result is half written to its temporary file.
    DieWriting(u64),
    /// The machine stops: the result has its name, but half of its bytes.
    Torn(u64),
    /// A collector says that the job was killed.
    Lose(u64, Status),
    /// The other folder is merged into this one, or this one into the other.
    Merge(bool),
}

fn event() -> impl Strategy<Value = (bool, Event)> {
    let lost = prop::sample::select(vec![
        Status::Killed,
        Status::TimedOut,
        Status::OutOfMemory,
        Status::Crashed,
        Status::NotRun,
    ]);
    let event = prop_oneof![
        (0..JOBS).prop_map(Event::Run),
        (0..JOBS).prop_map(Event::DieWriting),
        (0..JOBS).prop_map(Event::Torn),
        (0..JOBS, lost).prop_map(|(number, status)| Event::Lose(number, status)),
        any::<bool>().prop_map(Event::Merge),
    ];
    (any::<bool>(), event)
}

/// A folder, and the jobs that have finished in it.
struct Folder {
    path: PathBuf,
    finished: BTreeSet<u64>,
}

impl Folder {
    fn store(&self) -> Store {
        Store::new(&self.path)
    }

    fn happen(&mut self, event: &Event, run: u64) {
        match event {
            Event::Run(number) => {
                self.store()
                    .put(&found(*number, run))
                    .expect("a writable folder");
                self.finished.insert(*number);
            }
            Event::DieWriting(number) => {
                let left = self.path.join(format!("runs/left-{run}"));
                fs::create_dir_all(&left).expect("a writable folder");
                fs::write(left.join("new"), half(*number, run)).expect("a writable folder");
            }
            Event::Torn(number) if !self.finished.contains(number) => {
                fs::create_dir_all(self.path.join("runs")).expect("a writable folder");
                let file = self.path.join(format!("runs/{}.json", job(*number).key));
                fs::write(file, half(*number, run)).expect("a writable folder");
            }
            Event::Torn(_) | Event::Merge(_) => {}
            Event::Lose(number, status) => {
                let lost = Outcome::without(&job(*number), *status, "gone");
                self.store().put(&lost).expect("a writable folder");
            }
        }
    }

    /// Every finished job has its result once, and nothing else counts as one.
    fn check(&self) -> Result<(), TestCaseError> {
        let all = self.store().all().expect("a readable folder");
        for number in 0..JOBS {
            let row = all.get(&job(number).key);
            let is_finished = row.is_some_and(|row| row.status == Status::Finished);
            prop_assert_eq!(
                is_finished,
                self.finished.contains(&number),
                "job {}",
                number
            );
            prop_assert_eq!(self.store().is_final(&job(number).key), is_finished);
            if let Some(row) = row.filter(|_| is_finished) {
                prop_assert_eq!(&row.result, &json!({ "packets": 100 + number }));
            }
        }
        prop_assert!(all.len() as u64 <= JOBS);
        Ok(())
    }
}

fn half(number: u64, run: u64) -> String {
    let text = serde_json::to_string_pretty(&found(number, run)).expect("JSON");
    text[..text.len() / 2].to_owned()
}

fn merged(into: &Path, from: &[&Folder]) -> Vec<(String, Outcome)> {
    let store = Store::new(into);
    for folder in from {
        store.merge(&folder.store()).expect("a writable folder");
    }
    store
        .all()
        .expect("a readable folder")
        .into_iter()
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn nothing_is_lost_or_counted_twice(events in prop::collection::vec(event(), 1..40)) {
        let parent = tempfile::tempdir().expect("a folder");
        let folder = |name: &str| Folder { path: parent.path().join(name), finished: BTreeSet::new() };
        let mut folders = [folder("a"), folder("b")];
        for (run, (second, event)) in events.iter().enumerate() {
            if let Event::Merge(back) = event {
                let (into, from) = if *back { (1, 0) } else { (0, 1) };
                folders[into].store().merge(&folders[from].store()).expect("writable folders");
                let theirs = folders[from].finished.clone();
                folders[into].finished.extend(theirs);
            } else {
                folders[usize::from(*second)].happen(event, run as u64);
            }
            folders[0].check()?;
            folders[1].check()?;
        }
        // Neither the order of merging nor its repetition matters.
        let [a, b] = &folders;
        let once = merged(&parent.path().join("ab"), &[a, b]);
        prop_assert_eq!(&once, &merged(&parent.path().join("ba"), &[b, a]));
        prop_assert_eq!(&once, &merged(&parent.path().join("aba"), &[a, b, a, b]));
    }
}
