//! FPGA flows: Verilog through synthesis, placement, routing and timing, and what the tools say of it.
//!
//! Takes sources as plain text; knows no network and no golden model. Tools of the open flow come
//! from pinned wheels (`tools/requirements.txt`); as WebAssembly they see the working folder and
//! below only, so every path that they get is relative to it.

mod area;
mod area_cache;
mod bench;
mod board;
mod build;
mod crossings;
mod device;
mod error;
mod fusesoc;
mod harness;
mod host_core;
mod link_core;
mod netlist;
mod nextpnr;
mod node;
mod node_board;
mod node_cores;
mod node_files;
mod node_tops;
mod open;
mod parts;
mod program;
mod project;
mod register_bridge;
mod register_window;
mod selftest;
mod tool_runner;
mod vendor;
mod yosys;

pub use area::{Area, Cells, ModuleArea};
pub use area_cache::AreaCache;
pub use bench::{Bench, Figures, Placement};
pub use board::{BOARDS, Board, Flow, Reset};
pub use build::{Build, Built};
pub use device::{Device, ECP5_DEVICES};
pub use error::FlowError;
pub use harness::{connections, overrides};
pub use host_core::{HostCore, HostSizes};
pub use link_core::LinkCore;
pub use netlist::{Family, synthesise_netlist};
pub use nextpnr::{CriticalPath, Timing, Utilisation};
pub use node::{MOST_PEERS, Node, NodeLink, NodePeer};
pub use node_board::{Lane, NODE_BOARDS, NodeBoard, Pcie};
pub use open::OpenFigures;
pub use program::Program;
pub use project::Project;
pub use register_bridge::register_bridge;
pub use register_window::register_window;
pub use selftest::{BAUD, SelfTest};
pub use tool_runner::{FlowListener, Silent, ToolRunner};
