//! A matrix of a regression file: lists whose every combination is a case.

use schemars::{JsonSchema, json_schema};
use serde::Deserialize;
use toml::Value;

use super::values::{flags, numbers, settings, together, words};
use mkns_jobs::runs_of;
use mkns_report::{Case, CaseOptions, TestedPart};
use mkns_traffic::Pattern;

/// The keys of a matrix as they stand in the file. The options have the names of those of `mkns cosim`; of an option a
/// value or a list of alternatives is given.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Notations, or paths of TOML files from the folder of this file.
    #[serde(default)]
    pub specs: Vec<String>,
    #[serde(default)]
    #[schemars(with = "Vec<String>", extend("items" = {"type": "string", "enum": TestedPart::NAMES}))]
    pub parts: Vec<TestedPart>,
    #[serde(default)]
    #[schemars(with = "Vec<String>", extend("items" = {"type": "string", "enum": Pattern::LOCKSTEP}))]
    pub traffic: Vec<Pattern>,
    /// How many seeds, from the first one on, or the seeds themselves.
    pub seeds: Option<Seeds>,
    pub cycles: Option<u64>,
    /// Flits of a host per cycle; only for networks.
    #[serde(default = "default_load")]
    pub load: Vec<f64>,
    /// Folder that the RTL is read from; as generated where there is none.
    pub rtl: Option<String>,
    /// Saved cases (`cosim --shrink`) instead of specs, by their paths from the folder of this file.
    #[serde(default)]
    pub case: Vec<String>,
    /// Settings of the spec: a list of alternatives, each a text or a list of texts, or a table of lists whose every
    /// combination is an alternative.
    #[schemars(schema_with = "alternatives_schema")]
    pub set: Option<Value>,
    /// Networks only.
    #[schemars(with = "Option<OneOrList<bool>>")]
    pub link_faults: Option<Value>,
    /// Networks only.
    #[schemars(with = "Option<OneOrList<bool>>")]
    pub control_traffic: Option<Value>,
    /// Parts that fail in a run; part `network` only.
    #[schemars(schema_with = "alternatives_schema")]
    pub fail: Option<Value>,
    /// Where parts fail.
    #[schemars(with = "Option<OneOrList<bool>>")]
    pub manager: Option<Value>,
    /// Networks with serial links only.
    #[schemars(with = "Option<OneOrList<f64>>")]
    pub cable_errors: Option<Value>,
    /// Lone blocks only: verilator, icarus.
    #[schemars(with = "Option<OneOrList<String>>")]
    pub simulator: Option<Value>,
    /// Lone blocks only: ecp5, xilinx.
    #[schemars(with = "Option<OneOrList<String>>")]
    pub netlist: Option<Value>,
}

/// What the schema says of an option.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "stands for a schema")]
enum OneOrList<T> {
    One(T),
    List(Vec<T>),
}

fn alternatives_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    json_schema!({ "type": ["string", "array", "object"] })
}

