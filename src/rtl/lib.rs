//! From a build plan to files: Verilog, manifest, lists for other tools, and the atomic writer.
//!
//! Views (`views/`) turn the plan into strings ready to print, templates (`hdl-templates/`) lay them
//! out. Output is byte-stable: no dates, no paths, no map order. Knows no behaviour of the blocks.

mod assemblies;
mod folder;
mod identifier;
mod layout;
pub mod lint;
mod literal;
mod manifest;
mod output;
mod parameters;
mod rtl_folder;
mod sources;
mod tables;
mod template_folder;
mod under_test;
mod used_files;
mod verilog;
mod views;

pub use assemblies::assembly_parameters;
pub use folder::{Difference, compare, default_folder, overwrite, write};
pub use output::{OutputFile, render_output};
pub use parameters::{block_parameters, instance_parameters, module_name, table_parameters};
pub use sources::{
    BANNER_START, assembly_name, render_block, render_network, render_sources, top_name,
};
pub use under_test::{RtlSources, Scope, without_banner};
