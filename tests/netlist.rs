//! Blocks as Yosys maps them to FPGAs, in lockstep with the golden model; a fault in a netlist shows.
#![cfg(feature = "cosim")]

use crate::common::rtl_designs::build;
use crate::common::smallest::smallest_plan;
use mkns::cosim::{
    Backend, FailureKind, FaultPlan, Netlist, Request, SessionError, Silent, Subject, netlists, run,
};
use mkns::design::{ModuleKind, Plan};
use mkns::fpga::Family;
use mkns::rtl::render_sources;
use mkns::spec;
use mkns::traffic::Pattern;

/// Cycle in which the planted fault wakes.
const WAKES: u64 = 3_000;

/// How a family's cells are called.
struct Cells {
    family: Family,
    flip_flop: &'static str,
    flip_flop_input: &'static str,
    /// Cells that the netlist has to have.
    named: &'static [&'static str],
}

/// Inverts what the flip-flop behind output bit `output` takes, from cycle [`WAKES`] on. So one model
/// shows both that the netlist is equal and that a fault in it is found.
fn plant(netlist: &mut Netlist, cells: &Cells, output: &str) {
    let text = &netlist.text;
    let pin = text.find(&format!(".Q({output})")).expect("a flip-flop");
    let cell = text[..pin].rfind(cells.flip_flop).expect("its cell");
    let input = text[cell..].find(cells.flip_flop_input).expect("its input");
    let data = cell + input + cells.flip_flop_input.len();
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
        cables: mkns::cosim::CableFaultPlan::default(),
        spec: "smallest".to_owned(),
        set: Vec::new(),
        failures: String::new(),
        traffic: vec![Pattern::Uniform],
        load: 300,
        cycles,
        seed: 1,
        fault_plan: FaultPlan::default(),
        threads: 1,
        trace: None,
    }
}

/// Two branches, one channel; neither counters nor control port, so that mapping takes seconds.
fn smallest_pok() -> Plan {
    let mut spec = spec::parse("multi_ring(2)").expect("the notation is valid");
    let block = &mut spec.block;
    block.virtual_channels = 1;
    block.rx_buffer_flits = 11;
    block.max_packet_flits = 4;
    block.counters = false;
    block.control_port = false;
    build(&spec)
}

/// The netlist runs as the model does before the fault in it wakes, and is reported after.
fn is_equal_until_a_fault_wakes(plan: &Plan, kind: ModuleKind, cells: &Cells) {
    let sources = render_sources(plan);
    let made = netlists(plan, &sources, kind, cells.family, &Silent);
    let mut netlists = made.expect("Yosys is set up");
    for named in cells.named {
        assert!(netlists[0].text.contains(named), "no {named}");
    }
    plant(&mut netlists[0], cells, "tx_data[5]");
    let replay = format!("--block {} --netlist {}", kind.name(), cells.family.name());
    match run(
        Subject::Blocks(plan, kind),
        Backend::Netlists(&netlists),
        &request(20_000),
        &Silent,
    ) {
        Err(SessionError::Failed(failure)) => {
            assert_eq!(failure.kind, FailureKind::Divergence, "{failure}");
            assert_eq!(failure.signal, "tx_data", "{failure}");
            assert!((WAKES..WAKES + 1_000).contains(&failure.cycle), "{failure}");
            assert!(failure.replay.contains(&replay), "{failure}");
        }
        Err(SessionError::Simulator(error)) => panic!("{error}"),
        Ok(summaries) => panic!("the fault is not found: {summaries:?}"),
    }
}

/// F10: with the contents that FPGAs power up with, no pin is unknown after a reset.
#[test]
fn a_netlist_in_icarus_has_no_pin_without_a_value() {
    let plan = smallest_plan();
    let sources = render_sources(&plan);
    let made = netlists(&plan, &sources, ModuleKind::Switch, Family::Ecp5, &Silent);
    let mut netlists = made.expect("Yosys is set up");
    let folder = tempfile::tempdir().expect("a folder");
    let subject = Subject::Blocks(&plan, ModuleKind::Switch);
    let ended = |netlists: &[Netlist], name: &str| {
        let place = folder.path().join(name);
        let backend = Backend::IcarusNetlists(netlists, &place);
        run(subject, backend, &request(400), &Silent)
    };
    match ended(&netlists, "good") {
        Ok(checked) => assert!(checked.blocks[0].packets > 10, "{checked:?}"),
        Err(SessionError::Failed(failure)) => panic!("{failure}"),
        Err(SessionError::Simulator(error)) => panic!("{error}"),
    }
    // Flip-flops that power up unknown: where a queue begins is then unknown, too.
    let cells = &mut netlists[0].cells;
    let text = (cells.sources().expect("readable").into_iter())
        .find(|(_, text)| text.contains("module TRELLIS_FF"))
        .expect("flip-flops")
        .1;
    let start = text.find("module TRELLIS_FF").expect("found");
    let end = start + text[start..].find("endmodule").expect("its end") + "endmodule\n".len();
    let unknown = text[start..end].replacen("initial Q = srval;", "", 1);
    assert_ne!(unknown, text[start..end]);
    cells.own.push(("unknown.v".to_owned(), unknown));
    match ended(&netlists, "unknown") {
        Err(SessionError::Failed(failure)) => {
            assert!(failure.rtl.contains('x'), "{failure}");
        }
        Err(SessionError::Simulator(error)) => panic!("{error}"),
        Ok(_) => panic!("what is unknown at power-up is not seen"),
    }
}

/// Cells of a netlist for ECP5 with these among them.
fn ecp5_cells(named: &'static [&'static str]) -> Cells {
    Cells {
        family: Family::Ecp5,
        flip_flop: "TRELLIS_FF",
        flip_flop_input: ".DI(",
        named,
    }
}

#[test]
#[ignore = "takes most of a minute: make test-long"]
fn an_ecp5_netlist_equals_the_model_until_a_fault_wakes_in_it() {
    let cells = ecp5_cells(&["TRELLIS_DPR16X4"]);
    is_equal_until_a_fault_wakes(&smallest_plan(), ModuleKind::Switch, &cells);
}

/// It has block RAM of single bits, of which one is read while another one of the same row is written.
#[test]
#[ignore = "takes three minutes: make test-long"]
fn an_adaptive_ecp5_netlist_equals_the_model_until_a_fault_wakes_in_it() {
    let mut spec = spec::parse_with("random_shortcut(6,3,1)", &["routing=adaptive".to_owned()])
        .expect("a valid spec");
    spec.block.counters = false;
    let cells = ecp5_cells(&["TRELLIS_DPR16X4", "DP16KD"]);
    is_equal_until_a_fault_wakes(&build(&spec), ModuleKind::Adapter, &cells);
}

#[test]
fn an_ultrascale_netlist_equals_the_model_until_a_fault_wakes_in_it() {
    let cells = Cells {
        family: Family::Xilinx,
        flip_flop: "FDRE",
        flip_flop_input: ".D(",
        named: &["RAM32M"],
    };
    is_equal_until_a_fault_wakes(&smallest_pok(), ModuleKind::Pok, &cells);
}
