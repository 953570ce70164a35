//! Mutants of `management_unit`, among links, a host and a control port that do what they like.

use mkns_design::{Device, PortTable};
use mkns_sim::ModelLibrary;
use mkns_topology::BlockId;

use super::campaign::{Campaign, Kill, Selected, Subject};
use mkns_cosim::{Failure, FailureKind, ManagementRun, management_top, rtl_device};

/// Cycles of a campaign that bring a message on average.
const CYCLES_PER_MESSAGE: u64 = 40;

/// How busy links and the host are: chances per cycle, of 1000.
const KINDS: [(&str, (u32, u32)); 4] = [
    ("busy links", (50, 100)),
    ("flood", (1000, 5)),
    ("busy host", (3, 300)),
    ("both", (1000, 300)),
];

/// A management unit of four ports.
pub struct MutatedUnit;

impl Subject for MutatedUnit {
    fn ports(&self) -> PortTable {
        management_top().2
    }

    fn has_registered_outputs(&self) -> bool {
        false
    }

    fn kill(
        &self,
        campaign: &Campaign,
        library: &ModelLibrary,
        mutant: u32,
    ) -> mkns_sim::Result<Option<Kill>> {
        for seed in 1..=campaign.seeds {
            for (kind, rates) in KINDS {
                let netlist = rtl_device(library, &[BlockId(0)], seed)?;
                let rtl: Box<dyn Device> = Box::new(Selected::new(netlist, mutant));
                let run = ManagementRun {
                    messages: campaign.cycles / CYCLES_PER_MESSAGE,
                    rates,
                    seed,
                };
                if let Some((cycle, fact)) = run.run_device(rtl).difference {
                    let sort = FailureKind::Divergence;
                    let failure = Failure::sentence(sort, &campaign.block, cycle, fact);
                    return Ok(Some(Kill {
                        run: kind,
                        seed,
                        failure,
                    }));
                }
            }
        }
        Ok(None)
    }
}
