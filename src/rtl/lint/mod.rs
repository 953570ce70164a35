//! Generated Verilog through other people's tools: Verilator, Icarus Verilog, Yosys.
//!
//! Every block module is checked as a top of its own with the design's parameters (the `*_node`
//! modules fix them), and so are the assembly and, up to [`Tool::largest_network`] blocks, the whole
//! network, by Yosys only when that is asked for: it takes minutes. For Verilator the blocks in those two are
//! black boxes.

mod black_box;
mod cache_entry;
mod tools;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde::Serialize;

use super::manifest::{MANIFEST, Summary, read_summary};
use super::rtl_folder::{refuse_unfit, verilog_in};
use super::scope::Scope;
use super::structure;
use super::under_test::RtlSources;
use black_box::BlackBoxes;
use cache_entry::LintCacheEntry;
use mkns_design::Plan;
use mkns_diag::{Code, Diagnostic, Place};
use mkns_scratch::{Ended, Scratch, last_lines};
pub use tools::Tool;

/// Lines of a tool's complaint that are kept.
const KEPT_LINES: usize = 40;

/// What a tool said about a top module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    Ok,
    /// Its last lines.
    Failed {
        output: String,
    },
    Missing,
}

/// One run of one tool.
#[derive(Debug, Clone, Serialize)]
pub struct LintRun {
    pub tool: Tool,
    pub top: String,
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Wall clock, seconds.
    pub seconds: f64,
    /// Not run again: it passed before with the same files.
    pub known: bool,
}

/// What was checked and how it went.
#[derive(Debug, Clone, Serialize)]
pub struct Lint {
    pub reports: Vec<LintRun>,
    /// What was not checked, and why.
    pub skipped: Vec<String>,
    /// Wiring, tables and parameters of the whole network are those of the plan.
    pub wiring: bool,
}

/// Compares the network of a folder with the plan, if that is known; the error is a difference. Otherwise says why not.
pub fn compare_wiring(
    folder: &Path,
    plan: Option<&Plan>,
    found: &mut Lint,
) -> Result<(), Vec<Diagnostic>> {
    let why = match plan {
        None => {
            Some("the wiring is not compared, because the manifest does not tell the whole spec")
        }
        Some(plan) => structure::not_compared(plan),
    };
    match (plan, why) {
        (Some(plan), None) => {
            let sources = RtlSources::new(plan, Scope::Network, Some(folder))?;
            structure::check(plan, &sources)?;
            found.wiring = true;
        }
        (_, why) => {
            let top = summary(folder)?.top;
            let why = why.unwrap_or_default();
            found.skipped.push(format!("slang  {top}: {why}"));
        }
    }
    Ok(())
}

/// Runs all tools on the RTL in an output folder of mkns, side by side; `synthesis`: Yosys reads the whole network
/// too. `done` is told of every run when it ends, in any order.
pub fn lint(
    folder: &Path,
    synthesis: bool,
    done: &(dyn Fn(&LintRun) + Sync),
) -> Result<Lint, Vec<Diagnostic>> {
    let summary = summary(folder)?;
    refuse_unfit(folder, &summary)?;
    let listed = summary.files.keys().cloned();
    // Files may have been added by hand.
    let found = verilog_in(&folder.join("rtl"))?.into_iter();
    let sources: BTreeSet<String> = listed
        .filter(|path| path.starts_with("rtl/") && path.ends_with(".v"))
        .chain(found.map(|name| format!("rtl/{name}")))
        .collect();
    let sources: Vec<String> = sources.into_iter().collect();
    let parts = parts(&summary.top, &sources).ok_or_else(|| no_parts(folder, &summary.top))?;
    let mut runs = Vec::new();
    let mut skipped = Vec::new();
    for tool in Tool::ALL {
        runs.extend(parts.iter().map(|part| (tool, part.as_str())));
        if tool == Tool::Yosys && !synthesis {
            skipped.push(format!(
                "{}  {}: the whole network is read with --synthesis",
                tool.name(),
                summary.top
            ));
        } else if summary.blocks <= tool.largest_network() {
            runs.push((tool, summary.top.as_str()));
        } else {
            let (name, limit) = (tool.name(), tool.largest_network());
            skipped.push(format!(
                "{name}  {}: {} blocks, checked up to {limit}",
                summary.top, summary.blocks
            ));
        }
    }
    let boxes = BlackBoxes::new(folder, &sources).map_err(|error| unreadable(folder, &error))?;
    let reports = runs
        .par_iter()
        .map(|(tool, top)| {
            let report = match tool {
                Tool::Verilator if !top.ends_with("_node") => {
                    run(*tool, top, &boxes.sources, folder)
                }
                _ => run(*tool, top, &sources, folder),
            };
            done(&report);
            report
        })
        .collect();
    Ok(Lint {
        reports,
        skipped,
        wiring: false,
    })
}

