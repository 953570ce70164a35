//! Speeds of this crate: building models, and instance-cycles per second single and in banks.
//! `cargo bench -p mkns-sim`. Cycles are counted per second of this thread's processor time, so
//! that other work on the machine disturbs less.

#[path = "../tests/support/mod.rs"]
mod support;

use std::fs;
use std::time::{Duration, Instant};

use mkns_sim::{Bank, InstanceOptions, ModelLibrary, ModelSource, Toolchain};
use support::{counter, crossbar};

/// Processor time spent on each figure.
const MEASURE: Duration = Duration::from_millis(500);

fn main() {
    build_times();
    for (name, source) in [("counter", endless()), ("crossbar", crossbar())] {
        for registered_outputs in [true, false] {
            let library = support::build(&ModelSource {
                registered_outputs,
                ..source.clone()
            });
            for instances in [1, 100, 10_000] {
                let speed = cycles_per_second(&library, instances);
                println!(
                    "{name:9} registered {registered_outputs:5} {instances:6} instances \
                     {:7.2} M instance-cycles/s",
                    speed / 1e6
                );
            }
        }
    }
}

/// In an empty cache: run time and model, then another model, then the first again.
fn build_times() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let toolchain = Toolchain {
        cache: folder.path().into(),
        ..support::toolchain()
    };
    for (what, source) in [
        ("first model with run time", counter()),
        ("second model", crossbar()),
        ("cached model", counter()),
    ] {
        let start = Instant::now();
        mkns_sim::build(&source, &toolchain, &|_| {}).expect("a good model");
        println!("{what:26} {:8.3} s", start.elapsed().as_secs_f64());
    }
}

/// Every second cycle, every input word gets a new value.
fn cycles_per_second(library: &ModelLibrary, instances: usize) -> f64 {
    let options: Vec<_> = (0..instances as u64)
        .map(|seed| InstanceOptions {
            seed,
            ..Default::default()
        })
        .collect();
    let mut bank = library.bank(&options).expect("instances start");
    let mut inputs = vec![0u64; instances * library.input_words()];
    let mut outputs = vec![0u64; instances * library.output_words()];
    inputs
        .iter_mut()
        .step_by(library.input_words())
        .for_each(|reset| *reset = 1);
    bank.step_all(&inputs, &mut outputs);
    let mut rounds = 0;
    let mut seen = 0;
    let mut run = |bank: &mut Bank, count: usize| {
        for _ in 0..count {
            drive(&mut inputs, library.input_words(), rounds);
            bank.step_all(&inputs, &mut outputs);
            rounds += 1;
            // The first cycles show that data comes through.
            if rounds < 8 {
                seen |= outputs.iter().fold(0, |all, word| all | word);
            }
        }
    };
    run(&mut bank, 8);
    let start = processor_time();
    let mut measured = 0;
    while processor_time() - start < MEASURE {
        let count = 2000usize.div_ceil(instances);
        run(&mut bank, count);
        measured += count * instances;
    }
    let elapsed = processor_time() - start;
    assert_eq!(bank.stopped(), 0);
    assert!(seen > 1 << 19, "data comes through");
    measured as f64 / elapsed.as_secs_f64()
}

/// No reset; second word all ones every second cycle; data words that name outputs 0 to 9.
fn drive(inputs: &mut [u64], words: usize, round: u64) {
    for instance in inputs.chunks_mut(words) {
        instance[0] = 0;
        instance[1] = if round.is_multiple_of(2) { 0x3ff } else { 0 };
        for (port, word) in instance[2..].iter_mut().enumerate() {
            *word = (round << 20) | (1 << 19) | ((port as u64 + round) % 10);
        }
    }
}

/// Time this thread was running.
fn processor_time() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let nanoseconds = text.split(' ').next().and_then(|field| field.parse().ok());
    Duration::from_nanos(nanoseconds.expect("a number"))
}

/// A counter that never stops.
fn endless() -> ModelSource {
    ModelSource {
        parameters: vec![("LIMIT".into(), "0".into())],
        ..counter()
    }
}
