//! Timing constraints of the modules through which signals cross clocks, for the programs of FPGA makers.

use mkns_rtl::LINK_CONSTRAINTS;

use super::board::{ConstraintFile, constraint};

/// Of `axis_async_fifo`.
pub const FIFO_CONSTRAINTS: [ConstraintFile; 4] = [
    constraint!("common", "async_fifo.xdc"),
    constraint!("common", "async_fifo.sdc"),
    constraint!("common", "async_fifo.lpf"),
    constraint!("common", "async_fifo.pdc"),
];

/// Of `bit_synchroniser`.
pub const LEVEL_CONSTRAINTS: [ConstraintFile; 4] = [
    constraint!("common", "bit_synchroniser.xdc"),
    constraint!("common", "bit_synchroniser.sdc"),
    constraint!("common", "bit_synchroniser.lpf"),
    constraint!("common", "bit_synchroniser.pdc"),
];

/// Modules with crossings, and their constraints.
const CROSSINGS: [(&str, [ConstraintFile; 4]); 3] = [
    ("axis_async_fifo", FIFO_CONSTRAINTS),
    ("bit_synchroniser", LEVEL_CONSTRAINTS),
    ("link_port", LINK_CONSTRAINTS),
];

/// Constraints of the modules that are among these sources, file names and texts.
pub fn constraints_of(sources: &[(String, String)]) -> Vec<(String, String)> {
    let has = |module: &str| {
        sources
            .iter()
            .any(|(name, _)| *name == format!("{module}.v"))
    };
    let crossings = CROSSINGS.iter().filter(|(module, _)| has(module));
    let files = crossings.flat_map(|(_, files)| files);
    files
        .map(|&(name, text)| (name.to_owned(), text.to_owned()))
        .collect()
}

/// Modules with crossings whose file for Vivado is among these, and that file.
pub fn scoped(files: &[(String, String)]) -> Vec<(&'static str, &'static str)> {
    let is_there = |file: &str| files.iter().any(|(name, _)| name == file);
    let scopes = CROSSINGS.map(|(module, files)| (module, files[0].0));
    scopes
        .into_iter()
        .filter(|(_, file)| is_there(file))
        .collect()
}
