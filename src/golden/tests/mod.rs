//! A few cycles of every part, worked out from the page by hand; and random packets through whole networks.

mod control_port;
mod egress;
mod ingress;
mod link_port;
mod modules;
mod network;
mod random_packets;
mod rok;
mod switch_core;
mod widths;
