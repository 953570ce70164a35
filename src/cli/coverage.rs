//! `mkns coverage`: what a block regression reaches in the RTL, and which behaviour it has seen.

use std::fmt::Write;

use clap::Args;
use serde::Serialize;

use super::block_choice::one_of;
use super::progress::{self, Progress};
use super::rtl_folder::RtlFolder;
use super::score_error::rtl_score_error;
use super::spec_arguments::Settings;
use super::{Command, CommandError, Context};
use mkns_campaign::coverage::{Coverage as Counts, CoverageRatio, Kind, SourceItem};
use mkns_cosim::RunListener;
use mkns_design as design;
use mkns_diag::Code;
use mkns_jobs::MOST_RUNS;
use mkns_report::TestedPart;
use mkns_rtl as rtl;
use mkns_rtl::Scope;
use mkns_traffic::Pattern;

/// The blocks that are modules of their own; an assembly is made of several.
const BLOCKS: &[TestedPart] = &[
    TestedPart::Switch,
    TestedPart::Adapter,
    TestedPart::Pok,
    TestedPart::Terminal,
];

/// Measure line, branch, toggle and functional coverage of a block regression
#[derive(Debug, Args)]
pub struct Coverage {
    /// Networks, as TOML files or notations such as MKNS(2,4,2,1); their counts are added up
    #[arg(required = true)]
    specs: Vec<String>,
    #[command(flatten)]
    settings: Settings,
    /// The kinds of block, separated by commas; their counts are added up
    #[arg(long, value_delimiter = ',', required = true, value_parser = one_of(BLOCKS, ""))]
    block: Vec<TestedPart>,
    #[command(flatten)]
    rtl: RtlFolder,
    /// Cycles of traffic per pattern and seed
    #[arg(long, value_name = "N", default_value_t = 20_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    cycles: u64,
    /// How many runs are made per pattern, with seeds 1 to N
    #[arg(long, value_name = "N", default_value_t = 2,
          value_parser = clap::value_parser!(u64).range(1..=MOST_RUNS))]
    seeds: u64,
}

/// The report.
#[derive(Debug, Serialize)]
struct CoverageReport<'a> {
    runs: u64,
    cycles: u64,
    lines: CoverageRatio,
    branches: CoverageRatio,
    toggles: CoverageRatio,
    points: CoverageRatio,
    /// Places that no run can reach, which the shares leave out.
    fixed_toggles: usize,
    elaboration_lines: usize,
    files: Vec<FileShares<'a>>,
    missed_lines: Vec<&'a SourceItem>,
    missed_branches: Vec<&'a SourceItem>,
    missed_toggles: Vec<&'a SourceItem>,
    missed_points: Vec<&'a str>,
}

#[derive(Debug, Serialize)]
struct FileShares<'a> {
    file: &'a str,
    lines: CoverageRatio,
    branches: CoverageRatio,
    toggles: CoverageRatio,
}

impl Command for Coverage {
    fn runs_foreign_code(&self) -> bool {
        self.rtl.runs_foreign_code()
    }

    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let mut coverage = Counts::default();
        let runs = self.specs.len() * self.block.len() * Pattern::LOCKSTEP.len();
        let bar = Runs::new(context, runs as u64 * self.seeds);
        for text in &self.specs {
            let plan = design::build(&self.settings.parse(text)?)?;
            let kinds = self.block.iter().filter_map(|block| block.kind());
            let tops: Vec<&str> = kinds.clone().map(rtl::module_name).collect();
            let sources = (self.rtl).sources(&plan, Scope::Blocks, &tops, context)?;
            for kind in kinds {
                let runs = (self.cycles, self.seeds);
                coverage
                    .add(&plan, &sources.files, kind, runs, &bar)
                    .map_err(|error| rtl_score_error(context, &sources, &error))?;
            }
        }
        bar.0.finish();
        if coverage.runs == 0 {
            let fact = format!("no network of {} has such a block", self.specs.join(", "));
            let remedy = "choose another block, or a network that has such blocks";
            return Err(CommandError::new(Code::NoSuchBlock, fact, remedy));
        }
        let report = CoverageReport::of(&coverage);
        context.result(report.text(), &report)
    }
}

