//! Byte addresses of the register map (`docs/microarchitecture.md`, sections 4 and 7.9).

pub const ID: u32 = 0x00;
pub const VERSION: u32 = 0x04;
pub const BLOCK: u32 = 0x08;
pub const SIZES: u32 = 0x0C;
pub const NODE_ADDRESS: u32 = 0x10;
pub const LINK_UP: u32 = 0x14;
/// The sticky error bits, which a 1 clears.
pub const ERRORS: u32 = 0x18;
pub const FIRST_DROP_PORT: u32 = 0x1C;
pub const FIRST_DROP_HEADER_LOW: u32 = 0x20;
pub const FIRST_DROP_HEADER_HIGH: u32 = 0x24;
/// The number of the block, with a management unit (7.9).
pub const BLOCK_NUMBER: u32 = 0x28;
/// The number of a block that has none yet: the constant of boards whose bitstream serves several blocks.
pub const UNNUMBERED: u32 = 0xffff;

/// First addresses of what there are many of.
pub const STEP: u32 = 0x1000;
pub const TURNS: u32 = 0x1800;
pub const CORE_COUNTERS: u32 = 0x2000;
pub const PCIE_COUNTERS: u32 = 0x3000;
pub const LAYER_ENTRY: u32 = 0x4000;
pub const LINKS: u32 = 0x5000;
pub const HOST_BUFFERS: u32 = 0x6000;
pub const MANAGEMENT: u32 = 0x7000;
pub const TABLES: u32 = 0x4_0000;
pub const CANDIDATES: u32 = 0x6_0000;
pub const MASKS: u32 = 0x8_0000;

/// Bytes from the counters of one port to those of the next.
pub const COUNTER_STRIDE: u32 = 0x40;
/// Bytes from the registers of one link port to those of the next.
pub const LINK_STRIDE: u32 = 0x80;
/// Bytes from the registers of one host's buffer to those of the next.
pub const HOST_BUFFER_STRIDE: u32 = 0x10;
/// Bytes from one routing table to the next.
pub const TABLE_STRIDE: u32 = 0x4000;

/// Row `input` of the step bits.
pub const fn step(input: u32) -> u32 {
    STEP + 4 * input
}

/// The turns of input `input`.
pub const fn turns(input: u32) -> u32 {
    TURNS + 4 * input
}

/// The entry channel of a layer.
pub const fn layer_entry(layer: u32) -> u32 {
    LAYER_ENTRY + 4 * layer
}

/// The mask of a node address.
pub const fn mask(node: u32) -> u32 {
    MASKS + 4 * node
}

/// The candidates of a node address.
pub const fn candidates(node: u32) -> u32 {
    CANDIDATES + 4 * node
}

/// An entry of a routing table.
pub const fn table(number: u32, index: u32) -> u32 {
    TABLES + TABLE_STRIDE * number + 4 * index
}

/// A counter of a port of the switch core.
pub const fn core_counter(port: u32, counter: u32) -> u32 {
    CORE_COUNTERS + COUNTER_STRIDE * port + 4 * counter
}

/// A counter of a PCIe port.
pub const fn pcie_counter(port: u32, counter: u32) -> u32 {
    PCIE_COUNTERS + COUNTER_STRIDE * port + 4 * counter
}

/// A register of the link port at a network port.
pub const fn link(port: u32, word: u32) -> u32 {
    LINKS + LINK_STRIDE * port + 4 * word
}

/// Words of a link port's registers (7.9).
pub mod link_word {
    pub const PEER_BLOCK: u32 = 7;
    pub const PEER_PORT: u32 = 8;
    pub const STATE: u32 = 16;
    pub const EXPECTED_PEER: u32 = 21;
    pub const CONTROL: u32 = 22;
}

/// Words of the management unit's registers (8.5): the first ones of SEND, RECEIVED and KEY, and MANAGEMENT.
pub mod management_word {
    pub const SEND: u32 = 0;
    pub const RECEIVED: u32 = 8;
    pub const MANAGEMENT: u32 = 16;
    pub const KEY: u32 = 17;
    pub const NOTICE: u32 = 24;

    /// Bits of MANAGEMENT as they are read: a message is being sent, and one was received.
    pub const SENDING: u32 = 1;
    pub const IS_RECEIVED: u32 = 2;
    /// Bits of MANAGEMENT as they are written: send, and take.
    pub const SENDS: u32 = SENDING;
    pub const TAKES: u32 = IS_RECEIVED;
    /// The notice that is due is acknowledged; with it: a change is to be told.
    pub const CLEARS: u32 = 4;
    pub const ARMS: u32 = 8;
}

/// A register of the buffer of the host behind a PCIe port, on cards: 0 whether a packet waits, 1 damaged, 2 dropped packets.
pub const fn host_buffer(port: u32, word: u32) -> u32 {
    HOST_BUFFERS + HOST_BUFFER_STRIDE * port + 4 * word
}

/// Word n of the management unit (8.5).
pub const fn management(word: u32) -> u32 {
    MANAGEMENT + 4 * word
}
