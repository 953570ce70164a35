//! The bridge from a serial line to the control ports of a network (`docs/reference/manager.md`).

use super::parts::parts;

parts! {
    RegisterBridge "fpga/register_bridge.v",
    BridgeReceiver "fpga/uart_receiver.v",
    BridgeTransmitter "fpga/uart_transmitter.v",
}

/// File names and texts of the bridge and what it is made of.
pub fn register_bridge(banner: &str) -> Vec<(String, String)> {
    parts(banner)
}
