//! What a link carries when both sides send all that they can, by the rate of bit errors: measured, and by the formula of
//! page 7.8.

use mkns_cable::{BlockActivity, Faults, Pair};
use mkns_golden::link_port::LinkParameters;
use mkns_sim::ModelLibrary;
use mkns_topology::BlockId;

use super::lockstep::Lockstep;
use crate::models::rtl_device;

/// Flits of a block of the line and the words that they take with their T.
const BLOCK_FLITS: f64 = 8.0;
const BLOCK_WORDS: f64 = 9.0;
/// Bits of a word, its mark included.
const WORD_BITS: f64 = 66.0;
/// Bits whose errors hit a word behind a descrambler: its own, and those of the word before it.
const HIT_BITS: f64 = 130.0;
/// Words from the first one of a block that fails to the first one of its replay, without the flights: to its T 8; T and
/// STATUS through both ports and into effect 3 + 3 + 1 each; for the open blocks in front of STATUS and RESUME 4 each;
/// RESUME 1.
const REPLAY_WORDS: f64 = 31.0;
/// Words of a tick.
const TICK: f64 = 64.0;

/// Cycles until the link runs at its rate.
const START: u64 = 2_000;

/// Flits a word by the formula.
pub fn expected_goodput(parameters: &LinkParameters, rate: f64, flight: u32) -> f64 {
    let without_errors = BLOCK_FLITS / BLOCK_WORDS * (31.0 / 32.0) * (1023.0 / 1024.0);
    let failures = (BLOCK_WORDS * WORD_BITS * rate).exp_m1();
    let lost_resume = HIT_BITS * rate * TICK * (f64::from(parameters.request_ticks) - 0.5);
    let replay = f64::from(2 * flight) + REPLAY_WORDS + lost_resume;
    without_errors / (1.0 + failures * replay / BLOCK_WORDS)
}

/// Flits per word of the RTL, mean of both directions, over this many cycles of one clock.
pub fn link_goodput(
    library: &ModelLibrary,
    parameters: &LinkParameters,
    (rate, flight): (f64, u32),
    cycles: u64,
) -> mkns_sim::Result<f64> {
    let seed = 5;
    let rtl = rtl_device(library, &[BlockId(0), BlockId(1)], seed)?;
    let sizes = (parameters.channels, parameters.rx_buffer_flits);
    let cable = (flight as usize, Faults::default());
    let mut pair = Pair::new(
        Lockstep::new(rtl, None),
        sizes,
        cable,
        BlockActivity::FULL,
        seed,
    );
    pair.rise(START);
    for direction in &mut pair.cable {
        direction.change(Faults::bit_errors(rate));
    }
    pair.run(START);
    let before = pair.report().delivered;
    pair.run(cycles);
    Ok((pair.report().delivered - before) as f64 / (2 * cycles) as f64)
}
