//! Devices that the open flow knows, as its programs name them.

use serde::Serialize;

/// An ECP5 device of Lattice: logic for nextpnr's options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Device {
    /// Name in mkns, such as `ecp5-85f`.
    pub name: &'static str,
    /// nextpnr's option.
    pub option: &'static str,
    /// A package that has enough pins for a harness.
    pub package: &'static str,
}

/// ECP5 devices without and with serial transceivers (`um5g`), by logic cells.
pub const ECP5_DEVICES: [Device; 5] = [
    device("ecp5-25f", "--25k", "CABGA381"),
    device("ecp5-45f", "--45k", "CABGA381"),
    device("ecp5-85f", "--85k", "CABGA756"),
    device("ecp5-45um5g", "--um5g-45k", "CABGA381"),
    device("ecp5-85um5g", "--um5g-85k", "CABGA756"),
];

const fn device(name: &'static str, option: &'static str, package: &'static str) -> Device {
    Device {
        name,
        option,
        package,
    }
}

impl Device {
    /// The device of this name.
    pub fn named(name: &str) -> Option<Self> {
        ECP5_DEVICES.into_iter().find(|device| device.name == name)
    }
}
