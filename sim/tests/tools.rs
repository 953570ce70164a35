//! Verilated models from the outside; needs Verilator and a C++ compiler: `cargo test --test tools`.

mod support;

mod cache;
mod clocked;
mod cycle;
mod models;
