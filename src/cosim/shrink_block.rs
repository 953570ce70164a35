//! A failure of a lone block with the least traffic that still shows it.
//!
//! The inputs of a block depend on its outputs, credit by credit, so single packets cannot be taken out of
//! a run. Instead kinds of traffic, ports and lengths are left out one after the other, and each time the
//! same signal has to fail again, with this seed or another.

use mkns_sim::ModelLibrary;

use super::block::BlockRun;
use super::case::CaseFile;
use super::golden_devices::golden_device;
use super::mismatch::Failure;
use super::models::{Models, rtl_device};
use super::session::{Request, RunListener, SessionError, modules_of};
use super::stimulus::Restrictions;
use mkns_design::{BlockModule, ModuleKind, Pins, Plan};
use mkns_topology::BlockId;

/// Other seeds that are tried before something counts as needed.
const SEEDS: u64 = 8;
/// Cycles in which a restricted run has to fail, at least.
const LEAST_CYCLES: u64 = 3_000;
/// Longest packets that are tried, flits.
const LENGTHS: [u32; 4] = [1, 2, 3, 5];

/// The case of a failure of lone blocks of a kind. None when the failure was under no random traffic.
pub fn shrink_block(
    plan: &Plan,
    models: &Models,
    request: &Request,
    kind: ModuleKind,
    failure: &Failure,
    listener: &dyn RunListener,
) -> Result<Option<CaseFile>, SessionError> {
    let mut modules = modules_of(plan, kind).into_iter();
    let module = modules.find(|(label, _)| *label == failure.block);
    let (Some(traffic), Some((_, module))) = (failure.traffic, module) else {
        return Ok(None);
    };
    let shrinker = Shrinker {
        library: models.library(&module, &|progress| listener.building(progress))?,
        module,
        failure,
    };
    let mut case = CaseFile {
        block: Some(kind),
        cycles: request.cycles.min(failure.cycle + 1),
        ..CaseFile::of(request, traffic)
    };
    shrinker.shrink(&mut case, listener)?;
    Ok(Some(case))
}

/// What every smaller case is compared with.
struct Shrinker<'a> {
    module: BlockModule,
    library: ModelLibrary,
    failure: &'a Failure,
}

impl Shrinker<'_> {
    fn shrink(&self, case: &mut CaseFile, listener: &dyn RunListener) -> mkns_sim::Result<()> {
        let kinds: [fn(&mut Restrictions); 5] = [
            |less| less.no_control_traffic = true,
            |less| less.no_link_faults = true,
            |less| less.no_damaged_packets = true,
            |less| less.no_noise = true,
            |less| less.prompt_receivers = true,
        ];
        let pins = Pins::new(&self.module);
        let ports = pins.ports + pins.hosts;
        listener.begins("shrinking", (kinds.len() + ports) as u64);
        for (asked, restrict) in (1..).zip(kinds) {
            self.try_less(case, restrict)?;
            listener.reached(asked);
        }
        for port in 0..ports {
            self.try_less(case, |less| less.silent_ports.push(port))?;
            listener.reached((kinds.len() + port + 1) as u64);
        }
        for length in LENGTHS {
            if self.try_less(case, |less| less.longest_packet = Some(length))? {
                break;
            }
        }
        self.try_earlier(case)
    }

    /// Takes less traffic if the failure still shows, with any seed.
    fn try_less(
        &self,
        case: &mut CaseFile,
        restrict: impl Fn(&mut Restrictions),
    ) -> mkns_sim::Result<bool> {
        let mut less = case.clone();
        restrict(&mut less.restrictions);
        less.cycles = (4 * case.cycles).max(LEAST_CYCLES);
        for seed in [case.seed].into_iter().chain(1..=SEEDS) {
            less.seed = seed;
            if let Some(cycle) = self.fails(&less)? {
                less.cycles = cycle + 1;
                *case = less;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes the seed with which the failure shows first.
    fn try_earlier(&self, case: &mut CaseFile) -> mkns_sim::Result<()> {
        for seed in 1..=2 * SEEDS {
            let other = CaseFile {
                seed,
                ..case.clone()
            };
            if let Some(cycle) = self.fails(&other)?
                && cycle + 1 < case.cycles
            {
                let cycles = cycle + 1;
                *case = CaseFile { cycles, ..other };
            }
        }
        Ok(())
    }

    /// The cycle in which a case fails in the same way: the same kind, at the same signal.
    fn fails(&self, case: &CaseFile) -> mkns_sim::Result<Option<u64>> {
        let run = BlockRun {
            block: self.failure.block.clone(),
            traffic: case.traffic,
            cycles: case.cycles,
            seed: case.seed,
            restrictions: case.restrictions.clone(),
        };
        let rtl = rtl_device(&self.library, &[BlockId(0)], run.seed)?;
        let ended = run.run(&self.module, rtl, golden_device(&self.module), &mut |_| {});
        let wanted = self.failure;
        let found = ended.err().filter(|found| {
            found.kind == wanted.kind && found.signal == wanted.signal && found.cycle < run.cycles
        });
        Ok(found.map(|found| found.cycle))
    }
}
