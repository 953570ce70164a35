//! The fast model: what the reference does, cycle by cycle, at many times its speed.
//!
//! [`measure`] simulates whole networks under [traffic](mkns_traffic), [`work`] until work is done, [`live`] while cables fail. The
//! same cores are the [`DataPath`](mkns_design::DataPath) of a block that judges RTL. All of it is free to be tuned:
//! tests hold it to the reference in every cycle, every pin and every link.

mod beat;
mod block;
mod core;
mod egress;
mod egress_fifos;
mod egress_width;
mod fabric;
mod flit;
mod host_channel;
mod host_port;
mod ingress;
mod ingress_width;
mod layer_choice;
pub mod live;
pub mod measure;
mod packed_flit;
mod packet_rules;
mod pok;
mod prefetch;
pub mod ranks;
mod standstill;
mod state_text;
mod switch_core;
#[cfg(test)]
mod tests;
pub mod work;

pub use block::PathShape;
