//! The window of a PCIe core to the control ports of a network (`docs/reference/manager.md`).

use super::crossings::constraints_of;
use super::parts::parts;

parts! {
    RegisterWindow "fpga/register_window.v",
    RegisterCrossing "fpga/register_crossing.v",
    RegisterArbiter "fpga/register_arbiter.v",
    WindowReset "fpga/paired_reset.v",
    WindowSynchroniser "fpga/bit_synchroniser.v",
    WindowFifo "fpga/axis_async_fifo.v",
}

/// File names and texts of the window, of what it is made of, and of the constraints of its clock crossing.
pub fn register_window(banner: &str) -> Vec<(String, String)> {
    let mut files = parts(banner);
    files.extend(constraints_of(&files));
    files
}
