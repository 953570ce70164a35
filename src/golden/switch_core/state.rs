//! What a switch core remembers of its inputs and outputs from cycle to cycle (section 1.1 of
//! `docs/microarchitecture.md`), and the values after reset. Knows nothing of the rules that change it.

use super::key_set::KeySet;
use super::queues::QueueId;
use super::shape::CoreShape;

/// No packet, no key.
pub(super) const NONE: u8 = u8::MAX;
/// Destination of a flit or packet that is being dropped.
pub(super) const DROPPED: u8 = u8::MAX - 1;

/// State of one channel of an input.
#[derive(Debug, Clone, Copy)]
pub(super) struct InputChannel {
    /// `open[v]`: [`NONE`], [`DROPPED`] or an output.
    pub open: u8,
    /// `closing[v]`: [`NONE`] or an output.
    pub closing: u8,
    /// Queues that hold F (section 1.5) or more flits, and those of them that hold more.
    pub full_queues: u8,
    pub fuller_queues: u8,
    /// `owed[v]`, flits, but for credits that were promised.
    pub owed: u16,
    /// Queue of the packet in progress, where `open[v]` is an output.
    pub open_queue: QueueId,
}

impl InputChannel {
    pub fn after_reset() -> InputChannel {
        InputChannel {
            open: NONE,
            closing: NONE,
            full_queues: 0,
            fuller_queues: 0,
            owed: 0,
            open_queue: QueueId::default(),
        }
    }
}

/// `stage1` of an input, valid when the core's `stage1` has its bit. The flit itself already lies in
/// the queue memory, behind the last one that counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stage1 {
    /// Of (input, channel).
    pub key: u8,
    pub last: bool,
    pub made_up: bool,
    /// An output or [`DROPPED`].
    pub destination: u8,
    /// Where it lies, unless it is dropped.
    pub queue: QueueId,
}

impl Stage1 {
    pub fn after_reset() -> Stage1 {
        Stage1 {
            key: 0,
            last: false,
            made_up: false,
            destination: DROPPED,
            queue: QueueId::default(),
        }
    }
}

/// State of one output.
#[derive(Debug, Clone, Copy)]
pub(super) struct Output<K> {
    /// Keys whose queue to this output is not empty (during allocation: available keys).
    pub requests: K,
    /// `flow`: [`NONE`] or a key.
    pub flow: u8,
    /// Place of the outgoing channel of `flow`, and its queue.
    pub flow_place: u8,
    pub flow_queue: QueueId,
}

impl<K: KeySet> Output<K> {
    pub fn after_reset() -> Self {
        Output {
            requests: K::EMPTY,
            flow: NONE,
            flow_place: 0,
            flow_queue: QueueId::default(),
        }
    }
}

/// State of one outgoing channel of an output.
#[derive(Debug, Clone, Copy)]
pub(super) struct OutputChannel {
    pub credit: u16,
    /// `lock`: [`NONE`] or a key.
    pub lock: u8,
    pub discard: bool,
}

impl OutputChannel {
    pub fn after_reset(shape: &CoreShape) -> Self {
        OutputChannel {
            credit: shape.credits,
            lock: NONE,
            discard: false,
        }
    }
}

/// What happened in a cycle, for ERRORS and the first-drop register (section 4).
#[derive(Debug, Clone, Copy, Default)]
pub struct CoreEvents {
    /// ERRORS bits 0…3.
    pub errors: u32,
    /// Input and header of the first header dropped in the cycle.
    pub first_drop: Option<(u8, u64)>,
}
