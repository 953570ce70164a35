//! PEER registers against the plan: plugs in the wrong sockets are named with the moves that mend them.

use std::convert::Infallible;

use mkns::cabling::{FloorLayout, FloorPlan, ReadBack, check};
use mkns::design::serial_link;
use mkns::manage::{Registers, seen_peers};
use mkns::spec::NetworkSpec;
use mkns::topology::{BlockId, End, Network, PortIndex};

/// Link ports of a network in which the plugs at the second ends of some cables stand in each other's sockets.
struct LinkPorts {
    /// Own end and the other.
    joined: Vec<(End, End)>,
}

impl Registers for LinkPorts {
    type Error = Infallible;

    fn read(&mut self, block: BlockId, address: u32) -> Result<Option<u32>, Infallible> {
        let port = PortIndex((address >> 7 & 31) as u8);
        let own = End { block, port };
        let Some((_, peer)) = self.joined.iter().find(|(end, _)| *end == own) else {
            return Ok(None);
        };
        Ok(Some(match address >> 2 & 31 {
            7 => peer.block.0,
            8 => peer.port.0.into(),
            // SIGNAL, PEER_KNOWN
            16 => 0xc0,
            other => panic!("nobody needs word {other}"),
        }))
    }

    fn write(&mut self, _: BlockId, _: u32, _: u32) -> Result<bool, Infallible> {
        panic!("a look writes nothing")
    }
}

fn network() -> (NetworkSpec, Network) {
    let setting = ["link.dimensions=[2]".to_owned()];
    let spec = mkns::spec::parse_with("MKNS(2,3x3,2,1)", &setting).expect("a valid spec");
    let network = mkns::topology::build(&spec);
    (spec, network)
}

/// The words of a check when the second ends of these serial cables, by their number among them, are swapped.
fn checked(swapped: Option<[usize; 2]>) -> (bool, String) {
    let (spec, network) = network();
    let serial = network
        .cables
        .iter()
        .filter(|cable| serial_link(&spec, cable).is_some());
    let mut pairs: Vec<(End, End)> = serial.map(|cable| (cable.a, cable.b)).collect();
    if let Some([one, other]) = swapped {
        (pairs[one].1, pairs[other].1) = (pairs[other].1, pairs[one].1);
    }
    let both = pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
    let mut ports = LinkPorts {
        joined: both.collect(),
    };
    let Ok(seen) = seen_peers(&spec, &network, &mut ports);
    let others = network
        .cables
        .iter()
        .filter(|cable| serial_link(&spec, cable).is_none());
    let others = others.map(|cable| (cable.a, Some(cable.b)));
    let seen = seen.iter().map(|seen| (seen.end, seen.peer)).chain(others);
    let found = ReadBack::of_ends(&network, &seen.collect::<Vec<_>>()).expect("no contradiction");
    let floor_layout = FloorLayout::new(&spec, &network, FloorPlan::default()).expect("a hall");
    let outcome = check(&network, &floor_layout, &found);
    (outcome.passed, outcome.to_text())
}

#[test]
fn a_network_as_planned_passes() {
    let (passed, text) = checked(None);
    assert!(passed, "{text}");
}

#[test]
fn swapped_plugs_are_named_with_the_moves_that_mend_them() {
    let (passed, text) = checked(Some([1, 5]));
    assert!(!passed);
    assert!(
        text.contains("16 of 18 planned cables as planned, 2 wrong"),
        "{text}"
    );
    assert!(text.contains("move 2 ends of cables"), "{text}");
}
