//! Placement and routing by nextpnr, and its report read back.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::tool_runner::ToolRunner;
use super::{Device, FlowError, Program};

/// What is to be placed, and how.
pub struct Placing<'a> {
    /// nextpnr of the device's family.
    pub program: Program,
    /// Device, pins and output, as that program wants them.
    pub options: Vec<String>,
    /// Clock rate to reach, MHz.
    pub mhz: f64,
    pub seed: u64,
    /// Netlist of Yosys, JSON.
    pub netlist: &'a str,
}

/// What short paths count for when a large design is placed, 10 by default: 3 % more of the clock rate of ten
/// ports. With 100 it was not routed in 25 minutes; four ports lose 3 % with 30.
const WEIGHT_OF_TIMING: [&str; 2] = ["--placer-heap-timingweight", "30"];

/// COMB of a large design. A block of four ports takes 2,600.
const LARGE: u64 = 8000;

/// Device, package and speed grade (6, 7 or 8, the fastest) for nextpnr-ecp5, and how it places a design of `comb`
/// COMB: for bitstreams and benches alike.
pub fn ecp5_options(device: Device, package: &str, speed: u32, comb: u64) -> Vec<String> {
    let speed = speed.to_string();
    let mut options = vec![device.option, "--package", package, "--speed", &speed];
    if comb > LARGE {
        options.extend(WEIGHT_OF_TIMING);
    }
    options.into_iter().map(str::to_owned).collect()
}

/// Units of one kind on the chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Utilisation {
    pub used: u64,
    pub available: u64,
}

/// The slowest path of a clock.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CriticalPath {
    pub from: String,
    pub to: String,
    /// Cells between the registers.
    pub cells: usize,
    /// Delay in cells, set-up time included, ns.
    pub logic_ns: f64,
    /// Delay in wires, ns.
    pub routing_ns: f64,
}

/// Clock rates and use of the chip after routing.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Timing {
    /// Reached clock rate of each clock, MHz.
    pub clocks: BTreeMap<String, ClockRate>,
    /// Used units of the chip by kind, those in use only.
    pub utilisation: BTreeMap<String, Utilisation>,
    /// Slowest path from register to register of the slowest clock.
    pub critical_path: Option<CriticalPath>,
}

/// Reached and wanted rate of a clock, MHz.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ClockRate {
    pub achieved: f64,
    pub constraint: f64,
}

#[derive(Deserialize)]
struct NextpnrReport {
    fmax: BTreeMap<String, ClockRate>,
    utilization: BTreeMap<String, Utilisation>,
    #[serde(default)]
    critical_paths: Vec<ReportPath>,
}

#[derive(Deserialize)]
struct ReportPath {
    from: String,
    to: String,
    path: Vec<Segment>,
}

