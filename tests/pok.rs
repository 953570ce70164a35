//! POK and terminal blocks: RTL against the golden model under every kind of traffic, planted faults,
//! and lint. `mkns cosim --block pok` runs them for longer.
#![cfg(feature = "cosim")]

use std::thread;

use crate::common::lockstep::run_blocks;
use crate::common::rtl_designs::quick_models;
use mkns::cosim::{
    BlockRun, FailureKind, FaultPlan, Request, Restrictions, SessionError, Subject, golden_device,
};
use mkns::design::{BlockModule, PokShape};
use mkns::routing::AddressLayout;
use mkns::rtl::render_block;
use mkns::spec::BlockParameters;
use mkns::traffic::Pattern;

/// Cycles of each kind of traffic; more by hand with MKNS_ROK_CYCLES.
fn cycles() -> u64 {
    let given = std::env::var("MKNS_ROK_CYCLES").ok();
    given.map_or(200_000, |text| text.parse().expect("a number of cycles"))
}

fn request(cycles: u64) -> Request {
    Request {
        cables: mkns::cosim::CableFaultPlan::default(),
        spec: "test".to_owned(),
        set: Vec::new(),
        failures: String::new(),
        traffic: Pattern::LOCKSTEP.to_vec(),
        load: 300,
        cycles,
        seed: 1,
        fault_plan: FaultPlan::default(),
        threads: 1,
        trace: None,
    }
}

fn check(module: &BlockModule, label: &str) {
    let models = quick_models(&render_block(module));
    match run_blocks(Subject::Block(module, label), &models, &request(cycles())) {
        Ok(summaries) => {
            // To POK_m* all kinds of traffic are one, but each has to be a run of its own.
            let first = &summaries[0];
            let others = &summaries[1..];
            assert!(others.iter().all(|other| other.packets != first.packets));
            for summary in summaries {
                assert!(summary.packets * 50 > summary.cycles, "{summary:?}");
            }
        }
        Err(SessionError::Failed(failure)) => panic!("{failure}"),
        Err(SessionError::Simulator(error)) => panic!("{error}"),
    }
}

fn parameters(change: impl Fn(&mut BlockParameters)) -> BlockParameters {
    let mut parameters = BlockParameters {
        max_packet_flits: 9,
        host_timeout: 50,
        ..BlockParameters::default()
    };
    change(&mut parameters);
    parameters
}

/// Address trains of k + 1 local addresses.
fn trains(shape: PokShape, cascades: usize) -> AddressLayout {
    AddressLayout::new(vec![("hop", shape.branches); cascades + 1])
}

#[test]
fn splitter_and_combiner_equal_their_model() {
    check(
        &BlockModule::pok(PokShape::new(3, false), &parameters(|_| {})),
        "rok",
    );
}

#[test]
fn units_of_many_branches_equal_their_model() {
    let one_channel = parameters(|block| block.virtual_channels = 1);
    check(
        &BlockModule::pok(PokShape::new(16, false), &one_channel),
        "rok",
    );
}

/// As many ports as a word of ports has bits: RTL of that size compiles for long, so the golden model
/// stands in for it, and what shows is a mask of harness or model that is too narrow.
#[test]
fn every_port_of_the_largest_parallel_unit_passes_packets() {
    let most_channels = parameters(|block| block.virtual_channels = 4);
    let module = BlockModule::pok(PokShape::new(16, true), &most_channels);
    let mut run = BlockRun {
        block: "rok".to_owned(),
        traffic: Pattern::Uniform,
        cycles: 12_000,
        seed: 1,
        restrictions: Restrictions::default(),
    };
    let mut packets = |silent_ports: Vec<usize>| {
        run.restrictions.silent_ports = silent_ports;
        let (one, other) = (golden_device(&module), golden_device(&module));
        let summary = run.run(&module, one, other, &mut |_| {});
        summary
            .unwrap_or_else(|failure| panic!("{failure}"))
            .packets
    };
    for port in [0, 15, 16, 31] {
        assert!(packets((0..32).filter(|&other| other != port).collect()) > 10);
    }
    assert_eq!(packets((0..32).collect()), 0);
}

#[test]
fn wide_parallel_units_of_many_channels_equal_their_model() {
    let parameters = parameters(|block| {
        block.flit_bits = 128;
        block.pcie_bits = 128;
        block.virtual_channels = 4;
        block.rx_buffer_flits = 5;
    });
    check(
        &BlockModule::pok(PokShape::new(2, true), &parameters),
        "rok",
    );
}

#[test]
fn terminals_equal_their_model() {
    let shape = PokShape::new(3, false);
    let module = BlockModule::terminal(shape, &trains(shape, 2), &parameters(|_| {}));
    check(&module, "terminal");
}

#[test]
fn terminals_with_parallel_ports_equal_their_model() {
    let shape = PokShape::new(3, true);
    let parameters = parameters(|block| block.layers = 3);
    check(
        &BlockModule::terminal(shape, &trains(shape, 1), &parameters),
        "terminal",
    );
}

