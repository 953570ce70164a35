//! Tests from the user's side that need nothing but cargo, a module for each task. They are one program so that
//! they are built and linked once and run side by side: `cargo test --test plain routing::` runs one
//! module. What needs a tool is in `tools.rs`, cases that are files are in `cases.rs`.

mod common {
    pub mod bless;
    pub mod crate_files;
    pub mod damage;
    pub mod files;
    pub mod networks;
    pub mod pages;
    pub mod sources;
    pub mod specs;
    pub mod verilog;
}

mod cabling;
mod cabling_findings;
mod cabling_image;
mod cabling_least;
mod cabling_repair;
mod circles;
mod cli;
mod comparison;
mod cosim_harness;
mod diagnostics;
mod distributed_switch;
mod distributed_switch_faults;
mod engine_claims;
mod explore;
mod fault_paper;
mod fault_survival;
mod foreign_routes;
mod generate;
mod generate_text;
mod generated_pages;
mod in_band;
mod in_band_failures;
mod in_band_simulation;
mod input_files;
mod keywords;
mod latency;
mod layered;
mod live_faults;
mod live_manager;
mod live_sockets;
mod manage;
mod message_flood;
mod microarchitecture_page;
mod network_kinds;
mod output_folder;
mod outside_hosts;
mod pages;
mod path_masks;
mod peer_registers;
mod pictures;
mod programs;
mod random_shortcut;
mod routing;
mod rtl_folder_verdicts;
mod setup_scripts;
mod shortest;
mod simulation;
mod simulation_commands;
mod simulation_population;
mod slim_fly;
mod source_files;
mod spec;
mod spec_laws;
mod spec_settings;
mod study;
mod tool_folders;
mod topology;
mod topology_export;
mod topology_metrics;
mod trial;
mod up_down;
mod words;
mod workload;