#[derive(Deserialize)]
struct Segment {
    delay: f64,
    from: End,
    to: End,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct End {
    #[serde(default)]
    cell: Option<String>,
    #[serde(default)]
    port: Option<String>,
}

/// Places and routes; a clock that is too slow is reported in the result, not as an error.
pub fn place_and_route(runner: &ToolRunner, placing: &Placing) -> Result<Timing, FlowError> {
    let stem = format!("{}.seed{}", placing.netlist, placing.seed);
    let report = format!("{stem}.report.json");
    let mut arguments = placing.options.clone();
    let mut option = |name: &str, value: String| arguments.extend([name.to_owned(), value]);
    option("--json", placing.netlist.to_owned());
    option("--freq", placing.mhz.to_string());
    option("--seed", placing.seed.to_string());
    option("--report", report.clone());
    arguments.push("--timing-allow-fail".to_owned());
    runner.run(placing.program, &arguments, &format!("{stem}.log"))?;
    read_report(&runner.read(&report)?)
}

/// Reads the JSON of `nextpnr --report`.
pub fn read_report(text: &str) -> Result<Timing, FlowError> {
    let report: NextpnrReport =
        serde_json::from_str(text).map_err(|error| FlowError::Unreadable {
            program: Program::NextpnrEcp5,
            what: format!("report: {error}"),
        })?;
    let slowest = (report.fmax.iter()).min_by(|a, b| a.1.achieved.total_cmp(&b.1.achieved));
    let slowest = slowest.map(|(clock, _)| clock.as_str());
    let inside = |end: &str| slowest.is_some_and(|clock| end.ends_with(clock));
    let path = (report.critical_paths.iter()).find(|path| inside(&path.from) && inside(&path.to));
    Ok(Timing {
        critical_path: path.map(summary),
        clocks: report.fmax,
        utilisation: (report.utilization.into_iter())
            .filter(|(_, use_of)| use_of.used > 0)
            .collect(),
    })
}

fn summary(path: &ReportPath) -> CriticalPath {
    let delay = |routing: bool| -> f64 {
        let segments = path.path.iter();
        let wanted = segments.filter(|segment| (segment.kind == "routing") == routing);
        wanted.map(|segment| segment.delay).sum()
    };
    let name = |end: Option<&End>| match end {
        Some(End {
            cell: Some(cell),
            port,
        }) => format!("{cell}.{}", port.as_deref().unwrap_or("")),
        _ => String::new(),
    };
    CriticalPath {
        from: name(path.path.first().map(|segment| &segment.from)),
        to: name(path.path.last().map(|segment| &segment.to)),
        cells: (path.path.iter())
            .filter(|segment| segment.kind == "logic")
            .count(),
        logic_ns: rounded(delay(false)),
        routing_ns: rounded(delay(true)),
    }
}

/// Rounded to picoseconds.
fn rounded(nanoseconds: f64) -> f64 {
    (nanoseconds * 1000.0).round() / 1000.0
}

impl Timing {
    /// Rate of the slowest clock, MHz; infinite when nothing is clocked.
    pub fn fmax(&self) -> f64 {
        let rates = self.clocks.values().map(|rate| rate.achieved);
        rates.fold(f64::INFINITY, f64::min)
    }

    /// Whether every clock reaches what was asked.
    pub fn is_met(&self) -> bool {
        self.clocks
            .values()
            .all(|rate| rate.achieved >= rate.constraint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = r#"{
      "critical_paths": [
        {"from": "<async>", "to": "posedge $glbnet$clk", "path": [
          {"delay": 1.0, "from": {"cell": "x"}, "to": {"cell": "y"}, "type": "routing"}]},
        {"from": "posedge $glbnet$clk", "to": "posedge $glbnet$clk", "path": [
          {"delay": 0.5, "from": {"cell": "a", "port": "CLK"}, "to": {"cell": "a", "port": "Q"}, "type": "clk-to-q"},
          {"delay": 1.25, "from": {"cell": "a", "port": "Q"}, "to": {"cell": "b", "port": "A"}, "net": "n", "type": "routing"},
          {"delay": 0.25, "from": {"cell": "b", "port": "A"}, "to": {"cell": "b", "port": "F"}, "type": "logic"},
          {"delay": 0.75, "from": {"cell": "b", "port": "F"}, "to": {"cell": "c", "port": "DI"}, "type": "routing"},
          {"delay": 0.0, "from": {"cell": "c", "port": "DI"}, "to": {"cell": "c", "port": "DI"}, "type": "setup"}]}],
      "fmax": {"$glbnet$clk": {"achieved": 363.6, "constraint": 400.0}},
      "utilization": {"TRELLIS_COMB": {"available": 83640, "used": 12}, "DCUA": {"available": 2, "used": 0}}}"#;

    #[test]
    fn the_path_of_the_slowest_clock_is_split_into_logic_and_wires() {
        let timing = read_report(REPORT).expect("a report");
        assert_eq!(timing.fmax(), 363.6);
        assert!(!timing.is_met());
        assert_eq!(timing.utilisation.len(), 1);
        let path = timing.critical_path.expect("a path");
        assert_eq!((path.from.as_str(), path.to.as_str()), ("a.CLK", "c.DI"));
        assert_eq!((path.cells, path.logic_ns, path.routing_ns), (1, 0.75, 2.0));
    }

    #[test]
    fn other_texts_are_refused() {
        assert!(read_report("{}").is_err());
    }
}
