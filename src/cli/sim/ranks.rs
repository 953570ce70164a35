//! The processes that `mpirun` or `srun` has started, and what they say of themselves.

use serde::Serialize;

use crate::{CommandError, Context};
#[cfg(not(feature = "mpi"))]
use mkns_diag::Code;
use mkns_simulation::measure::{RankReport, processor_time};
use mkns_simulation::ranks::RankCommunicator;

/// What a rank says of itself.
#[derive(Debug, Clone, Serialize)]
struct RankRow {
    #[serde(flatten)]
    share: RankReport,
    #[serde(flatten)]
    set_up: SetUpCost,
    /// Most memory that its process had, bytes.
    peak_bytes: u64,
}

/// What it took until a rank knew its blocks and nothing of the others.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct SetUpCost {
    /// Processor time.
    set_up_seconds: f64,
    /// Most memory that the process had until then, bytes.
    set_up_peak_bytes: u64,
}

impl SetUpCost {
    /// Up to now.
    pub fn done() -> Self {
        Self {
            set_up_seconds: processor_time(),
            set_up_peak_bytes: peak_bytes(),
        }
    }
}

/// Starts MPI.
#[cfg(feature = "mpi")]
pub fn start() -> Result<impl RankCommunicator, CommandError> {
    let failed = || CommandError::io("start MPI")("it has been started");
    mkns_mpi::MpiRanks::start().ok_or_else(failed)
}

/// Says that this program has no MPI.
#[cfg(not(feature = "mpi"))]
pub fn start() -> Result<mkns_simulation::ranks::SingleRank, CommandError> {
    let fact = "this mkns was built without MPI";
    let remedy = "install an MPI library and libclang, then `cargo build --release --features mpi`";
    Err(CommandError::new(Code::NoMpi, fact, remedy))
}

/// One line of JSON a rank on standard error.
pub fn tell(
    ranks: &dyn RankCommunicator,
    (share, set_up): (RankReport, SetUpCost),
    cycles: u64,
    context: &Context,
) -> Result<(), CommandError> {
    let row = RankRow {
        share,
        set_up,
        peak_bytes: peak_bytes(),
    };
    let own = serde_json::to_vec(&row).map_err(CommandError::io("say what a rank did"))?;
    for (rank, row) in ranks.gather(own).into_iter().enumerate() {
        let row = String::from_utf8_lossy(&row).into_owned();
        context.summary(format_args!("rank {rank}, {cycles} cycles: {row}"));
    }
    Ok(())
}

/// From the process's own numbers; 0 where there are none.
fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = peak.and_then(|peak| peak.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) << 10
}
