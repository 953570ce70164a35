//! All tests from the user's side, a module for each task. They are one program so that they are built and
//! linked once and run side by side: `cargo test --test all rok::` runs one module.

mod common;

mod cli;
mod cli_graph;
mod cocotb_smoke;
mod comparison;
mod cosim;
mod cosim_flat;
mod cosim_harness;
mod cosim_saturated;
mod cosim_simulation;
mod coverage;
mod diagnostics;
mod distributed_lockstep;
mod distributed_switch;
mod faults;
mod faults_adapter;
mod faults_switch;
mod fpga;
mod fpga_constraints;
mod fpga_host_core;
mod fpga_host_network;
mod fpga_selftest;
mod fpga_vendor;
mod fusesoc;
mod generate;
mod generate_text;
mod generated_folder;
mod icarus;
mod latency;

mod lint;
mod mutation;
mod netlist;
mod network_kinds;
mod network_page;
mod nonblocking_rtl;
mod pictures;
mod regress;
mod rok;
mod routing;
mod send_packet;
mod shrinking;
mod simulation;
mod source_files;
mod spec;
mod spec_laws;
mod topology;
mod topology_export;
mod topology_metrics;
