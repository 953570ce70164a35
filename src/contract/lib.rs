//! The contract between a block and whoever clocks it (`docs/microarchitecture.md`): block modules, ports and pins, the
//! header flit and its CRC, the register map, stream beats, the configuration that a block is given, and [`Device`].
//!
//! Knows no network and no behaviour of blocks. The golden model has its own CRC and its own decoding of addresses, so
//! that it does not share this crate's mistakes; nobody else has.

pub mod address;
mod block_module;
mod board;
mod configuration;
mod counters;
mod device;
mod flit;
pub mod header;
mod link_registers;
mod lone_switch;
mod path_register;
mod pins;
mod ports;
mod register;
mod registers;
mod stream_beat;

pub use address::COUNTER_STRIDE;
pub use block_module::{BlockModule, LayerChoice, ModuleKind, NodeShape, PokShape, TableShape};
pub use board::BoardPins;
pub use configuration::{Target, configuration, step_bits};
pub use counters::counter;
pub use device::Device;
pub use flit::{Data, Flit};
pub use header::{Crc, HEADER, Header, HeaderField};
pub use lone_switch::{switch_module, switch_tables};
pub use path_register::PathRegister;
pub use pins::{
    ControlInputs, ControlOutputs, LinkPins, Pins, StreamPins, get_bits, mask, ones, set_bits,
};
pub use ports::{CONTROL_ADDRESS_BITS, Port, PortTable, packed_words, port_meaning, word_offset};
pub use register::{Access, Register, RegisterField};
pub use registers::{
    CounterGroup, MAGIC, NodeWindow, RegisterMap, TableWindow, VERSIONS, register_map,
};
pub use stream_beat::StreamBeat;
