//! `mkns mutate`: how many small changes to a block's RTL the co-simulation reports.

use clap::Args;
use indicatif::ProgressStyle;

use super::block_choice::one_of;
use super::progress::{self, Progress};
use super::renamed;
use super::score_error::score_error;
use super::spec_arguments::SpecArguments;
use super::{Command, CommandError, Context};
use mkns_campaign::mutate::{
    Campaign, MOST, MutantOutcome, MutatedLink, MutatedUnit, Netlist, Score, Subject,
};
use mkns_campaign::scored_modules;
use mkns_cosim::{RunListener, link_parameters, management_top};
use mkns_design as design;
use mkns_design::ModuleKind;
use mkns_diag::{Code, nearest};
use mkns_jobs::MOST_RUNS;
use mkns_report::TestedPart;
use mkns_rtl as rtl;
use mkns_spec::NetworkSpec;

/// What can be mutated.
const BLOCKS: &[TestedPart] = &[
    TestedPart::Switch,
    TestedPart::Adapter,
    TestedPart::Pok,
    TestedPart::Terminal,
    TestedPart::Link,
    TestedPart::Management,
];
const LINK: &str = "A port of a serial link, at one end of a cable with bit errors";

/// Plant small faults in a block's RTL and count how many the lockstep finds
#[derive(Debug, Args)]
pub struct Mutate {
    #[command(flatten)]
    spec: SpecArguments,
    /// The kind of block; the first module of that kind is mutated
    #[arg(long, value_parser = one_of(BLOCKS, LINK))]
    block: TestedPart,
    /// How many mutants are built
    #[arg(long, value_name = "N", default_value_t = 200,
          alias = "count", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST)))]
    mutants: u32,
    /// Seed of the choice of mutants
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Cycles of traffic per pattern and seed
    #[arg(long, value_name = "N", default_value_t = 20_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    cycles: u64,
    /// How many runs are made per pattern, with seeds 1 to N, until one finds the mutant
    #[arg(long, value_name = "N", default_value_t = 8,
          value_parser = clap::value_parser!(u64).range(1..=MOST_RUNS))]
    seeds: u64,
    /// Run only the mutants with these numbers
    #[arg(long = "mutant", value_name = "N", value_delimiter = ',')]
    only: Vec<u32>,
    #[command(flatten)]
    renamed: renamed::Mutants,
    /// Mutate only this module of the block, such as path_choice
    #[arg(long, value_name = "NAME")]
    module: Option<String>,
}

impl Command for Mutate {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let spec = self.spec.parse()?;
        let subject = match self.block.kind() {
            Some(kind) => self.block_of(&spec, kind)?,
            None if self.block == TestedPart::Management => Original::management(),
            None => Original::link(&spec),
        };
        let unknown = self
            .only
            .iter()
            .find(|number| !(1..=self.mutants).contains(number));
        if let Some(number) = unknown {
            return Err(self.no_such_mutant(*number));
        }
        self.ensure_module_of(&subject.sources)?;
        let campaign = Campaign {
            block: subject.name,
            cycles: self.cycles,
            seeds: self.seeds,
        };
        let mut netlist = Netlist::build(
            &subject.sources,
            subject.top,
            &subject.parameters,
            (self.mutants, self.seed),
            self.module.as_deref(),
        )
        .map_err(|error| score_error(context, &error.into()))?;
        if !self.only.is_empty() {
            (netlist.keep(&self.only)).map_err(|number| self.no_such_mutant(number))?;
        }
        if netlist.mutants.is_empty() {
            let place = self.module.as_deref().unwrap_or("the block");
            let fact = format!("Yosys finds nothing in {place} to change");
            let remedy = "choose another block or module";
            return Err(CommandError::new(Code::NoSuchMutant, fact, remedy));
        }
        let bar = Bar::new(context);
        let ended = campaign.run(&*subject.checked, &netlist, &bar);
        bar.0.finish();
        let score = ended.map_err(|error| score_error(context, &error))?;
        context.result(text(&score), &score)
    }
}

/// What mutants are made from, and what checks them.
struct Original {
    /// In reports.
    name: String,
    sources: Vec<(String, String)>,
    top: &'static str,
    parameters: Vec<(String, String)>,
    checked: Box<dyn Subject>,
}

