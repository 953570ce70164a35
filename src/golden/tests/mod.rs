//! A few cycles of every part, worked out from the page by hand.

mod control_port;
mod egress;
mod ingress;
mod link_port;
mod modules;
mod network;
mod rok;
mod switch_core;
mod widths;
