//! Small designs for tests that build RTL: few ports compile quickly.
#![allow(dead_code)] // each test file uses its own part

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
