//! Results for people and for continuous integration: a regression's rows as JUnit XML, JSON and one
//! self-contained HTML page; simulations as tables; pictures.
//!
//! Knows what a row says, not how it came about: running is the business of `cosim`.

mod case;
pub mod completion;
mod failed_parts;
pub mod figure;
mod file;
mod html;
mod junit;
pub mod live_simulation;
pub mod network_page;
pub mod plot;
mod regression;
pub mod simulated;
pub mod simulation;
pub mod study_page;
pub mod survival;

pub use case::{Case, CaseOptions, TestedPart};
pub use failed_parts::FailedParts;
pub use file::{ensure_writable, ensure_writable_folder};
pub use html::html;
pub use junit::junit;
pub use mkns_scratch::{announce_output, folder_of, write_whole};
pub use regression::{INTERRUPTED, NOT_REACHED, Regression, Reruns, Run, Verdict};
