//! The words and numbers that options of a simulation take.

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::{CommandError, load};
use mkns_diag::Code;
use mkns_jobs::{MOST_RUNS, runs_of, steps_of};
use mkns_simulation::measure::WarmUp;
use mkns_traffic::{Lengths, Pattern};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum InjectionName {
    /// With the same probability in every cycle (Bernoulli)
    Random,
    /// Several packets back to back, then a pause (on/off)
    Bursts,
    /// As soon as fewer than `--window` packets are in flight (closed loop)
    Window,
}

/// A pattern by its name.
pub fn patterns() -> impl TypedValueParser<Value = Pattern> {
    let values = Pattern::all().map(|(pattern, name, meaning)| {
        let value = PossibleValue::new(name).help(meaning);
        match pattern {
            Pattern::HotSpot { .. } => value.alias("hot-spot"),
            _ => value,
        }
    });
    let named = |name: String| match name.as_str() {
        "hot-spot" => Pattern::HOT_SPOT,
        name => Pattern::named(name).expect("one of the possible values"),
    };
    PossibleValuesParser::new(values).map(named)
}

/// The loads of a command line.
#[derive(Debug, Clone, PartialEq)]
pub enum Loads {
    List(Vec<f64>),
    Sweep(f64, f64),
}

impl Loads {
    /// Ascending; none where a sweep ends before it begins.
    pub fn values(&self, step: f64) -> Vec<f64> {
        match self {
            Self::List(list) => {
                let mut list = list.clone();
                list.sort_by(f64::total_cmp);
                list
            }
            Self::Sweep(from, to) => {
                let load = |at| from + at as f64 * step;
                let steps = steps_of((*from, *to), step).min(MOST_RUNS);
                (0..steps).map(load).collect()
            }
        }
    }

    /// Refuses more runs than a command line may ask for, with this many seeds per load.
    pub fn check_runs(&self, step: f64, seeds: u32) -> Result<(), CommandError> {
        let loads = match self {
            Self::List(list) => list.len() as u64,
            Self::Sweep(from, to) => steps_of((*from, *to), step),
        };
        let runs = runs_of([loads, u64::from(seeds)]);
        runs.map(drop).map_err(|fact| {
            let remedy = "give fewer `--seeds`, or a greater `--step`";
            CommandError::new(Code::TrafficOutOfRange, fact, remedy)
        })
    }

    /// Refuses loads that no host can create, and none at all.
    pub fn check(values: &[f64]) -> Result<(), CommandError> {
        if values.is_empty() {
            let fact = "`--load` is a sweep that ends before it begins, or `--step` is not above 0";
            let remedy = "give a sweep such as `--load 0.05..0.6 --step 0.05`";
            return Err(CommandError::new(Code::TrafficOutOfRange, fact, remedy));
        }
        values.iter().try_for_each(|value| load::check(*value))
    }
}

/// Loads: a list, or a sweep from one to another.
pub fn loads(text: &str) -> Result<Loads, String> {
    let number = |text: &str| {
        let parsed = text.trim().parse::<f64>();
        parsed.map_err(|_| format!("`{text}` is not a number"))
    };
    match text.split_once("..") {
        Some((from, to)) => Ok(Loads::Sweep(number(from)?, number(to)?)),
        None => text
            .split(',')
            .map(number)
            .collect::<Result<_, _>>()
            .map(Loads::List),
    }
}

/// Flits of packets: a number, or the shortest and longest.
pub fn lengths(text: &str) -> Result<Lengths, String> {
    let number = |text: &str| match text.trim().parse::<u32>() {
        Ok(flits) if flits > 0 => Ok(flits),
        _ => Err(format!("`{text}` is not a number of flits, at least 1")),
    };
    match text.split_once("..") {
        None => number(text).map(Lengths::Fixed),
        Some((low, high)) => match (number(low)?, number(high)?) {
            (low, high) if low <= high => Ok(Lengths::Between(low, high)),
            _ => Err(format!("`{text}` ends before it begins")),
        },
    }
}

/// `auto` or cycles.
pub fn warm_up(text: &str) -> Result<WarmUp, String> {
    if text == "auto" {
        return Ok(WarmUp::Automatic);
    }
    let cycles = text.parse().map(WarmUp::Cycles);
    cycles.map_err(|_| format!("`{text}` is neither auto nor a number of cycles"))
}
