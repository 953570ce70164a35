//! RTL against golden model, in lockstep: every output of every block compared in every cycle.

mod assembly;
mod block;
mod board;
mod case;
mod cell_library;
pub mod coverage;
mod device;
mod flat;
mod icarus;
mod judge;
mod link;
mod lockstep;
mod measure;
mod minimize;
mod mismatch;
mod models;
pub mod mutate;
mod netlist;
mod network;
mod open_packets;
mod packet;
mod pin_model;
mod port_signal;
mod queue_waits;
pub mod regress;
mod run;
mod saturated;
mod scoring;
mod session;
mod shrink;
mod shrink_block;
mod simulation;
mod stimulus;
mod switch_bench;
mod trace;
mod waveform_top;

pub use block::{BlockRun, BlockSummary};
pub use board::with_board_tops;
pub use case::CaseFile;
pub use device::Device;
pub use flat::FLAT_BLOCKS;
pub use icarus::play;
pub use judge::{Judge, fast_network_device, golden_device};
pub use link::{
    LinkFaultSource, LinkJudge, LinkParameters, LinkParts, LinkRun, LinkScenario, MutatedLink,
    expected_goodput, link_goodput, link_model, link_parameters, one_clock_link, score_link,
    uncertain_link_model,
};
pub use measure::{Speeds, measure};
pub use mismatch::{Failure, FailureKind, PacketNote, PortCycle};
pub use models::{Models, rtl_device};
pub use netlist::{Netlist, netlists};
pub use network::{
    CableFaultPlan, FaultPlan, FaultReport, LinkDown, LiveFaults, LiveReport, LockstepNetwork,
    NetworkRun, NetworkSummary, Pair, PlannedFailure, SerialReport, Swapped, Totals, Unplugged,
};
pub use run::{Backend, Checked, Subject, run};
pub use saturated::SaturatedCore;
pub use scoring::{ScoringError, YosysError, scored_modules};
pub use session::{Request, SessionError, Silent, Watcher, libraries, members, modules_of};
pub use shrink::shrink_network;
pub use shrink_block::shrink_block;
pub use simulation::{deliveries_of_rtl, lockstep_network};
pub use stimulus::Restrictions;
pub use switch_bench::{Offered, SwitchBench};
pub use trace::Recording;
