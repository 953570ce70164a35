//! What goes with the process, however it ends: temporary folders, files while they are
//! written, and the programs that it starts; and what stays, under the name of its content.
//!
//! A [`Scratch`] is removed when it is dropped; an [`Ending`] removes those that a signal leaves. One that
//! a killed process has left is removed when the next is made beside it: a living owner holds a lock on its
//! folder. Knows nothing of signals.

mod content_key;
mod file;
mod folder;

pub use content_key::ContentKey;
pub use file::{folder_of, is_special, write_whole};
pub use folder::{Ending, Scratch, output, spawn};
