//! Mutants of `link_port`: one end of a link is mutated, both are compared with the reference.
//!
//! One clock moves all: what only another phase of the crossings could show is not seen, such as a core that
//! says for a cycle longer that it is idle.

use mkns_cable::Faults;
use mkns_design::{Device, PortTable};
use mkns_golden::link_port::LinkParameters;
use mkns_sim::ModelLibrary;
use mkns_topology::BlockId;

use super::campaign::{Campaign, Kill, Subject};
use mkns_cosim::{
    Failure, FailureKind, LINK_EDGES as EDGES, LINK_INPUT_WORDS as INPUT_WORDS, LinkFaultSource,
    LinkJudge, LinkRun, one_clock_link, rtl_device,
};

/// Words on the way in the runs.
const FLIGHT: u32 = 20;

/// Link ports of these parameters, on one clock.
pub struct MutatedLink(LinkParameters);

impl MutatedLink {
    pub fn new(parameters: &LinkParameters) -> Self {
        // Numbers that are not 0, so that what compares them has bits to compare.
        let numbered = LinkParameters {
            network: 0x5a3c_96e1,
            block: 0x1c7b,
            port: 0x53,
            kind: 0x2d,
            ..parameters.clone()
        };
        Self(numbered.with_flight(FLIGHT))
    }

    /// Name, Verilog and pins of what is mutated.
    pub fn top(&self) -> (&'static str, String, PortTable) {
        one_clock_link(&self.0)
    }
}

impl Subject for MutatedLink {
    fn ports(&self) -> PortTable {
        self.top().2
    }

    fn kill(
        &self,
        campaign: &Campaign,
        library: &ModelLibrary,
        mutant: u32,
    ) -> mkns_sim::Result<Option<Kill>> {
        let (none, bits) = (Faults::default(), Faults::bit_errors);
        let all = Faults::of_every_kind(1e-3);
        let kinds = [
            ("bit errors", bits(1e-4), LinkFaultSource::None, 1),
            ("all faults", all, LinkFaultSource::Boards, 1),
            ("forged words", none, LinkFaultSource::ForgedWords, 1),
            ("no errors", none, LinkFaultSource::None, 1),
            // Long enough for the counters of deaths and replays, and for all numbers of sessions.
            ("held down", bits(1e-3), LinkFaultSource::Software, 25),
        ];
        for seed in 1..=campaign.seeds {
            for (run, faults, fault_source, times) in kinds {
                let rtl = OneMutated {
                    netlist: rtl_device(library, &[BlockId(0), BlockId(1)], seed)?,
                    mutant: u64::from(mutant),
                };
                let link = LinkRun {
                    parameters: self.0.clone(),
                    flight: FLIGHT,
                    cycles: times * campaign.cycles,
                    seed,
                    faults,
                    fault_source,
                    judge: LinkJudge::Reference,
                };
                let parts = link.run_device(Box::new(rtl), &mut |_| {});
                let faults = parts.report.faults.into_iter();
                let fault = faults.map(|fault| (parts.report.cycles, fault)).next();
                if let Some((cycle, fact)) = parts.difference.or(fault) {
                    let kind = FailureKind::Divergence;
                    let failure = Failure::sentence(kind, &campaign.block, cycle, fact);
                    return Ok(Some(Kill { run, seed, failure }));
                }
            }
        }
        Ok(None)
    }
}

/// Two link ports of a netlist with mutants, the first with one selected.
struct OneMutated {
    netlist: Box<dyn Device>,
    mutant: u64,
}

/// Inputs of one netlist: no edges, and the selector.
const WORDS: usize = INPUT_WORDS - EDGES + 1;

impl Device for OneMutated {
    fn step_all(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        let mut words = [0; 2 * WORDS];
        let sides = words.chunks_exact_mut(WORDS);
        for (side, (words, inputs)) in sides.zip(inputs.chunks_exact(INPUT_WORDS)).enumerate() {
            words[..WORDS - 1].copy_from_slice(&inputs[EDGES..]);
            words[WORDS - 1] = if side == 0 { self.mutant } else { 0 };
        }
        self.netlist.step_all(&words, outputs);
    }

    fn stopped(&self) -> Option<(usize, String)> {
        self.netlist.stopped()
    }
}
