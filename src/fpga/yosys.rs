//! Synthesis by Yosys: scripts, and its statistics read back.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::area::{Area, Cells, ModuleArea};
use super::tool_runner::ToolRunner;
use super::{FlowError, Program};

/// What synthesis found.
#[derive(Debug, Clone)]
pub struct Synthesis {
    /// The whole design.
    pub cells: Cells,
    /// Modules of the hierarchy before it was flattened, largest share first.
    pub parts: Vec<ModuleArea>,
}

#[derive(Deserialize)]
struct Statistics {
    modules: BTreeMap<String, ModuleStatistics>,
    #[serde(default)]
    design: Option<ModuleStatistics>,
}

#[derive(Deserialize)]
struct ModuleStatistics {
    #[serde(default)]
    num_cells_by_type: Cells,
}

/// The delay that a module may have, ps, with 0.3 ns for the wire of each LUT: otherwise its fastest form
/// would be looked for, whatever its size. A path goes through several modules.
const MODULE_DELAY: u32 = 3500;

/// A template below `hdl-templates/cells/`: its name and its text.
macro_rules! cells {
    ($file:literal) => {
        (
            $file,
            include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../../hdl-templates/cells/",
                $file
            )),
        )
    };
}

/// Modules of ours in cells of the ECP5, which Yosys does not find by itself: the files that are read instead of those
/// of the same modules, and their texts.
pub(super) const ECP5_CELLS: [(&str, &str); 2] =
    [cells!("ecp5_ddr_output.v"), cells!("ecp5_ddr_input.v")];

/// Leaves [`ECP5_CELLS`] in the tool runner's folder, where [`read_ecp5`] looks for them.
pub(super) fn write_ecp5_cells(runner: &ToolRunner) -> Result<(), FlowError> {
    for (name, text) in ECP5_CELLS {
        runner.write(name, text)?;
    }
    Ok(())
}

/// Commands that read sources, separated by blanks, to be mapped to ECP5 cells.
pub(super) fn read_ecp5(sources: &str) -> String {
    let names = ECP5_CELLS.map(|(name, _)| name).join(" ");
    format!("read_verilog {sources}\nread_verilog -overwrite {names}")
}

/// How often constants go from module to module: most of them have met all they change by then.
const TRIMMING_ROUNDS: usize = 8;

/// Commands that take out of every module what its ports make superfluous: constant inputs and outputs that nobody
/// reads. Modules are mapped one by one afterwards, when this could not be seen any more.
fn trim_modules(top: &str) -> String {
    // Where nobody can write tables, they would become ROMs, which do not map to LUT RAM.
    let but_tables = "* *route_table %d *candidate_table %d";
    let optimise = "opt -nodffe -nosdff\n";
    let round = format!("opt_hier {but_tables}\n{optimise}");
    let rounds = round.repeat(TRIMMING_ROUNDS);
    format!("hierarchy -check -top {top}\nproc\n{optimise}{rounds}")
}

/// Commands that map a top to ECP5 cells: for bitstreams, benches and netlists alike.
///
/// Modules are mapped one by one (`-noflatten`) and joined afterwards: ten times faster than mapping
/// the flattened whole, and equal modules come out equal. Modules with the attribute `short_paths`, which
/// all that is slow goes through, get their fastest form. Yosys has one delay for all modules, so everything
/// is mapped twice, and those modules are taken from the first time.
pub(super) fn synth_ecp5(top: &str) -> String {
    let mapped_for = |delay: u32| {
        format!(
            "scratchpad -set abc9.D {delay}\nsynth_ecp5 -noflatten -nowidelut -nodsp -top {top}"
        )
    };
    format!(
        "{trimmed}design -save source\nscratchpad -set abc9.script {SHORT_PATHS}\n{fastest}\n\
         scratchpad -unset abc9.script\ndesign -save fastest\ndesign -load source\n{whole}\n\
         design -copy-from fastest A:short_paths",
        trimmed = trim_modules(top),
        fastest = mapped_for(1),
        whole = mapped_for(MODULE_DELAY),
    )
}
/// ABC's script for modules with `short_paths`: that of Yosys without `&dc2`, which makes logic smaller and deeper.
const SHORT_PATHS: &str = "+&scorr;&sweep;&dch,-f,-r;&ps;&if,{W},{D};&mfs";
/// Joins the mapped modules.
pub(super) const JOIN_ECP5: &str = "flatten\nopt_expr\nopt_merge\nopt_clean -purge\n\
                                    opt_lut_ins -tech lattice\nopt_clean -purge\ncheck -assert";
