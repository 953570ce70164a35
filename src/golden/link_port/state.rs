//! 7: everything that a link port holds.

use super::core_state::CoreSide;
use super::crossings::{Carrier, Crossing};
use super::held::Held;
use super::parameters::LinkParameters;
use super::receiver_state::Receiver;
use super::register_state::Registers;
use super::sender_state::Sender;
use super::session_state::Session;

/// Everything but the memories.
#[derive(Debug, Clone, Copy)]
pub struct State {
    pub core: CoreSide,
    pub sender: Sender,
    pub session: Session,
    pub receiver: Receiver,
    pub registers: Registers,
    pub ring_write_seen: Crossing<u32>,
    pub place_write_seen: Crossing<[u32; 2]>,
    pub place_read_seen: Crossing<[u32; 2], 3>,
    pub core_idle_seen: Crossing<bool>,
    pub disabled_seen: Crossing<bool>,
    pub inject_seen: Crossing<bool>,
    /// The toggle as it was seen in the cycle before.
    pub inject_before: bool,
    pub carrier: Carrier,
}

/// One link port.
#[derive(Debug, Clone)]
pub struct LinkPort {
    pub parameters: LinkParameters,
    pub state: State,
    pub ring: Vec<Held>,
    /// By channel.
    pub places: [Vec<Held>; 2],
}

impl State {
    pub fn new(parameters: &LinkParameters, peer: [u16; 16]) -> Self {
        Self {
            core: CoreSide::new(parameters),
            sender: Sender::new(parameters),
            session: Session::new(peer),
            receiver: Receiver::default(),
            registers: Registers::new(parameters),
            ring_write_seen: Crossing::new(0),
            place_write_seen: Crossing::new([0; 2]),
            place_read_seen: Crossing::new([0; 2]),
            core_idle_seen: Crossing::new(false),
            disabled_seen: Crossing::new(false),
            inject_seen: Crossing::new(false),
            inject_before: false,
            carrier: Carrier::default(),
        }
    }
}
