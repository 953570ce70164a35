//! A SPEC with what has happened to its network: parts that have failed, tables that another program made.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::CommandError;
use super::spec_arguments::SpecArguments;
use mkns_design::{self as design, Plan, Purpose};
use mkns_diag::{Code, TextFile, TextKind, shell_word};
use mkns_random::Random;
use mkns_report::FailedParts;
use mkns_routing::{self as routing, AddressLayout, Routing, file, verify};
use mkns_simulation::measure::Partitioning;
use mkns_simulation::ranks::RankCommunicator;
use mkns_spec::NetworkSpec;
use mkns_topology::{self as topology, BlockId, Faults, Network, Part, Subgraph};

/// The stream of random numbers that says which cables fail.
const FAILED_CABLES: u64 = 0x6361_626c;

/// The SPEC of a verb that looks at routes.
#[derive(Debug, Clone, Args)]
pub struct NetworkArguments {
    #[command(flatten)]
    pub spec: SpecArguments,
    #[command(flatten)]
    failures: FailureArguments,
}

/// Parts that have failed, and tables from elsewhere.
#[derive(Debug, Clone, Default, Args)]
pub struct FailureArguments {
    /// Take out a failed part: a block ab_0_3_0_0, a cable ab_0_3_0_0/7 (by a port at one end)
    /// or ab_0_3_0_0-kb_y0, or a PCIe port ab_0_3_0_0:1; can be repeated
    #[arg(long, value_name = "PART")]
    down: Vec<String>,
    /// Take out the parts that this file names, one per line; # starts a comment
    #[arg(long, value_name = "FILE")]
    down_file: Option<PathBuf>,
    /// Use the routing tables in this file (routes.csv of `mkns generate`, or `mkns export --to routes`) instead of
    /// computing them
    #[arg(long, value_name = "FILE.csv")]
    routes: Option<PathBuf>,
    /// More parts that have failed, by name, which nobody named.
    #[arg(skip)]
    drawn: Vec<String>,
}

/// What one of several ranks is made from.
pub struct RankPlan {
    pub plan: Plan,
    /// Numbers in the whole network of the blocks of the plan.
    pub numbers: Vec<u32>,
    pub partitioning: Arc<Partitioning>,
}

/// A network, its failed parts and its routes.
pub struct RoutedNetwork {
    pub spec: NetworkSpec,
    pub network: Network,
    pub faults: Faults,
    pub routing: Routing,
}

/// What the failed parts of a network leave, if there are some.
pub fn damage(routed: &RoutedNetwork) -> Option<FailedParts> {
    if routed.faults.is_empty() {
        return None;
    }
    let (network, faults) = (routed.network.clone(), routed.faults.clone());
    let plan = Plan::with_faults(&routed.spec, network, faults, routed.routing.clone());
    FailedParts::of(&plan)
}

impl NetworkArguments {
    pub fn new(spec: SpecArguments, failures: FailureArguments) -> Self {
        Self { spec, failures }
    }

    /// As results and messages name it.
    pub fn title(&self) -> String {
        self.spec.title() + &self.failures.as_words()
    }

    /// This network with this many more cables, drawn by a seed, that have failed.
    ///
    /// # Errors
    /// When it has no more cables than that.
    pub fn with_failed_cables(&self, count: u32, seed: u64) -> Result<Self, CommandError> {
        let network = topology::build(&self.spec.parse()?);
        let cables = network.cables.len();
        if count as usize >= cables {
            let title = self.title();
            let fact = format!("`--failed-cables {count}`: {title} has {cables} cables");
            let remedy = "let fewer of them fail";
            return Err(CommandError::new(Code::FaultSetsUnusable, fact, remedy));
        }
        let order = Random::branch(seed, FAILED_CABLES).permutation(cables);
        let failed = order[..count as usize].iter();
        let names = failed.map(|&cable| Part::Cable(cable as u32).name(&network));
        let mut damaged = self.clone();
        damaged.failures.drawn.extend(names);
        Ok(damaged)
    }

    /// Everything that the arguments say.
    pub fn build(&self) -> Result<RoutedNetwork, CommandError> {
        self.failures.build(self.spec.parse()?)
    }

    /// Like [`Self::build`] for a verb that tells what is wrong with tables from a file.
    pub fn build_as_given(&self) -> Result<RoutedNetwork, CommandError> {
        self.failures.build_as_given(self.spec.parse()?)
    }

