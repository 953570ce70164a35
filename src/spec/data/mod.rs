//! The values of a spec. They know neither text nor problems.

mod block;
mod distributed_switch;
mod fat_tree;
mod grid;
mod kind;
mod limits;
mod lines;
mod mkns;
mod network;
mod ports;

pub use block::{BlockParameters, Switching};
pub(crate) use block::{FLAGS, NUMBERS, SWITCHING};
pub(crate) use distributed_switch::{CASCADES, ELEMENTS, SIGMA, SPINE_PORTS};
pub use distributed_switch::{DistributedSwitchSpec, Rok, Wiring};
pub use fat_tree::FatTreeSpec;
pub(crate) use fat_tree::{DOWN, LEVELS, UP};
pub use grid::{Family, GridSpec};
pub(crate) use grid::{GRID_DIMENSIONS, GRID_SIZES};
pub use limits::{ADDRESS_BITS, bits_for};
pub(crate) use limits::{
    DEFAULT_PORTS, DIMENSIONS, Limits, MAX_PAYLOAD_BYTES, MOST_VIRTUAL_CHANNELS, PORTS, SIZES,
    TABLE_ENTRIES, VMS_PER_NODE, channels_for,
};
pub use lines::Lines;
pub use mkns::{Dimension, Join, MknsSpec};
pub use network::{NetworkKind, NetworkSpec};
pub use ports::{PortPlan, PortShortage, port_plan};
