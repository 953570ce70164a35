//! Follows a train through the wired network, unit by unit.
//!
//! The independent statement beside the formulas: reads blocks, ports and cables of the graph as they
//! are, strips one local address at every splitter and at the spine, and none on the way down.

use serde::Serialize;

use super::Train;
use mkns_topology::{BlockId, BlockRole, End, Network, NetworkIndex, PortIndex};

/// A unit on the way, with the ports at which the packet enters and leaves. The trunk of a terminal's
/// own POK is no network port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    pub block: BlockId,
    pub in_port: Option<PortIndex>,
    pub out_port: Option<PortIndex>,
}

/// Why a train does not lead to a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum TrainFault {
    #[error("the train ends before the spine is passed")]
    TooShort,
    #[error("addresses are left over behind the spine")]
    TooLong,
    #[error("a local address names a port that is not there")]
    NoPort,
    #[error("nothing is plugged in")]
    NoCable,
    #[error("the packet climbs again after the spine")]
    UpAgain,
    #[error("the packet passes more units than the cascades have")]
    Lost,
    #[error("the packet meets a block that is not a part of a distributed switch")]
    Stranger,
}

/// All units from terminal block `from` to the terminal at which the packet arrives, both included.
pub fn follow(
    network: &Network,
    index: &NetworkIndex,
    from: BlockId,
    train: &Train,
) -> Result<Vec<Step>, (TrainFault, BlockId)> {
    let mut addresses = train.0.iter();
    let mut steps = Vec::new();
    let mut has_passed_spine = false;
    let (mut at, mut in_port) = (from, None);
    loop {
        let fail = |fault| Err((fault, at));
        let block = network.block(at);
        let trunk = PortIndex(block.network_ports - 1);
        let is_start = steps.is_empty();
        // One unit per cascade up and down and the spine: twice the addresses at most.
        if steps.len() > 2 * train.0.len() {
            return fail(TrainFault::Lost);
        }
        let takes_address = match block.role {
            BlockRole::Terminal if is_start => true,
            BlockRole::Terminal => {
                steps.push(Step {
                    block: at,
                    in_port,
                    out_port: None,
                });
                return match (has_passed_spine, addresses.next()) {
                    (false, _) => fail(TrainFault::TooShort),
                    (true, Some(_)) => fail(TrainFault::TooLong),
                    (true, None) => Ok(steps),
                };
            }
            BlockRole::Pok { .. } => in_port == Some(trunk),
            BlockRole::Spine => true,
            _ => return fail(TrainFault::Stranger),
        };
        if takes_address && has_passed_spine {
            return fail(TrainFault::UpAgain);
        }
        has_passed_spine |= block.role == BlockRole::Spine;
        let out_port = if takes_address {
            let Some(address) = addresses.next() else {
                return fail(TrainFault::TooShort);
            };
            let branches = match block.role {
                BlockRole::Pok { .. } => u32::from(trunk.0),
                _ => u32::from(block.network_ports),
            };
            if *address >= branches {
                return fail(TrainFault::NoPort);
            }
            PortIndex(*address as u8)
        } else {
            trunk
        };
        steps.push(Step {
            block: at,
            in_port,
            out_port: Some(out_port),
        });
        let leaves = End {
            block: at,
            port: out_port,
        };
        let Some(link) = index.sends_to(leaves) else {
            return fail(TrainFault::NoCable);
        };
        (at, in_port) = (link.peer.block, Some(link.peer.port));
    }
}
