//! `mkns manage`: reroutes a running network around failures.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use clap::Args;
use serde::Serialize;

use super::block_registers::{OtherAccess, file_offset, mapped_registers, serial_registers};
use super::in_band::manageable_block;
use super::live_folder::{live_folder, refused};
use super::manage_over_cables::{given_up_over_cables, messenger, not_brought_up};
use super::manager_gives_up::given_up;
use super::network_arguments::FailureArguments;
use super::spec_arguments::SpecArguments;
use super::{Command, CommandError, Context};
use mkns_design::{Plan, Purpose, ensure_supported};
use mkns_live::LiveWindow;
use mkns_manage::{Damping, Manager, ManagerError, Messenger, Registers, RouteChange};
use mkns_routing::Routing;
use mkns_topology::{BlockId, Faults};

/// How often the manager looks for news while it waits.
const NEWS: Duration = Duration::from_millis(10);

/// Monitor the links of a running network and reroute around failures
#[derive(Debug, Args)]
pub struct Manage {
    #[command(flatten)]
    spec: SpecArguments,
    /// Parts that the routes in use already avoid
    #[command(flatten)]
    failures: FailureArguments,
    /// The registers of all blocks as a memory-mapped file, such as /dev/xdma0_user: 1 MiB per block; this, --serial or --through is required
    #[arg(
        long,
        value_name = "FILE",
        required_unless_present_any = ["serial", "through"],
        conflicts_with_all = ["serial", "through"]
    )]
    mmap: Option<PathBuf>,
    /// Where the registers begin in the file of --mmap, in bytes: 0x100000 in BAR 0 of a node with LitePCIe
    #[arg(long, value_name = "BYTES", value_parser = file_offset, default_value = "0", requires = "mmap")]
    mmap_offset: u64,
    /// A serial line to a register bridge (docs/reference/manager.md); set its speed with stty
    #[arg(long, value_name = "DEVICE")]
    serial: Option<PathBuf>,
    /// A network that runs as `mkns live --in-band BLOCK`: the registers are those of that block, and all others are
    /// reached over the cables
    #[arg(long, value_name = "live:FOLDER", value_parser = live_folder, group = "over_cables", conflicts_with = "serial")]
    through: Option<PathBuf>,
    /// A manager uses the registers of this block's board, and reaches all others over their cables. --mmap or --serial
    /// is that board alone. Needs management = "in_band" in the section [link]
    #[arg(long, value_name = "BLOCK", group = "over_cables")]
    in_band: Option<String>,
    /// With --in-band or --through: the machine powered up empty. Compare it with the plan, and write keys, peers, addresses and tables
    /// before the first check
    #[arg(long, requires = "over_cables")]
    bring_up: bool,
    /// With --in-band or --through: a file with the management key, up to 16 hexadecimal digits
    #[arg(long, value_name = "FILE", requires = "over_cables")]
    key: Option<PathBuf>,
    /// Hosts are stopped while this file exists; whoever stops them creates it. Writes that need stopped hosts are made
    /// once the file exists and the packet counters of all blocks have stopped
    #[arg(long, value_name = "FILE")]
    hosts_stopped: Option<PathBuf>,
    /// Milliseconds to wait for an answer on the serial line; a request is sent up to four times
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=60_000), conflicts_with_all = ["mmap", "through"])]
    timeout: u64,
    /// Check all links once, reroute if needed, and exit; the exit code is 0 whether or not a link had changed
    #[arg(long)]
    once: bool,
    /// Milliseconds between two checks
    #[arg(long, value_name = "MS", default_value_t = 10)]
    interval: u64,
}

/// What one look found.
#[derive(Debug, Serialize)]
struct Look<'a> {
    /// When, of a manager that keeps looking: UTC (RFC 3339).
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<String>,
    changed: bool,
    /// Blocks that do not answer.
    silent: Vec<String>,
    /// Parts that work again after several failures, and are not used yet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    held: Vec<Held>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    repair: Option<&'a RouteChange>,
}

/// A part that is held back.
#[derive(Debug, Serialize)]
struct Held {
    part: String,
    /// For how long it has to work.
    seconds: f64,
}

