//! A run of two link ports: a cable with faults, blocks with moods, registers, resets, pulled plugs.

use mkns_cable::{BlockActivity, Clocks, Faults, LinkReport, Pair};
use mkns_design::Device;
use mkns_golden::link_port::{LinkParameters, LinkPort, LinkPortPair};
use mkns_random::Random;
use mkns_sim::ModelLibrary;
use mkns_topology::BlockId;

use super::fault_source::LinkFaultSource;
use super::lockstep::Lockstep;
use super::top::{TOP, module, ports};
use crate::block::BlockSummary;
use crate::mismatch::{Failure, FailureKind};
use crate::models::{Models, rtl_device};
use crate::session::{Request, RunListener, SessionError, replay_of_link};
use mkns_spec::NetworkSpec;
use mkns_traffic::Pattern;

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
    pub fault_source: LinkFaultSource,
    pub judge: LinkJudge,
}

/// Who looks at a run besides the scoreboard, and so which clocks it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkJudge {
    /// One clock, and every output as the reference has it.
    Reference,
    /// Nobody; one clock.
    OneClock,
    /// Nobody; four clocks of random periods, the link clocks within 200 ppm.
    Crystals,
    /// Nobody; four clocks of random periods.
    AnyClocks,
}

impl LinkJudge {
    fn clocks(self, seed: u64) -> Clocks {
        let mut random = Random::branch(seed, 9);
        match self {
            Self::Reference | Self::OneClock => Clocks::equal(),
            Self::Crystals => Clocks::random(true, &mut random),
            Self::AnyClocks => Clocks::random(false, &mut random),
        }
    }
}

/// What a run has shown.
#[derive(Debug, Clone)]
pub struct LinkParts {
    /// First cycle in which an output differs from the reference, and how.
    pub difference: Option<(u64, String)>,
    pub report: LinkReport,
}

/// The ports with parameters for a spec; timers for its flight.
pub fn link_parameters(spec: &NetworkSpec) -> (LinkParameters, u32) {
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
    listener: &dyn RunListener,
) -> mkns_sim::Result<ModelLibrary> {
    let channels = parameters.channels;
    let mut sources = sources.to_vec();
    sources.push((format!("{TOP}.v"), module(parameters)));
    let models = Models::from_sources(&sources)?.for_block_cycles(block_cycles);
    models.library_of_gated_top(TOP, ports(channels), &|progress| {
        listener.building(progress)
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
        Ok(self.run_device(rtl, watch))
    }

    /// Runs two link ports until something is wrong or the cycles are over.
    pub fn run_device(&self, rtl: Box<dyn Device>, watch: &mut dyn FnMut(u64)) -> LinkParts {
        let port = || LinkPort::new(self.parameters.clone());
        let is_compared = self.judge == LinkJudge::Reference;
        let references = is_compared.then(|| LinkPortPair([port(), port()]));
        let sizes = (self.parameters.channels, self.parameters.rx_buffer_flits);
        let bursty = BlockActivity {
            bursty: true,
            ..BlockActivity::FULL
        };
        let mut pair = Pair::new(
            Lockstep::new(rtl, references),
            sizes,
            (self.flight as usize, Faults::default()),
            bursty,
            self.seed,
        )
        .with_clocks(self.judge.clocks(self.seed));
        pair.rise(10_000);
        for direction in &mut pair.cable {
            direction.change(self.faults);
        }
        if self.parameters.management {
            pair.send_messages(self.seed);
        }
        self.fault_source
            .begin(&mut pair, self.seed, &self.parameters);
        let mut done = 0;
        while done < self.cycles && pair.ends.difference.is_none() && !pair.has_faults() {
            pair.run(STRETCH);
            done += STRETCH;
            self.fault_source.go_on(&mut pair, done / STRETCH);
            watch(done.min(self.cycles));
        }
        let difference = pair.ends.difference.clone();
        match difference {
            Some(_) => LinkParts {
                difference,
                report: pair.report(),
            },
            None => pair.finish_with(|ends, report| LinkParts {
                difference: ends.difference,
                report,
            }),
        }
    }
}

/// Lockstep of the link ports of a spec, calm and rough.
pub(crate) fn run_links(
    spec: &NetworkSpec,
    models: &Models,
    request: &Request,
    listener: &dyn RunListener,
) -> Result<Vec<BlockSummary>, SessionError> {
    let (parameters, flight) = link_parameters(spec);
    let library = link_model(models.sources(), &parameters, 3 * request.cycles, listener)?;
    let rates = [
        ("no errors", Faults::default(), LinkFaultSource::None),
        (
            "bit errors",
            Faults::bit_errors(1e-5),
            LinkFaultSource::None,
        ),
        (
            "all faults",
            Faults::of_every_kind(1e-3),
            LinkFaultSource::Boards,
        ),
    ];
    let mut summaries = Vec::new();
    for (what, faults, fault_source) in rates {
        let run = LinkRun {
            parameters: parameters.clone(),
            flight,
            cycles: request.cycles,
            seed: request.seed,
            faults,
            fault_source,
            judge: LinkJudge::Reference,
        };
        listener.begins(&format!("link, {what}"), run.cycles);
        let parts = run.run(&library, &mut |cycle| listener.reached(cycle))?;
        let sentence = |kind, cycle, note: String| {
            let replay = replay_of_link(request, &format!(" --cycles {}", request.cycles));
            failed(kind, cycle, format!("{what}: {note}"), replay)
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
            traffic: Pattern::Uniform,
            seed: request.seed,
            cycles: parts.report.cycles,
            packets: parts.report.packets,
            scored: None,
        });
    }
    Ok(summaries)
}

/// What ends a check.
pub(super) fn failed(
    kind: FailureKind,
    cycle: u64,
    sentence: String,
    replay: String,
) -> SessionError {
    let mut failure = Failure::sentence(kind, "link", cycle, sentence);
    failure.replay = replay;
    SessionError::Failed(failure)
}