    /// The build plan of it.
    pub fn plan(&self, purpose: Purpose) -> Result<Plan, CommandError> {
        self.failures.plan(&self.spec.parse()?, purpose)
    }

    /// How several ranks cut the network, and the build plan for one of them: of its blocks and of those around them
    /// where their routes need no others. Tables of other ranks' blocks may be empty.
    pub fn plan_of_rank(
        &self,
        purpose: Purpose,
        ranks: &dyn RankCommunicator,
        needs_graph: bool,
    ) -> Result<RankPlan, CommandError> {
        let spec = self.spec.parse()?;
        let is_local = spec.has_default_engine() && self.failures.is_none() && !needs_graph;
        let (subgraph, partitioning) = match topology::layout(&spec).filter(|_| is_local) {
            Some(layout) => {
                let partitioning = Partitioning::of(Arc::clone(&layout), ranks.count());
                let own = partitioning.blocks_of(ranks.rank()).collect();
                let subgraph = Subgraph::around(&spec.name, &*layout, own);
                (subgraph, partitioning)
            }
            None => {
                let network = topology::build(&spec);
                let partitioning = Partitioning::of_graph(&network, ranks.count());
                (Subgraph::whole(network), partitioning)
            }
        };
        let Subgraph { network, numbers } = subgraph;
        let rank = ranks.rank();
        let wanted =
            |block: BlockId| partitioning.rank_of(BlockId(numbers[block.0 as usize])) == rank;
        let routed = self.failures.route(spec, network, &wanted)?;
        FailureArguments::ensure_fits(&routed, purpose)?;
        Ok(RankPlan {
            plan: FailureArguments::plan_of(routed, purpose)?,
            numbers,
            partitioning: Arc::new(partitioning),
        })
    }
}

impl FailureArguments {
    /// What these names and this file say.
    pub fn of(down: Vec<String>, routes: Option<PathBuf>) -> Self {
        Self {
            down,
            routes,
            ..Self::default()
        }
    }

    /// Whether nothing is said.
    pub fn is_none(&self) -> bool {
        let files = [&self.down_file, &self.routes];
        self.down.is_empty() && self.drawn.is_empty() && files == [&None, &None]
    }

