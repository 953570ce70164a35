//! `--fail PART@CYCLE` and `--manager`: parts that fail in a run, and who reroutes around them.

use clap::{Args, ValueEnum};

use super::CommandError;
use mkns_diag::{Code, shell_word};
use mkns_topology::{Faults, Network, Part};

/// Parts that fail in a run.
#[derive(Debug, Clone, Default, Args)]
pub struct LiveFaults {
    /// Make a part fail permanently in this cycle of traffic: kb_y2@5000; names as for --down; can be repeated. When a
    /// block fails, its cables and its hosts fail with it
    #[arg(long, value_name = "PART@CYCLE")]
    fail: Vec<String>,
    /// Run a manager that reads LINK_UP of every block and reroutes around the failures of --fail. With in-band
    /// blocks power up empty: the manager first brings them up, and reaches all of them over their cables, through
    /// the window of the first host's block
    #[arg(long, value_name = "HOW", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "control-ports")]
    manager: Option<ManagerAccess>,
}

/// How a manager reaches blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ManagerAccess {
    /// Through the control port of each
    ControlPorts,
    /// By messages over the serial links
    InBand,
}

impl LiveFaults {
    pub fn is_none(&self) -> bool {
        self.fail.is_empty() && self.manager.is_none()
    }

    pub fn has_manager(&self) -> bool {
        self.manager.is_some()
    }

    /// Whether the manager works over the cables.
    pub fn is_in_band(&self) -> bool {
        self.manager == Some(ManagerAccess::InBand)
    }

    /// Refuses a manager over the cables in a run that has no messages.
    pub fn ensure_control_ports(&self, where_not: &'static str) -> Result<(), CommandError> {
        match self.is_in_band() {
            true => Err(CommandError::no_effect("--manager=in-band", where_not)),
            false => Ok(()),
        }
    }

    /// As words of a command line.
    pub fn as_words(&self) -> String {
        let fail = self.fail.iter();
        let fail = fail.map(|failure| format!(" --fail {}", shell_word(failure)));
        let manager = self.manager.map(|access| match access {
            ManagerAccess::ControlPorts => " --manager".to_owned(),
            ManagerAccess::InBand => " --manager=in-band".to_owned(),
        });
        fail.chain(manager).collect()
    }

    /// What fails, and in which of `cycles` cycles of traffic.
    pub fn parts(&self, network: &Network, cycles: u64) -> Result<Vec<(Part, u64)>, CommandError> {
        if self.fail.is_empty() && self.has_manager() && !self.is_in_band() {
            return Err(CommandError::no_effect("--manager", "without `--fail`"));
        }
        self.planned(network, cycles)
    }

    /// What fails, and when, in a run without an end, in which more may fail later.
    pub fn open_ended(&self, network: &Network) -> Result<Vec<(Part, u64)>, CommandError> {
        self.planned(network, u64::MAX)
    }

    fn planned(&self, network: &Network, cycles: u64) -> Result<Vec<(Part, u64)>, CommandError> {
        let part = |text: &String| {
            let parsed = text.rsplit_once('@');
            let parsed = parsed.and_then(|(name, cycle)| Some((name, cycle.parse().ok()?)));
            let (name, cycle): (&str, u64) = parsed.ok_or_else(|| {
                let fact = format!("`--fail {text}` does not say what fails and when");
                CommandError::new(Code::CommandLine, fact, "write it as `kb_y2@5000`")
            })?;
            if cycle >= cycles {
                let last = cycles - 1;
                let fact = format!("`--fail {text}`: the run has the cycles 0 to {last}");
                let remedy = "give an earlier cycle, or a longer run with `--cycles`";
                return Err(CommandError::new(Code::OutOfRange, fact, remedy));
            }
            let faults = Faults::named(network, [name])?;
            let part = faults.parts().next().expect("one name is one part");
            Ok((part, cycle))
        };
        self.fail.iter().map(part).collect()
    }
}
