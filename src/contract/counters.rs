//! The counters of a block: name and meaning of each, in the order of their numbers (`docs/microarchitecture.md`,
//! section 4). Knows no addresses.

use super::block_module::BlockModule;

/// Counters of a port of the switch core; blocks that are not adaptive have the first nine.
const CORE_COUNTERS: [(&str, &str); 12] = [
    ("RX_FLITS", "flits received"),
    ("RX_PACKETS", "packets received"),
    ("TX_FLITS", "flits sent"),
    ("TX_PACKETS", "packets sent"),
    (
        "STALLS",
        "cycles in which a flit waited for this output and none moved",
    ),
    ("NO_ROUTE", "packets dropped: no route"),
    ("U_TURN", "packets dropped: U-turn"),
    ("LINK_DOWN", "packets dropped: link down"),
    ("LINK_DOWN_OUT", "packets dropped: link down at output"),
    (
        "ADAPTIVE",
        "packets that took a port with room, on the adaptive channel",
    ),
    ("ESCAPE", "packets that took the escape to a network port"),
    (
        "DETOUR",
        "packets of ESCAPE that were unordered: their headers count it",
    ),
];

/// Those of them that blocks without a choice have.
const FIXED_ROUTE_COUNTERS: usize = 9;

const PCIE_COUNTERS: [(&str, &str); 14] = [
    ("PACKETS_IN", "packets taken from the host"),
    ("KEEP", "host packets dropped: tkeep not legal"),
    ("RESERVED", "host packets dropped: reserved header bit set"),
    ("LAYER", "host packets dropped: no such layer"),
    ("DESTINATION", "host packets dropped: no such destination"),
    (
        "OVER_LENGTH",
        "host packets dropped: longer than MAX_PACKET_FLITS",
    ),
    (
        "TOO_SHORT",
        "host packets dropped: shorter than their length field",
    ),
    (
        "TOO_LONG",
        "host packets dropped: longer than their length field",
    ),
    ("ABORTED", "host packets dropped: tuser on the last beat"),
    ("PACKETS_OUT", "packets handed to the host"),
    (
        "CRC_FAULT",
        "packets handed over with tuser: header CRC wrong",
    ),
    (
        "LENGTH_FAULT",
        "packets handed over with tuser: length wrong",
    ),
    (
        "BAD",
        "packets handed over with tuser: damaged in the network",
    ),
    (
        "TIMEOUT_DROPS",
        "packets dropped because the host did not take them",
    ),
];

/// Numbers of counters.
pub mod counter {
    /// Of a core port: packets dropped, by cause.
    pub const DROPS: std::ops::RangeInclusive<u32> = 5..=8;
    /// Of a PCIe port.
    pub const PACKETS_IN: u32 = 0;
    /// Packets of the host that were dropped, by cause.
    pub const REFUSED: std::ops::RangeInclusive<u32> = 1..=8;
    pub const PACKETS_OUT: u32 = 9;
    /// Where blocks choose layers: packets of hosts for which there was none.
    pub const UNREACHABLE: u32 = 3;
    /// Packets handed over with tuser, by cause.
    pub const FAULTS: std::ops::RangeInclusive<u32> = 10..=12;
    pub const TIMEOUT_DROPS: u32 = 13;
}

/// Where blocks choose layers any hint will do, and a mask may be empty.
const MASKED_PCIE_COUNTERS: [(&str, &str); 14] = {
    let mut counters = PCIE_COUNTERS;
    counters[3] = (
        "UNREACHABLE",
        "host packets dropped: the destination's mask is empty",
    );
    counters
};

/// Counters of a core port.
pub fn core_counters(module: &BlockModule) -> &'static [(&'static str, &'static str)] {
    match module.candidates() {
        Some(_) => &CORE_COUNTERS,
        None => &CORE_COUNTERS[..FIXED_ROUTE_COUNTERS],
    }
}

/// Counters of a PCIe port.
pub fn pcie_counters(module: &BlockModule) -> &'static [(&'static str, &'static str)] {
    match module.masks {
        Some(_) => &MASKED_PCIE_COUNTERS,
        None => &PCIE_COUNTERS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_lists() {
        let name = |number: u32| MASKED_PCIE_COUNTERS[number as usize].0;
        let numbers = [
            counter::PACKETS_IN,
            counter::UNREACHABLE,
            counter::PACKETS_OUT,
            counter::TIMEOUT_DROPS,
        ];
        let names = ["PACKETS_IN", "UNREACHABLE", "PACKETS_OUT", "TIMEOUT_DROPS"];
        assert_eq!(numbers.map(name), names);
        let faults = counter::FAULTS.map(name);
        assert!(faults.eq(["CRC_FAULT", "LENGTH_FAULT", "BAD"]));
        let drops = counter::DROPS.map(|number| CORE_COUNTERS[number as usize].0);
        assert!(drops.eq(["NO_ROUTE", "U_TURN", "LINK_DOWN", "LINK_DOWN_OUT"]));
    }
}
