//! Tests from the user's side that need what `make setup` installs (Verilator, Yosys, Icarus Verilog, a
//! browser), a module for each task: `cargo test --test tools pok::` runs one module. `make test` runs them
//! all but the long ones, which `make test-long` runs.

mod common {
    pub mod browser;
    pub mod constraints;
    pub mod crossings;
    pub mod damage;
    pub mod declared;
    pub mod elaborated;
    pub mod faulty;
    pub mod files;
    pub mod lockstep;
    pub mod netlist_graph;
    pub mod page_runs;
    pub mod pages;
    pub mod planted;
    pub mod rtl_designs;
    pub mod smallest;
    pub mod specs;
    pub mod stub_tools;
    pub mod waveform;
    pub mod wrapper_bench;
    pub mod xdma_card;
    pub mod xdma_driver;
}

mod cocotb_smoke;
mod cosim;
mod cosim_flat;
mod cosim_rtl_folder;
mod cosim_saturated;
mod cosim_simulation;
mod coverage;
mod default_netlists;
mod distributed_lockstep;
mod faults;
mod faults_adapter;
mod faults_switch;
mod fpga;
mod fpga_constraints;
mod fpga_host_core;
mod fpga_host_late;
mod fpga_host_network;
mod fpga_host_resets;
mod fpga_node;
mod fpga_node_card;
mod fpga_selftest;
mod fpga_vendor;
mod fusesoc;
mod fuzz;
mod generated_folder;
mod host_library;
mod icarus;
mod illegal_parameters;
mod link_lockstep;
mod link_scores;
mod link_wrappers;
mod lint;
mod live_lockstep;
mod live_network;
mod mutation;
mod netlist;
mod network_page;
mod nonblocking_rtl;
mod page_commands;
mod path_layers;
mod pcie_registers;
mod pok;
mod register_bridge;
mod regress;
mod send_packet;
mod serial_network;
mod shrinking;
mod up_down_lockstep;
mod verdicts;
mod xdma_driver;
