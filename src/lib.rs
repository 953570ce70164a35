//! System networks of low-radix switches, from a spec to checked RTL.
//!
//! Data flows `spec → topology → routing → contract → design → traffic → manage / rtl / golden / simulation → cosim → bench, campaign`; one plain
//! data type stands on each arrow. Each stage is a crate in a folder of its own, and its `Cargo.toml`
//! says which other crates it may use. This crate gives them all under one name.
//!
//! ```
//! let spec = mkns::spec::parse("MKNS(2,4,2,1)").expect("a network of default blocks");
//! let network = mkns::topology::build(&spec);
//! assert_eq!(network.adapters().len(), 16);
//! assert_eq!(mkns::topology::export::cables_csv(&network).lines().count(), 1 + 40);
//! ```

#[cfg(feature = "cosim")]
pub use mkns_bench as bench;
pub use mkns_block_design as block_design;
pub use mkns_cable as cable;
pub use mkns_cabling as cabling;
#[cfg(feature = "cosim")]
pub use mkns_campaign as campaign;
pub use mkns_cli as cli;
pub use mkns_contract as contract;
#[cfg(feature = "cosim")]
pub use mkns_cosim as cosim;
pub use mkns_design as design;
pub use mkns_diag as diag;
pub use mkns_diag::tools;
pub use mkns_explore as explore;
pub use mkns_fpga as fpga;
pub use mkns_golden as golden;
pub use mkns_host as host;
pub use mkns_interface as interface;
pub use mkns_jobs as jobs;
pub use mkns_live as live;
pub use mkns_manage as manage;
pub use mkns_papers as papers;
pub use mkns_random as random;
pub use mkns_report as report;
pub use mkns_routing as routing;
pub use mkns_rtl as rtl;
pub use mkns_simulation as simulation;
pub use mkns_spec as spec;
pub use mkns_study as study;
pub use mkns_topology as topology;
pub use mkns_traffic as traffic;
pub use mkns_workload as workload;
