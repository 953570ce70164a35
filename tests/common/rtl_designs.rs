//! Designs for tests that build RTL, and models of them: few ports compile quickly, and so do models
//! that are not optimised.

#[cfg(feature = "cosim")]
use mkns::cosim::Models;
use mkns::design::{self, BlockModule, ModuleKind, Plan};
use mkns::spec::{self, NetworkSpec};

/// The plan of a notation.
pub fn plan(notation: &str) -> Plan {
    build(&spec::parse(notation).expect("the notation is valid"))
}

/// The plan of a spec.
pub fn build(spec: &NetworkSpec) -> Plan {
    design::build(spec).expect("the network can be built")
}

/// The first module of a kind.
pub fn module(plan: &Plan, kind: ModuleKind) -> &BlockModule {
    let found = plan.modules.iter().find(|module| module.kind == kind);
    found.expect("the plan has such a module")
}

/// Models of given sources for the short runs of tests.
#[cfg(feature = "cosim")]
pub fn quick_models(sources: &[(String, String)]) -> Models {
    let models = Models::from_sources(sources).expect("Verilator is set up");
    models.for_block_cycles(0)
}
