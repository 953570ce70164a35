//! What is asked of a co-simulation, what is told on the way, and the command that replays a failure.

use mkns_diag::shell_word;
use mkns_sim::Progress;
use mkns_spec::settings_as_words;
use mkns_traffic::{OfferedPackets, Pattern};

use crate::block::BlockRun;
use crate::mismatch::{Failure, FailureKind};
use crate::network::single_model::SingleModel;
use crate::network::{CableFaultPlan, FaultPlan, NetworkRun};
use crate::stimulus::Restrictions;
use crate::trace::Recording;

/// What a co-simulation is asked to do.
#[derive(Debug, Clone)]
pub struct Request {
    /// As the user wrote it, for the replay command.
    pub spec: String,
    /// What was set beside it, `KEY=VALUE`.
    pub set: Vec<String>,
    /// What has failed, and tables from elsewhere, as words of the replay command.
    pub failures: String,
    pub traffic: Vec<Pattern>,
    /// Flits that each host offers in a thousand cycles (whole networks).
    pub load: u32,
    /// Cycles for each kind of traffic.
    pub cycles: u64,
    pub seed: u64,
    /// The faults that the run injects (whole networks).
    pub fault_plan: FaultPlan,
    /// What happens to serial cables (whole networks).
    pub cables: CableFaultPlan,
    /// Threads that clock the blocks (whole networks).
    pub threads: usize,
    /// The waveform of a failure, if one is wanted.
    pub trace: Option<Recording>,
}

impl Request {
    /// The run of a lone block under one kind of traffic.
    pub(crate) fn block_run(&self, block: &str, traffic: Pattern, less: &Restrictions) -> BlockRun {
        BlockRun {
            block: block.to_owned(),
            traffic,
            cycles: self.cycles,
            seed: self.seed,
            restrictions: less.clone(),
        }
    }

    /// The run of a whole network under one kind of traffic.
    pub(crate) fn network_run(&self, traffic: Pattern) -> NetworkRun {
        NetworkRun {
            traffic,
            load: self.load,
            cycles: self.cycles,
            seed: self.seed,
            fault_plan: self.fault_plan,
            cables: self.cables.clone(),
            threads: self.threads,
            offered: OfferedPackets::Random,
            live: None,
        }
    }
}

/// Why a co-simulation ended early.
#[derive(Debug)]
pub enum SessionError {
    Failed(Box<Failure>),
    Simulator(mkns_sim::Error),
}

impl From<mkns_sim::Error> for SessionError {
    fn from(error: mkns_sim::Error) -> Self {
        match error {
            // Its own initial blocks are part of the RTL under test.
            mkns_sim::Error::PowerUp { top, fact } => {
                Self::Failed(Failure::sentence(FailureKind::Assertion, &top, 0, fact))
            }
            error => Self::Simulator(error),
        }
    }
}

/// What a run tells while it works.
pub trait RunListener {
    /// A model is being built.
    fn building(&self, progress: Progress);
    /// A netlist is being made.
    fn synthesising(&self, _what: &str) {}
    /// A run begins: what, and how many cycles.
    fn begins(&self, what: &str, cycles: u64);
    /// Cycles done.
    fn reached(&self, cycle: u64);
}

/// One run of `what` per pattern asked for, up to the first failure.
pub(crate) fn each_pattern<S>(
    what: &str,
    request: &Request,
    listener: &dyn RunListener,
    mut run: impl FnMut(Pattern, &mut dyn FnMut(u64)) -> Result<S, SessionError>,
) -> Result<Vec<S>, SessionError> {
    let runs = request.traffic.iter().map(|&traffic| {
        listener.begins(&format!("{what}, {}", traffic.name()), request.cycles);
        run(traffic, &mut |cycle| listener.reached(cycle))
    });
    runs.collect()
}

/// A run of one model, which `make` makes, with waveforms or without. A failure comes with a waveform of all RTL signals,
/// if one is wanted: the run is made into it again.
pub(crate) fn run_recorded<S>(
    request: &Request,
    replay: String,
    make: impl Fn(bool) -> mkns_sim::Result<SingleModel>,
    run: impl Fn(&mut SingleModel, &mut dyn FnMut(u64)) -> Result<S, Box<Failure>>,
    watch: &mut dyn FnMut(u64),
) -> Result<S, SessionError> {
    run(&mut make(false)?, watch).map_err(|mut failure| {
        let cycle = failure.cycle;
        let record = |recording| {
            let mut single = make(true)?;
            single.record(recording, cycle)?;
            // It fails again, as before: only the waveform counts.
            let _ = run(&mut single, &mut |_| {});
            single.end_record();
            Ok(())
        };
        let written = request.trace.as_ref().map_or(Ok(()), record);
        failure.lacks("waveform", written);
        failure.replay = replay;
        SessionError::Failed(failure)
    })
}

/// Says nothing.
pub struct Silent;

impl RunListener for Silent {
    fn building(&self, _progress: Progress) {}
    fn begins(&self, _what: &str, _cycles: u64) {}
    fn reached(&self, _cycle: u64) {}
}

/// The command that runs a request again for one kind of traffic, with a waveform.
pub(crate) fn replay(request: &Request, traffic: Pattern, more: &str) -> String {
    replay_untraced(request, traffic, more) + " --trace failure.fst"
}

/// The command that runs the link ports again, with an option that says how long.
pub(crate) fn replay_of_link(request: &Request, length: &str) -> String {
    format!(
        "mkns cosim {}{} --block link{length} --seed {}",
        shell_word(&request.spec),
        settings_as_words(&request.set),
        request.seed
    )
}

/// The command that runs a request again, where there are no waveforms.
pub(crate) fn replay_untraced(request: &Request, traffic: Pattern, more: &str) -> String {
    format!(
        "mkns cosim {}{}{}{more} --traffic {} --cycles {} --seed {}",
        shell_word(&request.spec),
        settings_as_words(&request.set),
        request.failures,
        traffic.name(),
        request.cycles,
        request.seed
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_stand_in_the_replay_command() {
        let request = Request {
            spec: "small.toml".to_owned(),
            set: vec!["flit_bits=128".to_owned(), "name=\"lab\"".to_owned()],
            failures: String::new(),
            traffic: vec![Pattern::Uniform],
            load: 300,
            cycles: 7,
            seed: 2,
            fault_plan: FaultPlan::default(),
            cables: CableFaultPlan::default(),
            threads: 1,
            trace: None,
        };
        assert_eq!(
            replay(&request, Pattern::Uniform, " --block switch"),
            "mkns cosim small.toml --set flit_bits=128 --set 'name=\"lab\"' --block switch \
             --traffic uniform --cycles 7 --seed 2 --trace failure.fst"
        );
        let case = crate::case::CaseFile::of(&request, Pattern::Uniform);
        assert_eq!(case.set, request.set);
    }
}
