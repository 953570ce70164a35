//! The open FPGA flow on real tools: area of a block without its harness, clock rate of a placement,
//! time limits and missing programs.

use std::time::Duration;

use mkns::design::{BlockModule, ModuleKind, PokShape};
use mkns::diag::Code;
use mkns::fpga::{Area, AreaCache, Bench, Device, Figures, FlowError, Silent, ToolRunner};
use mkns::spec::{BlockParameters, NetworkSpec};
use mkns::{design, rtl, spec};

const SMALL: &str = "\
name = \"small\"
[network]
vms_per_node = 1
ports = 4
dimensions = [{ size = 2 }, { size = 2, join = \"switch_block\" }]
[block]
virtual_channels = 1
rx_buffer_flits = 11
queue_flits = 16
banks = 1
counters = false
control_port = false
turns = \"all\"
";

/// Benches the switch block of [`SMALL`] without placements.
fn bench(
    limit: Option<Duration>,
    edit: impl Fn(&mut Vec<(String, String)>),
) -> Result<Figures, FlowError> {
    let spec = spec::parse_toml("small.toml", SMALL).expect("a valid spec");
    bench_first(ModuleKind::Switch, &spec, limit, edit)
}

/// Benches the first block of a kind without placements.
fn bench_first(
    kind: ModuleKind,
    spec: &NetworkSpec,
    limit: Option<Duration>,
    edit: impl Fn(&mut Vec<(String, String)>),
) -> Result<Figures, FlowError> {
    let plan = design::build(spec).expect("a plan");
    let instance = (plan.instances.iter())
        .find(|instance| plan.modules[instance.module].kind == kind)
        .expect("a block of this kind");
    let module = &plan.modules[instance.module];
    let folder = tempfile::tempdir().expect("a temporary folder");
    let runner = ToolRunner {
        folder: folder.path(),
        limit,
        listener: &Silent,
    };
    let mut parameters = rtl::instance_parameters(&plan, instance);
    edit(&mut parameters);
    Bench {
        pins: &module.port_table(),
        name: rtl::module_name(module.kind),
        parameters: &parameters,
        sources: &rtl::render_sources(&plan),
        device: Device::named("ecp5-25f").expect("a known device"),
        speed: 6,
        mhz: 50.0,
        seeds: 0,
        xilinx: false,
    }
    .run(&runner)
}

#[test]
fn the_area_of_a_block_leaves_its_harness_out() {
    let figures = bench(None, |_| {}).expect("synthesis works");
    // 4 ports: rst, 4 × (valid, vc, last, bad, 64 data, credit, link up), 78 bits of control port.
    let inputs = 1 + 4 * 70 + 20 + 1 + 32 + 4 + 1 + 1 + 20 + 1 + 1;
    let outputs = 4 * 69 + 1 + 1 + 2 + 1 + 1 + 32 + 2 + 1;
    // Last registers of a chain that the block does not look at are left out, as is what follows a constant output:
    // all those of the control port.
    let harness = &figures.harness;
    assert!(
        (inputs + outputs - 10..=inputs + outputs).contains(&harness.ff),
        "{harness:?}"
    );
    assert_eq!(harness.comb, 4 * 69);
    let area = figures.area;
    assert_eq!(area.comb, area.lut4 + 2 * area.ccu2c + 4 * area.dpr16x4);
    // 64-bit words and two flags of 4 inputs take two 36-bit memories each.
    assert_eq!(area.ebr, 8);
    let own: u64 = (figures.parts.iter())
        .map(|part| part.instances * part.each.comb)
        .sum();
    assert!(area.comb <= own && area.comb > own / 2, "{area:?} of {own}");
    let banks = figures
        .parts
        .iter()
        .find(|part| part.module == "queue_bank");
    assert_eq!(banks.expect("queues are in the hierarchy").instances, 4);
}

/// Adaptive routing costs no more than 15 % of a block with five ports and two channels.
#[test]
fn an_adaptive_block_is_at_most_15_percent_larger() {
    let comb = |settings: &[&str]| {
        let settings: Vec<String> = settings.iter().map(|&set| set.to_owned()).collect();
        let spec = spec::parse_with("random_shortcut(8,3,2)", &settings).expect("a valid spec");
        let figures = bench_first(ModuleKind::Adapter, &spec, None, |_| {});
        figures.expect("synthesis works").area.comb
    };
    let (adaptive, fixed) = std::thread::scope(|scope| {
        let adaptive = scope.spawn(|| comb(&["routing=adaptive"]));
        let fixed = comb(&["routing=up_down", "virtual_channels=2"]);
        (adaptive.join().expect("synthesis works"), fixed)
    });
    assert!(
        adaptive > fixed && adaptive * 100 <= fixed * 115,
        "{adaptive} beside {fixed}"
    );
}

#[test]
fn a_program_that_runs_too_long_is_stopped() {
    let error = bench(Some(Duration::ZERO), |_| {}).expect_err("no program takes no time");
    assert!(matches!(error, FlowError::TimeLimit { .. }), "{error}");
}

#[test]
fn a_complaint_of_synthesis_is_reported() {
    let error = bench(None, |parameters| {
        parameters.push(("NO_SUCH_PARAMETER".to_owned(), "1".to_owned()));
    })
    .expect_err("the block has no such parameter");
    let FlowError::Failed { summary, .. } = &error else {
        panic!("{error}");
    };
    assert!(summary.contains("NO_SUCH_PARAMETER"), "{summary}");
    assert_eq!(error.diagnostic().code, Code::FlowProgramFailed);
}

/// Asks `cache` for the area of a small POK unit with these sources.
fn area_of_pok(
    cache: &AreaCache,
    limit: Option<Duration>,
    edit: impl Fn(&mut Vec<(String, String)>),
) -> Result<Area, FlowError> {
    let parameters = BlockParameters {
        control_port: false,
        virtual_channels: 1,
        ..BlockParameters::default()
    };
    let module = BlockModule::pok(PokShape::new(2, false), &parameters);
    let mut sources = rtl::render_block(&module);
    edit(&mut sources);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let runner = ToolRunner {
        folder: folder.path(),
        limit,
        listener: &Silent,
    };
    let bench = Bench {
        pins: &module.port_table(),
        name: rtl::module_name(module.kind),
        parameters: &rtl::block_parameters(&module),
        sources: &sources,
        device: Device::named("ecp5-25f").expect("a known device"),
        speed: 6,
        mhz: 50.0,
        seeds: 0,
        xilinx: false,
    };
    cache.area(&bench, &runner)
}

#[test]
fn an_area_is_synthesised_once_for_the_same_sources() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let cache = AreaCache::new(Some(folder.path().join("areas")));
    let first = area_of_pok(&cache, None, |_| {}).expect("synthesis works");
    // 2 branches and a trunk hold 64 bits in registers towards the links; less what the harness holds for
    // the pins of the control port that is not there.
    assert!(first.ff > 2 * 64 && first.comb > 0, "{first:?}");
    let no_time = Some(Duration::ZERO);
    let second = area_of_pok(&cache, no_time, |_| {}).expect("nothing is run");
    assert_eq!(second, first);
    let changed = area_of_pok(&cache, no_time, |sources| sources[0].1.push('\n'));
    let error = changed.expect_err("other sources are synthesised, for which there is no time");
    assert!(matches!(error, FlowError::TimeLimit { .. }), "{error}");
}
