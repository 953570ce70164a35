//! `mkns report`: everything that is known of one network, as one HTML page.

use std::path::PathBuf;

use clap::Args;

use super::check::prove;
use super::spec_arguments::SpecArguments;
use super::sweep::SweepOptions;
use super::{Command, CommandError, Context, Exit, Format, output_path};
use mkns_design as design;
use mkns_report::network_page::{self, NetworkReport};
use mkns_report::plot::LinkLoads;
use mkns_report::simulation::Simulation;
use mkns_report::write_whole;
use mkns_routing as routing;
use mkns_topology as topology;
use mkns_topology::{Network, metrics};

/// Write one HTML page about a network: numbers, proofs, simulation, pictures
#[derive(Debug, Args)]
pub struct Report {
    #[command(flatten)]
    spec: SpecArguments,
    /// File to write; without it the page, or with --format json its numbers, go to standard output
    #[arg(short, long, value_name = "FILE.html")]
    output: Option<PathBuf>,
    #[command(flatten)]
    sweep: SweepOptions,
}

impl Command for Report {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let spec = self.spec.parse()?;
        output_path::files([("--output", self.output.as_ref())])?;
        let network = topology::build(&spec);
        let can_simulate = design::build(&spec).is_ok();
        let routing = prove(&spec, &network, &routing::build(&spec, &network), context);
        let (simulation, links) = if can_simulate {
            let (simulation, links) = self.simulate(context)?;
            (Some(simulation), links)
        } else {
            (None, None)
        };
        let report = NetworkReport {
            spec: self.spec.title(),
            metrics: metrics::measure(&spec, &network),
            routing,
            simulation,
        };
        self.write(&report, &network, links.as_ref(), context)?;
        if report.routing.passed {
            Ok(())
        } else {
            Err(CommandError::new(Exit::CheckFailed, []))
        }
    }
}

impl Report {
    /// A sweep, and the links at its greatest load before saturation.
    fn simulate(&self, context: &Context) -> Result<(Simulation, Option<LinkLoads>), CommandError> {
        let mut simulations = self.sweep.run(std::slice::from_ref(&self.spec), context)?;
        let simulation = simulations.remove(0);
        let open = simulation.points.iter().filter(|point| !point.saturated);
        let load = open.map(|point| point.offered_load).reduce(f64::max);
        let rounded = load.map(|load| (load * 100.0).round().max(1.0) / 100.0);
        let links = rounded.map(|load| self.sweep.links(&self.spec, load));
        let links = links.transpose()?.map(|(_, links)| links);
        Ok((simulation, links))
    }

    fn write(
        &self,
        report: &NetworkReport,
        network: &Network,
        links: Option<&LinkLoads>,
        context: &Context,
    ) -> Result<(), CommandError> {
        let page = || network_page::page(report, network, links);
        let Some(path) = &self.output else {
            return match context.format() {
                Format::Text => context.document(page()),
                _ => context.result("", report),
            };
        };
        write_whole(path, page())
            .map_err(|error| CommandError::io(&format!("write {}", path.display()), &error))?;
        context.summary(format_args!("wrote {}", path.display()));
        Ok(())
    }
}
