//! `mkns export`: the network graph and its routing tables in the formats of other tools.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::spec_arguments::SpecArguments;
use super::{Command, CommandError, Context, Format, format, output_path};
use mkns_routing as routing;
use mkns_routing::{Routing, file};
use mkns_topology as topology;
use mkns_topology::{Faults, export, simulators};

/// Export the graph (JSON, GraphML, DOT, CSV) or the routing tables
#[derive(Debug, Args)]
pub struct Export {
    #[command(flatten)]
    spec: SpecArguments,
    /// What to write
    #[arg(long, value_enum)]
    to: Target,
    /// File to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Formats of the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Target {
    /// Blocks, cables and terminals
    Json,
    /// For graph tools such as Gephi, yEd and networkx
    Graphml,
    /// For Graphviz
    Dot,
    /// Cables with the paper's names of blocks; ports count from 0, as in the RTL
    Csv,
    /// Router list of BookSim 2 (topology anynet)
    Booksim,
    /// Adjacency file of CAMINOS (topology File)
    Caminos,
    /// Every entry of every routing table, as CSV: what `mkns generate` writes and `--routes` reads
    Routes,
}

impl Command for Export {
    const FORMATS: &[Format] = format::OWN;

    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let spec = self.spec.parse()?;
        output_path::files([("--output", self.output.as_ref())])?;
        let network = topology::build(&spec);
        let document = match self.to {
            Target::Json => export::json(&network),
            Target::Graphml => export::graphml(&network),
            Target::Dot => export::dot(&network),
            Target::Csv => export::cables_csv(&network),
            Target::Booksim => simulators::booksim(&spec, &network)?,
            Target::Caminos => simulators::caminos(&spec, &network)?,
            Target::Routes => {
                let Routing { layout, tables, .. } =
                    routing::build(&spec, &network, &Faults::none())?;
                file::dump(&network, &layout, &tables)
            }
        };
        let Some(path) = &self.output else {
            return context.document(document);
        };
        output_path::write_and_say(path, document, context)
    }
}
