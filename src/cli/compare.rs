//! `mkns compare`: the papers' tables, cell by cell, beside formulas, graphs and what mkns constructs;
//! and networks beside each other under traffic.

use clap::{Args, ValueEnum};

use super::info_synthesis::synthesise;
use super::network_arguments::{FailureArguments, NetworkArguments};
use super::spec_arguments::Settings;
use super::sweep::{SweepOptions, Use};
use super::{Command, CommandError, Context, progress};
use mkns_diag::{Code, Diagnostic, Exit};
use mkns_papers::{Comparison, karavay, mkns, random_shortcut, slim_fly, vtftr};
use mkns_report::figure::{self, Figure};
use mkns_report::simulated;
use mkns_report::simulation::Simulation;

/// Compare papers' tables with what mkns constructs, or networks by simulation
#[derive(Debug, Args)]
pub struct Compare {
    /// Compare the tables of this paper with the networks that mkns builds
    #[arg(long, value_enum, default_value_t = Paper::Mkns)]
    paper: Paper,
    /// Compare only this table
    #[arg(long, value_name = "N")]
    table: Option<u32>,
    /// Recompute figures 2 to 16 of random-shortcut instead, or those named; all of them take some minutes
    #[arg(long, value_name = "N,N", conflicts_with = "table", num_args = 0..=1, value_delimiter = ',', require_equals = true)]
    figures: Option<Vec<u32>>,
    /// Compare networks instead: cost, latency and throughput under simulated traffic
    #[arg(long, conflicts_with_all = ["paper", "table", "figures"])]
    simulate: bool,
    /// Networks to simulate, as TOML files or notations [default: MKNS, KNS, torus and fat tree of 160 hosts]
    #[arg(value_name = "SPEC", requires = "simulate")]
    specs: Vec<String>,
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    failures: FailureArguments,
    /// Count the logic cells of the blocks with Yosys as well; takes minutes per kind of block
    #[arg(long, requires = "simulate")]
    synthesis: bool,
    #[command(flatten)]
    sweep: SweepOptions,
}

/// The papers whose tables are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Paper {
    /// Basalov & Malykh: MKNS beside torus and fat tree, tables 1 to 7
    Mkns,
    /// Karavay & Podlazov: multi-ring, hypercube, block designs
    Karavay,
    /// Koibuchi et al.: random shortcut topologies, tables 1 and 2, diameters of the text, latency and throughput
    /// beside torus, mesh and hypercube, with fixed paths and adaptive (simulated: some seconds)
    RandomShortcut,
    /// Blach et al.: Slim Fly, the machine of q = 5, the formulas, 200 hosts under traffic beside MKNS, torus and fat
    /// tree (simulated: some seconds)
    SlimFly,
    /// Liu et al.: routing around failed parts, latency, probabilities, throughput (simulated: a minute)
    Vtftr,
}

impl Command for Compare {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        if self.simulate {
            self.sweep.check(Use::Sweep)?;
        } else {
            self.settings.refused("no network is simulated")?;
            self.failures.refused("no network is simulated")?;
            self.sweep.check(Use::Nothing)?;
        }
        match self.paper {
            _ if self.simulate => self.compare_simulated(context),
            _ if self.figures.is_some() => self.show_figures(context),
            Paper::Mkns => self.compare_mkns(context),
            Paper::Karavay => self.compare_tables(karavay::compare(), context),
            Paper::RandomShortcut => self.compare_simulating(random_shortcut::compare, context),
            Paper::SlimFly => self.compare_simulating(slim_fly::compare, context),
            Paper::Vtftr => self.compare_simulating(vtftr::compare, context),
        }
    }
}

impl Compare {
    fn compare_mkns(&self, context: &Context) -> Result<(), CommandError> {
        let all: Vec<u32> = (1..=7).collect();
        let tables = mkns::tables(&self.table.map_or(all, |number| vec![number]));
        if tables.is_empty() {
            return Err(unknown_table(self.table.unwrap_or(0)));
        }
        let texts: Vec<String> = tables.iter().map(mkns::Table::to_text).collect();
        let text = texts.join("\n") + LEGEND;
        let unexplained: usize = tables.iter().map(mkns::Table::unexplained).sum();
        if unexplained == 0 {
            return context.result(text, &tables);
        }
        let fact =
            format!("{unexplained} cell(s) differ from formula or graph without a known reason");
        let remedy = "a formula or a topology has changed: find out which, and whether it is right";
        let mut verdict = context.verdict(Exit::CheckFailed, text, &tables);
        let found = Diagnostic::new(Code::PaperTableDiffers, fact, remedy);
        verdict.diagnostics.insert(0, found);
        Err(verdict)
    }

