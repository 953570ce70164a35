//! `mkns reroute`: the register writes that reroute a running network around failed parts.

use std::path::PathBuf;

use clap::Args;

use super::network_arguments::FailureArguments;
use super::reroute_forms::Forms;
use super::spec_arguments::SpecArguments;
use super::{Command, CommandError, Context, Format, format};
use mkns_design::{self as design, Plan, Purpose};
use mkns_manage as manage;
use mkns_topology::{self as topology, Faults};

/// Print the register writes that reroute around failed parts
#[derive(Debug, Args)]
pub struct Reroute {
    #[command(flatten)]
    spec: SpecArguments,
    /// A failed part that the routes in use already avoid, named as for --down; can be repeated
    #[arg(long, value_name = "NAME")]
    from_down: Vec<String>,
    /// Read the routes in use from this file (routes.csv of `mkns generate`)
    #[arg(long, value_name = "FILE.csv")]
    from_routes: Option<PathBuf>,
    #[command(flatten)]
    failures: FailureArguments,
}

impl Command for Reroute {
    const FORMATS: &[Format] = format::DATA;

    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let spec = self.spec.parse()?;
        let before = FailureArguments::of(self.from_down.clone(), self.from_routes.clone());
        let old = before.build(spec.clone())?;
        let new = self.failures.build(spec.clone())?;
        let network = topology::build(&spec);
        design::ensure_supported(&spec, &network, Purpose::Rtl)?;
        let plan = Plan::with_faults(&spec, network, Faults::none(), old.routing.clone());
        let found = manage::Reroute::new(&plan, &new.faults, &old.routing, &new.routing);
        let from = before.as_words().replace(" --", " --from-");
        let title = self.spec.title() + &from + &self.failures.as_words();
        let forms = Forms::new(&title, &plan.spec.name, &plan.network, &found);
        if found.is_empty() {
            context.summary("nothing changes: these routes are in use");
        }
        match context.format() {
            Format::Csv => context.document(forms.csv()),
            Format::C => context.document(forms.c()),
            Format::Text if found.is_empty() => Ok(()),
            Format::Text | Format::Json => context.result(forms.text(), &forms),
        }
    }
}