/// Maps the design whose top is named next to cells of Xilinx UltraScale+.
pub(super) const SYNTH_XILINX: &str = "synth_xilinx -family xcup -noiopad -noclkbuf -nodsp -top";
/// Joins the mapped modules.
pub(super) const JOIN_XILINX: &str = "flatten\nopt_clean -purge";

/// What [`synthesise_ecp5`] asks of Yosys.
pub(super) fn ecp5_script(sources: &[String], top: &str, netlist: &str) -> String {
    format!(
        "{read}\n\
         {synthesise}\n\
         tee -q -o {netlist}.parts stat -json\n\
         {JOIN_ECP5}\n\
         tee -q -o {netlist}.stat stat -json\n\
         write_json {netlist}\n",
        read = read_ecp5(&sources.join(" ")),
        synthesise = synth_ecp5(top),
    )
}

/// Maps `top` to ECP5 cells and writes `netlist` for nextpnr.
pub fn synthesise_ecp5(
    runner: &ToolRunner,
    sources: &[String],
    top: &str,
    netlist: &str,
) -> Result<Synthesis, FlowError> {
    write_ecp5_cells(runner)?;
    run_script(runner, &ecp5_script(sources, top, netlist), netlist)?;
    let parts = statistics(&runner.read(&format!("{netlist}.parts"))?)?;
    let whole = statistics(&runner.read(&format!("{netlist}.stat"))?)?;
    Ok(Synthesis {
        cells: design_cells(&whole)?,
        parts: hierarchy(&parts, top),
    })
}

/// Maps `top` to cells of a Gowin GW2A and writes `netlist` for nextpnr.
///
/// Modules are mapped one by one as for ECP5, so pads are put in after they are joined. Wide
/// multiplexers stay LUTs: chains of MUX2 hold whole slices together, which the router pays for.
pub fn synthesise_gowin(
    runner: &ToolRunner,
    sources: &[String],
    top: &str,
    netlist: &str,
) -> Result<(), FlowError> {
    let script = format!(
        "read_verilog {files}\n\
         {trimmed}\
         synth_gowin -family gw2a -noflatten -noiopads -nowidelut -nodsp -top {top}\n\
         flatten\nopt_expr\nopt_merge\nopt_clean -purge\n\
         iopadmap -bits -inpad IBUF O:I -outpad OBUF I:O\nopt_clean -purge\ncheck -assert\n\
         write_json {netlist}\n",
        files = sources.join(" "),
        trimmed = trim_modules(top),
    );
    run_script(runner, &script, netlist)
}

/// Maps `top` to Xilinx UltraScale+ cells, for an estimate of its size; nothing is placed.
pub fn estimate_xilinx(
    runner: &ToolRunner,
    sources: &[String],
    top: &str,
) -> Result<Cells, FlowError> {
    let stem = "xilinx";
    let script = format!(
        "read_verilog {files}\n\
         {trimmed}\
         {SYNTH_XILINX} {top}\n\
         {JOIN_XILINX}\n\
         tee -q -o {stem}.stat stat -json\n",
        files = sources.join(" "),
        trimmed = trim_modules(top),
    );
    run_script(runner, &script, stem)?;
    design_cells(&statistics(&runner.read(&format!("{stem}.stat"))?)?)
}

