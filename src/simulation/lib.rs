//! The cycle-accurate reference model of every block, written from `docs/microarchitecture.md`.
//!
//! Written from that page alone, never from the RTL: it is the independent opinion. A
//! [`BlockModel`] speaks the packed words of `design`, [`NetworkModel`] wires many of them,
//! [`header`] is the header flit. [`measure`] simulates whole networks under [`traffic`], [`work`] until work is done, on the
//! same cores and PCIe-side ports without pins.

mod beat;
mod block;
mod control_port;
mod core;
mod counter_turn;
mod egress;
mod egress_fifos;
mod egress_width;
mod fabric;
mod flit;
pub mod header;
mod host_channel;
mod host_port;
mod ingress;
mod ingress_width;
mod layer_choice;
mod link;
pub mod live;
mod lone_switch;
pub mod measure;
mod network;
mod packed_flit;
mod packet_rules;
mod permutation_bench;
mod pin_core;
mod pin_rok;
mod prefetch;
mod queue_waits;
pub mod ranks;
mod registers;
mod rok;
mod state_text;
mod switch_bench;
mod switch_core;
mod switch_traffic;
#[cfg(test)]
mod tests;
pub mod traffic;
pub mod work;

pub use block::BlockModel;
pub use link::Wiring;
pub use network::NetworkModel;
pub use permutation_bench::{PermutationBench, PinNetwork};
pub use switch_bench::{Saturation, SwitchBench};
pub use switch_traffic::{Offered, Pattern};
