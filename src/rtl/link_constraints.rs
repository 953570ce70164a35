//! Timing constraints of the clock crossings in `link_port`, for the programs of FPGA makers.

/// File names and texts for Vivado, Quartus, Diamond and Radiant.
pub const LINK_CONSTRAINTS: [(&str, &str); 4] = [
    (
        "link_port.xdc",
        include_str!("../../constraints/common/link_port.xdc"),
    ),
    (
        "link_port.sdc",
        include_str!("../../constraints/common/link_port.sdc"),
    ),
    (
        "link_port.lpf",
        include_str!("../../constraints/common/link_port.lpf"),
    ),
    (
        "link_port.pdc",
        include_str!("../../constraints/common/link_port.pdc"),
    ),
];
