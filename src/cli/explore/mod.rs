//! `mkns explore`: all networks of a size, and those of them that no other beats.

mod listed;
mod nothing_fits;

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::network_arguments::{FailureArguments, NetworkArguments};
use super::renamed;
use super::spec_arguments::Settings;
use super::sweep::{SweepOptions, Use};
use super::{Command, CommandError, Context, Format, cabling, format, picture, progress};
use listed::{Listed, chosen, ranked, remarks, with_cuts};
use mkns_diag::{TextFile, TextKind};
use mkns_explore::{
    CLOSE, EXAMPLE, Figures, KINDS, Prices, SearchLimits, bills, candidates, csv, read_prices,
    table,
};
use mkns_report::plot::{Choice, choices};
use mkns_report::simulated;
use mkns_report::simulation::Simulation;
use nothing_fits::{nothing_fits, span};

/// List the Pareto-optimal networks of a given size
#[derive(Debug, Args)]
pub struct Explore {
    /// How many hosts the network has: a number or a range such as 200..250
    #[arg(long, value_name = "A..B", alias = "vms", value_parser = range, required_unless_present = "example_prices")]
    hosts: Option<(u32, u32)>,
    /// How many hosts share an adapter block: a number or a range within 1 to 8
    #[arg(long, value_name = "A..B", alias = "vms-per-node", default_value = "1..8", value_parser = modules)]
    hosts_per_block: (u32, u32),
    /// Maximum number of network ports per block, 4 to 16
    #[arg(long, value_name = "D", default_value_t = 10, value_parser = clap::value_parser!(u32).range(4..=16))]
    ports: u32,
    /// Kinds of network [default: all]
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = KINDS)]
    kinds: Vec<String>,
    /// Price list (TOML) instead of the built-in one
    #[arg(long, value_name = "FILE.toml")]
    prices: Option<PathBuf>,
    /// Print the built-in price list, with comments, and exit
    #[arg(long, conflicts_with_all = ["hosts", "prices", "floor", "output", "simulated", "all"])]
    example_prices: bool,
    /// Floor plan (TOML): rows, racks, pitches and cable lengths (docs/reference/cabling.md)
    #[arg(long, value_name = "FILE.toml")]
    floor: Option<PathBuf>,
    /// List every network, not only the Pareto-optimal ones
    #[arg(long)]
    all: bool,
    /// How many networks are simulated: half of them Pareto-optimal and half nearly so, spread over the range of costs.
    /// With this option the defaults are --step 0.15 and --cycles 1000
    #[arg(long, value_name = "N", default_value_t = 0)]
    simulated: usize,
    #[command(flatten)]
    renamed: renamed::Simulated,
    /// Write a picture of throughput over cost
    #[arg(short, long, value_name = "FILE.svg|png", alias = "svg")]
    output: Option<PathBuf>,
    #[command(flatten)]
    sweep: SweepOptions,
}

/// The result.
#[derive(Debug, Serialize)]
struct Exploration {
    hosts: (u32, u32),
    ports: u32,
    /// Networks that have no mean path and are listed with `--all` only.
    not_compared: usize,
    networks: Vec<Listed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    simulated: Option<simulated::Comparison>,
}

impl Command for Explore {
    const FORMATS: &[Format] = format::LINES;

    fn run(&self, context: &Context) -> Result<(), CommandError> {
        self.sweep.check(if self.simulated > 0 {
            Use::Sweep
        } else {
            Use::Nothing
        })?;
        let Some(hosts) = self.hosts.filter(|_| !self.example_prices) else {
            return context.document(EXAMPLE);
        };
        picture::ensure_writable("--output", self.output.as_ref())?;
        let found = self.measure(hosts, context)?;
        let networks = ranked(found);
        self.write_picture(hosts, &networks, context)?;
        let simulated = self.simulated(&networks, context)?;
        let not_compared = networks.iter().filter(|listed| !listed.is_compared);
        let not_compared = not_compared.count();
        let listed = networks.into_iter();
        let listed = listed.filter(|listed| self.all || listed.unbeaten);
        let exploration = Exploration {
            simulated,
            hosts,
            ports: self.ports,
            not_compared,
            networks: with_cuts(listed.collect(), context),
        };
        let networks = || exploration.networks.iter();
        let listed: Vec<&Figures> = networks().map(|listed| &listed.figures).collect();
        let csv = || {
            let unbeaten: Vec<bool> = networks().map(|listed| listed.unbeaten).collect();
            csv(&listed, &unbeaten)
        };
        context.table(self.text(&listed, &exploration), csv, &exploration)
    }
}