fn default_load() -> Vec<f64> {
    vec![0.3]
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Seeds {
    Count(u64),
    List(Vec<u64>),
}

/// A matrix whose values are understood.
#[derive(Debug, Clone)]
pub struct Matrix {
    table: Table,
    /// Saved cases, which are there once each.
    saved: Vec<Case>,
    set: Vec<Vec<String>>,
    link_faults: Vec<bool>,
    control_traffic: Vec<bool>,
    fail: Vec<Vec<String>>,
    manager: Vec<bool>,
    cable_errors: Vec<Option<f64>>,
    simulator: Vec<Option<String>>,
    netlist: Vec<Option<String>>,
}

impl Matrix {
    /// A matrix of specs, or with the cases that it names.
    ///
    /// # Errors
    /// With what is wrong.
    pub fn new(table: Table, saved: Vec<Case>) -> Result<Self, String> {
        if let Some(fact) = complaint(&table) {
            return Err(fact);
        }
        let names = |name, value, all| {
            let list = words(name, value, all)?;
            Ok::<_, String>(optional(list))
        };
        let matrix = Self {
            saved,
            set: settings("set", table.set.as_ref())?,
            link_faults: flags("link_faults", table.link_faults.as_ref())?,
            control_traffic: flags("control_traffic", table.control_traffic.as_ref())?,
            fail: together("fail", table.fail.as_ref())?,
            manager: flags("manager", table.manager.as_ref())?,
            cable_errors: optional(numbers("cable_errors", table.cable_errors.as_ref())?),
            simulator: names(
                "simulator",
                table.simulator.as_ref(),
                &["verilator", "icarus"],
            )?,
            netlist: names("netlist", table.netlist.as_ref(), &["ecp5", "xilinx"])?,
            table,
        };
        matrix.runs()?;
        Ok(matrix)
    }

    /// How many cases there are, without making them.
    pub fn runs(&self) -> Result<u64, String> {
        let table = &self.table;
        let seeds = match &table.seeds {
            None => 1,
            Some(Seeds::Count(count)) => *count,
            Some(Seeds::List(list)) => list.len() as u64,
        };
        let axes = [&table.specs.len(), &self.set.len(), &table.traffic.len()];
        let of_part = |part: &TestedPart| {
            let own = [self.loads(*part).len(), self.options(*part).len()];
            let lengths = axes.into_iter().chain(&own).map(|length| *length as u64);
            runs_of(lengths.chain([seeds]))
        };
        let each = table.parts.iter().map(of_part);
        let sum = each.sum::<Result<u64, String>>()?;
        runs_of([sum + self.saved.len() as u64])
    }

    /// Seeds count from `first_seed` where the file says how many.
    pub fn cases(&self, first_seed: u64) -> Vec<Case> {
        let table = &self.table;
        let seeds: Vec<u64> = match &table.seeds {
            None => vec![first_seed],
            Some(Seeds::Count(count)) => (0..*count).map(|n| first_seed.wrapping_add(n)).collect(),
            Some(Seeds::List(list)) => list.clone(),
        };
        let cycles = table.cycles.unwrap_or(1);
        let mut cases = self.saved.clone();
        for spec in &table.specs {
            for set in &self.set {
                for &part in &table.parts {
                    let options = self.options(part);
                    for traffic in &table.traffic {
                        for load in self.loads(part) {
                            for options in &options {
                                cases.extend(seeds.iter().map(|&seed| Case {
                                    load,
                                    rtl: table.rtl.clone(),
                                    options: CaseOptions {
                                        set: set.clone(),
                                        ..options.clone()
                                    },
                                    ..Case::new(spec, part, traffic.name(), seed, cycles)
                                }));
                            }
                        }
                    }
                }
            }
        }
        cases
    }

    /// How many seeds it counts from the first one on, if it does.
    pub fn seed_count(&self) -> u64 {
        match self.table.seeds {
            None if !self.table.specs.is_empty() => 1,
            Some(Seeds::Count(count)) => count,
            _ => 0,
        }
    }

    fn loads(&self, part: TestedPart) -> Vec<Option<f64>> {
        match part.has_load() {
            true => self.table.load.iter().copied().map(Some).collect(),
            false => vec![None],
        }
    }

    /// Combinations of the options that a part takes.
    fn options(&self, part: TestedPart) -> Vec<CaseOptions> {
        let mut all = vec![CaseOptions::default()];
        if part.has_load() {
            all = crossed(&all, &self.link_faults, |options, on| {
                options.link_faults = on
            });
            all = crossed(&all, &self.control_traffic, |options, on| {
                options.control_traffic = on;
            });
        }
        if part == TestedPart::Network {
            all = crossed(&all, &self.fail, |options, parts| options.fail = parts);
            let (calm, failing): (Vec<_>, Vec<_>) =
                all.into_iter().partition(|options| options.fail.is_empty());
            // Where nothing fails a manager has nothing to do.
            let managed = crossed(&failing, &self.manager, |options, on| options.manager = on);
            all = calm.into_iter().chain(managed).collect();
            all = crossed(&all, &self.cable_errors, |options, rate| {
                options.cable_errors = rate;
            });
        }
        if part.is_block() {
            all = crossed(&all, &self.simulator, |options, name| {
                options.simulator = name
            });
            all = crossed(&all, &self.netlist, |options, name| options.netlist = name);
        }
        all
    }
}

/// Every item with each of the values.
fn crossed<V: Clone>(
    all: &[CaseOptions],
    values: &[V],
    put: impl Fn(&mut CaseOptions, V),
) -> Vec<CaseOptions> {
    let with = |options: &CaseOptions| {
        let put = |value: &V| {
            let mut options = options.clone();
            put(&mut options, value.clone());
            options
        };
        values.iter().map(put).collect::<Vec<_>>()
    };
    all.iter().flat_map(with).collect()
}

/// No value where none was given.
fn optional<T>(list: Vec<T>) -> Vec<Option<T>> {
    match list.is_empty() {
        true => vec![None],
        false => list.into_iter().map(Some).collect(),
    }
}

/// What is wrong with a matrix beside its options, if anything.
fn complaint(table: &Table) -> Option<String> {
    if !table.case.is_empty() {
        let given = [
            ("specs", !table.specs.is_empty()),
            ("parts", !table.parts.is_empty()),
            ("traffic", !table.traffic.is_empty()),
            ("seeds", table.seeds.is_some()),
            ("cycles", table.cycles.is_some()),
        ];
        let mut given = given.into_iter().chain(options(table));
        let (key, _) = given.find(|(_, is_given)| *is_given)?;
        return Some(format!("`{key}` has no effect: a case of `case` says it"));
    }
    let no_seeds = match &table.seeds {
        None => true,
        Some(Seeds::Count(count)) => *count == 0,
        Some(Seeds::List(list)) => list.is_empty(),
    };
    let empty = [
        ("specs", table.specs.is_empty()),
        ("parts", table.parts.is_empty()),
        ("traffic", table.traffic.is_empty()),
        ("load", table.load.is_empty()),
        ("seeds", no_seeds),
    ];
    if let Some((key, _)) = empty.iter().find(|(_, empty)| *empty) {
        return Some(format!(
            "`{key}` is missing or empty: the matrix has no run"
        ));
    }
    match table.cycles {
        None => return Some("`cycles` is missing: cycles of traffic, at least 1".to_owned()),
        Some(0) => return Some("`cycles` is 0, but it must be at least 1".to_owned()),
        Some(_) => {}
    }
    let outside = |load: &&f64| !(0.001..=1.0).contains(*load);
    if let Some(load) = table.load.iter().find(outside) {
        return Some(format!(
            "`load` is {load}, but it must be 0.001 to 1: flits of a host per cycle"
        ));
    }
    let takes = |takes: fn(TestedPart) -> bool| table.parts.iter().any(|part| takes(*part));
    let idle = options(table).find(|(key, is_given)| {
        let has_effect = match *key {
            "set" => true,
            "link_faults" | "control_traffic" => takes(TestedPart::has_load),
            "simulator" | "netlist" => takes(TestedPart::is_block),
            _ => takes(|part| part == TestedPart::Network),
        };
        *is_given && !has_effect
    });
    let (key, _) = idle?;
    Some(format!("`{key}` has no effect on these `parts`"))
}

/// Options, and which are given.
fn options(table: &Table) -> impl Iterator<Item = (&'static str, bool)> {
    let options = [
        ("set", &table.set),
        ("link_faults", &table.link_faults),
        ("control_traffic", &table.control_traffic),
        ("fail", &table.fail),
        ("manager", &table.manager),
        ("cable_errors", &table.cable_errors),
        ("simulator", &table.simulator),
        ("netlist", &table.netlist),
    ];
    options
        .map(|(key, value)| (key, value.is_some()))
        .into_iter()
}
