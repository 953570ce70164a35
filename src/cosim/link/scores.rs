//! Link ports at clocks of random ratios, through millions of flits: no reference can say what happens in which cycle,
//! so only the scoreboard judges.

use mkns_cable::{Faults, LinkReport};
use mkns_golden::link_port::LinkParameters;
use mkns_random::mix;
use mkns_sim::ModelLibrary;
use rayon::prelude::*;

use super::fault_source::LinkFaultSource;
use super::run::{LinkJudge, LinkRun, failed, link_model, link_parameters};
use crate::block::{BlockSummary, Scored};
use crate::mismatch::FailureKind;
use crate::models::Models;
use crate::session::{Request, RunListener, SessionError, replay_of_link};
use mkns_spec::NetworkSpec;
use mkns_traffic::Pattern;

/// What a cable does to the flits of a run.
#[derive(Debug, Clone)]
pub struct LinkScenario {
    pub name: &'static str,
    /// Of a hundred flits of all runs.
    pub share: u64,
    pub faults: Faults,
    pub flight: u32,
    pub fault_source: LinkFaultSource,
    /// Links may go down.
    pub deadly: bool,
}

impl LinkScenario {
    pub fn all() -> [Self; 5] {
        let of = |name, share, faults, flight, fault_source| Self {
            name,
            share,
            faults,
            flight,
            fault_source,
            deadly: fault_source != LinkFaultSource::None,
        };
        let (bits, all) = (Faults::bit_errors, Faults::of_every_kind(1e-3));
        let (calm, boards) = (LinkFaultSource::None, LinkFaultSource::Boards);
        [
            of("no errors", 10, Faults::default(), 40, calm),
            of("bit errors 1e-6", 40, bits(1e-6), 40, calm),
            of("bit errors 1e-4", 25, bits(1e-4), 40, calm),
            of("bit errors 1e-3", 10, bits(1e-3), 10, calm),
            of("all faults", 15, all, LONGEST, boards),
        ]
    }
}

/// The longest flight of all scenarios, words.
const LONGEST: u32 = 77;

/// Steps of a run: the clocks of the next have other periods.
const STEPS: u64 = 1_000_000;

/// The RTL of a link port in which edges that meet are seen in either way, and timers for the longest flight.
pub fn uncertain_link_model(
    sources: &[(String, String)],
    parameters: &LinkParameters,
    block_cycles: u64,
    listener: &dyn RunListener,
) -> mkns_sim::Result<ModelLibrary> {
    let mut sources = sources.to_vec();
    for (name, text) in &mut sources {
        if name == "link_synchronizer.v" {
            *text = include_str!("uncertain_synchronizer.v").to_owned();
        }
    }
    link_model(&sources, parameters, block_cycles, listener)
}

/// Runs one scenario, `threads` in parallel, until this many flits have come out or something is wrong.
pub fn score_link(
    library: &ModelLibrary,
    parameters: &LinkParameters,
    scenario: &LinkScenario,
    (flits, seed, threads): (u64, u64, usize),
    reached: &mut dyn FnMut(u64),
) -> mkns_sim::Result<LinkReport> {
    let mut sum = LinkReport::default();
    let mut next = 0;
    while sum.delivered < flits && sum.faults.is_empty() {
        let pieces: Vec<u64> = (next..next + threads as u64).collect();
        next += threads as u64;
        let reports = pieces.par_iter().with_max_len(1).map(|&piece| {
            let run = LinkRun {
                parameters: parameters.clone(),
                flight: scenario.flight,
                cycles: STEPS,
                seed: mix(seed ^ piece << 32),
                faults: scenario.faults,
                fault_source: scenario.fault_source,
                judge: match piece % 2 {
                    0 => LinkJudge::Crystals,
                    _ => LinkJudge::AnyClocks,
                },
            };
            let report = run.run(library, &mut |_| {})?.report;
            Ok((run, report))
        });
        for (run, mut report) in reports.collect::<mkns_sim::Result<Vec<_>>>()? {
            if report.deaths > 0 && !scenario.deadly {
                report.faults.push("a link died".to_owned());
            }
            if report.held_back > 0 && run.judge == LinkJudge::Crystals {
                let fact = "the far clock is 200 ppm slower and had to be waited for";
                report.faults.push(fact.to_owned());
            }
            sum.add(report);
        }
        reached(sum.delivered.min(flits));
    }
    Ok(sum)
}

/// The link ports of a spec at clocks of random ratios, through this many flits in all.
pub(crate) fn score_links(
    spec: &NetworkSpec,
    models: &Models,
    (request, flits): (&Request, u64),
    listener: &dyn RunListener,
) -> Result<Vec<BlockSummary>, SessionError> {
    let parameters = LinkParameters {
        // A link whose words come three times as fast as those of the peer loses patience three times sooner.
        stuck_ticks: 256,
        ..link_parameters(spec).0.with_flight(LONGEST)
    };
    let library = uncertain_link_model(models.sources(), &parameters, flits, listener)?;
    let mut summaries = Vec::new();
    for scenario in LinkScenario::all() {
        let name = format!("link, {}", scenario.name);
        let wanted = (flits * scenario.share).div_ceil(100);
        listener.begins(&name, wanted);
        let run = (wanted, request.seed, request.threads);
        let reached = &mut |flits| listener.reached(flits);
        let report = score_link(&library, &parameters, &scenario, run, reached)?;
        if let Some(fault) = report.faults.first() {
            let sentence = format!("{}: {fault}", scenario.name);
            let replay = replay_of_link(request, &format!(" --flits {flits}"));
            let kind = FailureKind::Contract;
            return Err(failed(kind, report.cycles, sentence, replay));
        }
        summaries.push(BlockSummary {
            block: name,
            traffic: Pattern::Uniform,
            seed: request.seed,
            cycles: report.cycles,
            packets: report.packets,
            scored: Some(Scored {
                flits: report.delivered,
                deaths: report.deaths,
                lost_with_links: report.lost,
            }),
        });
    }
    Ok(summaries)
}