/// A fault planted into the RTL: what is replaced in which file.
struct Fault {
    name: &'static str,
    file: &'static str,
    good: &'static str,
    bad: &'static str,
    /// The signal reported starts with one of these.
    signals: &'static [&'static str],
}

const FAULTS: [Fault; 9] = [
    Fault {
        name: "the address train is not moved down",
        file: "rok_split_channel.v",
        good: "is_header ? {{FIELD_BITS{1'b0}}, data[19:FIELD_BITS]} : data[19:0]",
        bad: "data[19:0]",
        signals: &["tx_data"],
    },
    Fault {
        name: "payload is moved down like a header",
        file: "rok_split_channel.v",
        good: "wire is_header = |(pop & ~open);",
        bad: "wire is_header = |pop;",
        signals: &["tx_data"],
    },
    Fault {
        name: "an address beyond the branches leads to the last one",
        file: "rok_split_channel.v",
        good: "assign addressed[b] = field == NUMBER[FIELD_BITS-1:0];",
        bad: "assign addressed[b] = field == NUMBER[FIELD_BITS-1:0] | (NUMBER == 2 & &field);",
        signals: &["tx_"],
    },
    Fault {
        name: "dropped flits keep their credits",
        file: "rok_split_channel.v",
        good: "tk_rx_credit <= pop;",
        bad: "tk_rx_credit <= pop & {VCS{|sent}};",
        signals: &["rx_credit"],
    },
    Fault {
        name: "the combiner does not lock",
        file: "rok_join_channel.v",
        good: "locked <= ~last;",
        bad: "locked <= 1'b0;",
        signals: &["tx_", "rx_credit"],
    },
    Fault {
        name: "the combiner always begins at the first branch",
        file: "rok_join_channel.v",
        good: "from <= next_from;",
        bad: "from <= from;",
        signals: &["tx_", "rx_credit"],
    },
    Fault {
        name: "a credit that comes with a flit is lost",
        file: "rok_credits.v",
        good: "else if (send[v] & ~credit[v])",
        bad: "else if (send[v])",
        signals: &["tx_", "rx_credit"],
    },
    Fault {
        name: "a full FIFO wraps one place early",
        file: "rok_fifo.v",
        good: "write_at <= write_at + ONE_FLIT[POINTER_BITS-1:0];",
        bad: "write_at <= &write_at[POINTER_BITS-1:1] ? 0 : write_at + ONE_FLIT[POINTER_BITS-1:0];",
        signals: &["tx_"],
    },
    Fault {
        name: "the mark of a bad packet is lost",
        file: "rok_join_channel.v",
        good: "tk_tx_bad <= bad;",
        bad: "tk_tx_bad <= 1'b0;",
        signals: &["tx_bad"],
    },
];

/// What is wrong with the report of a fault, if anything.
fn missed(module: &BlockModule, fault: &Fault) -> Option<String> {
    let mut sources = render_block(module);
    let found = sources.iter_mut().find(|(name, _)| name == fault.file);
    let (_, text) = found.expect("the file is there");
    assert_eq!(text.matches(fault.good).count(), 1, "{}", fault.name);
    *text = text.replace(fault.good, fault.bad);
    let models = quick_models(&sources);
    let request = Request {
        traffic: vec![Pattern::Uniform],
        ..request(20_000)
    };
    match run_blocks(Subject::Block(module, "rok"), &models, &request) {
        Ok(_) => Some(format!("{}: not found", fault.name)),
        Err(SessionError::Simulator(error)) => Some(format!("{}: {error}", fault.name)),
        Err(SessionError::Failed(failure)) => {
            let mut signals = fault.signals.iter();
            let named = signals.any(|start| failure.signal.starts_with(start));
            let right = failure.kind == FailureKind::Divergence && named;
            (!right).then(|| format!("{}: reported as\n{failure}", fault.name))
        }
    }
}

#[test]
fn every_planted_fault_is_found_where_it_shows() {
    // Without counters the models compile faster, and every fault shows on the links anyway.
    let parameters = parameters(|block| block.control_port = false);
    let module = BlockModule::pok(PokShape::new(3, false), &parameters);
    let half = FAULTS.len() / 2;
    let failures = |faults: &[Fault]| -> Vec<String> {
        faults
            .iter()
            .filter_map(|fault| missed(&module, fault))
            .collect()
    };
    let failures = thread::scope(|scope| {
        let first = scope.spawn(|| failures(&FAULTS[..half]));
        let mut all = failures(&FAULTS[half..]);
        all.extend(first.join().expect("no worker panics"));
        all
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A terminal whose CRC takes the destination in finds packets damaged that are not.
#[test]
fn a_crc_that_covers_the_address_train_is_found() {
    let shape = PokShape::new(2, false);
    let parameters = parameters(|block| block.control_port = false);
    let module = BlockModule::terminal(shape, &trains(shape, 1), &parameters);
    let fault = Fault {
        name: "the CRC covers the destination",
        file: "header_crc.v",
        good: "position > 19",
        bad: "position > 9",
        signals: &["tx_data", "m_axis_pcie_"],
    };
    assert_eq!(missed(&module, &fault), None);
}
