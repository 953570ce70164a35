//! What the switch core moves: a flit in the form that its surroundings need.
//!
//! The core looks at nothing but the methods of [`Flit`], so that tests can give it another one.

use std::fmt::Debug;

/// A flit without its data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FlitTag {
    pub channel: u8,
    pub last: bool,
    pub bad: bool,
}

/// A flit on the core's tx pins, with the data that a host will see.
#[derive(Debug, Clone, Copy)]
pub struct TransmittedFlit<'a> {
    pub tag: FlitTag,
    pub data: &'a [u64],
}

/// A flit as the core sees it.
pub trait Flit: Copy + Default + Debug {
    fn tag(self) -> FlitTag;

    /// The low 64 bits of its data; in a header they hold the address.
    fn low_word(self) -> u64;

    /// This flit on another channel.
    fn on_channel(self, channel: usize) -> Self;

    /// This header with another destination address.
    fn with_destination(self, destination: u32) -> Self;

    /// A flit without data: last and bad are set (section 1.2).
    fn made_up_tail(channel: usize) -> Self;

    /// Whether it is what [`Self::blank`] gives. Such flits need not be stored.
    fn is_blank(self) -> bool;

    /// A flit that is not the last of its packet and whose data is 0.
    fn blank(channel: usize) -> Self;
}

/// Takes the flits that the core pops and the credits that it gives back.
pub trait FlitSink<F> {
    /// `flit` will be on the tx pins of `output` after the stages of section 1.7.
    fn send(&mut self, output: usize, flit: F);

    /// A blank flit will be on the tx pins of `output` after the stages of section 1.7.
    fn send_blank(&mut self, output: usize, channel: usize);

    /// A credit for the sender of (input, channel): on the rx_credit pins when a flit popped now is on the
    /// tx pins. Every credit is told once.
    #[inline]
    fn give_back(&mut self, _input: usize, _channel: usize) {}
}

/// Room for the data of the widest flit.
pub type FlitWords = [u64; 8];

/// Copies the data of a flit; mostly it is one word.
#[inline]
pub fn copy_words(to: &mut [u64], from: &[u64]) {
    if let ([to], [from]) = (&mut *to, from) {
        *to = *from;
    } else {
        to.copy_from_slice(from);
    }
}

/// Clears the data of a flit, or what lies above its lowest word.
#[inline]
pub fn clear_words(data: &mut [u64]) {
    match data {
        [] => {}
        [word] => *word = 0,
        words => words.fill(0),
    }
}

/// Copies the words at `from` of a memory to its first places.
#[inline]
pub fn copy_to_front(memory: &mut [u64], from: usize, words: usize) {
    if words == 1 {
        memory[0] = memory[from];
    } else {
        memory.copy_within(from..from + words, 0);
    }
}