    fn show_figures(&self, context: &Context) -> Result<(), CommandError> {
        if self.paper != Paper::RandomShortcut {
            let beside = "without `--paper random-shortcut`";
            return Err(CommandError::no_effect("--figures", beside));
        }
        let named = self.figures.as_deref().unwrap_or_default();
        let unknown = named
            .iter()
            .find(|number| !random_shortcut::FIGURES.contains(*number));
        if let Some(number) = unknown {
            let fact = format!("figure {number} of the paper is not known here");
            let remedy = "name figures 2 to 16, for example `--figures=9,12`";
            return Err(CommandError::new(Code::NoSuchTable, fact, remedy));
        }
        let all: Vec<u32> = random_shortcut::FIGURES.collect();
        let figures = shortcut_figures(if named.is_empty() { &all } else { named }, context);
        context.result(figure::to_text(&figures), &figures)
    }

    fn compare_simulated(&self, context: &Context) -> Result<(), CommandError> {
        let texts: Vec<&str> = match self.specs.is_empty() {
            true => simulated::DEFAULT_NETWORKS.to_vec(),
            false => self.specs.iter().map(String::as_str).collect(),
        };
        let network =
            |text: &str| NetworkArguments::new(self.settings.of(text), self.failures.clone());
        let specs: Vec<_> = texts.into_iter().map(network).collect();
        let simulations = self.sweep.run(&specs, context)?;
        let row = |(spec, simulation): (&NetworkArguments, &Simulation)| {
            let spec = spec.spec.parse()?;
            let synthesis = self.synthesis.then(|| synthesise(&spec, context));
            let comb = synthesis.transpose()?.map(|synthesis| synthesis.comb());
            Ok(simulated::SimulatedNetwork::new(&spec, simulation, comb))
        };
        let rows = specs.iter().zip(&simulations).map(row);
        let rows = rows.collect::<Result<_, CommandError>>()?;
        let comparison = simulated::Comparison::new(&simulations, rows);
        context.result(comparison.to_text(), &comparison)
    }

    /// Makes the wanted tables alone: some take a minute.
    fn compare_simulating(
        &self,
        compare: fn(&dyn Fn(u32) -> bool) -> Comparison,
        context: &Context,
    ) -> Result<(), CommandError> {
        let spinner = progress::spinner(context, "routing and simulating");
        let is_wanted = |number| self.table.is_none_or(|table| table == number);
        let tables = compare(&is_wanted);
        drop(spinner);
        self.compare_tables(tables, context)
    }

    fn compare_tables(
        &self,
        mut comparison: Comparison,
        context: &Context,
    ) -> Result<(), CommandError> {
        if let Some(number) = self.table {
            let tables = comparison.tables.into_iter();
            let chosen = tables.filter(|table| table.number == number).collect();
            comparison = Comparison::new(comparison.paper, chosen);
            if comparison.tables.is_empty() {
                return Err(unknown_table(number));
            }
        }
        context.checked(comparison.passed, comparison.to_text(), &comparison)
    }
}

/// Figures of the paper on random shortcuts.
pub fn shortcut_figures(numbers: &[u32], context: &Context) -> Vec<Figure> {
    let drawings = random_shortcut::drawings(numbers) as u64;
    let bar = progress::bar(context, "drawing", "figures", drawings);
    let figures = random_shortcut::figures(numbers, || bar.inc(1));
    bar.finish_and_clear();
    figures
}

const LEGEND: &str = "\n  F: the formula gives what is printed; G: the graph does; -: neither\n";

fn unknown_table(number: u32) -> CommandError {
    let fact = format!("the paper has no table {number} to compare");
    let remedy = "leave `--table` out to see all of them";
    CommandError::new(Code::NoSuchTable, fact, remedy)
}
