//! What cannot be compared, and what to do instead; runs that have compared nothing.

use super::{Cosim, Outcome};
use crate::CommandError;
use mkns_cosim::{CaseFile, FLAT_BLOCKS};
use mkns_design::{ModuleKind, Plan};
use mkns_diag::Code;
use mkns_report::TestedPart;
use mkns_topology::BlockRole;

impl Cosim {
    /// Refuses what cannot be compared.
    pub(super) fn ensure_feasible(&self, plan: &Plan) -> Result<(), CommandError> {
        let kind = self.block.and_then(TestedPart::kind);
        let reports = self.trace.is_some() || self.shrink.is_some();
        self.backend.ensure_feasible(kind, reports)?;
        self.ensure_damage_fits()?;
        if self.flits.is_some() && self.block != Some(TestedPart::Link) {
            return Err(CommandError::no_effect("--flits", "without `--block link`"));
        }
        match self.block {
            Some(block) if occurs_in(block, plan) => ensure_tables_can_be_set(block, plan),
            Some(block) => {
                let (what, remedy) = absence(block);
                let fact = format!("{} has no {what}", self.spec());
                Err(CommandError::new(Code::NoSuchBlock, fact, remedy))
            }
            None => {
                self.ensure_links_fit(plan)?;
                self.ensure_can_have_faults(plan)?;
                self.ensure_network_can_run(plan)
            }
        }
    }

    /// The serial cables in a whole top lose and damage no word, and nobody can pull them.
    fn ensure_links_fit(&self, plan: &Plan) -> Result<(), CommandError> {
        let has_links = plan.modules.iter().any(|module| module.serial_ports != 0);
        if !(self.flat && has_links && self.link_faults) {
            return Ok(());
        }
        let fact = "the serial cables of a network's top, which `--flat` runs, do not change";
        let remedy = "leave `--flat` out: boards are then compared one by one, on cables that fail";
        Err(CommandError::new(Code::OptionWithoutEffect, fact, remedy))
    }

    /// What has failed from the start stays so for the whole run of a network.
    fn ensure_damage_fits(&self) -> Result<(), CommandError> {
        if self.failures.is_none() && self.live.is_none() {
            return Ok(());
        }
        let beside = [
            (self.block.is_some(), "--block"),
            (self.flat, "--flat"),
            (self.link_faults, "--link-faults"),
            (self.shrink.is_some(), "--shrink"),
            (self.case.is_some(), "--case"),
            (self.trace.is_some() && !self.live.is_none(), "--trace"),
        ];
        let Some((_, option)) = beside.iter().find(|(given, _)| *given) else {
            return Ok(());
        };
        let damage = "`--down`, `--down-file`, `--routes` and `--fail`";
        let fact = format!("{damage} cannot be combined with `{option}`");
        let remedy = "leave one of them out: they are for networks, block by block";
        Err(CommandError::new(Code::DamageBesideOption, fact, remedy))
    }

    /// Whether a run compared outputs that nothing moved. Its faults may be all that a case is for.
    pub(super) fn is_idle(&self, case: Option<&CaseFile>, outcome: &Outcome) -> bool {
        let has_faults =
            |case: &CaseFile| case.block.is_some() || case.link_faults || case.control_traffic;
        outcome.is_idle() && !case.is_some_and(has_faults)
    }

    pub(super) fn nothing_sent(&self) -> CommandError {
        let span = format!("the co-simulation of {}", self.spec());
        let remedy = match self.case {
            Some(_) => "give the case packets, or more `cycles`",
            None => "raise `--cycles` or `--load`, or give traffic that sends in that time",
        };
        CommandError::no_packet(span, remedy)
    }

    /// A small case names its spec, which a text on standard input cannot be found by.
    pub(super) fn ensure_case_can_be_named(&self) -> Result<(), CommandError> {
        if self.shrink.is_none() || self.spec() != "-" {
            return Ok(());
        }
        let fact = "`--shrink` saves a case that names its spec, but the spec is on standard input";
        let remedy = "write the spec into a file and give its path, or leave `--shrink` out";
        Err(CommandError::new(Code::CaseOfStandardInput, fact, remedy))
    }

