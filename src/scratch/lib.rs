//! What goes with the process, however it ends: temporary folders, files while they are
//! written, and the programs that it runs, each within its [`Limits`]; and what stays, under the name of its content.
//!
//! A [`Scratch`] is removed when it is dropped; an [`CleanupGuard`] removes those that a signal leaves. One that
//! a killed process has left is removed when the next is made beside it: a living owner holds a lock on its
//! folder. Knows nothing of what signals mean to the process.

mod content_key;
mod exchange;
mod file;
mod folder;
mod input;
mod program;
mod streams;

pub use content_key::ContentKey;
pub use exchange::exchange;
pub use file::{folder_of, is_special, write_whole};
pub use folder::{CleanupGuard, Scratch};
pub use input::{Unreadable, announce_output, read_input, read_kept, read_up_to};
pub use program::{Ended, Limits, StopReason, last_lines, run};
