//! `mkns generate`: the output folder of a design, written or compared.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::built_block::BuiltBlock;
use super::network_arguments::NetworkArguments;
use super::{Command, CommandError, Context, output_path, progress, unserved};
use mkns_design::{Plan, Purpose};
use mkns_diag::{Code, Exit};
use mkns_rtl as rtl;
use mkns_topology::BlockId;
use progress::Spinner;

/// Blocks of a network whose folder is not there in a moment.
const LARGE: usize = 20_000;
/// What a block takes in the network top and in the topology, about.
const BLOCK_BYTES: usize = 4_300;
/// What an entry of a block's tables takes in the list of routes, about.
const ENTRY_BYTES: usize = 25;

/// Generate the RTL, tables, manifest and file lists for other tools
#[derive(Debug, Args)]
pub struct Generate {
    #[command(flatten)]
    network: NetworkArguments,
    /// Output folder [default: rtl-out/<name>]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Also write a module for this one block, such as ab_0_0_0_0, with its tables and address as constants; can be
    /// repeated
    #[arg(long, value_name = "BLOCK")]
    block: Vec<String>,
    /// Write nothing; exit with code 8 if the folder differs from what would be generated
    #[arg(long)]
    check: bool,
    /// Also replace files that were changed after an earlier run wrote them, but never files that mkns did not write
    #[arg(long, conflicts_with = "check")]
    overwrite: bool,
}

/// What was written or compared.
#[derive(Debug, Serialize)]
struct Outcome {
    folder: String,
    files: usize,
    bytes: usize,
    /// Ordered pairs of hosts that failed parts cut off from each other.
    pairs_without_route: u64,
    differences: Vec<rtl::Difference>,
    /// Parameters in which the output differs from the one that it replaced.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    replaced: Vec<String>,
    /// Modules for blocks alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    blocks: Vec<String>,
    /// By kind of block with a switch core.
    built: Vec<BuiltBlock>,
}

impl Command for Generate {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let spinner = progress::spinner(context, "building the network");
        let outcome = self.generate(&spinner, context)?;
        if self.check {
            return report(&outcome, context);
        }
        if !outcome.replaced.is_empty() {
            context.summary(format_args!(
                "{} replaces an output of other parameters: {}; to keep both, give one another name with \
                 `--set name=NAME`",
                outcome.folder,
                outcome.replaced.join(", ")
            ));
        }
        let (folder, files) = (&outcome.folder, outcome.files);
        let megabytes = outcome.bytes as f64 / 1e6;
        let mut text = format!("{folder}: {files} files, {megabytes:.1} MB");
        text.extend((outcome.built.iter()).map(|block| format!("\n  {block}")));
        for (name, path) in self.block.iter().zip(&outcome.blocks) {
            text += &format!("\n{name}: {folder}/{path}");
        }
        context.result(text, &outcome)
    }
}

impl Generate {
    fn generate(&self, spinner: &Spinner, context: &Context) -> Result<Outcome, CommandError> {
        let plan = self.network.plan(Purpose::Rtl)?;
        unserved::ensure_served(&plan)?;
        let blocks = self.blocks(&plan)?;
        announce(&plan, context);
        self.say_name(&plan, context);
        spinner.step("rendering files");
        let folder = match &self.output {
            Some(folder) => folder.clone(),
            None => rtl::default_folder(&plan.spec.name),
        };
        if !self.check {
            output_path::new_folder("--output", &folder)?;
        }
        let files = rtl::render_output_with(&plan, &blocks)?;
        let mut outcome = Outcome {
            folder: folder.display().to_string(),
            files: files.len(),
            bytes: files.iter().map(|file| file.text.len()).sum(),
            pairs_without_route: plan.pairs_without_route(),
            differences: Vec::new(),
            replaced: Vec::new(),
            blocks: Vec::new(),
            built: BuiltBlock::of_plan(&plan),
        };
        if outcome.pairs_without_route > 0 {
            context.summary(format_args!(
                "warning: {} pairs of hosts have no route because failed parts cut them off",
                outcome.pairs_without_route
            ));
        }
        let paths = blocks.iter().map(|&block| rtl::block_path(&plan, block));
        outcome.blocks = paths.collect();
        if self.check {
            spinner.step("comparing the folder");
            outcome.differences = rtl::compare(&files, &folder)?;
            return Ok(outcome);
        }
        spinner.step("writing the folder");
        let write = match self.overwrite {
            true => rtl::overwrite,
            false => rtl::write,
        };
        let replaced = rtl::replaced_parameters(&files, &folder);
        write(&files, &folder)?;
        outcome.replaced = replaced;
        Ok(outcome)
    }
}

impl Generate {
    /// The blocks that are wanted alone.
    fn blocks(&self, plan: &Plan) -> Result<Vec<BlockId>, CommandError> {
        let blocks = &plan.network.blocks;
        let found = |name: &String| {
            plan.network.block_named(name).ok_or_else(|| {
                let fact = format!("`--block {name}`: the network has no such block");
                let (first, last) = (&blocks[0].name, &blocks[blocks.len() - 1].name);
                let remedy = format!("name one of {first} to {last}; topology.json lists them all");
                CommandError::new(Code::UnknownPart, fact, remedy)
            })
        };
        self.block.iter().map(found).collect()
    }

    /// Says how the network is written where the notation given is another one of it: one network has one name.
    fn say_name(&self, plan: &Plan, context: &Context) {
        let (given, notation) = (self.network.spec.text(), plan.spec.notation());
        let plain = |text: &str| {
            text.to_lowercase()
                .replace([' ', '\t'], "")
                .replace('×', "x")
        };
        if given.ends_with(')') && plain(given) != plain(&notation) {
            context.summary(format_args!(
                "{given} is the same network as {notation}; it is called {}",
                plan.spec.name
            ));
        }
    }
}

/// Says what is coming, when it takes long.
fn announce(plan: &Plan, context: &Context) {
    let blocks = plan.instances.len();
    if blocks <= LARGE {
        return;
    }
    let tables = plan.instances.iter().flat_map(|one| &one.tables.tables);
    let entries: usize = tables.map(|table| table.entries.len()).sum();
    let bytes = blocks * BLOCK_BYTES + entries * ENTRY_BYTES;
    context.summary(format_args!(
        "{}: {blocks} blocks, about {:.1} GB in some 40 files; this takes a while",
        plan.spec.name,
        bytes as f64 / 1e9
    ));
}

/// The result of `--check`.
fn report(outcome: &Outcome, context: &Context) -> Result<(), CommandError> {
    if outcome.differences.is_empty() {
        let text = format!("{}: {} files are up to date", outcome.folder, outcome.files);
        return context.result(text, outcome);
    }
    let lines = outcome.differences.iter().map(ToString::to_string);
    let lines: Vec<String> = lines.collect();
    Err(context.verdict(Exit::OutputDiffers, lines.join("\n"), outcome))
}
