//! The network around the blocks, elaborated by slang and compared with the plan: every instance, parameter, table
//! and connection of the top, of nodes and of cables, at any size.

mod boards;
mod cables;
mod expected;
mod module;
mod segments;

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use serde_json::json;

use super::names::{board_name, module_of, node_name, top_name};
use super::templates::instance::cable_parameters;
use super::under_test::RtlSources;
use cables::cable_modules;
use expected::Expected;
use mkns_design::{ModuleKind, Plan};
use mkns_diag::{Code, Diagnostic, Place, tools};
use mkns_scratch::Scratch;
use mkns_topology::CableKind;

/// The program that asks slang.
const PROGRAM: &str = include_str!("elaborate.py");
/// The module around those that are elaborated by themselves.
const WRAPPER: &str = "mkns_structure";

/// Why a network's structure is not compared; none where it is.
pub fn not_compared(plan: &Plan) -> Option<&'static str> {
    let mut cables = plan.network.cables.iter();
    cables
        .any(|cable| cable.kind == CableKind::AssemblyInternal)
        .then_some(
            "switch assemblies: the wiring of the top is not compared with the plan; `cosim --flat` runs it",
        )
}

/// Compares the network of a folder with the plan; the error is the first difference.
pub fn check(plan: &Plan, sources: &RtlSources) -> Result<(), Vec<Diagnostic>> {
    let said = elaborated(plan, sources)?;
    let found = Elaborated::read(&said);
    if let Some([file, line, message]) = found.refusal {
        let fact = format!("slang refuses the RTL: {message}");
        let remedy = "correct the file; `mkns lint DIR` has more to say about a generated folder";
        let place = sources.place_in(file, line);
        return Err(vec![
            Diagnostic::new(Code::ModelBuildFailed, fact, remedy).at(place),
        ]);
    }
    match first_difference(&Expected::of(plan), &found) {
        None => Ok(()),
        Some((fact, place)) => {
            let remedy =
                "correct it there, or generate the folder anew from the spec that you mean";
            let place =
                place.map_or_else(Place::default, |[file, line]| sources.place_in(file, line));
            Err(vec![
                Diagnostic::new(Code::WiringDiffers, fact, remedy).at(place),
            ])
        }
    }
}

/// What slang says of the sources.
fn elaborated(plan: &Plan, sources: &RtlSources) -> Result<String, Vec<Diagnostic>> {
    let missing = || {
        let fact = "slang is not installed, which the network's wiring is read with";
        let remedy = "run `mkns setup`, which installs it";
        vec![Diagnostic::new(Code::LintToolMissing, fact, remedy)]
    };
    let unusable = |what: &str| {
        let fact = format!("cannot ask slang: {what}");
        let remedy = "check the free disk space";
        vec![Diagnostic::new(Code::FolderUnusable, fact, remedy)]
    };
    let python = tools::in_tools("venv/bin/python").ok_or_else(missing)?;
    let folder = Scratch::new("structure").map_err(|error| unusable(&error.to_string()))?;
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        let written = fs::write(&path, text).map(|()| path.display().to_string());
        written.map_err(|error| unusable(&error.to_string()))
    };
    let mut files = Vec::new();
    for (name, text) in sources.all_files() {
        files.push(write(name, text)?);
    }
    let kinds = ModuleKind::ALL.into_iter();
    let kinds = kinds.filter(|kind| module_of(plan, *kind).is_some());
    let mut structures: Vec<String> = kinds.map(|kind| node_name(plan, kind)).collect();
    let mut around: String = (structures.iter())
        .map(|name| format!("{name} {name} ();\n"))
        .collect();
    for module in expected::boards(plan) {
        let (name, peers) = (board_name(plan, module), boards::peers_apart(module));
        around += &format!("{name} #({peers}) {name} ();\n");
        structures.push(name);
    }
    let cables = cable_modules(plan);
    for name in &cables {
        let parameters = cable_parameters(&plan.spec.block);
        around += &format!("{name} #({parameters}) {name} ();\n");
        structures.push((*name).to_owned());
    }
    let question = json!({
        "files": files,
        "top": top_name(plan),
        "structures": structures,
        "around": format!("module {WRAPPER};\n{around}endmodule\n"),
        "fixed": cables,
    });
    let question = write("question.json", &question.to_string())?;
    let program = write("elaborate.py", PROGRAM)?;
    let mut command = Command::new(python);
    let ended = mkns_scratch::run(command.args([program, question]));
    let ended = ended.map_err(|error| unusable(&error.to_string()))?;
    match ended.status.success() {
        true => Ok(ended.output),
        false if ended.complaints.contains("No module named 'pyslang'") => Err(missing()),
        false => Err(unusable(&mkns_scratch::last_lines(&ended.complaints, 5))),
    }
}

