//! From a build plan to files: Verilog, manifest, lists for other tools, and the atomic writer.
//!
//! Structs (`templates/`) turn the plan into strings ready to print, templates (`hdl-templates/`) lay them
//! out. Output is byte-stable: no dates, no paths, no map order. Knows no behaviour of the blocks.

mod assemblies;
mod block_path;
mod file_text;
mod folder;
mod folder_plan;
mod identifier;
mod inventory;
mod layout;
mod link_constraints;
pub mod lint;
mod literal;
mod manifest;
mod names;
mod node_constants;
mod output;
mod output_file;
mod parameters;
mod replaced;
mod rtl_folder;
mod scope;
mod source_scan;
mod sources;
pub mod structure;
mod tables;
mod template_folder;
mod templates;
mod under_test;
mod used_files;
mod verilog;

pub use assemblies::assembly_parameters;
pub use block_path::block_path;
pub use file_text::{finished, verilog};
pub use folder::{Difference, compare, default_folder, overwrite, write};
pub use folder_plan::plan_of_folder;
pub use link_constraints::LINK_CONSTRAINTS;
pub use names::{assembly_name, board_name, top_name};
pub use output::{render_output, render_output_with};
pub use output_file::OutputFile;
pub use parameters::{block_parameters, instance_parameters, module_name, table_parameters};
pub use replaced::replaced_parameters;
pub use scope::Scope;
pub use sources::{render_block, render_link, render_management, render_network, render_sources};
pub use under_test::{RtlSources, without_banner};
