//! RTL against golden model, in lockstep: every output of every block compared in every cycle.

mod assembly;
mod block;
mod board_top;
mod case;
mod cell_library;
mod flat;
mod golden_devices;
mod icarus;
mod link;
mod lockstep;
mod management;
mod minimize;
mod mismatch;
mod models;
mod netlist;
mod network;
mod open_packets;
mod outside;
mod packet;
mod port_signal;
mod run;
mod session;
mod shrink;
mod shrink_block;
mod simulation;
mod stimulus;
mod trace;
mod watched;
mod waveform_top;

pub use block::{BlockRun, BlockSummary};
pub use board_top::with_board_tops;
pub use case::CaseFile;
pub use flat::FLAT_BLOCKS;
pub use golden_devices::{golden_device, golden_device_with_tables, golden_network_device};
pub use icarus::{IcarusDesign, play};
pub use link::{
    LINK_EDGES, LINK_INPUT_WORDS, LinkFaultSource, LinkJudge, LinkParameters, LinkParts, LinkRun,
    LinkScenario, expected_goodput, link_goodput, link_model, link_parameters, one_clock_link,
    score_link, uncertain_link_model,
};
pub use lockstep::Group;
pub use management::{
    ManagedNetwork, ManagementReport, ManagementRun, management_model, management_pins,
    management_top,
};
pub use mismatch::{Failure, FailureKind, PacketNote, PortCycle};
pub use models::{Models, declarations, power_up_seed, rtl_device};
pub use netlist::{Netlist, netlists};
pub use network::{
    CableFaultPlan, FaultPlan, FaultReport, FloodReport, LinkDown, LiveFaults, LiveReport,
    MessageFlood, NetworkRun, NetworkSummary, Pair, PlannedFailure, SerialReport, Swapped, Totals,
    Unplugged,
};
pub use outside::{OutsideLockstep, serve_outside};
pub use run::{Backend, Checked, Subject, run};
pub use session::{
    Pairs, Request, RunListener, SessionError, Silent, libraries, members, modules_of,
};
pub use shrink::shrink_network;
pub use shrink_block::shrink_block;
pub use simulation::{LockstepNetwork, lockstep_network};
pub use stimulus::Restrictions;
pub use trace::Recording;
pub use watched::Watched;
