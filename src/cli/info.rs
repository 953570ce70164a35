//! `mkns info`: the numbers of a network, formula beside graph.

use clap::Args;

use serde::Serialize;

use super::{Command, CommandError, Context};
use crate::design::ZeroLoadLatency;
use crate::routing::AddressLayout;
use crate::spec::NetworkSpec;
use crate::topology::metrics::{self, Metrics};
use crate::{spec, topology};

/// Print the numbers of a network: the paper's formula beside the measured graph
#[derive(Debug, Args)]
pub struct Info {
    /// TOML file or notation such as "MKNS(2,4,2,1)"
    spec: String,
}

/// What `--format json` prints.
#[derive(Debug, Serialize)]
struct Report {
    #[serde(flatten)]
    metrics: Metrics,
    /// Cycles.
    zero_load_latency: ZeroLoadLatency,
    /// Host to host between the farthest nodes, cycles.
    farthest_hosts: u32,
    address: AddressLayout,
}

impl Command for Info {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let report = Report::new(&spec::parse(&self.spec)?);
        context.result(report.to_text(), &report)
    }
}

impl Report {
    fn new(spec: &NetworkSpec) -> Self {
        let metrics = metrics::measure(spec, &topology::build(spec));
        let latency = ZeroLoadLatency::new(&spec.block);
        let diameter = metrics.row("diameter").and_then(|row| row.measured);
        Self {
            zero_load_latency: latency,
            farthest_hosts: latency.host_to_host(diameter.unwrap_or(0) as u32),
            address: AddressLayout::of(&spec.kind),
            metrics,
        }
    }

    fn to_text(&self) -> String {
        let latency = &self.zero_load_latency;
        let fields: Vec<_> = (self.address.fields.iter())
            .filter(|field| field.bits > 0)
            .map(|field| {
                format!(
                    "{} {}:{}",
                    field.name,
                    field.offset + field.bits - 1,
                    field.offset
                )
            })
            .collect();
        format!(
            "{}\n  zero load, cycles: block {}, cable {}, host to host {} to {}\n  address bits: {}\n",
            self.metrics.to_text(),
            latency.block,
            latency.cable,
            latency.host_to_host(0),
            self.farthest_hosts,
            fields.join(", "),
        )
    }
}
