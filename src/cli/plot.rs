//! `mkns plot`: pictures of networks and of what was measured on them.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::compare::shortcut_figures;
use super::network_arguments::{FailureArguments, NetworkArguments};
use super::spec_arguments::Settings;
use super::sweep::{SweepOptions, Use};
use super::{Command, CommandError, Context, Format, format, picture, study};
use mkns_diag::{Code, TextFile, TextKind};
use mkns_papers::mkns;
use mkns_papers::random_shortcut::FIGURES;
use mkns_report::plot::{self, Curve, MOST_SERIES, PathLengths, Scales};
use mkns_report::simulation::Simulation;
use mkns_topology as topology;

/// Draw latency over load, path lengths, link loads or the paper's tables
#[derive(Debug, Args)]
pub struct Plot {
    /// What to draw
    #[arg(long, value_enum)]
    kind: Kind,
    /// Networks as TOML files or notations, several per picture; for `latency` also results of `mkns sim --format json`
    /// (or csv) and folders of `mkns study`. `link-loads` draws one network, simulated or with the loads in a file that
    /// `mkns sim --links` wrote; the last three kinds take none
    #[arg(value_name = "SPEC|FILE")]
    inputs: Vec<String>,
    /// File to write; its extension selects the format [default: SVG on standard output]
    #[arg(short, long, value_name = "FILE.svg|png")]
    output: Option<PathBuf>,
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    failures: FailureArguments,
    #[command(flatten)]
    sweep: SweepOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Latency and throughput over load, from files or by simulating networks
    Latency,
    /// Share of packets by the number of blocks on their path
    PathLengths,
    /// Load of every cable of one network at `--load`, 0.3 by default
    LinkLoads,
    /// Tables 2 to 7 of the MKNS paper, printed and measured
    Tables,
    /// Figures 2 to 16 of the paper on random shortcuts, recomputed; takes some minutes
    ShortcutFigures,
    /// Goodput of a serial link over its bit error rate, in the RTL and by formula; prints the table as well
    #[cfg(feature = "cosim")]
    Goodput,
}

/// Load of the picture of links.
const LINK_LOAD: f64 = 0.3;

impl Kind {
    /// How many networks the picture shows.
    fn inputs(self) -> RangeInclusive<usize> {
        match self {
            Self::Latency | Self::PathLengths => 1..=MOST_SERIES,
            Self::LinkLoads => 1..=2,
            Self::Tables | Self::ShortcutFigures => 0..=0,
            #[cfg(feature = "cosim")]
            Self::Goodput => 0..=0,
        }
    }
}

impl Command for Plot {
    const FORMATS: &[Format] = format::OWN;

    fn run(&self, context: &Context) -> Result<(), CommandError> {
        self.check()?;
        let drawn = match self.kind {
            Kind::Latency => self.latency(context)?,
            Kind::PathLengths => plot::path_lengths(&self.path_lengths()?),
            Kind::LinkLoads => self.link_loads()?,
            Kind::ShortcutFigures => plot::figures(
                "Random shortcuts: figures 2 to 16 of the paper",
                &shortcut_figures(&FIGURES.collect::<Vec<_>>(), context),
            ),
            Kind::Tables => mkns::paper_tables(&mkns::tables(&[2, 3, 4, 5, 6, 7])),
            #[cfg(feature = "cosim")]
            Kind::Goodput => super::plot_goodput::picture(context)?,
        };
        let Some(path) = &self.output else {
            return context.document(drawn);
        };
        picture::write(path, drawn, context)
    }
}

impl Plot {
    /// Refuses what would be found out only after a long simulation.
    fn check(&self) -> Result<(), CommandError> {
        let (count, allowed) = (self.inputs.len(), self.kind.inputs());
        if !allowed.contains(&count) {
            let fact = format!("number of inputs of this picture: {count}");
            let remedy = match (*allowed.start(), *allowed.end()) {
                _ if self.kind == Kind::LinkLoads => {
                    "give one network, and a file or none".to_owned()
                }
                (0, 0) => "give none".to_owned(),
                (least, most) if least == most => format!("give {most}"),
                (least, most) => {
                    format!("give {least} to {most}; further colours would look alike")
                }
            };
            return Err(CommandError::new(Code::NothingToDraw, fact, remedy));
        }
        self.sweep.check(self.purpose())?;
        if self.kind.inputs() == (0..=0) || self.inputs.iter().all(|input| is_result(input)) {
            self.settings.refused("no network is read")?;
        }
        picture::ensure_writable("--output", self.output.as_ref())
    }

