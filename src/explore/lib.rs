//! Choosing a network: all of a size, of all kinds, with what they are and what they cost, and those of them that no
//! other beats in everything.
//!
//! [`candidates`] lists them, [`Figures`] measures one on its graph and its routes, [`standings`] tells the unbeaten ones.
//! Simulates nothing.

mod block_connectivity;
mod candidates;
mod factors;
mod figures;
mod front;
mod prices;
mod prices_file;
mod table;

pub use candidates::{Candidate, KINDS, SearchLimits, candidates};
pub use figures::{Cuts, Figures};
pub use front::{ALIKE, CLOSE, ParetoStanding, standings};
pub use prices::{Amount, CablePrice, Prices};
pub use prices_file::{EXAMPLE, read_prices};
pub use table::{bills, csv, table};
