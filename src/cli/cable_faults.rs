//! `--cable-errors`, `--unplug` and `--swap`: what happens to serial cables in a run.

use clap::Args;

use super::CommandError;
use mkns_cosim::{CableFaultPlan, Swapped, Unplugged};
use mkns_design::{Plan, serial_link};
use mkns_diag::{Code, shell_word};
use mkns_topology::{Faults, Part};

/// Most bit errors that a line is given: beyond that links do not stay up.
const MOST_ERRORS: f64 = CableFaultPlan::MOST_ERRORS;

/// What happens to serial cables.
#[derive(Debug, Clone, Default, Args)]
pub struct CableFaults {
    /// Corrupt the bits of every serial line at this rate, such as 1e-5; at most 0.001
    #[arg(long, value_name = "RATE", conflicts_with_all = ["block", "flat"])]
    cable_errors: Option<f64>,
    /// Unplug a serial cable in this cycle of traffic and plug it in again in the second one: ab_0_0_0_0/2@5000..20000;
    /// without a second cycle it stays unplugged. Cables are named as for --down; can be repeated
    #[arg(long, value_name = "CABLE@CYCLE[..CYCLE]", conflicts_with_all = ["block", "flat", "fail"])]
    unplug: Vec<String>,
    /// Exchange two serial cables: unplug their second ends in this cycle of traffic, and plug each into the other's
    /// socket in the second cycle: ab_0_0_0_0/2,ab_1_0_0_0/2@5000..15000; can be repeated
    #[arg(long, value_name = "CABLE,CABLE@CYCLE..CYCLE", conflicts_with_all = ["block", "flat", "fail"])]
    swap: Vec<String>,
}

impl CableFaults {
    pub fn is_none(&self) -> bool {
        self.cable_errors.is_none() && self.unplug.is_empty() && self.swap.is_empty()
    }

    /// The first option that is given.
    pub fn option(&self) -> &'static str {
        match (self.cable_errors, self.unplug.is_empty()) {
            (Some(_), _) => "--cable-errors",
            (None, false) => "--unplug",
            (None, true) => "--swap",
        }
    }

    /// As words of a command line.
    pub fn as_words(&self) -> String {
        let errors = self
            .cable_errors
            .map(|rate| format!(" --cable-errors {rate}"));
        let unplug = self.unplug.iter().map(|one| ("unplug", one));
        let moved = unplug.chain(self.swap.iter().map(|one| ("swap", one)));
        let moved = moved.map(|(option, one)| format!(" --{option} {}", shell_word(one)));
        errors.into_iter().chain(moved).collect()
    }

    /// All of it, in a run of `cycles` cycles of traffic.
    pub fn plan(&self, plan: &Plan, cycles: u64) -> Result<CableFaultPlan, CommandError> {
        if !self.is_none() && plan.modules.iter().all(|module| module.serial_ports == 0) {
            let why = "without serial links: add `--set link=serial`";
            return Err(CommandError::no_effect(self.option(), why));
        }
        let rate = self.cable_errors.unwrap_or(0.0);
        if !(0.0..=MOST_ERRORS).contains(&rate) {
            let fact = format!("`--cable-errors {rate}` is out of range: 0 to {MOST_ERRORS}");
            let remedy = "give a rate such as 1e-5";
            return Err(CommandError::new(Code::OutOfRange, fact, remedy));
        }
        let unplugged = self.unplug.iter().map(|text| unplugged(text, plan, cycles));
        let swapped = self.swap.iter().map(|text| swapped(text, plan, cycles));
        Ok(CableFaultPlan {
            bit_error_rate: rate,
            unplugged: unplugged.collect::<Result<_, _>>()?,
            swapped: swapped.collect::<Result<_, _>>()?,
        })
    }
}

fn unplugged(text: &str, plan: &Plan, cycles: u64) -> Result<Unplugged, CommandError> {
    let option = format!("--unplug {text}");
    let shape = || {
        let fact = format!("`{option}` does not say which plug is pulled, and when");
        let remedy = "write it as `ab_0_0_0_0/2@5000..20000`";
        CommandError::new(Code::CommandLine, fact, remedy)
    };
    let (name, times) = text.rsplit_once('@').ok_or_else(shape)?;
    let (from, to) = match times.split_once("..") {
        None => (times, None),
        Some((from, to)) => (from, Some(to)),
    };
    let number = |text: &str| text.parse::<u64>().map_err(|_| shape());
    let (from, to) = (number(from)?, to.map(number).transpose()?);
    let last = to.unwrap_or(from);
    ensure_in_run(&option, last, cycles)?;
    if to.is_some_and(|to| to <= from) {
        let fact = format!("`{option}`: the plug is put in before it is pulled");
        let remedy = "give a later second cycle";
        return Err(CommandError::new(Code::OutOfRange, fact, remedy));
    }
    let cable = cable(&option, name, plan)?;
    Ok(Unplugged { cable, from, to })
}

fn swapped(text: &str, plan: &Plan, cycles: u64) -> Result<Swapped, CommandError> {
    let option = format!("--swap {text}");
    let shape = || {
        let fact = format!("`{option}` does not say which two plugs change places, and when");
        let remedy = "write it as `ab_0_0_0_0/2,ab_1_0_0_0/2@5000..15000`";
        CommandError::new(Code::CommandLine, fact, remedy)
    };
    let (names, times) = text.rsplit_once('@').ok_or_else(shape)?;
    let (one, other) = names.split_once(',').ok_or_else(shape)?;
    let (from, to) = times.split_once("..").ok_or_else(shape)?;
    let number = |text: &str| text.parse::<u64>().map_err(|_| shape());
    let (from, to) = (number(from)?, number(to)?);
    ensure_in_run(&option, to, cycles)?;
    let least = Swapped::LEAST_CYCLES;
    if to < from.saturating_add(least) {
        let fact = format!(
            "`{option}`: the plugs are out for fewer than {least} cycles, and link ports may not notice"
        );
        let remedy = "give a later second cycle";
        return Err(CommandError::new(Code::OutOfRange, fact, remedy));
    }
    let cables = [cable(&option, one, plan)?, cable(&option, other, plan)?];
    if cables[0] == cables[1] {
        let fact = format!("`{option}` names one cable twice");
        let remedy = "name two cables";
        return Err(CommandError::new(Code::CommandLine, fact, remedy));
    }
    Ok(Swapped { cables, from, to })
}

fn ensure_in_run(option: &str, cycle: u64, cycles: u64) -> Result<(), CommandError> {
    if cycle < cycles {
        return Ok(());
    }
    let fact = format!("`{option}`: the run has the cycles 0 to {}", cycles - 1);
    let remedy = "give an earlier cycle, or a longer run with `--cycles`";
    Err(CommandError::new(Code::OutOfRange, fact, remedy))
}

/// A serial cable by its name.
fn cable(option: &str, name: &str, plan: &Plan) -> Result<u32, CommandError> {
    let faults = Faults::named(&plan.network, [name])?;
    let part = faults.parts().next();
    let is_serial = |number: &u32| {
        let cable = &plan.network.cables[*number as usize];
        serial_link(&plan.spec, cable).is_some()
    };
    match part {
        Some(Part::Cable(number)) if is_serial(&number) => Ok(number),
        _ => {
            let fact = format!("`{option}`: {name} is no serial cable");
            let remedy =
                "name a cable of a dimension with serial links (`mkns cabling` lists them all)";
            Err(CommandError::new(Code::CommandLine, fact, remedy))
        }
    }
}
