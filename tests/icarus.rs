//! Blocks in Icarus Verilog: no output depends on a register without a value, and one that does shows.
#![cfg(feature = "cosim")]

use std::path::Path;

use crate::common::rtl_designs::{module, quick_models};
use crate::common::smallest::smallest_plan;
use mkns::cosim::{
    BlockRun, BlockSummary, Failure, FailureKind, IcarusDesign, Restrictions, SessionError,
    golden_device, play, rtl_device,
};
use mkns::design::{BlockModule, ModuleKind};
use mkns::rtl::render_sources;
use mkns::topology::BlockId;
use mkns::traffic::Pattern;

fn run(cycles: u64, seed: u64) -> BlockRun {
    BlockRun {
        block: "block".to_owned(),
        traffic: Pattern::Uniform,
        cycles,
        seed,
        restrictions: Restrictions::default(),
    }
}

/// A run in Icarus that comes to a verdict.
fn in_icarus(
    sources: &[(String, String)],
    block: &BlockModule,
    run: &BlockRun,
    folder: &Path,
) -> Result<BlockSummary, Box<Failure>> {
    let design = IcarusDesign {
        module: block,
        sources,
        is_netlist: false,
    };
    play(&design, run, folder).map_err(|error| match error {
        SessionError::Failed(failure) => failure,
        SessionError::Simulator(error) => panic!("{error}"),
    })
}

#[test]
fn blocks_equal_their_model_with_four_states() {
    let plan = smallest_plan();
    let sources = render_sources(&plan);
    let folder = tempfile::tempdir().expect("a temporary folder");
    for kind in [ModuleKind::Switch, ModuleKind::Adapter] {
        let folder = folder.path().join(kind.name());
        let summary = in_icarus(&sources, module(&plan, kind), &run(1_500, 2), &folder)
            .unwrap_or_else(|failure| panic!("{failure}"));
        assert!(
            summary.cycles >= 1_500 && summary.packets > 20,
            "{summary:?}"
        );
        let lines = std::fs::read_to_string(folder.join("vectors.txt")).expect("vectors");
        assert!(lines.lines().count() >= 1_500);
    }
}

/// Two states cannot show a missing reset: a bit powers up right for every other seed.
#[test]
fn a_missing_reset_that_verilator_passes_shows_in_icarus() {
    let plan = smallest_plan();
    let switch = module(&plan, ModuleKind::Switch);
    let mut sources = render_sources(&plan);
    let registers = sources
        .iter_mut()
        .find(|(name, _)| name == "control_port.v");
    let text = &mut registers.expect("the file").1;
    let reset = "            read_ready <= 1'b0;\n            s_axil_rvalid <= 1'b0;\n";
    assert_eq!(text.matches(reset).count(), 1);
    *text = text.replace(reset, "            s_axil_rvalid <= 1'b0;\n");

    let models = quick_models(&sources);
    let library = models.library(switch, &|_| {}).expect("the RTL builds");
    let passes = |seed: &u64| {
        let rtl = rtl_device(&library, &[BlockId(0)], *seed).expect("an instance starts");
        let golden = golden_device(switch);
        run(300, *seed)
            .run(switch, rtl, golden, &mut |_| {})
            .is_ok()
    };
    let seed = (1..=20).find(passes).expect("a seed that powers up right");

    let folder = tempfile::tempdir().expect("a temporary folder");
    let failure = in_icarus(&sources, switch, &run(300, seed), folder.path())
        .expect_err("an output depends on a register without a value");
    assert_eq!(failure.kind, FailureKind::Divergence, "{failure}");
    let found = (
        failure.signal.as_str(),
        failure.golden.as_str(),
        failure.rtl.as_str(),
    );
    assert_eq!(found, ("s_axil_arready", "0x0", "0xx"), "{failure}");
}

/// Found by planted faults: a loop in the RTL that counts down from 0 ran for as long as anybody waited.
#[test]
fn rtl_that_stands_still_is_given_up() {
    let plan = smallest_plan();
    let block = module(&plan, ModuleKind::Switch);
    let mut sources = render_sources(&plan);
    let (_, text) = (sources.iter_mut())
        .find(|(name, _)| name == "accept_bank.v")
        .expect("a file of the block");
    let good = "for (slot = 0; slot < SLOTS; slot = slot + 1)";
    assert!(text.contains(good));
    *text = text.replace(good, "for (slot = 0; slot < SLOTS; slot = slot - 1)");
    let folder = tempfile::tempdir().expect("a folder");
    let design = IcarusDesign {
        module: block,
        sources: &sources,
        is_netlist: false,
    };
    let ended = play(&design, &run(20, 1), folder.path());
    let Err(SessionError::Simulator(error)) = ended else {
        panic!("no simulator error: {ended:?}");
    };
    let said = error.to_string();
    assert!(
        said.contains("no end after") && said.contains("endless loop"),
        "{said}"
    );
}