    /// A network that is simulated, with what has failed in it.
    fn network(&self, text: &str) -> NetworkArguments {
        NetworkArguments::new(self.settings.of(text), self.failures.clone())
    }

    /// What is simulated for the picture.
    fn purpose(&self) -> Use {
        match self.kind {
            Kind::Latency if self.inputs.iter().all(|input| is_result(input)) => Use::Nothing,
            Kind::Latency => Use::Sweep,
            Kind::LinkLoads if self.inputs.len() == 1 => Use::OneRun,
            Kind::LinkLoads | Kind::PathLengths => Use::Nothing,
            Kind::Tables | Kind::ShortcutFigures => Use::Nothing,
            #[cfg(feature = "cosim")]
            Kind::Goodput => Use::Nothing,
        }
    }

    fn link_loads(&self) -> Result<String, CommandError> {
        let spec = self.network(&self.inputs[0]);
        let Some(file) = self.inputs.get(1) else {
            let load = self.sweep.one_load(LINK_LOAD)?;
            let (plan, loads) = self.sweep.links(&spec, load)?;
            return Ok(plot::link_loads(&plan.network, &loads));
        };
        let network = spec.build()?.network;
        let title = format!("{}: load of links, {file}", spec.title());
        let loads = plot::read_links(file, &read(file)?, &title, &network)?;
        Ok(plot::link_loads(&network, &loads))
    }

    fn latency(&self, context: &Context) -> Result<String, CommandError> {
        let scales = match self.sweep.has_clock() {
            true => Scales::Clock,
            false => Scales::Cycles,
        };
        let is_file = |input: &String| is_result(input);
        if scales == Scales::Clock && self.inputs.iter().any(is_file) {
            let beside = "with files, which are in flits and cycles";
            return Err(CommandError::no_effect("--clock-mhz", beside));
        }
        Ok(plot::latency(&self.curves(context)?, scales))
    }

    /// In the order of the command line; all networks are simulated in one go.
    fn curves(&self, context: &Context) -> Result<Vec<Curve>, CommandError> {
        let files = self.inputs.iter().filter(|input| is_result(input));
        let files = files.map(|file| read_curves(file));
        let mut files = files.collect::<Result<Vec<_>, _>>()?.into_iter();
        let specs = self.inputs.iter().filter(|input| !is_result(input));
        let specs: Vec<_> = specs.map(|spec| self.network(spec)).collect();
        let mut simulated = self.sweep.run(&specs, context)?.into_iter();
        let next = |input: &String| {
            if is_result(input) {
                files.next().unwrap_or_default()
            } else {
                simulated.next().as_ref().map(curve).into_iter().collect()
            }
        };
        let curves: Vec<Curve> = self.inputs.iter().flat_map(next).collect();
        if curves.is_empty() || curves.len() > MOST_SERIES {
            let fact = format!("{} curves for this picture", curves.len());
            let remedy =
                format!("give 1 to {MOST_SERIES}, of a study with fewer networks and options");
            return Err(CommandError::new(Code::NothingToDraw, fact, remedy));
        }
        Ok(curves)
    }

    fn path_lengths(&self) -> Result<Vec<PathLengths>, CommandError> {
        let of_spec = |text: &String| {
            let network = topology::build(&self.settings.parse(text)?);
            if network.adapters().is_empty() {
                let fact = format!("all paths of {text} are equally long");
                let remedy = "`mkns info` gives their length";
                return Err(CommandError::new(Code::NothingToDraw, fact, remedy));
            }
            Ok(PathLengths::of(&self.settings.title(text), &network))
        };
        self.inputs.iter().map(of_spec).collect()
    }
}

/// In ns and Gb/s where a clock is given.
fn curve(simulation: &Simulation) -> Curve {
    let curve = Curve::from(simulation);
    match &simulation.clock {
        Some(clock) => curve.by_clock(clock.units),
        None => curve,
    }
}

/// Whether an input is a file of results and not a network.
fn is_result(input: &str) -> bool {
    picture::has_ending(Path::new(input), &["json", "csv"]) || study::is_folder(Path::new(input))
}

fn read(path: &str) -> Result<String, CommandError> {
    Ok(TextFile::new(Path::new(path), TextKind::Table).read()?)
}

/// Of a file one, of a study all that it has.
fn read_curves(path: &str) -> Result<Vec<Curve>, CommandError> {
    if study::is_folder(Path::new(path)) {
        return mkns_study::curves(Path::new(path))
            .map_err(CommandError::io(format!("read {path}")));
    }
    Ok(vec![plot::read_curve(path, &read(path)?)?])
}