impl Command for Manage {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let spec = self.spec.parse()?;
        let routed = self.failures.build(spec)?;
        ensure_supported(&routed.spec, &routed.network, Purpose::Rtl)?;
        let (network, routing) = (routed.network, routed.routing);
        let mut plan = Plan::with_faults(&routed.spec, network, Faults::none(), routing.clone());
        plan.faults = routed.faults;
        if let Some(folder) = &self.through {
            let window = LiveWindow::open(folder).map_err(refused)?;
            let messenger = self.messenger("--through", window.block(), &plan)?;
            return self.manage(&plan, routing, Some(messenger), window, context);
        }
        let messenger = self.in_band.as_deref();
        let messenger = messenger.map(|name| self.messenger("--in-band", name, &plan));
        let messenger = messenger.transpose()?;
        let blocks = match messenger {
            Some(_) => 1,
            None => plan.network.blocks.len(),
        };
        match (&self.mmap, &self.serial) {
            (Some(path), _) => {
                let mapped = mapped_registers(path, self.mmap_offset, blocks, OtherAccess::Alone)?;
                self.manage(&plan, routing, messenger, mapped, context)
            }
            (_, Some(path)) => {
                let line = serial_registers(path, Duration::from_millis(self.timeout))?;
                self.manage(&plan, routing, messenger, line, context)
            }
            (None, None) => unreachable!("one of the three is required"),
        }
    }
}

impl Manage {
    fn messenger(&self, option: &str, name: &str, plan: &Plan) -> Result<Messenger, CommandError> {
        messenger(manageable_block(option, name, plan)?, self.key.as_deref())
    }

    fn manage<R: Registers<Error = io::Error>>(
        &self,
        plan: &Plan,
        routing: Routing,
        messenger: Option<Messenger>,
        registers: R,
        context: &Context,
    ) -> Result<(), CommandError> {
        let mut registers = Board {
            registers,
            hosts_stopped: self.hosts_stopped.as_deref(),
        };
        let Some(mut messenger) = messenger else {
            let mut manager = Manager::new(plan, routing).with_damping(Damping::new());
            manager.identify(&mut registers).map_err(given_up)?;
            return self.watch(manager, &mut registers, given_up, context);
        };
        let mut registers = messenger.through(registers);
        let manager = match self.bring_up {
            true => {
                let done = registers.bring_up(plan);
                let (manager, done) = done.map_err(|error| not_brought_up(plan, error))?;
                context.result(&done, &done)?;
                manager
            }
            false => {
                let manager = registers.take_over(plan, routing);
                manager.map_err(|error| not_brought_up(plan, error))?
            }
        };
        let manager = manager.with_damping(Damping::new()).with_audit();
        let given_up = |error| given_up_over_cables(plan, error);
        self.watch(manager, &mut registers, given_up, context)
    }

    fn watch<R: Registers>(
        &self,
        mut manager: Manager,
        registers: &mut R,
        given_up: impl Fn(ManagerError<R::Error>) -> CommandError,
        context: &Context,
    ) -> Result<(), CommandError> {
        loop {
            let repair = manager.round(registers).map_err(&given_up)?;
            let held = manager.newly_held();
            if repair.is_some() || !held.is_empty() || self.once {
                let look = Look {
                    time: (!self.once).then(now),
                    changed: repair.is_some(),
                    silent: manager.silent(),
                    held: held.into_iter().map(Held::new).collect(),
                    repair: repair.as_ref(),
                };
                context.result(&look, &look)?;
            }
            if self.once {
                return Ok(());
            }
            let news = wait(Duration::from_millis(self.interval), registers);
            news.map_err(|error| given_up(ManagerError::Registers(error)))?;
        }
    }
}

/// Waits for so long, or until a block tells of a change.
fn wait<R: Registers>(interval: Duration, registers: &mut R) -> Result<(), R::Error> {
    let end = Instant::now() + interval;
    while let Some(left) = end.checked_duration_since(Instant::now())
        && !registers.has_news()?
    {
        std::thread::sleep(left.min(NEWS));
    }
    Ok(())
}

impl fmt::Display for Look<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(time) = &self.time {
            write!(f, "{time} ")?;
        }
        match self.repair {
            Some(repair) => repair.fmt(f)?,
            None => f.write_str("all links are as the routes in use expect")?,
        }
        if !self.silent.is_empty() {
            write!(f, "; no answer from {}", self.silent.join(", "))?;
        }
        for held in &self.held {
            let (part, seconds) = (&held.part, held.seconds);
            write!(
                f,
                "; {part} works again and has failed before: it is used again once it has worked for {seconds} s"
            )?;
        }
        Ok(())
    }
}

fn now() -> String {
    humantime::format_rfc3339_millis(SystemTime::now()).to_string()
}

impl Held {
    fn new((part, time): (String, Duration)) -> Self {
        Self {
            part,
            seconds: time.as_secs_f64(),
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
