//! The fast model: what the reference does, cycle by cycle, at many times its speed.
//!
//! [`measure`] simulates whole networks under [traffic](mkns_traffic), [`work`] until work is done, [`live`] while cables fail. All
//! of it is free to be tuned: tests hold every link of its networks to the reference in every cycle.

mod choices;
mod core;
mod egress;
mod egress_width;
mod fabric;
mod fifos;
mod flit;
mod host_channel;
mod host_port;
mod ingress;
mod ingress_width;
mod layer_choice;
pub mod live;
pub mod measure;
mod pok;
mod prefetch;
pub mod ranks;
mod standstill;
mod switch_core;
#[cfg(test)]
mod tests;
pub mod work;
