//! `mkns diversity`: which paths the layers of a network give its pairs of blocks.

use std::fmt::Write as _;

use clap::Args;
use serde::Serialize;

use super::spec_arguments::SpecArguments;
use super::{Command, CommandError, Context, Format, format};
use mkns_diag::Code;
use mkns_routing::{self as routing, Diversity as Paths};
use mkns_topology::{self as topology, Faults};

/// Layers that blocks have tables for.
const MOST_LAYERS: u32 = 8;

/// Print disjoint paths, cable load and virtual channels by number of layers
#[derive(Debug, Args)]
pub struct Diversity {
    #[command(flatten)]
    spec: SpecArguments,
    /// Layer counts to examine, each 1 to 8 [default: the spec's]
    #[arg(long, value_name = "N,N,…", value_delimiter = ',')]
    layers: Vec<u32>,
}

#[derive(Debug, Serialize)]
struct DiversityReport {
    network: String,
    routing: String,
    rows: Vec<Paths>,
}

impl Command for Diversity {
    const FORMATS: &[Format] = format::LINES;

    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let spec = self.spec.parse()?;
        let counts = match self.layers.is_empty() {
            true => vec![spec.block.layers],
            false => self.layers.clone(),
        };
        let is_wrong = |count: &&u32| !(1..=MOST_LAYERS).contains(*count);
        if let Some(wrong) = counts.iter().find(is_wrong) {
            let fact = format!("`--layers {wrong}` is out of range");
            let remedy = format!("give numbers from 1 to {MOST_LAYERS}");
            return Err(CommandError::new(Code::OutOfRange, fact, remedy));
        }
        let network = topology::build(&spec);
        if network.adapters().is_empty() {
            let fact = format!(
                "{} has no adapter blocks and one path per pair",
                self.spec.title()
            );
            let remedy = "give a network of blocks with routing tables";
            return Err(CommandError::new(Code::EngineDoesNotServe, fact, remedy));
        }
        let rows = counts.iter().map(|&layers| {
            // What engine and tables allow is the business of the spec.
            let spec = self.spec.parse_with(format!("layers={layers}"))?;
            let routes = routing::build(&spec, &network, &Faults::none())?;
            Ok(Paths::of(&network, &routes, layers))
        });
        let report = DiversityReport {
            network: self.spec.title(),
            routing: spec.routing.clone(),
            rows: rows.collect::<Result<_, CommandError>>()?,
        };
        context.table(report.to_text(), || report.to_csv(), &report)
    }
}

impl DiversityReport {
    fn to_text(&self) -> String {
        let mut text = format!(
            "{}, routing {}\n\
             layers  cables between      pairs  1 path  2 disjoint  3 or more  longest    paths/cable  channels, greedy  channels by hops\n",
            self.network, self.routing
        );
        for row in &self.rows {
            for (at, pairs) in row.by_distance.iter().enumerate() {
                let (mut layers, mut ends) = (String::new(), String::new());
                if at == 0 {
                    let used = format!("{} to {}", row.least_used, row.most_used);
                    let (longest, greedy, hops) = (row.longest, row.greedy_lanes, row.hop_lanes);
                    layers = row.layers.to_string();
                    ends = format!("{longest:>9}  {used:>13}  {greedy:>16}  {hops:>16}");
                }
                let line = format!(
                    "{layers:>6}  {:>14}  {:>9}  {:>6}  {:>10}  {:>9}{ends}",
                    pairs.distance, pairs.pairs, pairs.one, pairs.two, pairs.three_or_more
                );
                let _ = writeln!(text, "{}", line.trim_end());
            }
        }
        text
    }

    fn to_csv(&self) -> String {
        let mut text = String::from(
            "layers,distance,pairs,one,two,three_or_more,longest,least_used,most_used,greedy_lanes,hop_lanes\n",
        );
        for row in &self.rows {
            for pairs in &row.by_distance {
                let _ = writeln!(
                    text,
                    "{},{},{},{},{},{},{},{},{},{},{}",
                    row.layers,
                    pairs.distance,
                    pairs.pairs,
                    pairs.one,
                    pairs.two,
                    pairs.three_or_more,
                    row.longest,
                    row.least_used,
                    row.most_used,
                    row.greedy_lanes,
                    row.hop_lanes
                );
            }
        }
        text
    }
}
