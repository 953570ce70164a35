//! Loaded models: kept apart from each other, stopped by their assertions, recorded.

use std::fs;
use std::path::Path;
use std::thread;

use crate::support::{accumulator, apart, build, counter};
use mkns_sim::{Error, InstanceOptions, ModelSource, PortDecl};

const COUNT: [u64; 4] = [0, 1, 0, 0];

#[test]
fn two_models_run_in_two_threads() {
    let mut count = build(&counter()).instance(1).unwrap();
    let mut sum = build(&accumulator()).instance(2).unwrap();
    let counting = thread::spawn(move || {
        let mut outputs = [0; 3];
        count.step(&[1, 0, 0, 0], &mut outputs);
        (0..900).for_each(|_| count.step(&COUNT, &mut outputs));
        outputs[0]
    });
    let mut outputs = [0; 3];
    sum.step(&[1, 0], &mut outputs);
    (0..900).for_each(|_| sum.step(&[0, 3], &mut outputs));
    assert_eq!(outputs[1], 899 * 3);
    assert_eq!(counting.join().unwrap(), 899);
}

#[test]
fn an_assertion_stops_one_instance_and_says_why() {
    apart(
        "models::an_assertion_stops_one_instance_and_says_why",
        || {
            let library = build(&ModelSource {
                parameters: vec![("LIMIT".into(), "10".into())],
                ..counter()
            });
            let mut bank = library
                .bank(&[InstanceOptions::default(), InstanceOptions::default()])
                .unwrap();
            let mut outputs = [0; 6];
            bank.step_all(&[1, 0, 0, 0, 1, 0, 0, 0], &mut outputs);
            for _ in 0..20 {
                bank.step_all(&[0, 1, 0, 0, 0, 0, 0, 0], &mut outputs);
            }
            assert_eq!(bank.stopped(), 1);
            assert_eq!(bank.stop(1), None);
            let stop = bank.stop(0).expect("instance 0 counted past 10");
            assert_eq!(stop.cycle, 11);
            assert!(stop.message.contains("count passed 10"), "{}", stop.message);
            assert!(stop.message.contains("counter.v:19"), "{}", stop.message);
            assert_eq!(outputs[3], 0, "the other instance goes on");
        },
    );
}

#[test]
fn each_instance_may_have_its_own_tables() {
    let folder = tempfile::tempdir().unwrap();
    let table = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        InstanceOptions {
            seed: 1,
            plusargs: vec![format!("+TABLE={}", path.display())],
        }
    };
    let source = ModelSource {
        top: "table_reader".into(),
        files: vec![crate::support::rtl("table.v")],
        inputs: vec![PortDecl::new("index", 2)],
        outputs: vec![PortDecl::new("value", 8)],
        registered_outputs: true,
        ..ModelSource::default()
    };
    let library = build(&source);
    let starts = [table("a.mem", "10 11 12 13"), table("b.mem", "a0 a1 a2 a3")];
    let mut outputs = [0; 2];
    library
        .bank(&starts)
        .unwrap()
        .advance_all(&[2, 3], &mut outputs);
    assert_eq!(outputs, [0x12, 0xa3]);

    let missing = InstanceOptions {
        seed: 1,
        plusargs: vec!["+TABLE=/nonexistent.mem".into()],
    };
    match library.instance_with(missing) {
        Err(Error::PowerUp { fact, .. }) => assert!(fact.contains("nonexistent"), "{fact}"),
        other => panic!("expected a power-up error, got {:?}", other.map(|_| ())),
    }
}

/// The value of a top signal at a time, as the file has it.
fn recorded(path: &Path, name: &str) -> impl Fn(u64) -> u64 {
    let mut waveform = wellen::simple::read(path).unwrap();
    let hierarchy = waveform.hierarchy();
    let signal = hierarchy[hierarchy.lookup_var(&["TOP"], name).unwrap()].signal_ref();
    waveform.load_signals(&[signal]);
    let times = waveform.time_table();
    let changes = waveform.get_signal(signal).unwrap().iter_changes();
    let changes: Vec<(u64, u64)> = changes
        .map(|(at, value)| {
            let bits = value.to_bit_string().unwrap();
            (times[at as usize], u64::from_str_radix(&bits, 2).unwrap())
        })
        .collect();
    move |time| {
        let past = changes.iter().rev().find(|(at, _)| *at <= time);
        past.expect("a value from the start on").1
    }
}

#[test]
fn waveforms_are_written_and_change_nothing() {
    let library = build(&ModelSource {
        trace: true,
        ..counter()
    });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("count.fst");
    let mut traced = library.instance(3).unwrap();
    let mut plain = library.instance(3).unwrap();
    let mut counts = Vec::new();
    traced.open_trace(&path, "1ns").unwrap();
    for cycle in 0..200 {
        match cycle {
            50 => traced.trace_off(),
            100 => traced.trace_on(),
            150 => traced.close_trace(),
            _ => {}
        }
        let inputs = [u64::from(cycle == 0), u64::from(cycle % 3 == 0), cycle, 0];
        let (mut left, mut right) = ([0; 3], [0; 3]);
        traced.step(&inputs, &mut left);
        plain.step(&inputs, &mut right);
        assert_eq!(left, right, "cycle {cycle}");
        if !(50..100).contains(&cycle) && cycle < 150 {
            counts.push((cycle, left[0]));
        }
    }
    let recorded = recorded(&path, "count");
    let counts = counts.iter().map(|&(cycle, count)| (2 * cycle, count));
    for (time, count) in counts {
        assert_eq!(recorded(time), count, "time {time}");
    }
    let error = traced.open_trace(&folder.path().join("no/such/folder.fst"), "1ns");
    assert!(matches!(error, Err(Error::Record { .. })));
}

#[test]
fn recording_needs_a_model_made_for_it() {
    let mut model = build(&counter()).instance(1).unwrap();
    let error = model
        .open_trace("x.fst".as_ref(), "1ns")
        .unwrap_err()
        .to_string();
    assert!(error.contains("built without tracing"), "{error}");
    let error = model
        .write_coverage("x.dat".as_ref())
        .unwrap_err()
        .to_string();
    assert!(error.contains("built without coverage"), "{error}");
}

#[test]
fn coverage_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("coverage.dat");
    let mut model = build(&ModelSource {
        coverage: true,
        ..counter()
    })
    .instance(1)
    .unwrap();
    let mut outputs = [0; 3];
    (0..10).for_each(|_| model.step(&[1, 0, 0, 0], &mut outputs));
    model.write_coverage(&path).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert!(
        text.contains("SystemC::Coverage") && text.contains("counter"),
        "{text}"
    );
}
