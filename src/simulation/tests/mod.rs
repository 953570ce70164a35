//! The page as tests: what `docs/microarchitecture.md` says of a block, asked of the model.

mod allocation;
mod conservation;
mod control;
mod egress;
mod fabric;
mod fabric_memory;
mod host_channels;
mod ingress;
mod links;
mod random_plan;
mod reference;
mod rig;
mod rok;
mod routing;
mod shortcuts;
mod starvation;
mod timing;
mod widths;
