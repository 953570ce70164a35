//! A run of two link ports: a cable with faults, blocks with moods, registers, resets, pulled plugs.

use mkns_cable::{Appetite, Faults, Pair, Report};
use mkns_golden::link_port::{LinkParameters, LinkPort, References};
use mkns_sim::ModelLibrary;
use mkns_topology::BlockId;

use super::lockstep::Lockstep;
use super::top::{TOP, module, ports};
use crate::block::BlockSummary;
use crate::mismatch::{Failure, FailureKind};
use crate::models::{Models, rtl_device};
use crate::session::{Request, SessionError, Watcher};
use crate::stimulus::Traffic;
use mkns_spec::NetworkSpec;

/// Cycles between looks at the verdict.
const STRETCH: u64 = 1_000;

/// What a run is made of.
#[derive(Debug, Clone)]
pub struct LinkRun {
    pub parameters: LinkParameters,
    /// One-way flight, words.
    pub flight: u32,
    pub cycles: u64,
    pub seed: u64,
    /// On the cable, after the links have risen.
    pub faults: Faults,
    /// Whether registers are used, boards reset and plugs pulled.
    pub rough: bool,
    /// Whether every output is compared with the reference.
    pub lockstep: bool,
}

/// What a run has shown.
#[derive(Debug, Clone)]
pub struct LinkParts {
    /// First cycle in which an output differs from the reference, and how.
    pub difference: Option<(u64, String)>,
    pub report: Report,
}

/// The ports with parameters for a spec; timers for its flight.
fn parameters(spec: &NetworkSpec) -> (LinkParameters, u32) {
    let link = spec.link.clone().unwrap_or_default();
    let parameters = LinkParameters {
        channels: spec.block.virtual_channels as usize,
        rx_buffer_flits: spec.block.rx_buffer_flits,
        line_flits: link.receive_flits,
        // So that links die and rise often enough.
        silent_ticks: 32,
        stuck_ticks: 64,
        ..LinkParameters::default()
    };
    (parameters.with_flight(link.flight_words), link.flight_words)
}

/// The RTL of a link port with these parameters, from sources that hold `link_port`.
pub fn link_model(
    sources: &[(String, String)],
    parameters: &LinkParameters,
    block_cycles: u64,
    watcher: &dyn Watcher,
) -> mkns_sim::Result<ModelLibrary> {
    let LinkParameters {
        channels,
        rx_buffer_flits,
        line_flits,
        request_ticks,
        tail_ticks,
        silent_ticks,
        stuck_ticks,
        ..
    } = *parameters;
    let values = [
        ("VCS", channels as u32),
        ("RX_BUFFER_FLITS", rx_buffer_flits),
        ("LINE_FLITS", line_flits),
        ("REQUEST_TICKS", request_ticks),
        ("TAIL_TICKS", tail_ticks),
        ("SILENT_TICKS", silent_ticks),
        ("STUCK_TICKS", stuck_ticks),
    ];
    let mut sources = sources.to_vec();
    sources.push((format!("{TOP}.v"), module(channels, &values)));
    let models = Models::from_sources(&sources)?.for_block_cycles(block_cycles);
    models.library_of_top(TOP, Vec::new(), ports(channels), false, &|progress| {
        watcher.building(progress);
    })
}

impl LinkRun {
    /// Runs the RTL until something is wrong or the cycles are over.
    pub fn run(
        &self,
        library: &ModelLibrary,
        watch: &mut dyn FnMut(u64),
    ) -> mkns_sim::Result<LinkParts> {
        let rtl = rtl_device(library, &[BlockId(0), BlockId(1)], self.seed)?;
        let references = self.lockstep.then(|| {
            let port = || LinkPort::new(self.parameters.clone());
            References([port(), port()])
        });
        let sizes = (self.parameters.channels, self.parameters.rx_buffer_flits);
        let moody = Appetite {
            moody: true,
            ..Appetite::FULL
        };
        let mut pair = Pair::new(
            Lockstep::new(rtl, references),
            sizes,
            (self.flight as usize, Faults::default()),
            moody,
            self.seed,
        );
        pair.rise(3_000);
        for direction in &mut pair.cable {
            direction.change(self.faults);
        }
        if self.rough {
            pair.operate(self.seed);
            pair.stalls = 50;
        }
        let mut done = 0;
        while done < self.cycles && pair.ends.difference.is_none() && !pair.has_faults() {
            pair.run(STRETCH);
            done += STRETCH;
            if self.rough {
                self.disturb(&mut pair, done);
            }
            watch(done.min(self.cycles));
        }
        let difference = pair.ends.difference.clone();
        Ok(match difference {
            Some(_) => LinkParts {
                difference,
                report: pair.report(),
            },
            None => pair.finish_with(|ends, report| LinkParts {
                difference: ends.difference,
                report,
            }),
        })
    }

    /// Every few thousand cycles a board is reset or a plug pulled, and put in again.
    fn disturb(&self, pair: &mut Pair<Lockstep>, done: u64) {
        let stretch = done / STRETCH;
        let side = (stretch / 24 % 2) as usize;
        match stretch % 24 {
            6 => pair.reset(side),
            12 => pair.cable[side].plug(false),
            16 => pair.cable[side].plug(true),
            _ => {}
        }
    }
}

/// Lockstep of the link ports of a spec, calm and rough.
pub fn check_link(
    spec: &NetworkSpec,
    sources: &[(String, String)],
    request: &Request,
    watcher: &dyn Watcher,
) -> Result<Vec<BlockSummary>, SessionError> {
    let (parameters, flight) = parameters(spec);
    let library = link_model(sources, &parameters, 3 * request.cycles, watcher)?;
    let rates = [
        ("no errors", Faults::default(), false),
        ("bit errors", Faults::bit_errors(1e-5), false),
        ("all faults", Faults::of_every_kind(1e-3), true),
    ];
    let mut summaries = Vec::new();
    for (what, faults, rough) in rates {
        let run = LinkRun {
            parameters: parameters.clone(),
            flight,
            cycles: request.cycles,
            seed: request.seed,
            faults,
            rough,
            lockstep: true,
        };
        watcher.begins(&format!("link, {what}"), run.cycles);
        let parts = run.run(&library, &mut |cycle| watcher.reached(cycle))?;
        let sentence = |kind, cycle, note| {
            let mut failure = Failure::sentence(kind, "link", cycle, format!("{what}: {note}"));
            failure.replay = crate::session::replay_of_link(request);
            SessionError::Failed(Box::new(failure))
        };
        if let Some((cycle, fact)) = parts.difference {
            return Err(sentence(FailureKind::Divergence, cycle, fact));
        }
        if let Some(fault) = parts.report.faults.first() {
            let cycle = parts.report.cycles;
            return Err(sentence(FailureKind::Contract, cycle, fault.clone()));
        }
        summaries.push(BlockSummary {
            block: format!("link, {what}"),
            traffic: Traffic::Uniform,
            seed: request.seed,
            cycles: parts.report.cycles,
            packets: parts.report.packets,
        });
    }
    Ok(summaries)
}
