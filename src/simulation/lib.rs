//! The fast model: what the reference does, cycle by cycle, at many times its speed.
//!
//! [`measure`] simulates whole networks under [`traffic`], [`work`] until work is done, [`live`] while cables fail. A
//! [`BlockModel`] puts the packed words of `design` around the same cores, to judge RTL. All of it is free to be
//! tuned: tests hold it to the reference in every cycle, every pin and every link.

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
pub mod live;
pub mod measure;
mod packed_flit;
mod packet_rules;
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
pub use switch_bench::{Saturation, SwitchBench};
pub use switch_traffic::{Offered, Pattern};
