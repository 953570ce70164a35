//! Faults planted into the RTL of lone blocks, and the search for them: each has to be reported as a
//! difference between RTL and golden model, where it shows, within a few seeds.

use std::sync::Mutex;
use std::thread;

use mkns::cosim::{BlockRun, Failure, FailureKind, Restrictions, golden_device, rtl_device};
use mkns::design::{ModuleKind, Plan};
use mkns::topology::BlockId;
use mkns::traffic::Pattern;

use crate::common::faulty::planted;
use crate::common::rtl_designs::{module, quick_models};

/// One fault: what is replaced in which file, and where the report may see it.
pub struct Fault {
    name: &'static str,
    kind: ModuleKind,
    file: &'static str,
    good: &'static str,
    bad: &'static str,
    /// The signal reported starts with one of these.
    signals: &'static [&'static str],
}

/// So that a table of faults is short.
pub const fn fault(
    name: &'static str,
    kind: ModuleKind,
    file: &'static str,
    good: &'static str,
    bad: &'static str,
    signals: &'static [&'static str],
) -> Fault {
    Fault {
        name,
        kind,
        file,
        good,
        bad,
        signals,
    }
}

/// Seeds until a fault has to show: the rarest shows in 10 of 24.
const SEEDS: u64 = 6;

/// The first failure of a block within this many seeds, if there is one.
pub fn run_with(
    plan: &Plan,
    kind: ModuleKind,
    sources: &[(String, String)],
    seeds: u64,
) -> Option<Box<Failure>> {
    let module = module(plan, kind);
    let models = quick_models(sources);
    let library = models.library(module, &|_| {}).expect("the RTL builds");
    for seed in 1..=seeds {
        let run = BlockRun {
            block: format!("{kind:?}"),
            traffic: Pattern::Uniform,
            cycles: 60_000,
            seed,
            restrictions: Restrictions::default(),
        };
        let rtl = rtl_device(&library, &[BlockId(0)], seed).expect("an instance starts");
        if let Err(failure) = run.run(module, rtl, golden_device(module), &mut |_| {}) {
            return Some(failure);
        }
    }
    None
}

/// What is wrong with the report of a fault, if anything.
fn missed(plan: &Plan, fault: &Fault, sources: &[(String, String)]) -> Option<String> {
    let Some(failure) = run_with(plan, fault.kind, sources, SEEDS) else {
        return Some(format!("{}: not found", fault.name));
    };
    let named = fault
        .signals
        .iter()
        .any(|start| failure.signal.starts_with(start));
    let right = failure.kind == FailureKind::Divergence && named;
    (!right).then(|| format!("{}: reported as\n{failure}", fault.name))
}

/// Plants every fault of each list into its plan, two at a time; fails with all that were missed.
pub fn are_found(plans: &[(Plan, &[Fault])]) {
    let cases = plans
        .iter()
        .flat_map(|(plan, faults)| faults.iter().map(move |fault| (plan, fault)));
    // All of them before any is run: a text that changed since its fault was written is named at once.
    let cases: Vec<_> = cases
        .map(|(plan, fault)| {
            let sources = planted(plan, fault.file, fault.good, fault.bad);
            (plan, fault, sources)
        })
        .collect();
    let queue = Mutex::new(cases.into_iter());
    let failures = Mutex::new(Vec::new());
    let work = || {
        loop {
            let Some((plan, fault, sources)) = queue.lock().expect("no worker panics").next()
            else {
                return;
            };
            if let Some(text) = missed(plan, fault, &sources) {
                failures.lock().expect("no worker panics").push(text);
            }
        }
    };
    thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let failures = failures.into_inner().expect("no worker panics");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
