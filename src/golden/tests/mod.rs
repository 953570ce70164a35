//! A few cycles of every part, worked out from the page by hand; blocks on their pins.

mod control_port;
mod ingress;
mod link_port;
mod management_unit;
mod modules;
mod network;
mod pins;
mod pok;
mod watch;
