//! `cable`: both directions of one cable, bundled; `simplex_cable`: one of them.

use askama::Template;

use crate::parameters::link_bits;
use mkns_design::BlockModule;

#[derive(Template)]
#[template(path = "network/cable.v")]
pub struct Cable<'a> {
    banner: &'a str,
    data_width: u32,
    vcs: u32,
    latency: u32,
    link_bits: u32,
}

/// The same for a cable that carries flits in one direction.
#[derive(Template)]
#[template(path = "network/simplex_cable.v")]
pub struct SimplexCable<'a> {
    banner: &'a str,
    data_width: u32,
    vcs: u32,
    latency: u32,
    link_bits: u32,
}

/// Both views are made alike.
macro_rules! between_blocks_like {
    ($view:ident) => {
        impl<'a> $view<'a> {
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
    };
}

between_blocks_like!(Cable);
between_blocks_like!(SimplexCable);
