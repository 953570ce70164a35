//! Studies: many simulations that one file asks for, and what they found.
//!
//! [`read_study`] multiplies the matrices of a file out into jobs; [`Rows`] is what the jobs of a folder found, as a
//! table for CSV and SQLite; [`curves`] are the same as latency over load.

mod curves;
mod file;
mod matrix;
mod rows;
mod sqlite;

pub use curves::curves;
pub use file::{Study, json_schema, read_study};
pub use matrix::SimOption;
pub use rows::{Cell, OF_THE_MACHINE, Rows};
pub use sqlite::write_sqlite;