/// The modules that are checked besides the whole network; `None` when the sources have none of them.
fn parts(top: &str, sources: &[String]) -> Option<Vec<String>> {
    let network = top.strip_suffix("_top")?;
    let parts = [
        "adapter_node",
        "switch_node",
        "switch_assembly",
        "rok_node",
        "terminal_node",
    ];
    let parts = parts.map(|part| format!("{network}_{part}"));
    let is_there = |part: &String| sources.contains(&format!("rtl/{part}.v"));
    let blocks = parts.into_iter().filter(is_there);
    let names = sources.iter().filter_map(|path| {
        let name = path.strip_prefix("rtl/")?.strip_suffix(".v")?;
        let is_board = |kind: &str| name.starts_with(&format!("{network}_{kind}_board"));
        ["adapter", "switch"]
            .into_iter()
            .any(is_board)
            .then(|| name.to_owned())
    });
    let parts: Vec<String> = blocks.chain(names).collect();
    (!parts.is_empty()).then_some(parts)
}

fn no_parts(folder: &Path, top: &str) -> Vec<Diagnostic> {
    let fact = format!("the folder has no block module of its top module `{top}` in `rtl/`");
    let remedy = "generate the folder anew with `mkns generate`";
    vec![Diagnostic::new(Code::NotOutputFolder, fact, remedy).at(Place::file(folder))]
}

/// What the folder's manifest says.
fn summary(folder: &Path) -> Result<Summary, Vec<Diagnostic>> {
    let text = fs::read_to_string(folder.join(MANIFEST)).unwrap_or_default();
    read_summary(&text).ok_or_else(|| {
        let fact = "the folder has no `manifest.json` written by mkns";
        let remedy = "name a spec, or a folder that `mkns generate` wrote";
        vec![Diagnostic::new(Code::NotOutputFolder, fact, remedy).at(Place::file(folder))]
    })
}

fn unreadable(folder: &Path, error: &io::Error) -> Vec<Diagnostic> {
    let fact = format!("cannot read the generated sources: {error}");
    let remedy = "generate the folder anew, and check the free disk space";
    vec![Diagnostic::new(Code::FolderUnusable, fact, remedy).at(Place::file(folder))]
}

fn judge(tool: Tool, ended: &Ended) -> Verdict {
    let said = ended.said();
    // Icarus warns and succeeds; silence is what we ask for.
    let silent = said.trim().is_empty() || tool == Tool::Verilator;
    match ended.status.success() && silent {
        true => Verdict::Ok,
        false => Verdict::Failed {
            output: last_lines(said.trim_end(), KEPT_LINES),
        },
    }
}

fn run(tool: Tool, top: &str, sources: &[String], folder: &Path) -> LintRun {
    let start = Instant::now();
    let (verdict, known) = match tool.command(top, sources) {
        None => (Verdict::Missing, false),
        Some(command) => asked(tool, command, sources, folder),
    };
    LintRun {
        tool,
        top: top.to_owned(),
        verdict,
        seconds: seconds(start.elapsed()),
        known,
    }
}

/// What the command says, and whether that was known before.
fn asked(tool: Tool, mut command: Command, sources: &[String], folder: &Path) -> (Verdict, bool) {
    let passed = LintCacheEntry::of(&command, sources, folder).ok();
    if passed.as_ref().is_some_and(LintCacheEntry::is_known) {
        return (Verdict::Ok, true);
    }
    let _scratch = Scratch::of_program(&mut command);
    let verdict = match mkns_scratch::run(command.current_dir(folder)) {
        Err(_) => Verdict::Missing,
        Ok(ended) => judge(tool, &ended),
    };
    if let (Verdict::Ok, Some(passed)) = (&verdict, passed) {
        passed.note();
    }
    (verdict, false)
}

/// Rounded to hundredths.
fn seconds(elapsed: Duration) -> f64 {
    (elapsed.as_secs_f64() * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_whatever_the_network_is_called() {
        let sources = ["lab_top_top", "lab_top_switch_node", "switch_block"];
        let sources = sources.map(|name| format!("rtl/{name}.v"));
        let found = parts("lab_top_top", &sources);
        assert_eq!(found, Some(vec!["lab_top_switch_node".to_owned()]));
        assert_eq!(parts("lab_top", &sources), None);
    }
}
