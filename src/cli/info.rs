//! `mkns info`: the numbers of a network, formula beside graph.

use clap::Args;

use serde::Serialize;

use super::{Command, CommandError, Context};
use crate::design::ZeroLoadLatency;
use crate::routing::AddressLayout;
use crate::spec::{NetworkKind, NetworkSpec};
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
    /// Cycles; not given for distributed switches.
    #[serde(skip_serializing_if = "Option::is_none")]
    zero_load_latency: Option<ZeroLoadLatency>,
    /// Host to host between the farthest nodes, cycles.
    #[serde(skip_serializing_if = "Option::is_none")]
    farthest_hosts: Option<u32>,
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
        let is_distributed = matches!(spec.kind, NetworkKind::DistributedSwitch(_));
        let latency = (!is_distributed).then(|| ZeroLoadLatency::new(&spec.block));
        let diameter = metrics.row("diameter").and_then(|row| row.measured);
        Self {
            zero_load_latency: latency,
            farthest_hosts: latency
                .map(|latency| latency.host_to_host(diameter.unwrap_or(0) as u32)),
            address: AddressLayout::of(&spec.kind),
            metrics,
        }
    }

    fn to_text(&self) -> String {
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
        let mut out = format!("{}\n", self.metrics.to_text());
        if let (Some(latency), Some(farthest)) = (&self.zero_load_latency, self.farthest_hosts) {
            out += &format!(
                "  zero load, cycles: block {}, cable {}, host to host {} to {farthest}\n",
                latency.block,
                latency.cable,
                latency.host_to_host(0),
            );
        }
        out + &format!("  address bits: {}\n", fields.join(", "))
    }
}
