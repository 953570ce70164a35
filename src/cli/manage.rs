//! `mkns manage`: keeps the routes of a running network round what fails.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use super::network_arguments::{Damage, RoutedNetwork};
use super::spec_arguments::SpecArguments;
use super::{Command, CommandError, Context, Format};
use mkns_design::{Plan, Purpose, ensure_supported};
use mkns_diag::{Code, Exit};
use mkns_manage::{Manager, ManagerError, MappedRegisters, Registers, Repair, SerialLine};
use mkns_topology::{BlockId, Faults};

/// Watch the links of a running network and lead its routes round what fails, through the blocks' control ports
#[derive(Debug, Args)]
pub struct Manage {
    #[command(flatten)]
    spec: SpecArguments,
    /// Parts that the routes in use already lead round
    #[command(flatten)]
    damage: Damage,
    /// The registers of all blocks as a memory-mapped file, such as /dev/xdma0_user: 1 MiB a block
    #[arg(
        long,
        value_name = "FILE",
        required_unless_present = "serial",
        conflicts_with = "serial"
    )]
    mmap: Option<PathBuf>,
    /// A serial line to a register bridge (docs/reference/manager.md); its speed is set with stty
    #[arg(long, value_name = "DEVICE")]
    serial: Option<PathBuf>,
    /// While this file exists, hosts do not send: whoever stops them makes it. Writes that are pending until then are
    /// written as soon as it is there and the packet counters of all blocks stand still
    #[arg(long, value_name = "FILE")]
    hosts_stopped: Option<PathBuf>,
    /// Look once and end, with exit code 0 whether something had changed or not
    #[arg(long)]
    once: bool,
    /// Milliseconds between two looks
    #[arg(long, value_name = "MS", default_value_t = 10)]
    interval: u64,
}

/// What one look found.
#[derive(Debug, Serialize)]
struct Look<'a> {
    changed: bool,
    /// Blocks that do not answer.
    silent: Vec<String>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    repair: Option<&'a Repair>,
}

impl Command for Manage {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let spec = self.spec.parse()?;
        let RoutedNetwork {
            spec,
            network,
            faults,
            routing,
        } = self.damage.build(spec)?;
        ensure_supported(&spec, &network, Purpose::Rtl)?;
        let mut plan = Plan::with_faults(&spec, network, Faults::none(), routing.clone());
        plan.faults = faults;
        let manager = Manager::new(&plan, routing);
        match (&self.mmap, &self.serial) {
            (Some(path), _) => {
                let mapped = mapped_registers(path, plan.network.blocks.len())?;
                self.watch(manager, mapped, &plan, context)
            }
            (_, Some(path)) => {
                let line = serial_registers(path)?;
                self.watch(manager, line, &plan, context)
            }
            (None, None) => unreachable!("one of the two is required"),
        }
    }

    fn formats() -> &'static [Format] {
        super::format::VALUE
    }
}

impl Manage {
    fn watch<R: Registers<Error = io::Error>>(
        &self,
        mut manager: Manager,
        registers: R,
        plan: &Plan,
        context: &Context,
    ) -> Result<(), CommandError> {
        let mut registers = Board {
            registers,
            hosts_stopped: self.hosts_stopped.as_deref(),
        };
        let silent = manager.identify(&mut registers).map_err(given_up)?;
        let names = silent.iter().map(|id| plan.network.block(*id).name.clone());
        let silent: Vec<String> = names.collect();
        loop {
            let repair = manager.round(&mut registers).map_err(given_up)?;
            if repair.is_some() || self.once {
                let words = match &repair {
                    Some(repair) => repair.to_string(),
                    None => "all links are as the routes in use expect".to_owned(),
                };
                let look = Look {
                    changed: repair.is_some(),
                    silent: silent.clone(),
                    repair: repair.as_ref(),
                };
                context.result(words, &look)?;
            }
            if self.once {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(self.interval));
        }
    }
}

/// Blocks whose hosts somebody else stops.
struct Board<'a, R> {
    registers: R,
    hosts_stopped: Option<&'a Path>,
}

impl<R: Registers> Registers for Board<'_, R> {
    type Error = R::Error;

    fn read(&mut self, block: BlockId, address: u32) -> Result<Option<u32>, Self::Error> {
        self.registers.read(block, address)
    }

    fn write(&mut self, block: BlockId, address: u32, value: u32) -> Result<bool, Self::Error> {
        self.registers.write(block, address, value)
    }

    fn hold_hosts(&mut self, _stop: bool) -> Result<bool, Self::Error> {
        Ok(self.hosts_stopped.is_some_and(Path::exists))
    }
}

/// The registers of all blocks in a memory-mapped file.
pub fn mapped_registers(path: &Path, blocks: usize) -> Result<MappedRegisters, CommandError> {
    let mapped = open(path).and_then(|file| MappedRegisters::open(&file, blocks));
    mapped.map_err(|error| unusable(path, &error))
}

/// Those behind a register bridge.
pub fn serial_registers(path: &Path) -> Result<SerialLine<BufReader<File>, File>, CommandError> {
    let line = open(path).and_then(|file| Ok((file.try_clone()?, file)));
    let (answers, requests) = line.map_err(|error| unusable(path, &error))?;
    Ok(SerialLine::new(BufReader::new(answers), requests))
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(path)
}

fn unusable(path: &Path, error: &io::Error) -> CommandError {
    let fact = format!("{}: {error}", path.display());
    let remedy = "give a file or device that can be read and written, with 1 MiB for each block";
    CommandError {
        exit: Exit::Usage,
        ..CommandError::new(Code::InputOutput, fact, remedy)
    }
}

fn given_up(error: ManagerError<io::Error>) -> CommandError {
    let fact = format!("the manager gives up: {error}");
    let remedy = "check that the SPEC, with its settings, is that of the running network";
    CommandError::new(Code::InputOutput, fact, remedy)
}
