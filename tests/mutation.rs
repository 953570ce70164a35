//! A few mutants of the smallest block, through all that `mkns mutate` does: the netlist, the regression,
//! the comparison of survivors. `make mutate` scores the blocks in full.
#![cfg(feature = "cosim")]

use mkns::campaign::mutate::{
    Campaign, Comparison, Mutant, MutantOutcome, MutantResult, Netlist, Proof,
};
use mkns::cosim::Silent;
use mkns::design::{BlockModule, PokShape};
use mkns::rtl;
use mkns::spec::BlockParameters;

/// Mutants: enough for all three fates with this seed.
const COUNT: u32 = 12;

fn smallest_block() -> BlockModule {
    let parameters = BlockParameters {
        virtual_channels: 1,
        rx_buffer_flits: 4,
        ..BlockParameters::default()
    };
    BlockModule::pok(PokShape::new(2, false), &parameters)
}

fn netlist(module: &BlockModule) -> Netlist {
    Netlist::build(
        &rtl::render_block(module),
        rtl::module_name(module.kind),
        &rtl::block_parameters(module),
        (COUNT, 1),
        None,
    )
    .expect("yosys is set up")
}

#[test]
fn mutants_are_killed_or_proved_equivalent_or_listed() {
    let module = smallest_block();
    let netlist = netlist(&module);
    assert_eq!(netlist.mutants.len(), COUNT as usize);
    let campaign = |cycles| Campaign {
        block: "rok".to_owned(),
        cycles,
        seeds: 1,
    };
    let score = campaign(1_000)
        .run(&module, &netlist, &Silent)
        .unwrap_or_else(|error| panic!("{error:?}"));
    assert_eq!(score.rows.len(), COUNT as usize);
    assert_eq!(
        score.killed + score.equivalent + score.survived,
        COUNT as usize
    );
    // Most small changes of so small a block show in a thousand cycles.
    assert!(score.killed * 2 > score.rows.len(), "{score:#?}");
    for row in &score.rows {
        // Yosys does not say where the reset of a register comes from.
        let is_reset = row.mutant.place.contains("unmap_srst");
        assert!(is_reset || !row.mutant.sources.is_empty(), "{row:?}");
        if let MutantOutcome::Killed { cycle, .. } = &row.fate {
            assert!(*cycle > 0, "{row:?}");
        }
    }
    // What a run has told from the original is never proved to be the same; the last to show least of all.
    let killed_at = |row: &&MutantResult| match row.fate {
        MutantOutcome::Killed { cycle, .. } => Some(cycle),
        _ => None,
    };
    let last = score.rows.iter().max_by_key(killed_at).expect("rows");
    let comparison = Comparison::new(&netlist, &[&last.mutant]).expect("yosys is set up");
    let proof = comparison.prove(&last.mutant).expect("a folder");
    assert_ne!(proof, Proof::Same, "{last:?}");
}

/// A register that holds what nobody reads, before a memory that is not written meanwhile.
const HELD: &str = "
module held (
    input wire clk, input wire rst, input wire valid, input wire [3:0] data,
    input wire [1:0] place, output wire [3:0] word
);
    reg [3:0] store;
    reg       full;
    reg [3:0] memory [0:3];
    always @(posedge clk) begin
        full <= valid & ~rst;
        if (valid) store <= data;
        if (full) memory[place] <= store;
    end
    assign word = memory[place];
endmodule
";

#[test]
fn a_difference_inside_that_no_output_and_no_memory_sees_is_none() {
    let sources = [("held.v".to_owned(), HELD.to_owned())];
    let netlist = Netlist::build(&sources, "held", &[], (200, 1), None).expect("yosys is set up");
    // What `store` takes while there is nothing valid, and while there is.
    let of_store = |port: &str| {
        let chosen = |mutant: &&Mutant| {
            mutant.mode == "inv" && mutant.place.contains("procmux") && mutant.place.contains(port)
        };
        let mutant = netlist.mutants.iter().find(chosen);
        mutant.unwrap_or_else(|| panic!("none at {port}: {:#?}", netlist.mutants))
    };
    let (held, taken) = (of_store(" A["), of_store(" B["));
    let comparison = Comparison::new(&netlist, &[held, taken]).expect("yosys is set up");
    let proof = |mutant| comparison.prove(mutant).expect("a folder");
    assert_eq!(proof(held), Proof::Same, "{held:?}");
    assert_ne!(proof(taken), Proof::Same, "{taken:?}");
}

/// A memory takes half of the bits of a register; the others are seen only in the cycle after `valid`.
const WIDE: &str = "
module wide (
    input wire clk, input wire rst, input wire valid, input wire write, input wire [3:0] number,
    input wire [3:0] data, output wire [3:0] word, output wire [1:0] page
);
    reg [3:0] at;
    reg       fresh;
    reg [3:0] memory [0:3];
    always @(posedge clk) begin
        fresh <= valid & ~rst;
        if (valid) at <= number;
        if (write) memory[number[1:0]] <= data;
    end
    assign word = memory[at[1:0]];
    assign page = at[3:2] & {2{fresh}};
endmodule
";

#[test]
fn of_a_wire_a_memory_sees_the_bits_that_it_takes() {
    let sources = [("wide.v".to_owned(), WIDE.to_owned())];
    let netlist = Netlist::build(&sources, "wide", &[], (200, 1), None).expect("yosys is set up");
    // What a bit of `at` becomes while it is held.
    let held = |bit: u32| {
        let port = format!("A[{bit}]");
        let chosen = |mutant: &&Mutant| {
            let place = &mutant.place;
            mutant.mode == "inv" && place.contains("procmux") && place.ends_with(&port)
        };
        let mutant = netlist.mutants.iter().find(chosen);
        mutant.unwrap_or_else(|| panic!("none at {port}: {:#?}", netlist.mutants))
    };
    let (address, beside) = (held(1), held(3));
    let comparison = Comparison::new(&netlist, &[address, beside]).expect("yosys is set up");
    let proof = |mutant| comparison.prove(mutant).expect("a folder");
    assert_eq!(proof(beside), Proof::Same, "{beside:?}");
    assert_ne!(proof(address), Proof::Same, "{address:?}");
}