    /// Files that are named.
    #[cfg(feature = "cosim")]
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let files = [&self.down_file, &self.routes].into_iter().flatten();
        files.map(PathBuf::as_path)
    }

    /// As arguments of a command line.
    pub fn words(&self) -> Vec<String> {
        let down = self.down.iter().map(|name| ("--down", name.clone()));
        let files = [("--down-file", &self.down_file), ("--routes", &self.routes)];
        let files = files
            .into_iter()
            .filter_map(|(option, path)| Some((option, path.as_ref()?.display().to_string())));
        let options = down.chain(files);
        options
            .flat_map(|(option, value)| [option.to_owned(), value])
            .collect()
    }

    /// Refuses damage where there is no network for it.
    pub fn refused(&self, why: &str) -> Result<(), CommandError> {
        match self.as_words().split_whitespace().next() {
            None => Ok(()),
            Some(option) => Err(CommandError::no_effect(option, &format!("here: {why}"))),
        }
    }

    /// As words of a command line.
    pub fn as_words(&self) -> String {
        let words = self.words();
        let words = words.iter().map(|word| format!(" {}", shell_word(word)));
        let drawn = match self.drawn.len() {
            0 => None,
            count => Some(format!(" --failed-cables {count}")),
        };
        words.chain(drawn).collect()
    }

    /// The network of a spec with this damage.
    pub fn build(&self, spec: NetworkSpec) -> Result<RoutedNetwork, CommandError> {
        self.built(spec, Purpose::Rtl)
    }

    fn built(&self, spec: NetworkSpec, purpose: Purpose) -> Result<RoutedNetwork, CommandError> {
        let network = topology::build(&spec);
        let routed = self.route(spec, network, &|_| true)?;
        Self::ensure_fits(&routed, purpose)?;
        Ok(routed)
    }

    fn build_as_given(&self, spec: NetworkSpec) -> Result<RoutedNetwork, CommandError> {
        let network = topology::build(&spec);
        let routed = self.route_as_given(spec, network, &|_| true)?;
        Self::ensure_fits(&routed, Purpose::Rtl)?;
        Ok(routed)
    }

    /// Only a simulation has address trains around failed parts.
    fn ensure_fits(routed: &RoutedNetwork, purpose: Purpose) -> Result<(), CommandError> {
        let is_simulated = matches!(purpose, Purpose::Simulation);
        match !routed.faults.is_empty() && !is_simulated && routed.spec.kind.has_trains() {
            true => Err(distributed_switch_stays()),
            false => Ok(()),
        }
    }

    /// A network with this damage; tables that are not wanted may be empty. Tables from a file are refused unless they
    /// serve every pair that cables join, without a deadlock.
    fn route(
        &self,
        spec: NetworkSpec,
        network: Network,
        wanted: &(dyn Fn(BlockId) -> bool + Sync),
    ) -> Result<RoutedNetwork, CommandError> {
        let routed = self.route_as_given(spec, network, wanted)?;
        if let Some(path) = &routed.routing.from_file {
            let (network, faults) = (&routed.network, &routed.faults);
            let usable = verify::ensure_usable(&routed.spec, network, faults, &routed.routing);
            usable.map_err(|fault| unusable_routes(path, &fault))?;
        }
        Ok(routed)
    }

    /// Like [`Self::route`], whatever the tables of a file lead to.
    fn route_as_given(
        &self,
        spec: NetworkSpec,
        network: Network,
        wanted: &(dyn Fn(BlockId) -> bool + Sync),
    ) -> Result<RoutedNetwork, CommandError> {
        if self.routes.is_some() && spec.kind.has_trains() {
            return Err(distributed_switch_stays());
        }
        let faults = self.faults(&network)?;
        let routing = match &self.routes {
            Some(path) => routes_of_file(path, &spec, &network, &faults)?,
            None => {
                // What is still served shows in all tables.
                let is_wanted = |block| !faults.is_empty() || wanted(block);
                routing::build_some(&spec, &network, &faults, &is_wanted)?
            }
        };
        Ok(RoutedNetwork {
            spec,
            network,
            faults,
            routing,
        })
    }

    /// The build plan of a spec with this damage.
    pub fn plan(&self, spec: &NetworkSpec, purpose: Purpose) -> Result<Plan, CommandError> {
        Self::plan_of(self.built(spec.clone(), purpose)?, purpose)
    }

    fn plan_of(routed: RoutedNetwork, purpose: Purpose) -> Result<Plan, CommandError> {
        design::ensure_supported(&routed.spec, &routed.network, purpose)?;
        let (network, faults, routing) = (routed.network, routed.faults, routed.routing);
        Ok(Plan::with_faults(&routed.spec, network, faults, routing))
    }

    /// The parts that have failed.
    pub fn faults(&self, network: &Network) -> Result<Faults, CommandError> {
        let listed = match &self.down_file {
            Some(path) => TextFile::new(path, TextKind::List).read()?,
            None => String::new(),
        };
        let lines = listed
            .lines()
            .map(|line| line.split('#').next().unwrap_or(""));
        let names = lines.map(str::trim).filter(|name| !name.is_empty());
        let given = self.down.iter().chain(&self.drawn).map(String::as_str);
        Ok(Faults::named(network, given.chain(names))?)
    }
}

/// A distributed switch has no tables, and its POK units no LINK_UP.
pub fn distributed_switch_stays() -> CommandError {
    let fact = "the cables and tables of a distributed switch cannot be changed here";
    let remedy =
        "use another kind of network; `mkns sim --down` supports failed parts of this kind";
    CommandError::new(Code::DistributedSwitchDisturbed, fact, remedy)
}

/// The tables of a file, which has no masks and candidates: masks are those of the spec's engine, candidates go by the
/// escape of the file.
fn routes_of_file(
    path: &Path,
    spec: &NetworkSpec,
    network: &Network,
    faults: &Faults,
) -> Result<Routing, CommandError> {
    let source = path.display().to_string();
    let text = TextFile::new(path, TextKind::Table).read()?;
    let layout = AddressLayout::of(spec);
    let mut tables = file::load(&source, &text, network, &layout)?;
    let mut paths = None;
    if spec.engine().masks {
        paths = routing::build(spec, network, faults)?.paths;
    }
    if spec.block.adaptive {
        let index = network.index_without(faults);
        routing::add_candidates(network, &index, &layout, &mut tables);
    }
    Ok(Routing {
        layout,
        tables,
        paths,
        from_file: Some(source),
    })
}

fn unusable_routes(path: &str, fault: &str) -> CommandError {
    let fact = format!("the tables of {path} cannot be used: {fault}");
    let remedy = "`mkns check` with the same options lists what fails, `mkns route` follows a packet; correct the file";
    CommandError::new(Code::RoutesUnproved, fact, remedy)
}
