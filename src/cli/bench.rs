//! `mkns bench`: how fast the RTL, the reference and their lockstep run, measured together; or, with
//! `--block`, how large and fast one block becomes.

use clap::Args;

use super::bench_rtl::RtlOptions;
use super::processors::processors;
use super::renamed;
use super::simulator_error::simulator_error;
use super::spec_arguments::Settings;
use super::{Command, CommandError, Context, load};
use mkns_bench::measure;
use mkns_cosim::{FaultPlan, Models, NetworkRun, SessionError, Silent};
use mkns_design as design;
use mkns_diag::Exit;
use mkns_traffic::{OfferedPackets, Pattern};

/// Measure simulation speed, or the area, clock rate and throughput of a block
#[derive(Debug, Args)]
pub struct Bench {
    /// The network: a TOML file, - for TOML on standard input, or a notation such as "MKNS(2,4,2,1)"
    #[arg(default_value = "MKNS(2,8x10,2,1)")]
    spec: String,
    #[command(flatten)]
    settings: Settings,
    /// Flits that each host offers per cycle, 0.001 to 1
    #[arg(long, value_name = "LOAD", default_value_t = 0.1)]
    load: f64,
    /// Cycles of traffic per run
    #[arg(long, value_name = "N", default_value_t = 20_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    cycles: u64,
    /// How many times each run is made; the best time is reported
    #[arg(long, value_name = "N", default_value_t = 3,
          value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    #[command(flatten)]
    rtl_options: RtlOptions,
    #[command(flatten)]
    renamed: renamed::Bench,
}

impl Command for Bench {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let spec = self.settings.parse(&self.spec)?;
        let plan = design::build(&spec)?;
        let title = self.settings.title(&self.spec);
        if let Some(block) = self.rtl_options.block {
            return self.rtl_options.run(block, &title, &plan, context);
        }
        let run = NetworkRun {
            cables: mkns_cosim::CableFaultPlan::default(),
            traffic: Pattern::Uniform,
            load: load::in_thousand_cycles(self.load)?,
            cycles: self.cycles,
            seed: 1,
            fault_plan: FaultPlan::default(),
            offered: OfferedPackets::Random,
            live: None,
            threads: processors(),
        };
        let rounds = self.rounds;
        let measured = Models::new(&plan)
            .map_err(SessionError::from)
            .and_then(|models| measure(&plan, &models, &run, rounds, &Silent));
        match measured {
            Ok(speeds) if speeds.packets == 0 => {
                let span = format!("the {} cycles of {title}", self.cycles);
                Err(CommandError::no_packet(
                    span,
                    "raise `--cycles` or `--load`",
                ))
            }
            Ok(speeds) => {
                let millions = |speed: f64| format!("{:.2}", speed / 1e6);
                let text = format!(
                    "{title}: {} blocks, {} cycles, load {}, best of {rounds}\n\
                     million block-cycles per second: RTL alone {}, reference alone {}, lockstep {}, on {} threads {}\n\
                     reference and comparison add {:.0} % to the time of the RTL alone",
                    speeds.blocks,
                    speeds.cycles,
                    self.load,
                    millions(speeds.rtl_alone),
                    millions(speeds.reference_alone),
                    millions(speeds.lockstep),
                    speeds.threads,
                    millions(speeds.lockstep_on_threads),
                    speeds.cost_of_comparing * 100.0
                );
                context.result(text, &speeds)
            }
            Err(SessionError::Simulator(error)) => Err(simulator_error(&error)),
            Err(SessionError::Failed(failure)) => {
                Err(context.verdict(Exit::Diverged, failure.to_string(), &failure))
            }
        }
    }
}