/// A module as elaborated.
#[derive(Default)]
pub(super) struct ElaboratedModule<'a> {
    pub path: &'a str,
    pub name: &'a str,
    /// Direction and bits.
    pub ports: BTreeMap<&'a str, (&'a str, &'a str)>,
    /// Module, file, line.
    pub instances: BTreeMap<&'a str, [&'a str; 3]>,
    pub sinks: BTreeMap<&'a str, &'a str>,
    pub others: Vec<&'a str>,
}

/// What slang says, by lines.
#[derive(Default)]
pub(super) struct Elaborated<'a> {
    pub modules: Vec<ElaboratedModule<'a>>,
    /// By path and name: value and whether it is set.
    pub parameters: BTreeMap<(&'a str, &'a str), (&'a str, bool)>,
    /// File, line, message.
    pub refusal: Option<[&'a str; 3]>,
}

impl<'a> Elaborated<'a> {
    fn read(text: &'a str) -> Self {
        let mut found = Self::default();
        for line in text.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            if let ["M", name, path] = fields[..] {
                found.modules.push(ElaboratedModule {
                    name,
                    path,
                    ..ElaboratedModule::default()
                });
                continue;
            }
            match (&fields[..], found.modules.last_mut()) {
                (["E", file, line, message], _) => {
                    found.refusal.get_or_insert([file, line, message]);
                }
                (["P", path, name, value, set], _) => {
                    found.parameters.insert((path, name), (value, *set == "1"));
                }
                (["O", name, direction, bits], Some(module)) => {
                    module.ports.insert(name, (direction, bits));
                }
                (["I", name, of, file, line], Some(module)) => {
                    module.instances.insert(name, [of, file, line]);
                }
                (["S", sink, drivers], Some(module)) => drop(module.sinks.insert(sink, drivers)),
                (["X", what], Some(module)) => module.others.push(what),
                _ => {}
            }
        }
        found
    }
}

type Difference<'a> = (String, Option<[&'a str; 2]>);

fn first_difference<'a>(expected: &Expected, found: &Elaborated<'a>) -> Option<Difference<'a>> {
    let names = expected.modules.keys();
    if let Some(name) = names.into_iter().find(|name| {
        !found
            .modules
            .iter()
            .any(|module| module.name == name.as_str())
    }) {
        return Some((format!("no `{name}` is in the network"), None));
    }
    let mut modules = found.modules.iter();
    modules
        .find_map(|module| difference_inside(expected.modules.get(module.name)?, module))
        .or_else(|| difference_of_parameters(expected, found))
}

fn difference_inside<'a>(
    expected: &module::Module,
    found: &ElaboratedModule<'a>,
) -> Option<Difference<'a>> {
    let within = found.path;
    if let Some(what) = found.others.first() {
        let fact = format!("`{within}` holds more than instances and connections: {what}");
        return Some((fact, None));
    }
    for (name, (direction, bits)) in &expected.ports {
        let there = found.ports.get(name.as_str());
        if there != Some(&(*direction, bits.as_str())) {
            let there = there.map_or("nothing".to_owned(), |(way, bits)| {
                format!("{way} of {bits} bits")
            });
            let fact = format!(
                "port `{within}.{name}` is {there}; the plan has {direction} of {bits} bits"
            );
            return Some((fact, None));
        }
    }
    for (name, module) in &expected.instances {
        let there = found.instances.get(name.as_str());
        let place = there.map(|[_, file, line]| [*file, *line]);
        match there {
            Some([of, ..]) if of == module => {}
            Some([of, ..]) => {
                let fact = format!("`{within}.{name}` is a `{of}`; the plan has a `{module}`");
                return Some((fact, place));
            }
            None => {
                let fact = format!("`{within}` has no instance `{name}` of `{module}`");
                return Some((fact, None));
            }
        }
    }
    let mut extra = found.instances.iter();
    if let Some((name, [of, file, line])) =
        extra.find(|(name, _)| !expected.instances.contains_key(**name))
    {
        let fact = format!("`{within}.{name}`, a `{of}`, is not in the plan");
        return Some((fact, Some([*file, *line])));
    }
    for (sink, drivers) in &expected.sinks {
        let there = found.sinks.get(sink.as_str()).copied().unwrap_or("nothing");
        if there != drivers {
            let instance = sink
                .split('.')
                .next()
                .and_then(|name| found.instances.get(name));
            let (there, planned) = segments::first_difference(there, drivers);
            let fact =
                format!("pin `{within}.{sink}` is driven by {there}; the plan has {planned}");
            return Some((fact, instance.map(|[_, file, line]| [*file, *line])));
        }
    }
    None
}

