//! The bridge from a serial line to the control ports of a network (`docs/reference/manager.md`).

use super::crossings::constraints_of;
use super::parts::parts;

parts! {
    RegisterBridge "fpga/register_bridge.v",
    BridgeSynchroniser "fpga/bit_synchroniser.v",
    BridgeReceiver "fpga/uart_receiver.v",
    BridgeTransmitter "fpga/uart_transmitter.v",
}

/// File names and texts of the bridge, of what it is made of, and of the constraints of its serial line.
pub fn register_bridge(banner: &str) -> Vec<(String, String)> {
    let mut files = parts(banner);
    files.extend(constraints_of(&files));
    files
}
