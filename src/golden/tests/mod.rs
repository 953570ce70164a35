//! A few cycles of every part, worked out from the page by hand.

mod egress;
mod ingress;
mod modules;
mod rok;
mod widths;
