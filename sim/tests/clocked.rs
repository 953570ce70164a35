//! Models with registered outputs go through a module of input registers; nothing of it may show.

use crate::support::{apart, build, counter, crossbar};
use mkns_sim::{InstanceOptions, ModelLibrary, ModelSource, PortDecl};

/// The same RTL with input registers and without.
fn both(source: &ModelSource) -> [ModelLibrary; 2] {
    [true, false].map(|registered_outputs| {
        build(&ModelSource {
            registered_outputs,
            ..source.clone()
        })
    })
}

fn ticks() -> ModelSource {
    ModelSource {
        top: "ticks".into(),
        files: vec![crate::support::rtl("ticks.v")],
        parameters: vec![("START".into(), "32'd7".into())],
        inputs: vec![PortDecl::new("weight", 16)],
        outputs: vec![PortDecl::new("count", 32), PortDecl::new("sum", 32)],
        ..ModelSource::default()
    }
}

/// Numbers that look random (xorshift), the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// Drives both kinds alike, with steps, advances and looks in any order. Word 0 of an instance's
/// inputs is its reset, high in the first `resets` cycles; until then outputs are not compared.
fn compare(source: &ModelSource, resets: u64) {
    const INSTANCES: u64 = 3;
    let options: Vec<_> = (0..INSTANCES)
        .map(|seed| InstanceOptions {
            seed,
            ..InstanceOptions::default()
        })
        .collect();
    let mut banks = both(source).map(|library| library.bank(&options).unwrap());
    let words = source.input_words();
    let mut inputs = vec![0; INSTANCES as usize * words];
    let mut outputs = [(); 2].map(|()| vec![0; INSTANCES as usize * source.output_words()]);
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    for cycle in 0..2000 {
        inputs.fill_with(|| numbers.next());
        if resets > 0 {
            let reset = u64::from(cycle < resets);
            inputs
                .iter_mut()
                .step_by(words)
                .for_each(|word| *word = reset);
        }
        let kind = numbers.next() % 16;
        for (bank, outputs) in banks.iter_mut().zip(&mut outputs) {
            match kind {
                0..12 => bank.step_all(&inputs, outputs),
                12..15 => bank.advance_all(&inputs, outputs),
                _ => bank.outputs(outputs),
            }
        }
        if cycle > resets || resets == 0 {
            assert_eq!(outputs[0], outputs[1], "cycle {cycle}, call {kind}");
        }
    }
}

#[test]
fn the_first_cycles_have_no_edge_too_many() {
    for library in both(&ticks()) {
        let mut model = library.instance(1).unwrap();
        let mut outputs = [0; 2];
        for cycle in 0..10 {
            model.step(&[u64::from(cycle == 0)], &mut outputs);
            let sum = if cycle == 0 { 0 } else { 1 << (cycle - 1) };
            assert_eq!(outputs, [7 + cycle, sum]);
        }
    }
}

#[test]
fn any_order_of_calls_gives_the_same_from_power_up() {
    compare(&ticks(), 0);
}

#[test]
fn a_counter_is_the_same() {
    let endless = ModelSource {
        parameters: vec![("LIMIT".into(), "0".into())],
        ..counter()
    };
    compare(&endless, 3);
}

#[test]
fn a_crossbar_is_the_same() {
    compare(&crossbar(), 3);
}

#[test]
fn a_stop_at_the_last_edge_is_found_by_a_look() {
    apart(
        "clocked::a_stop_at_the_last_edge_is_found_by_a_look",
        || {
            let library = build(&ModelSource {
                parameters: vec![("LIMIT".into(), "3".into())],
                ..counter()
            });
            let mut model = library.instance(1).unwrap();
            let mut outputs = [0; 3];
            model.step(&[1, 0, 0, 0], &mut outputs);
            (0..4).for_each(|_| model.step(&[0, 1, 0, 0], &mut outputs));
            assert_eq!(model.stop(), None);
            model.outputs(&mut outputs);
            assert_eq!(model.stop().expect("counted past 3").cycle, 4);
        },
    );
}

#[test]
fn instances_may_end_in_any_order() {
    let library = build(&counter());
    let first = library.instance(1).unwrap();
    let mut second = library.instance(2).unwrap();
    drop(first);
    let mut outputs = [0; 3];
    second.step(&[1, 0, 0, 0], &mut outputs);
    second.advance(&[0, 1, 0, 0], &mut outputs);
    assert_eq!(outputs[0], 1);
}
