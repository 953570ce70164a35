//! 7.4: the state of the side of the block, and its reset values.

use super::held::Held;
use super::parameters::LinkParameters;

#[derive(Debug, Clone, Copy)]
pub struct CoreSide {
    pub link_up: bool,
    pub down_cycles: u32,
    pub core_idle: bool,
    /// The last box.
    pub core_alive: bool,
    pub core_ack: u32,
    pub core_limit: [u32; 2],
    /// Mod 512.
    pub ring_write: u32,
    pub owed: [u32; 2],
    /// Mod 256.
    pub granted: [u32; 2],
    /// Mod 512.
    pub total: u32,
    pub grant_turn: usize,
    pub turn: usize,
    pub credit: [u32; 2],
    /// Mod 256.
    pub place_read: [u32; 2],
    pub fetched: Option<Held>,
    /// Registers of the pins.
    pub tx_credit: u32,
    pub rx: Option<Held>,
    /// LOST_FLITS
    pub lost: u16,
}

impl CoreSide {
    pub fn new(parameters: &LinkParameters) -> Self {
        let credits = parameters.rx_buffer_flits;
        Self {
            link_up: false,
            down_cycles: 0,
            core_idle: false,
            core_alive: false,
            core_ack: 0,
            core_limit: [0; 2],
            ring_write: 0,
            owed: [0; 2],
            granted: [credits; 2],
            total: parameters.channels as u32 * credits,
            grant_turn: 0,
            turn: 0,
            credit: [credits; 2],
            place_read: [0; 2],
            fetched: None,
            tx_credit: 0,
            rx: None,
            lost: 0,
        }
    }

    /// Nothing is between the places and the block.
    pub fn rests(&self) -> bool {
        self.fetched.is_none() && self.rx.is_none()
    }
}
