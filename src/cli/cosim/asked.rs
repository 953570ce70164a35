//! What a command line of `mkns cosim` asks for: the subject, the RTL that it needs, and the request.

use super::{BLOCK_CYCLES, Cosim, NETWORK_CYCLES};
use crate::in_band::first_host;
use crate::processors::processors;
use crate::{CommandError, load};
use mkns_cosim::{CaseFile, FaultPlan, LiveFaults, PlannedFailure, Recording, Request, Subject};
use mkns_design::Plan;
use mkns_report::TestedPart;
use mkns_rtl as rtl;
use mkns_rtl::Scope;
use mkns_traffic::Pattern;

impl Cosim {
    /// What is compared.
    pub(super) fn subject<'a>(
        &self,
        plan: &'a Plan,
        case: Option<&'a CaseFile>,
        live: &'a LiveFaults,
    ) -> Subject<'a> {
        match (case, self.block, self.flits) {
            (Some(case), ..) => Subject::Case(plan, case),
            (None, Some(TestedPart::Link), Some(flits)) => Subject::LinkFlits(&plan.spec, flits),
            (None, Some(TestedPart::Link), None) => Subject::Links(&plan.spec),
            (None, Some(block), _) => match block.kind() {
                Some(kind) => Subject::Blocks(plan, kind),
                None => Subject::Assemblies(plan),
            },
            (None, None, _) if self.flat => Subject::SingleModel(plan),
            (None, None, _) if !live.failures.is_empty() || live.in_band.is_some() => {
                Subject::FailingNetwork(plan, live)
            }
            (None, None, _) => Subject::Network(plan),
        }
    }

    /// The modules that are run.
    pub(super) fn tops(&self, plan: &Plan) -> Vec<String> {
        let name = |kind| rtl::module_name(kind).to_owned();
        match (self.block, self.block.and_then(TestedPart::kind)) {
            (_, Some(kind)) => vec![name(kind)],
            (Some(TestedPart::Link), None) => vec!["link_port".to_owned()],
            (Some(_), None) => vec![rtl::assembly_name(plan)],
            (None, None) if self.flat => vec![rtl::top_name(plan)],
            (None, None) => plan
                .modules
                .iter()
                .map(|module| match module.serial_ports {
                    0 => name(module.kind),
                    _ => rtl::board_name(plan, module),
                })
                .collect(),
        }
    }

    /// What is read of the RTL.
    pub(super) fn scope(&self, plan: &Plan) -> Scope {
        let has_boards = plan.modules.iter().any(|module| module.serial_ports != 0);
        match self.block {
            Some(TestedPart::Link) => Scope::Links,
            Some(TestedPart::Assembly) => Scope::Network,
            _ if self.flat => Scope::Network,
            None if has_boards => Scope::Network,
            _ => Scope::Blocks,
        }
    }

    /// What fails in the run, and the routes in use when a manager has to reroute around it.
    pub(super) fn live_faults(&self, plan: &Plan, cycles: u64) -> Result<LiveFaults, CommandError> {
        let parts = self.live.parts(&plan.network, cycles)?;
        let failures = parts.into_iter();
        let failures = failures.map(|(part, cycle)| PlannedFailure { part, cycle });
        let in_use = || Ok::<_, CommandError>(self.failures.build(plan.spec.clone())?.routing);
        Ok(LiveFaults {
            failures: failures.collect(),
            managed: self.live.has_manager().then(in_use).transpose()?,
            in_band: match self.live.is_in_band() {
                true => Some(first_host(plan)?),
                false => None,
            },
        })
    }

    pub(super) fn request(&self, plan: &Plan) -> Result<Request, CommandError> {
        let traffic = self.traffic.clone().unwrap_or(match self.block {
            None => vec![Pattern::Uniform],
            Some(_) => Pattern::LOCKSTEP.to_vec(),
        });
        let cycles = self
            .block
            .map_or(NETWORK_CYCLES, |_| self.backend.block_cycles(BLOCK_CYCLES));
        let cycles = self.cycles.unwrap_or(cycles);
        let threads = self.threads.map(|threads| threads as usize);
        Ok(Request {
            spec: self.spec().to_owned(),
            set: self.settings.set.clone(),
            failures: self.failures.as_words() + &self.live.as_words() + &self.cables.as_words(),
            cables: self.cables.plan(plan, cycles)?,
            traffic,
            load: load::in_thousand_cycles(self.load)?,
            cycles,
            seed: self.seed,
            fault_plan: FaultPlan {
                link_faults: self.link_faults,
                control_traffic: self.control_traffic,
            },
            threads: threads.unwrap_or_else(processors),
            trace: self.trace.clone().map(|path| Recording {
                path,
                before: self.trace_before,
                after: self.trace_after,
            }),
        })
    }
}
