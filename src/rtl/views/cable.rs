//! `cable`: both directions of one cable, bundled.

use askama::Template;

use crate::design::BlockModule;
use crate::rtl::parameters::link_bits;

#[derive(Template)]
#[template(path = "network/cable.v")]
pub struct Cable<'a> {
    banner: &'a str,
    data_width: u32,
    vcs: u32,
    latency: u32,
    link_bits: u32,
}

impl<'a> Cable<'a> {
    /// The cable between blocks like `module`.
    pub fn new(module: &BlockModule, banner: &'a str) -> Self {
        Self {
            banner,
            data_width: module.parameters.flit_bits,
            vcs: module.parameters.virtual_channels,
            latency: module.parameters.link_latency,
            link_bits: link_bits(module),
        }
    }
}
