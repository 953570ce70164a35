//! What a switch core remembers of its inputs and outputs from cycle to cycle (section 1.1 of
//! `docs/microarchitecture.md`), and the values after reset. Knows nothing of the rules that change it.

use super::key_set::{KeySet, Lanes};
use super::queues::QueueId;
use super::shape::CoreShape;

/// No packet, no key.
pub(super) const NONE: u8 = u8::MAX;
/// Destination of a flit or packet that is being dropped.
pub(super) const DROPPED: u8 = u8::MAX - 1;
/// Destination of a flit whose link is down.
pub(super) const LOST: u8 = u8::MAX - 2;

/// State of one channel of an input.
#[derive(Debug, Clone, Copy)]
pub(super) struct InputChannel {
    /// `open[v]`: [`NONE`], [`DROPPED`] or an output.
    pub open: u8,
    /// `closing[v]`: [`NONE`] or an output.
    pub closing: u8,
    /// Credits owed whose cycle is not fixed yet.
    pub queued_credits: u16,
    /// Queue of the packet in progress, where `open[v]` is an output.
    pub open_queue: QueueId,
}

impl InputChannel {
    pub const AFTER_RESET: InputChannel = InputChannel {
        open: NONE,
        closing: NONE,
        queued_credits: 0,
        open_queue: QueueId::UNUSED,
    };
}

/// `stage1` of an input, valid when the core's `stage1` has its bit. The flit itself counts in its queue
/// already.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stage1 {
    /// Of (input, channel).
    pub key: u8,
    /// An output, [`DROPPED`] or [`LOST`].
    pub destination: u8,
}

impl Stage1 {
    pub const EMPTY: Stage1 = Stage1 {
        key: NONE,
        destination: DROPPED,
    };
}

/// State of one output.
#[derive(Debug, Clone, Copy)]
pub(super) struct Output<K> {
    /// Keys with a flit for this output in their queue or in stage 1: *waiting*.
    pub waiting: K,
    /// `flow` or else `grant`: [`NONE`] or a key. Place of its outgoing channel, and its queue.
    pub chosen: u8,
    pub place: u8,
    pub queue: QueueId,
    /// `popped`, where a flit was.
    pub popped: u8,
}

impl<K: KeySet> Output<K> {
    pub fn after_reset() -> Self {
        Output {
            waiting: K::EMPTY,
            chosen: NONE,
            place: 0,
            queue: QueueId::UNUSED,
            popped: 0,
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

/// All outgoing channels after reset.
pub(super) fn output_channels<K: KeySet>(shape: &CoreShape) -> K::PerKey<OutputChannel> {
    let channel = |credit| OutputChannel {
        credit,
        lock: NONE,
        discard: false,
    };
    let mut all = K::PerKey::filled(channel(shape.credits));
    for key in shape.keys_of_inputs::<K>(shape.all_ports()).keys() {
        all[key] = channel(shape.credits_of_key::<K>(key));
    }
    all
}