fn difference_of_parameters<'a>(
    expected: &Expected,
    found: &Elaborated<'a>,
) -> Option<Difference<'a>> {
    for ((path, name), value) in &expected.parameters {
        let there = found.parameters.get(&(path.as_str(), name.as_str()));
        let there = there.map_or("missing", |(value, _)| *value);
        if there != value {
            let what = parameter_difference(name, there, value);
            return Some((format!("parameter `{path}.{name}`{what}"), None));
        }
    }
    let mut set = found.parameters.iter().filter(|(_, (_, set))| *set);
    set.find_map(|((path, name), (value, _))| {
        let key = ((*path).to_owned(), (*name).to_owned());
        let fact =
            format!("parameter `{path}.{name}` is set to 0x{value}; the plan leaves it alone");
        (!expected.parameters.contains_key(&key)).then_some((fact, None))
    })
}

/// The first entry of a table that differs, or the values.
fn parameter_difference(name: &str, there: &str, planned: &str) -> String {
    let entry = |text: &str, number: usize| {
        let end = text.len().saturating_sub(4 * number);
        let digits = &text[end.saturating_sub(4)..end];
        u16::from_str_radix(digits, 16).unwrap_or(0)
    };
    let entries = there.len().max(planned.len()).div_ceil(4);
    let is_table = name.starts_with("TABLE") && name.ends_with("_INIT");
    let first = (0..entries).find(|&number| entry(there, number) != entry(planned, number));
    match first.filter(|_| is_table && there != "missing") {
        Some(number) => format!(
            ", entry {number}, is 0x{:04x}; the plan has 0x{:04x}",
            entry(there, number),
            entry(planned, number)
        ),
        None => format!(" is 0x{there}; the plan has 0x{planned}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scope, render_output, write};

    /// The fact about a network whose file `name` has `bad` in place of the first `good`.
    fn fact(notation: &str, settings: &[&str], change: Option<[&str; 3]>) -> Option<String> {
        let settings: Vec<String> = settings.iter().map(|text| (*text).to_owned()).collect();
        let spec = mkns_spec::parse_with(notation, &settings).expect("a spec");
        let plan = mkns_design::build(&spec).expect("a plan");
        let place = Scratch::new("test").expect("a folder");
        let folder = place.path().join("out");
        write(&render_output(&plan).expect("files"), &folder).expect("written");
        if let Some([name, good, bad]) = change {
            let path = folder.join("rtl").join(name);
            let text = fs::read_to_string(&path).expect("a file");
            assert!(text.contains(good), "{name}: {good}");
            fs::write(&path, text.replacen(good, bad, 1)).expect("ours");
        }
        let sources = RtlSources::new(&plan, Scope::Blocks, Some(&folder)).expect("sources");
        let found = check(&plan, &sources).err()?;
        Some(found[0].fact.clone())
    }

    /// The network as generated is that of the plan, and each change of it is told in these words.
    fn assert_compared(notation: &str, settings: &[&str], changes: &[([&str; 3], &str)]) {
        assert_eq!(fact(notation, settings, None), None);
        for (change, words) in changes {
            let found = fact(notation, settings, Some(*change)).unwrap_or_default();
            assert!(found.contains(words), "{change:?}: {found}");
        }
    }

    /// Needs slang, which `make setup` installs.
    #[test]
    fn users_1_what_top_node_cable_and_tables_say_is_compared_with_the_plan() {
        let (top, node) = ("mkns_2_2_2_1_top.v", "mkns_2_2_2_1_adapter_node.v");
        let (table, other) = (
            "TABLE_AB_X_0 = 32'h0040_0060",
            "TABLE_AB_X_0 = 32'h0041_0060",
        );
        #[rustfmt::skip] // one line per change
        let changes = [
            ([top, "cable_1_a_rx, {6", "cable_2_a_rx, {6"], "ab_0_0_0_0.link_rx"),
            ([top, table, other], "TABLE0_INIT`, entry 1"),
            ([top, "cable_up[1]", "cable_up[2]"], "link_up"),
            ([top, "NODE_ADDRESS(20'h00002)", "NODE_ADDRESS(20'h00003)"], "NODE_ADDRESS"),
            ([top, ".LATENCY(1)", ".LATENCY(2)"], "LATENCY"),
            ([top, "s_axis_pcie_tlast[3:2]", "s_axis_pcie_tlast[5:4]"], "tlast"),
            ([node, "tx_last[i],", "tx_bad[i],"], "link_tx"),
            ([node, ".QUEUE_FLITS(64)", ".QUEUE_FLITS(32)"], "QUEUE_FLITS"),
            (["cable.v", "a_tx[BAD]", "a_tx[LAST]"], "a_to_b.tx_bad"),
        ];
        assert_compared("MKNS(2,2,2,1)", &[], &changes);
    }

    /// Needs slang, which `make setup` installs.
    #[test]
    fn users_1_what_boards_and_serial_cables_say_is_compared_with_the_plan() {
        let (top, board) = ("mkns_1_3_1_1_top.v", "mkns_1_3_1_1_adapter_board.v");
        let last = ".rx_last(block_rx[1*LINK_BITS + LAST])";
        let bad = ".rx_last(block_rx[1*LINK_BITS + BAD])";
        let own = ".s_axil_awvalid(s_axil_awvalid)";
        #[rustfmt::skip] // one line per change
        let changes = [
            ([top, "64'h8000_0002_8000_0001", "64'h8000_0001_8000_0002"], "EXPECTED_PEERS"),
            ([top, ".FLIGHT(40)", ".FLIGHT(41)"], "cable_0.FLIGHT"),
            ([top, "block_number(16'd1)", "block_number(16'd2)"], "block_number"),
            ([top, "{2{1'b1}}", "2'b01"], "line_tx_ready"),
            ([board, "EXPECTED_PEERS[0*32", "EXPECTED_PEERS[1*32"], "port_0.EXPECTED_PEER"),
            ([board, "line_rx_up(link_up[1])", "line_rx_up(link_up[0])"], "port_1.line_rx_up"),
            ([board, last, bad], "two drivers of block_rx"),
            ([board, "KIND(16'd1)", "KIND(16'd0)"], "port_0.KIND"),
            ([board, "LINKS(10'h3)", "LINKS(10'h1)"], "window.LINKS"),
            ([board, ".s_axil_awvalid(block_awvalid)", own], "node.s_axil_awvalid"),
            ([board, "reg_ready(reg_ready[0])", "reg_ready(reg_ready[2])"], "reg_ready"),
        ];
        assert_compared("MKNS(1,3,1,1)", &["link.kind=serial"], &changes);
    }

    /// Needs slang, which `make setup` installs.
    #[test]
    fn users_1_what_boards_with_a_management_unit_say_is_compared_with_the_plan() {
        let board = "mkns_1_3_1_1_adapter_board.v";
        let (own, of_unit) = (".s_axil_wdata(s_axil_wdata)", ".s_axil_wdata(window_wdata)");
        #[rustfmt::skip] // one line per change
        let changes = [
            ([board, ".message_busy(message_busy[1])", ".message_busy(message_busy[2])"], "message_busy"),
            ([board, ".message_send(message_send[0])", ".message_send(message_send[1])"], "port_0.message_send"),
            ([board, ".reg_valid(unit_valid)", ".reg_valid(reg_valid[0])"], "management.reg_valid"),
            ([board, ", .MANAGEMENT(1)", ""], "MANAGEMENT"),
            ([board, of_unit, own], "s_axil_wdata"),
        ];
        let settings = ["link.kind=serial", "link.management=in_band"];
        assert_compared("MKNS(1,3,1,1)", &settings, &changes);
    }

    /// Needs slang, which `make setup` installs.
    #[test]
    fn users_1_what_simplex_cables_say_is_compared_with_the_plan() {
        let cable = "simplex_cable.v";
        #[rustfmt::skip] // one line per change
        let changes = [
            ([cable, "a_tx[BAD]", "a_tx[LAST]"], "a_to_b.tx_bad"),
            ([cable, "b_tx[FLIT_BITS +: VCS]", "a_tx[FLIT_BITS +: VCS]"], "rx_credit"),
        ];
        assert_compared("multi_ring(3)", &[], &changes);
    }
}
