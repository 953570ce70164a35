//! The smallest switch with a control port: what is slow to simulate or to map takes this.

use mkns::design::Plan;
use mkns::spec::{Join, TurnSelect};

use crate::common::rtl_designs::build;
use crate::common::specs;

/// Four ports, one channel, one bank, queues of eight flits, no counters.
pub fn smallest_plan() -> Plan {
    let mut spec = specs::mkns_with_ports(4, 1, &[2, 2], &[Join::SwitchBlock]);
    let block = &mut spec.block;
    block.virtual_channels = 1;
    block.rx_buffer_flits = 4;
    block.queue_flits = 8;
    block.banks = 1;
    block.max_packet_flits = 5;
    block.counters = false;
    block.turns = TurnSelect::All;
    build(&spec)
}