impl<'a> CoverageReport<'a> {
    fn of(coverage: &'a Counts) -> Self {
        let missed = |kind| coverage.missed(kind).collect();
        let share = |kind, file| coverage.share(kind, file);
        let shares = |file| FileShares {
            file,
            lines: share(Kind::Line, Some(file)),
            branches: share(Kind::Branch, Some(file)),
            toggles: share(Kind::Toggle, Some(file)),
        };
        Self {
            runs: coverage.runs,
            cycles: coverage.cycles,
            lines: share(Kind::Line, None),
            branches: share(Kind::Branch, None),
            toggles: share(Kind::Toggle, None),
            points: coverage.share_of_points(),
            fixed_toggles: coverage.left_out(Kind::Toggle),
            elaboration_lines: coverage.left_out(Kind::Line),
            files: coverage.files().into_iter().map(shares).collect(),
            missed_lines: missed(Kind::Line),
            missed_branches: missed(Kind::Branch),
            missed_toggles: missed(Kind::Toggle),
            missed_points: coverage.missed_points().collect(),
        }
    }

    fn text(&self) -> String {
        let mut text = format!("{} runs, {} cycles\n", self.runs, self.cycles);
        let row = |name: &str, shares: [CoverageRatio; 3]| {
            let cells = shares.map(|share| format!("{:5.1} % of {:5}", share.percent(), share.all));
            format!("{name:22} {}\n", cells.join("  "))
        };
        text += &format!(
            "{:22} {:>16}  {:>16}  {:>16}\n",
            "", "lines", "branches", "toggles"
        );
        for file in &self.files {
            text += &row(file.file, [file.lines, file.branches, file.toggles]);
        }
        text += &row("all", [self.lines, self.branches, self.toggles]);
        let _ = writeln!(
            text,
            "left out: {} toggles of bits with a fixed value and of clocks, {} lines of functions of constants",
            self.fixed_toggles, self.elaboration_lines
        );
        let points = self.points;
        let _ = writeln!(
            text,
            "points of behaviour: {} of {}",
            points.covered, points.all
        );
        for place in &self.missed_lines {
            let _ = writeln!(text, "missed line   {}:{}", place.file, place.line);
        }
        for place in &self.missed_branches {
            let _ = writeln!(
                text,
                "missed branch {}:{} {}",
                place.file, place.line, place.what
            );
        }
        for (signal, bits) in self.missed_signals() {
            let _ = writeln!(text, "missed toggle {signal}, {bits} of its bits' changes");
        }
        for name in &self.missed_points {
            let _ = writeln!(text, "missed point  {name}");
        }
        text
    }

    /// Signals with bits that did not change one way or the other, and how many such changes.
    fn missed_signals(&self) -> Vec<(String, usize)> {
        let mut signals: Vec<(String, usize)> = Vec::new();
        for place in &self.missed_toggles {
            let name = place.what.split(['[', ':']).next().unwrap_or_default();
            let signal = format!("{}:{} {name}", place.file, place.line);
            match signals.last_mut() {
                Some((last, bits)) if *last == signal => *bits += 1,
                _ => signals.push((signal, 1)),
            }
        }
        signals
    }
}

/// Runs so far.
struct Runs(Progress);

impl Runs {
    fn new(context: &Context, runs: u64) -> Self {
        // No time left: it would count the building of the models too.
        let template = "  coverage [{bar:40}] {pos}/{len} runs {elapsed}";
        Self(progress::styled(context, Some(runs), template))
    }
}

impl RunListener for Runs {
    fn building(&self, progress: mkns_sim::Progress) {
        if let mkns_sim::Progress::Compiling { top } = progress {
            self.0.begin(&format!("compiling {top}"));
        }
    }

    fn begins(&self, what: &str, _cycles: u64) {
        self.0.begin(what);
        self.0.inc(1);
    }

    fn reached(&self, _cycle: u64) {}
}
