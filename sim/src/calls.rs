//! Calls of models that are under way: RTL with an endless loop never returns from one.

use std::sync::atomic::{AtomicU64, Ordering};

static BEGUN: AtomicU64 = AtomicU64::new(0);
static ENDED: AtomicU64 = AtomicU64::new(0);

/// Makes a call of a model, on any thread, and counts it.
pub(crate) fn counted<T>(call: impl FnOnce() -> T) -> T {
    BEGUN.fetch_add(1, Ordering::Relaxed);
    let result = call();
    ENDED.fetch_add(1, Ordering::Relaxed);
    result
}

/// How many calls of this process have ended, while another is under way. A number that stays the same says that
/// no model moves on.
pub fn ended_calls_beside_one() -> Option<u64> {
    let ended = ENDED.load(Ordering::Relaxed);
    (BEGUN.load(Ordering::Relaxed) > ended).then_some(ended)
}
