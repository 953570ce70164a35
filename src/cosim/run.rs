//! One way to compare anything: what is run, who runs its RTL, and what is asked.

use std::path::Path;

use super::assembly::run_assemblies;
use super::block::BlockSummary;
use super::case::CaseFile;
use super::flat::run_single_model;
use super::icarus::{run_in_icarus, run_netlists_in_icarus};
use super::link::{run_links, score_links};
use super::models::Models;
use super::netlist::Netlist;
use super::network::{LiveFaults, NetworkRun, NetworkSummary};
use super::session::{Request, RunListener, SessionError, modules_of, run_block, run_networks};
use super::stimulus::Restrictions;
use mkns_design::{BlockModule, ModuleKind, Plan};
use mkns_spec::NetworkSpec;

/// What is compared.
#[derive(Clone, Copy)]
pub enum Subject<'a> {
    /// Every block module of a kind alone; nothing when the plan has none.
    Blocks(&'a Plan, ModuleKind),
    /// One block module alone, and its name in reports.
    Block(&'a BlockModule, &'a str),
    /// One switch assembly of each shape; nothing when the plan has none.
    Assemblies(&'a Plan),
    /// The network, block by block.
    Network(&'a Plan),
    /// The network, while parts of it fail for good.
    FailingNetwork(&'a Plan, &'a LiveFaults),
    /// The network's top module as one model.
    SingleModel(&'a Plan),
    /// Two link ports, in lockstep with the reference.
    Links(&'a NetworkSpec),
    /// Two link ports at clocks of random ratios, through this many flits.
    LinkFlits(&'a NetworkSpec, u64),
    /// A saved case, which says what it compares; of the request only what to do with a failure counts.
    Case(&'a Plan, &'a CaseFile),
}

/// Who runs the RTL.
#[derive(Clone, Copy)]
pub enum Backend<'a> {
    /// Verilated models of the sources that the subject needs.
    Verilator(&'a Models),
    /// Verilated netlists of blocks.
    Netlists(&'a [Netlist]),
    /// Icarus, for blocks of these sources (file name and text). What is played stays in the folder.
    Icarus(&'a [(String, String)], &'a Path),
    /// Icarus, for netlists of blocks, in the same way.
    IcarusNetlists(&'a [Netlist], &'a Path),
}

/// What was compared.
#[derive(Debug, Default)]
pub struct Checked {
    pub blocks: Vec<BlockSummary>,
    pub networks: Vec<NetworkSummary>,
}

impl Checked {
    fn blocks(blocks: Vec<BlockSummary>) -> Self {
        Self {
            blocks,
            ..Self::default()
        }
    }

    fn networks(networks: Vec<NetworkSummary>) -> Self {
        Self {
            networks,
            ..Self::default()
        }
    }
}

/// Runs a subject once per pattern asked for, up to the first failure.
///
/// # Panics
/// When netlists or Icarus are to run anything but blocks of a kind.
pub fn run(
    subject: Subject<'_>,
    backend: Backend<'_>,
    request: &Request,
    listener: &dyn RunListener,
) -> Result<Checked, SessionError> {
    match (subject, backend) {
        (subject, Backend::Verilator(models)) => verilated(subject, models, request, listener),
        (Subject::Blocks(..), Backend::Netlists(netlists)) => {
            let all = netlists.iter().map(|netlist| {
                let models = Models::of_netlist(&netlist.text, &netlist.cells)?;
                let models = models.for_block_cycles(request.cycles * request.traffic.len() as u64);
                let block = (netlist.label.as_str(), &netlist.module);
                run_block(block, &models, request, &Restrictions::default(), listener)
            });
            joined(all).map(Checked::blocks)
        }
        (Subject::Blocks(plan, kind), Backend::Icarus(sources, folder)) => {
            run_in_icarus(plan, (sources, folder), kind, request, listener).map(Checked::blocks)
        }
        (Subject::Blocks(..), Backend::IcarusNetlists(netlists, folder)) => {
            run_netlists_in_icarus(netlists, folder, request, listener).map(Checked::blocks)
        }
        _ => panic!("netlists and Icarus are for blocks of a kind"),
    }
}

fn verilated(
    subject: Subject<'_>,
    models: &Models,
    request: &Request,
    listener: &dyn RunListener,
) -> Result<Checked, SessionError> {
    let networks = |plan: &Plan, live: Option<&LiveFaults>| {
        let runs = request.traffic.iter().map(|&traffic| NetworkRun {
            live: live.cloned(),
            ..request.network_run(traffic)
        });
        let runs: Vec<NetworkRun> = runs.collect();
        run_networks(plan, models, &runs, request, listener).map(Checked::networks)
    };
    let kind_of_blocks = |plan: &Plan, kind, request: &Request, less: &Restrictions| {
        let all = modules_of(plan, kind).into_iter();
        let all = all
            .map(|(label, module)| run_block((&label, &module), models, request, less, listener));
        joined(all).map(Checked::blocks)
    };
    let everything = Restrictions::default();
    match subject {
        Subject::Blocks(plan, kind) => kind_of_blocks(plan, kind, request, &everything),
        Subject::Block(module, label) => {
            let block = (label, module);
            run_block(block, models, request, &everything, listener).map(Checked::blocks)
        }
        Subject::Assemblies(plan) => {
            run_assemblies(plan, models, request, listener).map(Checked::blocks)
        }
        Subject::Network(plan) => networks(plan, None),
        Subject::FailingNetwork(plan, live) => networks(plan, Some(live)),
        Subject::SingleModel(plan) => {
            run_single_model(plan, models, request, listener).map(Checked::networks)
        }
        Subject::Links(spec) => run_links(spec, models, request, listener).map(Checked::blocks),
        Subject::LinkFlits(spec, flits) => {
            score_links(spec, models, (request, flits), listener).map(Checked::blocks)
        }
        Subject::Case(plan, case) => {
            let request = Request {
                traffic: vec![case.traffic],
                cycles: case.cycles,
                seed: case.seed,
                ..request.clone()
            };
            match case.block {
                Some(kind) => kind_of_blocks(plan, kind, &request, &case.restrictions),
                None => run_networks(plan, models, &[case.network_run()], &request, listener)
                    .map(Checked::networks),
            }
        }
    }
}

/// The summaries of all, or the first error.
fn joined(
    all: impl Iterator<Item = Result<Vec<BlockSummary>, SessionError>>,
) -> Result<Vec<BlockSummary>, SessionError> {
    Ok(all.collect::<Result<Vec<_>, _>>()?.concat())
}
