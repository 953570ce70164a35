//! What one cycle means, for registered and combinational outputs, single and in banks.

use crate::support::{accumulator, build, counter};
use mkns_sim::{InstanceOptions, ModelSource, PortDecl};

const RESET: [u64; 4] = [1, 0, 0, 0];
const COUNT: [u64; 4] = [0, 1, 0, 0];

#[test]
fn outputs_are_sampled_before_the_edge() {
    for registered_outputs in [true, false] {
        let library = build(&ModelSource {
            registered_outputs,
            ..counter()
        });
        let mut model = library.instance(1).unwrap();
        let mut outputs = [0; 3];
        model.step(&RESET, &mut outputs);
        for cycle in 0..20 {
            model.step(&COUNT, &mut outputs);
            assert_eq!(outputs[0], cycle, "registered: {registered_outputs}");
        }
        model.outputs(&mut outputs);
        assert_eq!(outputs[0], 20);
    }
}

#[test]
fn advance_reads_after_the_edge() {
    for registered_outputs in [true, false] {
        let library = build(&ModelSource {
            registered_outputs,
            ..counter()
        });
        let mut model = library.instance(1).unwrap();
        let mut outputs = [0; 3];
        model.advance(&RESET, &mut outputs);
        assert_eq!(outputs[0], 0);
        model.advance(&COUNT, &mut outputs);
        assert_eq!(outputs[0], 1);
        model.step(&COUNT, &mut outputs);
        assert_eq!(outputs[0], 1, "step samples before its own edge");
        model.advance(&COUNT, &mut outputs);
        assert_eq!(outputs[0], 3);
    }
}

#[test]
fn wide_ports_keep_every_bit_and_no_more() {
    let mut model = build(&counter()).instance(1).unwrap();
    let mut outputs = [u64::MAX; 3];
    model.advance(
        &[u64::MAX << 1, 0, 0x0123_4567_89ab_cdef, u64::MAX],
        &mut outputs,
    );
    assert_eq!(outputs[1..], [0x0123_4567_89ab_cdef, 0xf_ffff_ffff]);
    assert!(outputs[0] <= 0xffff);
}

#[test]
fn combinational_outputs_see_the_inputs_of_their_cycle() {
    let mut model = build(&accumulator()).instance(1).unwrap();
    let mut outputs = [0; 3];
    model.step(&[1, 0], &mut outputs);
    model.step(&[0, 5], &mut outputs);
    assert_eq!(outputs[..2], [5, 0]);
    model.step(&[0, 7], &mut outputs);
    assert_eq!(outputs[..2], [12, 5]);
    model.advance(&[0, 1], &mut outputs);
    assert_eq!(outputs[..2], [14, 13], "inputs stay applied after the edge");
}

#[test]
fn falling_edges_are_not_lost() {
    let source = ModelSource {
        top: "falling".into(),
        files: vec![crate::support::rtl("falling.v")],
        inputs: vec![PortDecl::new("in", 8)],
        outputs: vec![PortDecl::new("out", 8)],
        registered_outputs: true,
        ..ModelSource::default()
    };
    let mut model = build(&source).instance(1).unwrap();
    let mut outputs = [0];
    model.advance(&[0], &mut outputs); // the clock starts low: no falling edge yet
    for value in 1..50 {
        model.advance(&[value], &mut outputs);
        assert_eq!(outputs, [value]);
    }
}

#[test]
fn a_bank_is_many_single_instances() {
    let library = build(&accumulator());
    let options: Vec<_> = (0..50)
        .map(|seed| InstanceOptions {
            seed,
            ..Default::default()
        })
        .collect();
    let mut bank = library.bank(&options).unwrap();
    let mut singles: Vec<_> = (0..50)
        .map(|seed| library.instance(seed).unwrap())
        .collect();
    let mut outputs = vec![0; 50 * 3];
    for cycle in 0..100u64 {
        let inputs: Vec<u64> = (0..50)
            .flat_map(|i| [u64::from(cycle == 0), cycle * 1000 + i])
            .collect();
        bank.step_all(&inputs, &mut outputs);
        for (i, single) in singles.iter_mut().enumerate() {
            let mut expected = [0; 3];
            single.step(&inputs[2 * i..2 * i + 2], &mut expected);
            assert_eq!(
                outputs[3 * i..3 * i + 3],
                expected,
                "instance {i}, cycle {cycle}"
            );
        }
    }
}

#[test]
fn power_up_values_follow_the_seed() {
    let library = build(&accumulator());
    let noise = |seed| {
        let mut outputs = [0; 3];
        library.instance(seed).unwrap().outputs(&mut outputs);
        outputs[2]
    };
    assert_eq!(noise(7), noise(7));
    let mut values: Vec<u64> = (0..100).map(noise).collect();
    values.sort_unstable();
    values.dedup();
    assert_eq!(values.len(), 100, "every seed gives another state");
}
