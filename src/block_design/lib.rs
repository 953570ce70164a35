//! Symmetric block designs B(N, m, σ): constructed where one is known, refused by name where a
//! theorem rules them out.
//!
//! Pure combinatorics: knows nothing of networks. Every design is verified when it is built, so a
//! [`BlockDesign`] in hand *is* a 2-design. Source: Karavay & Podlazov, tables 5 to 7
//! (`docs/reference/distributed-switch.md`).

mod construct;
mod design;
mod difference_set;
mod existence;
mod gewirtz;
mod hilbert;
mod incidence_lists;
mod singer;

pub use construct::construct;
pub use design::{BlockDesign, Construction, Parameters};
pub use existence::{PlaceOfRationals, Refusal, refuted};
