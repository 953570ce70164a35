//! A run as asked for: the words of one `mkns cosim`.

use mkns_design::ModuleKind;
use mkns_diag::shell_word;
use serde::{Deserialize, Serialize};

/// What is compared with its golden model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TestedPart {
    /// The whole network, block by block.
    Network,
    /// The generated top as one model.
    Flat,
    Switch,
    Adapter,
    Assembly,
    /// Splitter and combiner of a distributed switch.
    #[serde(rename = "rok")]
    Pok,
    /// Terminal of a distributed switch.
    Terminal,
    /// Two link ports over a cable that makes errors.
    Link,
    /// The management unit of a board, without its links; only `mutate` takes it.
    #[serde(skip_deserializing)]
    Management,
}

impl TestedPart {
    /// The name in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::Flat => "flat",
            Self::Switch => "switch",
            Self::Adapter => "adapter",
            Self::Assembly => "assembly",
            Self::Pok => "rok",
            Self::Terminal => "terminal",
            Self::Link => "link",
            Self::Management => "management",
        }
    }

    /// Names of all parts.
    pub const NAMES: [&str; 8] = [
        "network", "flat", "switch", "adapter", "assembly", "rok", "terminal", "link",
    ];

    /// The kind of block module, if it is one.
    pub fn kind(self) -> Option<ModuleKind> {
        match self {
            Self::Switch => Some(ModuleKind::Switch),
            Self::Adapter => Some(ModuleKind::Adapter),
            Self::Pok => Some(ModuleKind::Pok),
            Self::Terminal => Some(ModuleKind::Terminal),
            Self::Network | Self::Flat | Self::Assembly | Self::Link | Self::Management => None,
        }
    }

    /// Whether it is one block module, which has a netlist and can be given to another simulator.
    pub fn is_block(self) -> bool {
        self.kind().is_some()
    }

    /// Whether hosts offer a load, which a network's do and a lone block's do not.
    pub fn has_load(self) -> bool {
        matches!(self, Self::Network | Self::Flat)
    }
}

impl From<ModuleKind> for TestedPart {
    fn from(kind: ModuleKind) -> Self {
        match kind {
            ModuleKind::Switch => Self::Switch,
            ModuleKind::Adapter => Self::Adapter,
            ModuleKind::Pok => Self::Pok,
            ModuleKind::Terminal => Self::Terminal,
        }
    }
}

/// One run as asked for: the arguments of one `mkns cosim`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Case {
    pub spec: String,
    pub part: TestedPart,
    /// As on the command line: uniform, permutation, hotspot.
    pub traffic: String,
    pub seed: u64,
    /// Cycles of traffic.
    pub cycles: u64,
    /// Flits that each host offers per cycle; only for networks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load: Option<f64>,
    /// Folder that the RTL is read from; none as generated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rtl: Option<String>,
    /// A saved case, which says all the above but the RTL, for `cosim --case`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
    #[serde(flatten)]
    pub options: CaseOptions,
}

/// Further options of `mkns cosim`, by their names there.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CaseOptions {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    #[serde(skip_serializing_if = "is_false")]
    pub link_faults: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub control_traffic: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fail: Vec<String>,
    #[serde(skip_serializing_if = "is_false")]
    pub manager: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cable_errors: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simulator: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub netlist: Option<String>,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

impl CaseOptions {
    /// As words of a command line.
    pub fn words(&self) -> Vec<String> {
        let several = |option: &str, values: &[String]| {
            let pair = |value: &String| [format!("--{option}"), value.clone()];
            values.iter().flat_map(pair).collect::<Vec<_>>()
        };
        let flag = |option: &str, given: bool| given.then(|| format!("--{option}"));
        let one = |option: &str, value: Option<String>| several(option, value.as_slice());
        let mut words = several("set", &self.set);
        words.extend(flag("link-faults", self.link_faults));
        words.extend(flag("control-traffic", self.control_traffic));
        words.extend(several("fail", &self.fail));
        words.extend(flag("manager", self.manager));
        let errors = self.cable_errors.map(|rate| rate.to_string());
        words.extend(one("cable-errors", errors));
        words.extend(one("simulator", self.simulator.clone()));
        words.extend(one("netlist", self.netlist.clone()));
        words
    }
}

