//! 7.9: the state of the registers, and its reset values.

use super::parameters::LinkParameters;

#[derive(Debug, Clone, Copy)]
pub struct Registers {
    pub reading: u32,
    pub index: u32,
    /// `reg_ready` and `reg_rdata`.
    pub ready: bool,
    pub rdata: u32,
    pub expected_peer: u32,
    pub disabled: bool,
    /// INJECT's toggle.
    pub inject: bool,
}

/// 31 check, 23:16 port, 15:0 block.
pub const KEPT: u32 = 0x80ff_ffff;

impl Registers {
    pub fn new(parameters: &LinkParameters) -> Self {
        Self {
            reading: 0,
            index: 0,
            ready: false,
            rdata: 0,
            expected_peer: parameters.expected_peer & KEPT,
            disabled: false,
            inject: false,
        }
    }
}