impl Original {
    fn link(spec: &NetworkSpec) -> Self {
        let link = MutatedLink::new(&link_parameters(spec).0);
        let (top, text, _) = link.top();
        Self::inside("link", rtl::render_link(), (top, text), Box::new(link))
    }

    fn management() -> Self {
        let (top, text, _) = management_top();
        let sources = rtl::render_management();
        Self::inside("management", sources, (top, text), Box::new(MutatedUnit))
    }

    /// A module inside a top that connects its pins.
    fn inside(
        name: &str,
        mut sources: Vec<(String, String)>,
        (top, text): (&'static str, String),
        checked: Box<dyn Subject>,
    ) -> Self {
        sources.push((format!("{top}.v"), text));
        Self {
            name: name.to_owned(),
            sources,
            top,
            parameters: Vec::new(),
            checked,
        }
    }
}

impl Mutate {
    fn block_of(&self, spec: &NetworkSpec, kind: ModuleKind) -> Result<Original, CommandError> {
        let modules = scored_modules(&design::build(spec)?, kind);
        let (name, module) = modules.into_iter().next().ok_or_else(|| {
            let fact = format!("{} has no {} blocks", self.spec.title(), kind.name());
            let remedy = "choose another block, or a network that has such blocks";
            CommandError::new(Code::NoSuchBlock, fact, remedy)
        })?;
        Ok(Original {
            name,
            sources: rtl::render_block(&module),
            top: rtl::module_name(kind),
            parameters: rtl::block_parameters(&module),
            checked: Box::new(module),
        })
    }

    fn ensure_module_of(&self, sources: &[(String, String)]) -> Result<(), CommandError> {
        let Some(module) = &self.module else {
            return Ok(());
        };
        let names = || {
            sources
                .iter()
                .filter_map(|(file, _)| file.strip_suffix(".v"))
        };
        if names().any(|name| name == module) {
            return Ok(());
        }
        let fact = format!("--module {module}: the block has no such module");
        let all = || format!("choose one of {}", names().collect::<Vec<_>>().join(", "));
        let remedy =
            nearest(module, names()).map_or_else(all, |name| format!("did you mean {name}?"));
        Err(CommandError::new(Code::NoSuchMutant, fact, remedy))
    }

    fn no_such_mutant(&self, number: u32) -> CommandError {
        let fact = format!("`--mutant {number}`: the mutants are 1 to {}", self.mutants);
        let remedy = "choose among them, or raise `--mutants`";
        CommandError::new(Code::NoSuchMutant, fact, remedy)
    }
}

/// The score, then every mutant that was not killed.
fn text(score: &Score) -> String {
    let mut text = format!(
        "{}: {} mutants, {} killed, {} proved equivalent, {} survived: {:.1} % of {} \
         killed\n",
        score.block,
        score.rows.len(),
        score.killed,
        score.equivalent,
        score.survived,
        score.percent,
        score.killed + score.survived
    );
    for row in &score.rows {
        let (word, remark) = match &row.fate {
            MutantOutcome::Killed { .. } => continue,
            MutantOutcome::Equivalent => ("equivalent", String::new()),
            MutantOutcome::Survived { comparison } => ("survived", format!(" ({comparison})")),
        };
        let mutant = &row.mutant;
        text += &format!(
            "{word:10} {:3} {} {}{remark}\n    {}\n",
            mutant.number,
            mutant.mode,
            mutant.place,
            mutant.sources.join(" ")
        );
    }
    text
}

/// Progress of the campaign.
struct Bar(Progress);

impl Bar {
    fn new(context: &Context) -> Self {
        let template = "{msg} {bar:30} {pos}/{len} mutants {eta}";
        let bar = progress::bar(context, "compared", "mutants", 0);
        let style = ProgressStyle::with_template(template).expect("the template is well-formed");
        bar.set_style(style);
        Self(bar)
    }
}

impl RunListener for Bar {
    fn building(&self, _progress: mkns_sim::Progress) {
        self.0.set_message("compiling the netlist");
        self.0.begin("compiling the netlist");
    }

    fn begins(&self, what: &str, mutants: u64) {
        self.0.begin(what);
        self.0.set_message(what.to_owned());
        self.0.set_length(mutants);
        self.0.reset();
    }

    fn reached(&self, mutant: u64) {
        self.0.set_position(mutant);
    }
}
