//! A block as Yosys maps it to an FPGA, in lockstep with the golden model; a fault in the netlist shows.
#![cfg(feature = "cosim")]

#[path = "common/rtl.rs"]
mod rtl_designs;
#[path = "common/smallest.rs"]
mod smallest;
#[path = "common/specs.rs"]
mod specs;

use mkns::cosim::{
    Disturbance, FailureKind, Netlist, Request, SessionError, Silent, Traffic, check_netlists,
    netlists,
};
use mkns::design::ModuleKind;
use mkns::fpga::Family;
use smallest::smallest_plan;

/// Cycle in which the planted fault wakes.
const WAKES: u64 = 3_000;

/// Inverts what the flip-flop behind output bit `output` takes, from cycle [`WAKES`] on. So one model
/// shows both that the netlist is equal and that a fault in it is found.
fn plant(netlist: &mut Netlist, output: &str) {
    let text = &netlist.text;
    let pin = text.find(&format!(".Q({output})")).expect("a flip-flop");
    let cell = text[..pin].rfind("TRELLIS_FF").expect("its cell");
    let data = cell + text[cell..].find(".DI(").expect("its input") + ".DI(".len();
    let line = text[data..].find('\n').expect("a next line");
    let end = data + text[data..data + line].rfind(')').expect("its end");
    let head = text.find(");\n").expect("a module") + ");\n".len();
    netlist.text = format!(
        "{}  reg [15:0] age = 0;\n  always @(posedge clk) age <= age + (age < {WAKES});\n{}({}) ^ \
         (age == {WAKES}){}",
        &text[..head],
        &text[head..data],
        &text[data..end],
        &text[end..]
    );
}

fn request(cycles: u64) -> Request {
    Request {
        spec: "smallest".to_owned(),
        traffic: vec![Traffic::Uniform],
        load: 300,
        cycles,
        seed: 1,
        disturbance: Disturbance::default(),
        trace: None,
    }
}

#[test]
fn an_ecp5_netlist_equals_the_model_until_a_fault_wakes_in_it() {
    let plan = smallest_plan();
    let mut netlists =
        netlists(&plan, ModuleKind::Switch, Family::Ecp5, &Silent).expect("Yosys is set up");
    assert!(
        netlists[0].text.contains("TRELLIS_DPR16X4"),
        "cells of ECP5"
    );
    plant(&mut netlists[0], "tx_data[5]");
    match check_netlists(&netlists, &request(20_000), &Silent) {
        Err(SessionError::Failed(failure)) => {
            assert_eq!(failure.kind, FailureKind::Divergence, "{failure}");
            assert_eq!(failure.signal, "tx_data", "{failure}");
            assert!((WAKES..WAKES + 1_000).contains(&failure.cycle), "{failure}");
            assert!(
                failure.replay.contains("--block switch --netlist ecp5"),
                "{failure}"
            );
        }
        Err(SessionError::Simulator(error)) => panic!("{error}"),
        Ok(summaries) => panic!("the fault is not found: {summaries:?}"),
    }
}
