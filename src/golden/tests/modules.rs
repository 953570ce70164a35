//! Small blocks, and packets on the pins of their hosts.

use mkns_design::{BlockModule, ModuleKind, PokShape, switch_module};
use mkns_routing::{AddressLayout, Turns};
use mkns_spec::BlockParameters;

use crate::{Beat, Data, Flit, HostInputs, HostPort};

/// What the tests begin with: header and three payload flits at most, C = 4.
pub fn parameters() -> BlockParameters {
    BlockParameters {
        max_packet_flits: 4,
        rx_buffer_flits: 4,
        host_timeout: 3,
        ..BlockParameters::default()
    }
}

/// Two network and two PCIe ports; field 0 (bit 0) has 2 values, field 1 (bits 2:1) has 3.
pub fn adapter(parameters: BlockParameters) -> BlockModule {
    BlockModule {
        kind: ModuleKind::Adapter,
        network_ports: 2,
        pcie_ports: 2,
        tables: Vec::new(),
        turns: Turns::between_all(4, 2),
        alternates: true,
        layout: AddressLayout::new([("pcie", 2), ("x", 3)]),
        ..switch_module(2, parameters)
    }
}

/// POK with m = 3, F = 2.
pub fn pok(parallel: bool, parameters: &BlockParameters) -> BlockModule {
    BlockModule::pok(PokShape::new(3, parallel), parameters)
}

/// A terminal with m = 3, F = 2 and trains of two local addresses.
pub fn terminal(parameters: &BlockParameters) -> BlockModule {
    let layout = AddressLayout::new([("first", 3), ("second", 3)]);
    BlockModule::terminal(PokShape::new(3, false), &layout, parameters)
}

/// A flit of one word.
pub fn flit(low: u64, last: bool) -> Flit {
    Flit {
        data: Data::of(&[low]),
        last,
        ..Flit::default()
    }
}

/// A beat with these words and `keep`.
pub fn beat(words: &[u64], keep: u64, last: bool) -> Beat {
    Beat {
        data: Data::of(words),
        keep,
        last,
        user: false,
    }
}

/// A PCIe port whose tready is 1: the cycle after reset is over.
pub fn awake(module: &BlockModule, q: usize) -> HostPort {
    let mut host = HostPort::new(module, q);
    host.reset();
    assert!(!host.tready(), "a register that resets to 0");
    host.clock(&ready());
    assert!(host.tready());
    host
}

/// A host that offers nothing and takes what comes, at node address 2·2.
pub fn ready() -> HostInputs<'static> {
    HostInputs {
        ready: true,
        node_address: 4,
        ..HostInputs::default()
    }
}

/// A host that offers this beat and takes what comes.
pub fn offer(beat: &Beat) -> HostInputs<'_> {
    HostInputs {
        beat: Some(beat),
        ..ready()
    }
}
