//! What several test modules use.

pub mod browser;
pub mod elaborated;
pub mod faulty;
pub mod planted;
pub mod rtl_designs;
pub mod smallest;
pub mod specs;
pub mod stand_in;
pub mod verilog;
pub mod waveform;
