//! Results of `mkns workload` as text, JSON and CSV.

use std::fmt::Write as _;

use serde::Serialize;

use mkns_simulation::work::{ChainStep, Completion};

/// Jobs on one or several networks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Completions {
    pub jobs: Vec<String>,
    pub placement: String,
    pub seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_mhz: Option<f64>,
    pub networks: Vec<NetworkCompletion>,
}

/// One network.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NetworkCompletion {
    pub network: String,
    pub hosts: usize,
    /// Flits of a full packet.
    pub packet_flits: u32,
    pub jobs: Vec<JobEnd>,
    /// Until all jobs are done, where a clock is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nanoseconds: Option<f64>,
    pub host_of_rank: Vec<u32>,
    #[serde(flatten)]
    pub completion: Completion,
}

/// When a job is done.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JobEnd {
    pub job: String,
    pub ranks: usize,
    pub cycles: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nanoseconds: Option<f64>,
}

/// Links of a chain that the text shows.
const SHOWN: usize = 12;

impl JobEnd {
    pub fn new(job: &str, ranks: usize, cycles: u64, clock_mhz: Option<f64>) -> Self {
        Self {
            job: job.to_owned(),
            ranks,
            cycles,
            nanoseconds: clock_mhz.map(|mhz| cycles as f64 * 1e3 / mhz),
        }
    }
}

impl Completions {
    /// A line for each job on each network; the critical path of a network that stands alone.
    pub fn to_text(&self) -> String {
        let mut text = format!(
            "placement {}; bound: cycles that the busiest host's port or cable needs for all jobs\n",
            self.placement
        );
        let widths = self.networks.iter().map(|row| row.network.chars().count());
        let first = widths.max().unwrap_or(0).max("network".len());
        let jobs = self.jobs.iter().map(|job| job.chars().count());
        let second = jobs.max().unwrap_or(0).max("job".len());
        let time = if self.clock_mhz.is_some() {
            "            ns"
        } else {
            ""
        };
        let _ = writeln!(
            text,
            "{:<first$}  {:<second$}  ranks      cycles{time}       bound  packet  critical path",
            "network", "job",
        );
        for row in &self.networks {
            for job in &row.jobs {
                let time = job
                    .nanoseconds
                    .map_or_else(String::new, |time| format!("{time:>14.1}"));
                let _ = writeln!(
                    text,
                    "{:<first$}  {:<second$}  {:>5}  {:>10}{time}  {:>10}  {:>6}  {}",
                    row.network,
                    job.job,
                    job.ranks,
                    job.cycles,
                    row.completion.bound,
                    row.packet_flits,
                    chain_in_words(&row.completion.chain),
                );
            }
        }
        if let [row] = &self.networks[..] {
            text += &row.chain_text();
        }
        text
    }

    /// A line for each job on each network, with a head.
    pub fn to_csv(&self) -> String {
        let mut text = String::from(
            "network,job,ranks,placement,cycles,nanoseconds,bound,messages,packets,chain_links,port_bound,cable_bound\n",
        );
        for row in &self.networks {
            for job in &row.jobs {
                let time = job
                    .nanoseconds
                    .map_or_else(String::new, |time| format!("{time:.1}"));
                let Completion {
                    bound,
                    port_bound,
                    cable_bound,
                    messages,
                    packets,
                    chain,
                    ..
                } = &row.completion;
                let _ = writeln!(
                    text,
                    "\"{}\",\"{}\",{},{},{},{time},{bound},{messages},{packets},{},{port_bound},{cable_bound}",
                    row.network,
                    job.job,
                    job.ranks,
                    self.placement,
                    job.cycles,
                    chain.len(),
                );
            }
        }
        text
    }
}

fn chain_in_words(chain: &[ChainStep]) -> String {
    let is_message = |step: &&ChainStep| matches!(step, ChainStep::Message { .. });
    let messages = chain.iter().filter(is_message);
    let (count, cycles) = messages.fold((0, 0), |(count, cycles), step| {
        (count + 1, cycles + step.cycles())
    });
    let computed: u64 = chain.iter().map(ChainStep::cycles).sum::<u64>() - cycles;
    let messages = match count {
        1 => "1 message".to_owned(),
        count => format!("{count} messages"),
    };
    match computed {
        0 => messages,
        computed => format!("{messages} in {cycles} cycles, computing {computed}"),
    }
}

impl NetworkCompletion {
    fn chain_text(&self) -> String {
        let mut text = String::from("\ncritical path\n  from cycle    to cycle\n");
        let chain = &self.completion.chain;
        let hidden = chain.len().saturating_sub(SHOWN);
        let first = if hidden > 0 { SHOWN / 2 } else { chain.len() };
        for (at, step) in chain.iter().enumerate() {
            if at == first {
                let _ = writeln!(text, "  … {hidden} more: `--critical-path FILE.csv`");
            }
            if at < first || at >= first + hidden {
                let _ = writeln!(text, "{}", self.step_text(step));
            }
        }
        text
    }

    fn step_text(&self, step: &ChainStep) -> String {
        let host = |rank: &u32| self.host_of_rank[*rank as usize];
        match step {
            ChainStep::Message {
                from,
                to,
                bytes,
                start,
                end,
            } => format!(
                "  {start:>10}  {end:>10}  {bytes} bytes, rank {from} (host {}) to {to} (host {})",
                host(from),
                host(to)
            ),
            ChainStep::Compute { rank, start, end } => {
                format!(
                    "  {start:>10}  {end:>10}  computing, rank {rank} (host {})",
                    host(rank)
                )
            }
        }
    }
}

/// The critical paths, a message or computation a line.
pub fn chain_csv(rows: &[NetworkCompletion]) -> String {
    let mut text = String::from("network,what,start,end,rank,host,to_rank,to_host,bytes\n");
    for row in rows {
        let host = |rank: u32| row.host_of_rank[rank as usize];
        for step in &row.completion.chain {
            let rest = match *step {
                ChainStep::Message {
                    from,
                    to,
                    bytes,
                    start,
                    end,
                } => format!(
                    "message,{start},{end},{from},{},{to},{},{bytes}",
                    host(from),
                    host(to)
                ),
                ChainStep::Compute { rank, start, end } => {
                    format!("compute,{start},{end},{rank},{},,,", host(rank))
                }
            };
            let _ = writeln!(text, "\"{}\",{rest}", row.network);
        }
    }
    text
}