impl Case {
    /// A run without further options; networks have a load of 0.3.
    pub fn new(spec: &str, part: TestedPart, traffic: &str, seed: u64, cycles: u64) -> Self {
        Self {
            spec: spec.to_owned(),
            part,
            traffic: traffic.to_owned(),
            seed,
            cycles,
            load: part.has_load().then_some(0.3),
            rtl: None,
            case: None,
            options: CaseOptions::default(),
        }
    }

    /// Names the run within its suite.
    pub fn name(&self) -> String {
        let said = |what: &str, value: Option<String>| {
            value.map_or_else(String::new, |value| format!(" {what} {value}"))
        };
        let load = said("load", self.load.map(|load| load.to_string()));
        let (rtl, case) = (
            said("rtl", self.rtl.clone()),
            said("case", self.case.clone()),
        );
        let options = self.options.words();
        let options = options.iter().map(|word| format!(" {word}"));
        format!(
            "{} {} {}{load} cycles {} seed {}{rtl}{case}{}",
            self.spec,
            self.part.name(),
            self.traffic,
            self.cycles,
            self.seed,
            options.collect::<String>()
        )
    }

    /// Arguments of `mkns`.
    pub fn arguments(&self) -> Vec<String> {
        if let Some(case) = &self.case {
            let rtl = self.rtl.iter();
            let rtl = rtl.flat_map(|rtl| ["--rtl".to_owned(), rtl.clone()]);
            let list = ["cosim", "--case", case].map(str::to_owned);
            return list.into_iter().chain(rtl).collect();
        }
        let mut list = vec!["cosim".to_owned(), self.spec.clone()];
        let mut add = |option: &str, value: &str| {
            list.push(option.to_owned());
            list.push(value.to_owned());
        };
        match self.part {
            TestedPart::Network | TestedPart::Flat => {}
            part => add("--block", part.name()),
        }
        add("--traffic", &self.traffic);
        if let Some(load) = self.load {
            add("--load", &load.to_string());
        }
        add("--cycles", &self.cycles.to_string());
        add("--seed", &self.seed.to_string());
        if let Some(rtl) = &self.rtl {
            add("--rtl", rtl);
        }
        if self.part == TestedPart::Flat {
            list.push("--flat".to_owned());
        }
        list.extend(self.options.words());
        list
    }

    /// The command that runs it again, for a shell.
    pub fn replay(&self) -> String {
        let arguments = self.arguments();
        let quoted: Vec<String> = arguments.iter().map(|word| shell_word(word)).collect();
        format!("mkns {}", quoted.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replay_line_survives_a_shell() {
        let case = Case::new("MKNS(2,4,2,1)", TestedPart::Network, "uniform", 7, 100);
        let line =
            "mkns cosim \"MKNS(2,4,2,1)\" --traffic uniform --load 0.3 --cycles 100 --seed 7";
        assert_eq!(case.replay(), line);
    }

    #[test]
    fn options_are_words_of_the_command_and_of_the_name() {
        let mut case = Case::new("small.toml", TestedPart::Network, "uniform", 1, 100);
        case.options = CaseOptions {
            set: vec!["flit_bits=128".to_owned()],
            fail: vec!["kb_y0@5".to_owned()],
            manager: true,
            cable_errors: Some(1e-5),
            ..CaseOptions::default()
        };
        let words = "--set flit_bits=128 --fail kb_y0@5 --manager --cable-errors 0.00001";
        assert!(case.arguments().join(" ").ends_with(words));
        assert!(case.name().ends_with(words), "{}", case.name());
        let text = serde_json::to_string(&case).expect("JSON");
        assert_eq!(serde_json::from_str::<Case>(&text).expect("a case"), case);
        let saved = Case {
            case: Some("cases/a.toml".to_owned()),
            rtl: Some("mine".to_owned()),
            ..case
        };
        assert_eq!(
            saved.arguments().join(" "),
            "cosim --case cases/a.toml --rtl mine"
        );
    }
}
