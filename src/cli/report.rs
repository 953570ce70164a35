//! `mkns report`: everything that is known of one network, as one HTML page.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::check::prove;
use super::network_arguments::{NetworkArguments, damage};
use super::sweep::{SweepOptions, Use};
use super::{Command, CommandError, Context, Format, output_path, study};
use mkns_design::{self as design, Purpose};
use mkns_diag::{Code, Diagnostic};
use mkns_report::network_page::{self, NetworkReport};
use mkns_report::plot::LinkLoads;
use mkns_report::simulation::Simulation;
use mkns_report::study_page;
use mkns_study::{Cell, Rows};
use mkns_topology::metrics;

/// Write an HTML page about SPEC: a network, or a folder of `mkns study`
#[derive(Debug, Args)]
pub struct Report {
    #[command(flatten)]
    network: NetworkArguments,
    /// File to write [default: the page, or its numbers with --format json, on standard output]
    #[arg(short, long, value_name = "FILE.html")]
    output: Option<PathBuf>,
    #[command(flatten)]
    sweep: SweepOptions,
}

impl Command for Report {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let folder = Path::new(self.network.spec.text());
        if study::is_folder(folder) {
            return self.write_study(folder, context);
        }
        let routed = self.network.build_as_given()?;
        self.sweep.check(Use::Sweep)?;
        output_path::files([("--output", self.output.as_ref())])?;
        let routing = prove(&routed, context);
        let (spec, network) = (&routed.spec, &routed.network);
        let can_simulate = design::ensure_supported(spec, network, Purpose::Simulation).is_ok();
        let simulated = can_simulate.then(|| self.simulate(context));
        let (simulation, links, unmeasured) = match simulated {
            None => (None, None, None),
            Some(Ok((simulation, links))) => (Some(simulation), links, None),
            // The page is then about the proof that failed.
            Some(Err(error)) if !routing.passed => (None, None, Some(error)),
            Some(Err(error)) => return Err(error),
        };
        let report = NetworkReport {
            spec: self.network.title(),
            metrics: metrics::measure(spec, network),
            damage: damage(&routed),
            routing,
            simulation,
            traffic_options: self.sweep.traffic_words(),
        };
        let page = || network_page::page(&report, network, links.as_ref());
        let written = self.publish(page, &report, context);
        if report.routing.passed {
            return written;
        }
        Err(unproved(
            &self.network.title(),
            unmeasured.into_iter().chain(written.err()),
        ))
    }
}

impl Report {
    /// The page of a study.
    fn write_study(&self, folder: &Path, context: &Context) -> Result<(), CommandError> {
        output_path::files([("--output", self.output.as_ref())])?;
        let unread = CommandError::io(format!("read {}", folder.display()));
        let rows = Rows::of(folder, None).map_err(&unread)?;
        let curves = mkns_study::curves(folder).map_err(&unread)?;
        let text = |row: &Vec<Cell>| row.iter().map(Cell::text).collect();
        let cells: Vec<Vec<String>> = rows.rows.iter().map(text).collect();
        let title = format!("Study {}", folder.display());
        let page = || study_page::page(&title, &rows.summary(), &curves, &rows.columns, &cells);
        self.publish(page, &rows, context)
    }

    /// A sweep, and the links at its greatest load before saturation.
    fn simulate(&self, context: &Context) -> Result<(Simulation, Option<LinkLoads>), CommandError> {
        let mut simulations = self
            .sweep
            .run(std::slice::from_ref(&self.network), context)?;
        let simulation = simulations.remove(0);
        let open = simulation.points.iter().filter(|point| !point.saturated);
        let load = open.map(|point| point.offered_load).reduce(f64::max);
        let rounded = load.map(|load| (load * 100.0).round().max(1.0) / 100.0);
        let links = rounded.map(|load| self.sweep.links(&self.network, load));
        let links = links.transpose()?.map(|(_, links)| links);
        Ok((simulation, links))
    }

    /// Writes a page to the file asked for; without one it is the result, or its numbers are.
    fn publish(
        &self,
        page: impl FnOnce() -> String,
        numbers: &impl Serialize,
        context: &Context,
    ) -> Result<(), CommandError> {
        match (&self.output, context.format()) {
            (None, Format::Text) => context.document(page()),
            (None, _) => context.result("", numbers),
            (Some(path), _) => output_path::write_and_say(path, page(), context),
        }
    }
}

/// A proof that failed, whatever else went wrong with its page.
fn unproved(title: &str, lost: impl Iterator<Item = CommandError>) -> CommandError {
    let fact = format!("the proof of the routes of {title} fails");
    let remedy = "`mkns check` with the same network lists what fails";
    let found = Diagnostic::new(Code::RoutesUnproved, fact, remedy);
    let lost = lost.flat_map(|error| error.diagnostics);
    CommandError::from(std::iter::once(found).chain(lost).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use mkns_diag::Exit;

    #[test]
    fn a_failed_proof_outweighs_what_is_lost_with_it() {
        let nothing = CommandError::no_packet("the run", "raise `--cycles`");
        let error = unproved("MKNS(2,4,2,1)", [nothing].into_iter());
        let codes: Vec<_> = error.diagnostics.iter().map(|found| found.code).collect();
        assert_eq!(
            (error.exit, codes),
            (
                Exit::CheckFailed,
                vec![Code::RoutesUnproved, Code::NothingDelivered]
            )
        );
    }
}
