//! Areas of blocks that were synthesised before, by content: a block takes Yosys seconds to minutes, and a
//! network has few different ones.
//!
//! An entry is named by the harness (which holds the block's name, ports and parameters), the sources, those in cells
//! of the ECP5, and by the Yosys that is installed and what it is asked to do.

use std::fs;
use std::path::PathBuf;

use mkns_scratch::ContentKey;

use super::area::Area;
use super::bench::Bench;
use super::tool_runner::{ToolRunner, io_error};
use super::yosys::ECP5_CELLS;
use super::{FlowError, Program};

/// A folder of areas; without one every block is synthesised anew.
#[derive(Debug, Clone)]
pub struct AreaCache(Option<PathBuf>);

impl AreaCache {
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self(folder)
    }

    /// The area of the bench's block without its harness, synthesised with the tool runner if needed.
    pub fn area(&self, bench: &Bench, runner: &ToolRunner) -> Result<Area, FlowError> {
        let Some(folder) = &self.0 else {
            return Ok(bench.synthesise(runner)?.area);
        };
        let entry = folder.join(format!("{}.json", key(bench)?));
        // An entry that cannot be read is made again.
        let kept = fs::read_to_string(&entry).ok();
        if let Some(area) = kept.and_then(|text| serde_json::from_str(&text).ok()) {
            return Ok(area);
        }
        let area = bench.synthesise(runner)?.area;
        let text = serde_json::to_string(&area).expect("numbers can be written");
        mkns_scratch::write_whole(&entry, text).map_err(io_error("write", &entry))?;
        Ok(area)
    }
}

fn key(bench: &Bench) -> Result<String, FlowError> {
    let mut key = ContentKey::new("area");
    let program = Program::Yosys;
    let path = program.path().ok_or(FlowError::Missing { program })?;
    key.add_program(&path).map_err(io_error("read", &path))?;
    key.add("script", bench.script());
    key.add("harness", bench.harness_text());
    for (name, text) in ECP5_CELLS {
        key.add(name, text);
    }
    for (name, text) in bench.sources {
        key.add(name, text);
    }
    Ok(key.finish())
}
