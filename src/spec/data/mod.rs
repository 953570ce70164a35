//! The values of a spec. They know neither text nor problems.

mod block;
mod distributed_switch;
mod engine_claims;
mod fat_tree;
mod grid;
mod kind;
mod limits;
mod lines;
mod mkns;
mod network;
mod network_spec;
mod ports;
mod serial_link;
mod shortcut;
mod slim_fly;

pub use block::{BlockParameters, LayerSelect, Switching, TurnSelect};
pub(crate) use block::{FLAGS, LAYER_SELECT, NUMBERS, SWITCHING, TURNS};
pub(crate) use distributed_switch::{CASCADES, ELEMENTS, SIGMA, SPINE_PORTS};
pub use distributed_switch::{DistributedSwitchSpec, Pok, Wiring};
pub use engine_claims::{ADAPTIVE, ENGINES, EngineClaims, Survives};
pub use fat_tree::FatTreeSpec;
pub(crate) use fat_tree::{DOWN, LEVELS, UP};
pub use grid::{Family, GridSpec};
pub(crate) use grid::{GRID_DIMENSIONS, GRID_SIZES};
pub use limits::{ADDRESS_BITS, bits_for};
pub(crate) use limits::{
    DEFAULT_PORTS, DIMENSIONS, Limits, MAX_PAYLOAD_BYTES, MOST_VIRTUAL_CHANNELS, Number, PORTS,
    SIZES, TABLE_ENTRIES, VMS_PER_NODE, channels_for,
};
pub use lines::Lines;
pub use mkns::{Dimension, Join, MknsSpec};
pub use network::NetworkKind;
pub use network_spec::{NetworkSpec, RoutingChoice};
pub use ports::{PortPlan, PortShortage, port_plan};
pub(crate) use serial_link::{
    LINK_DIMENSION, LINK_DIMENSIONS, LINK_KIND, LINK_MANAGEMENT, LINK_NUMBERS,
};
pub use serial_link::{LinkKind, Management, SerialLink};
pub(crate) use shortcut::{BEST_OF, CHORDS, DEGREE, SHORTCUT_NODES};
pub use shortcut::{Base, LoopSpec, Method, RandomShortcutSpec};
pub(crate) use slim_fly::ORDERS;
pub use slim_fly::SlimFlySpec;
