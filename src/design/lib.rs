//! What we will build: the tool-neutral plan between routing and the two descriptions of behaviour
//! (RTL and golden model). Holds the port table, the single source of port names, widths and order,
//! the layout of the header flit and the register map.

mod addressing;
mod board;
mod build;
mod computed_routes;
mod counters;
mod data_path;
mod flit;
mod header;
mod key;
mod latency;
mod link_registers;
mod lone_switch;
mod pins;
mod plan;
mod ports;
mod register;
mod registers;
mod serial_link;
mod stream_beat;
mod supported;

pub use addressing::Addressing;
pub use board::BoardPins;
pub use build::build;
pub use computed_routes::{ComputedRoutes, RouteSource};
pub use data_path::{
    Counter, DataPath, DroppedHeader, PathEvents, PathInputs, PathOutputs, PathRegister,
};
pub use flit::{Data, Flit};
pub use header::{HEADER, HeaderField, with_crc};
pub use latency::ZeroLoadLatency;
pub use lone_switch::{switch_module, switch_tables};
pub use pins::{
    ControlInputs, ControlOutputs, LinkPins, Pins, StreamPins, get_bits, mask, set_bits,
};
pub use plan::{
    BlockInstance, BlockModule, LayerChoice, MaskShape, ModuleKind, Plan, RokShape, TableShape,
};
pub use ports::{CONTROL_ADDRESS_BITS, Port, PortTable, packed_words, port_meaning, word_offset};
pub use register::{Access, Register, RegisterField};
pub use registers::{
    COUNTER_STRIDE, CounterGroup, MaskWindow, RegisterMap, TableWindow, register_map,
};
pub use serial_link::{
    expected_peer, farthest_hosts, farthest_is_sampled, link_rise_cycles, network_hash,
    serial_link, serial_ports,
};
pub use stream_beat::StreamBeat;
pub use supported::{Purpose, ensure_supported};