    fn ensure_can_have_faults(&self, plan: &Plan) -> Result<(), CommandError> {
        let distributed = plan.modules.iter().any(|module| module.kind.is_pok());
        if (self.link_faults || self.control_traffic || !self.live.is_none()) && distributed {
            let fact = "the cables and tables of a distributed switch do not change during a run";
            let remedy = "leave `--link-faults`, `--control-traffic` and `--fail` out";
            return Err(CommandError::new(
                Code::DistributedSwitchDisturbed,
                fact,
                remedy,
            ));
        }
        if self.control_traffic && !plan.spec.block.control_port {
            let fact = "`control_port` is false: there is nothing for `--control-traffic` to use";
            let remedy = "leave `--control-traffic` out, or set `control_port = true`";
            return Err(CommandError::new(Code::NoControlPorts, fact, remedy));
        }
        Ok(())
    }

    fn ensure_network_can_run(&self, plan: &Plan) -> Result<(), CommandError> {
        if self.flat {
            let blocks = plan.network.blocks.len();
            if blocks > FLAT_BLOCKS {
                let fact = format!(
                    "`--flat` builds one model of all blocks and takes at most {FLAT_BLOCKS}; {} has {blocks}",
                    self.spec()
                );
                let remedy =
                    "leave `--flat` out: then each block is an instance of its own, at any size";
                return Err(CommandError::new(Code::TooLargeForOneModel, fact, remedy));
            }
        } else if !plan.spec.block.control_port {
            let fact = "`control_port` is false: a whole network is configured through it";
            let remedy = "set `control_port = true` for the co-simulation";
            return Err(CommandError::new(Code::NoControlPorts, fact, remedy));
        }
        Ok(())
    }
}

/// A block alone gets its tables through the control port; assemblies have initial ones.
fn ensure_tables_can_be_set(block: TestedPart, plan: &Plan) -> Result<(), CommandError> {
    let has_tables = block.kind().is_some_and(|kind| !kind.is_pok());
    if plan.spec.block.control_port || !has_tables {
        return Ok(());
    }
    let fact = "`control_port` is false: a lone block is configured through it";
    let remedy = "set `control_port = true`, or check initial tables with `--flat`";
    Err(CommandError::new(Code::NoControlPorts, fact, remedy))
}

/// Whether a network has such a part.
pub(super) fn occurs_in(part: TestedPart, plan: &Plan) -> bool {
    let has = |kind| plan.modules.iter().any(|module| module.kind == kind);
    let is_leaf = |role: &BlockRole| matches!(role, BlockRole::AssemblyLeaf { .. });
    match part.kind() {
        // Every terminal holds a POK unit, also where no block is one.
        Some(ModuleKind::Pok) => has(ModuleKind::Terminal),
        Some(kind) => has(kind),
        None if part == TestedPart::Link => plan.spec.link.is_some(),
        None => plan.network.blocks.iter().any(|block| is_leaf(&block.role)),
    }
}

/// What a network without such blocks lacks, and the remedy.
fn absence(part: TestedPart) -> (&'static str, &'static str) {
    let what = match part {
        TestedPart::Adapter => "adapter blocks",
        TestedPart::Switch => "switch blocks",
        TestedPart::Assembly => "switch assemblies",
        TestedPart::Pok => "POK blocks",
        TestedPart::Link => "serial links",
        _ => "terminal blocks",
    };
    let remedy = match part {
        TestedPart::Adapter => "choose `--block terminal`, `--block rok` or `--block switch`",
        TestedPart::Switch => "choose `--block adapter`, or a network with switch blocks (S = 1)",
        TestedPart::Assembly => "choose another block, or a network with switch assemblies (S = 2)",
        TestedPart::Link => "add `--set link=serial`, or choose another block",
        _ => "choose another block, or a distributed switch",
    };
    (what, remedy)
}