pub(super) fn run_script(runner: &ToolRunner, script: &str, stem: &str) -> Result<(), FlowError> {
    let name = format!("{stem}.ys");
    runner.write(&name, script)?;
    let arguments = ["-s".to_owned(), name];
    runner.run(Program::Yosys, &arguments, &format!("{stem}.yosys.log"))?;
    Ok(())
}

fn statistics(text: &str) -> Result<Statistics, FlowError> {
    serde_json::from_str(text).map_err(|error| unreadable(format!("statistics: {error}")))
}

fn design_cells(statistics: &Statistics) -> Result<Cells, FlowError> {
    let design = statistics.design.as_ref();
    let only = || statistics.modules.values().next();
    let module = design.or_else(only);
    let module = module.ok_or_else(|| unreadable("statistics name no module".to_owned()))?;
    Ok(module.num_cells_by_type.clone())
}

fn unreadable(what: String) -> FlowError {
    let program = Program::Yosys;
    FlowError::Unreadable { program, what }
}

/// Instances and own area of every module below `top`, largest share of COMB first.
fn hierarchy(statistics: &Statistics, top: &str) -> Vec<ModuleArea> {
    let mut instances: BTreeMap<&str, u64> = BTreeMap::new();
    let top = format!("\\{top}");
    count_instances(statistics, &top, 1, &mut instances);
    let mut parts: Vec<ModuleArea> = instances
        .into_iter()
        .map(|(name, instances)| ModuleArea {
            module: plain_name(name),
            instances,
            each: statistics.modules[name].num_cells_by_type.area(),
        })
        .collect();
    let share = |part: &ModuleArea| part.instances * part.each.comb;
    parts.sort_by_key(|part| (std::cmp::Reverse(share(part)), part.module.clone()));
    parts
}

fn count_instances<'a>(
    statistics: &'a Statistics,
    module: &str,
    times: u64,
    instances: &mut BTreeMap<&'a str, u64>,
) {
    let Some((name, found)) = statistics.modules.get_key_value(module) else {
        return;
    };
    *instances.entry(name).or_insert(0) += times;
    for (cell, count) in &found.num_cells_by_type.0 {
        count_instances(statistics, cell, times * count, instances);
    }
}

/// `queue_bank` of `$paramod$53b3…\queue_bank` and of `$paramod\queue_bank\WIDTH=…`.
fn plain_name(module: &str) -> String {
    let inside = module.strip_prefix("$paramod").unwrap_or(module);
    let mut pieces = inside.split('\\').skip(1);
    pieces.next().unwrap_or(module).to_owned()
}

/// Own area of the module called `name` in a list of parts.
pub fn own_area(parts: &[ModuleArea], name: &str) -> Area {
    let part = parts.iter().find(|part| part.module == name);
    part.map(|part| part.each).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{"modules": {
        "\\top": {"num_cells_by_type": {"LUT4": 5, "$paramod$12\\bank": 3}},
        "$paramod$12\\bank": {"num_cells_by_type": {"TRELLIS_FF": 2, "$paramod\\arbiter\\WIDTH=s32'1": 2}},
        "$paramod\\arbiter\\WIDTH=s32'1": {"num_cells_by_type": {"LUT4": 7}},
        "\\unused": {"num_cells_by_type": {"LUT4": 99}}}}"#;

    #[test]
    fn instances_multiply_down_the_hierarchy() {
        let parts = hierarchy(&statistics(TEXT).expect("valid JSON"), "top");
        let list: Vec<_> = (parts.iter())
            .map(|part| (part.module.as_str(), part.instances, part.each.comb))
            .collect();
        assert_eq!(list, [("arbiter", 6, 7), ("top", 1, 5), ("bank", 3, 0)]);
        assert_eq!(own_area(&parts, "top").comb, 5);
    }

    #[test]
    fn other_texts_are_refused() {
        assert!(statistics("1. Printing statistics").is_err());
    }
}
