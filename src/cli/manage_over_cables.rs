//! `mkns manage --in-band` and `--through`: the manager over the cables, through the window of one board.

use std::io;
use std::path::Path;
use std::time::SystemTime;

use super::CommandError;
use super::cabling::check_peers;
use super::manager_gives_up::given_up;
use mkns_design::Plan;
use mkns_diag::{Code, Exit, TextFile, TextKind};
use mkns_manage::{BringUpError, Discovery, InBandError, ManagerError, Messenger};
use mkns_topology::BlockId;

/// The board that a file or line leads to is its only one.
const BOARD: BlockId = BlockId(0);

/// The messenger at block `own`.
pub fn messenger(own: BlockId, key: Option<&Path>) -> Result<Messenger, CommandError> {
    // A manager that starts again must not seem to be the one before.
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let requester = time.map_or(1, |time| time.subsec_micros() & 0x7ff);
    let key = key.map(read_key).transpose()?.unwrap_or(0);
    Ok(Messenger::new(own, BOARD, requester as u16).with_key(key))
}

fn read_key(path: &Path) -> Result<u64, CommandError> {
    let usage = |fact: String| CommandError {
        exit: Exit::Usage,
        ..CommandError::new(
            Code::InputOutput,
            fact,
            "give a file that holds 1 to 16 hexadecimal digits, not all 0",
        )
    };
    let shown = path.display();
    let text = TextFile::new(path, TextKind::List).read()?;
    let digits = text.trim();
    let is_key = digits.len() <= 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let key = u64::from_str_radix(digits, 16).ok();
    let key = key.filter(|key| is_key && *key != 0);
    key.ok_or_else(|| usage(format!("{shown}: not a management key")))
}

/// Why a machine was not brought up, with the moves that repair its cables.
pub fn not_brought_up(plan: &Plan, error: BringUpError<InBandError<io::Error>>) -> CommandError {
    match error {
        BringUpError::Manager(error) => given_up_over_cables(plan, error),
        BringUpError::Differs(found) => {
            let fact = format!(
                "the machine is not as planned, and nothing was written: {}",
                found.wrong.join("; ")
            );
            CommandError::new(Code::InputOutput, fact, moves(plan, &found))
        }
    }
}

fn moves(plan: &Plan, found: &Discovery) -> String {
    let seen: Vec<_> = found
        .seen
        .iter()
        .map(|seen| (seen.end, seen.peer))
        .collect();
    match check_peers(&plan.spec, &plan.network, &seen) {
        Ok(check) if !check.passed => check.to_text(),
        _ => "replace what is named, or give the SPEC of this machine".to_owned(),
    }
}

/// Why a manager over the cables cannot go on.
pub fn given_up_over_cables(
    plan: &Plan,
    error: ManagerError<InBandError<io::Error>>,
) -> CommandError {
    let ManagerError::Registers(error) = error else {
        return given_up(error);
    };
    let remedy = match &error {
        InBandError::Port(_) => return given_up(ManagerError::Registers(error)),
        InBandError::WrongKey(_) => "give the key of the machine with `--key FILE`",
        InBandError::TwoManagers(_) => "end the other manager, or start this one again",
        InBandError::ClosesRoute(_) => "repair other cables of that block first",
        InBandError::TooFar(_) => "choose a nearer block with `--in-band`, or repair cables",
        InBandError::NotCompared(_) => "start the manager again",
    };
    let name = error.block().map(|id| &plan.network.block(id).name);
    let name = name.map_or_else(String::new, |name| format!(" ({name})"));
    let fact = format!("the manager gives up: {error}{name}");
    CommandError::new(Code::InputOutput, fact, remedy)
}
