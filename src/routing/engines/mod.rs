//! The routing engines: one file each, and a line in the registry.
//!
//! What an engine claims stands in `mkns_spec::ENGINES`; the registry says which algorithm fills its tables.

mod dense;
mod destination_tree;
mod dimension_order;
mod engine;
mod fat_tree;
mod height;
mod layered;
mod planes;
mod rings;
mod rising_channels;
mod shortest;
mod spine;
mod up_down;
mod vtftr;

pub use engine::{CabledPort, Routes, RoutingEngine, Task};

/// The algorithm of every engine, by name.
const REGISTRY: &[(&str, &dyn RoutingEngine)] = &[
    ("dimension_order", &dimension_order::DimensionOrder),
    ("rings", &rings::Rings),
    ("fat_tree", &fat_tree::FatTree),
    ("spine", &spine::SpineOutputs),
    ("planes", &planes::Planes { spread: false }),
    ("planes_spread", &planes::Planes { spread: true }),
    ("vtftr", &vtftr::Vtftr),
    ("shortest", &shortest::Shortest),
    ("layered", &layered::Layered { by_hops: false }),
    ("layered_hops", &layered::Layered { by_hops: true }),
    ("up_down", &up_down::UpDown),
];

/// The algorithm of that name.
pub fn named(name: &str) -> &'static dyn RoutingEngine {
    let found = REGISTRY.iter().find(|(known, _)| *known == name);
    found.expect("a validated spec names a known engine").1
}

#[cfg(test)]
mod tests {
    use super::REGISTRY;
    use mkns_spec::ENGINES;

    #[test]
    fn every_engine_that_a_spec_can_name_has_an_algorithm() {
        let claimed = ENGINES.iter().map(|engine| engine.name);
        assert!(claimed.eq(REGISTRY.iter().map(|(name, _)| *name)));
    }
}