impl Explore {
    /// The figures of all networks that fit.
    fn measure(&self, hosts: (u32, u32), context: &Context) -> Result<Vec<Figures>, CommandError> {
        let prices = self.price_list()?;
        let floor = cabling::floor_plan(self.floor.as_ref())?;
        let is_wanted =
            |kind: &&str| self.kinds.is_empty() || self.kinds.iter().any(|wanted| wanted == kind);
        let wanted = SearchLimits {
            hosts,
            vms_per_node: self.hosts_per_block,
            ports: self.ports,
            kinds: KINDS.into_iter().filter(is_wanted).collect(),
        };
        let fitting = candidates(&wanted);
        if fitting.is_empty() {
            return Err(nothing_fits(&wanted));
        }
        let bar = progress::bar(context, "measuring", "networks", fitting.len() as u64);
        let figures = Figures::of_all(&fitting, &floor, &prices, || bar.inc(1));
        bar.finish_and_clear();
        Ok(figures?)
    }

    fn price_list(&self) -> Result<Prices, CommandError> {
        let Some(path) = &self.prices else {
            return Ok(read_prices("built-in price list", EXAMPLE)?);
        };
        let text = TextFile::new(path, TextKind::Toml).read()?;
        Ok(read_prices(&path.display().to_string(), &text)?)
    }

    fn write_picture(
        &self,
        hosts: (u32, u32),
        networks: &[Listed],
        context: &Context,
    ) -> Result<(), CommandError> {
        let Some(path) = &self.output else {
            return Ok(());
        };
        // Networks without a bound have no place in the picture.
        let choice = |listed: &Listed| {
            Some(Choice {
                kind: listed.figures.kind,
                name: listed.figures.notation.clone(),
                cost: listed.figures.cost_per_host(),
                throughput: listed.figures.throughput_bound?,
                is_unbeaten: listed.unbeaten,
            })
        };
        let mut drawn: Vec<Choice> = networks.iter().filter_map(choice).collect();
        let place = |kind: &str| KINDS.iter().position(|known| *known == kind);
        drawn.sort_by_key(|choice| place(choice.kind));
        let title = format!(
            "Networks of {}, blocks of at most {} ports",
            span(hosts),
            self.ports
        );
        picture::write(path, choices(&title, &drawn), context)
    }

    /// The short list under traffic.
    fn simulated(
        &self,
        networks: &[Listed],
        context: &Context,
    ) -> Result<Option<simulated::Comparison>, CommandError> {
        let chosen = chosen(networks, self.simulated);
        if chosen.is_empty() {
            return Ok(None);
        }
        let chosen = chosen.into_iter().map(|listed| &listed.figures);
        let arguments = chosen.map(|figures| {
            let settings = Settings {
                set: figures.settings.clone(),
            };
            NetworkArguments::new(settings.of(&figures.notation), FailureArguments::default())
        });
        let arguments: Vec<NetworkArguments> = arguments.collect();
        let simulations = self.sweep.coarse().run(&arguments, context)?;
        let row = |(arguments, simulation): (&NetworkArguments, &Simulation)| {
            let spec = arguments.spec.parse()?;
            Ok(simulated::SimulatedNetwork::new(&spec, simulation, None))
        };
        let rows = arguments.iter().zip(&simulations).map(row);
        let rows = rows.collect::<Result<_, CommandError>>()?;
        Ok(Some(simulated::Comparison::new(&simulations, rows)))
    }

    fn text(&self, listed: &[&Figures], exploration: &Exploration) -> String {
        let what = match self.all {
            true => "all networks",
            false => "Pareto-optimal networks by cost, mean path and throughput",
        };
        let left_out = if self.all {
            0
        } else {
            exploration.not_compared
        };
        let mut text = format!(
            "{}, cheapest first ({})\n\n{}{}\nmean path: cables between adapter blocks; survives: any N failed cables, of blocks: \
             any N failed blocks, adapter blocks among them; bound: flits per host and cycle, uniform traffic to all other hosts\n\ncables by length\n{}",
            what,
            listed.len(),
            table(listed),
            remarks(&exploration.networks, left_out),
            bills(listed),
        );
        if let Some(simulated) = &exploration.simulated {
            text += &format!(
                "\nsimulated: the unbeaten networks, and those that a bound higher by at most {:.0} % would \
                 make unbeaten: {}",
                100.0 * CLOSE,
                simulated.to_text()
            );
        }
        text
    }
}

/// Most hosts that are looked for.
const MOST_HOSTS: u32 = 16_384;

/// `160` or `200..250`.
fn range(text: &str) -> Result<(u32, u32), String> {
    range_within(text, (2, MOST_HOSTS), "160 or 200..250")
}

/// `2` or `1..4`.
fn modules(text: &str) -> Result<(u32, u32), String> {
    range_within(text, (1, 8), "2 or 1..4")
}

fn range_within(
    text: &str,
    (lowest, highest): (u32, u32),
    example: &str,
) -> Result<(u32, u32), String> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    let number = |text: &str| text.trim().parse::<u32>();
    match (number(least), number(most)) {
        (Ok(least), Ok(most)) if (lowest..=most).contains(&least) && most <= highest => {
            Ok((least, most))
        }
        _ => Err(format!(
            "use a number or a range of numbers from {lowest} to {highest}, such as {example}"
        )),
    }
}
