//! A failure with the least traffic that still shows it.
//!
//! A network's packets are written down, then left out in part, as long as the same signal fails. Lone
//! blocks are for `shrink_block`.

use std::cell::RefCell;
use std::rc::Rc;

use mkns_sim::ModelLibrary;

use super::case::CaseFile;
use super::minimize::minimize;
use super::mismatch::Failure;
use super::models::Models;
use super::network::{CableFaultPlan, NetworkRun};
use super::session::{Request, RunListener, SessionError, golden_run, libraries, run_instances};
use mkns_design::Plan;
use mkns_traffic::{OfferedPackets, SHORTEST_PAYLOAD, SentPacket};

/// Runs at most for one failure.
const PATIENCE: usize = 400;

/// The case of a failure of a network. None when the failure does not show
/// again with the packets that were written down.
pub fn shrink_network(
    plan: &Plan,
    models: &Models,
    request: &Request,
    failure: &Failure,
    listener: &dyn RunListener,
) -> Result<Option<CaseFile>, SessionError> {
    let Some(traffic) = failure.traffic else {
        return Ok(None);
    };
    let whole = CaseFile::of(request, traffic);
    let run = NetworkRun {
        load: request.load,
        ..whole.network_run()
    };
    let shrinker = Shrinker {
        plan,
        libraries: libraries(plan, models, listener)?,
        failure,
    };
    let whole = CaseFile {
        packets: recorded(plan, &run, failure),
        ..whole
    };
    listener.begins("shrinking", PATIENCE as u64);
    if !shrinker.fails(&whole)? {
        return Ok(None);
    }
    Ok(Some(shrinker.shrink(whole, listener)?))
}

/// The packets that are offered up to the failure: golden models alone offer the same.
fn recorded(plan: &Plan, run: &NetworkRun, failure: &Failure) -> Vec<SentPacket> {
    let list = Rc::new(RefCell::new(Vec::new()));
    let run = NetworkRun {
        offered: OfferedPackets::Recorded(Rc::clone(&list)),
        ..run.clone()
    };
    golden_run(plan, &run, failure.cycle, None);
    list.take()
}

/// What every smaller case is compared with.
struct Shrinker<'a> {
    plan: &'a Plan,
    libraries: Vec<ModelLibrary>,
    failure: &'a Failure,
}

impl Shrinker<'_> {
    /// Whether a case fails in the same way: the same kind, at the same signal.
    fn fails(&self, case: &CaseFile) -> mkns_sim::Result<bool> {
        let run = case.network_run();
        let ended = run_instances(self.plan, &self.libraries, &run, &mut |_| {})?;
        let wanted = self.failure;
        Ok(ended.is_err_and(|found| found.kind == wanted.kind && found.signal == wanted.signal))
    }

    fn shrink(&self, whole: CaseFile, listener: &dyn RunListener) -> mkns_sim::Result<CaseFile> {
        let mut case = whole;
        for simpler in [CaseFile::without_pauses, CaseFile::without_faults] {
            self.try_simpler(&mut case, simpler)?;
        }
        let mut trouble = None;
        let mut asked = 0;
        let packets = minimize(case.packets.clone(), PATIENCE, |packets| {
            asked += 1;
            listener.reached(asked);
            let smaller = CaseFile {
                packets: packets.to_vec(),
                ..case.clone()
            };
            self.fails(&smaller).unwrap_or_else(|error| {
                trouble = Some(error);
                false
            })
        });
        if let Some(error) = trouble {
            return Err(error);
        }
        case.packets = packets;
        for simpler in [
            CaseFile::without_waiting,
            CaseFile::shortest_packets,
            CaseFile::cut,
        ] {
            self.try_simpler(&mut case, simpler)?;
        }
        Ok(case)
    }

    /// Takes a simpler form of the case if it still fails.
    fn try_simpler(
        &self,
        case: &mut CaseFile,
        simpler: fn(&CaseFile) -> CaseFile,
    ) -> mkns_sim::Result<()> {
        let candidate = simpler(case);
        if candidate != *case && self.fails(&candidate)? {
            *case = candidate;
        }
        Ok(())
    }
}

/// Simpler forms of a case.
impl CaseFile {
    fn without_pauses(&self) -> Self {
        Self {
            pauses: false,
            ..self.clone()
        }
    }

    fn without_faults(&self) -> Self {
        Self {
            link_faults: false,
            control_traffic: false,
            cables: CableFaultPlan::default(),
            ..self.clone()
        }
    }

    /// Nothing before the first packet.
    fn without_waiting(&self) -> Self {
        let first = self.packets.iter().map(|packet| packet.cycle).min();
        self.with_packets(|packet| SentPacket {
            cycle: packet.cycle - first.unwrap_or(0),
            ..packet
        })
    }

    fn shortest_packets(&self) -> Self {
        self.with_packets(|packet| SentPacket {
            length: packet.length.min(SHORTEST_PAYLOAD),
            ..packet
        })
    }

    /// No traffic after the last packet.
    fn cut(&self) -> Self {
        let last = self.packets.iter().map(|packet| packet.cycle).max();
        Self {
            cycles: last.map_or(self.cycles, |last| last + 1).min(self.cycles),
            ..self.clone()
        }
    }

    fn with_packets(&self, change: impl Fn(SentPacket) -> SentPacket) -> Self {
        Self {
            packets: self.packets.iter().copied().map(change).collect(),
            ..self.clone()
        }
    }
}
