//! The registers of link ports as the control port of their board has them (`docs/microarchitecture.md`, 7.9).

use super::address;
use super::block_module::BlockModule;
use super::register::{Access, Register, RegisterField, field};

/// Names of the registers of a port.
struct Names {
    peer: &'static str,
    state: &'static str,
    counts: [&'static str; 4],
    expected_peer: &'static str,
    control: &'static str,
    inject: &'static str,
}

macro_rules! names {
    ($($port:literal),*) => {
        [$(Names {
            peer: concat!("LINK", $port, "_PEER"),
            state: concat!("LINK", $port, "_STATE"),
            counts: [
                concat!("LINK", $port, "_CRC_ERRORS"),
                concat!("LINK", $port, "_REPLAYS"),
                concat!("LINK", $port, "_DEATHS"),
                concat!("LINK", $port, "_LOST_FLITS"),
            ],
            expected_peer: concat!("LINK", $port, "_EXPECTED_PEER"),
            control: concat!("LINK", $port, "_CONTROL"),
            inject: concat!("LINK", $port, "_INJECT"),
        }),*]
    };
}

/// By port: RTL has at most 16.
const NAMES: [Names; 16] = names!(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);

/// Those of all serial ports of a board.
pub fn link_registers(module: &BlockModule) -> impl Iterator<Item = Register> + use<> {
    let ports = module.serial_port_numbers();
    ports.flat_map(|port| of_port(&NAMES[port as usize], port))
}

fn of_port(names: &Names, port: u32) -> Vec<Register> {
    let register = |name, word: u32, access, fields: Vec<RegisterField>, meaning| Register {
        name,
        address: address::link(port, word),
        count: 1,
        access,
        fields,
        meaning,
    };
    let state = vec![
        field("REASON", 4, 0, 0),
        field("UP", 5, 5, 0),
        field("SIGNAL", 6, 6, 0),
        field("PEER_KNOWN", 7, 7, 0),
        field("SESSION", 15, 8, 1),
    ];
    let expected = vec![
        field("BLOCK", 15, 0, 0),
        field("PORT", 23, 16, 0),
        field("CHECK", 31, 31, 0),
    ];
    let peer = register(
        names.peer,
        0,
        Access::Read,
        vec![field("CONTENT", 15, 0, 0)],
        "of the peer: 4 buffer, 5 and 6 network, 7 block, 8 port, 9 kind; kept in a reset",
    );
    let mut list = vec![
        Register { count: 16, ..peer },
        register(
            names.state,
            16,
            Access::Read,
            state,
            "2 no hello, 3 silence, 4 stuck, 5 restarted, 6 refused, 7 disabled, 8 + i HELLO i",
        ),
    ];
    let meanings = [
        "errors found in control words and blocks",
        "replays",
        "sessions that have died",
        "flits of the block that died with them",
    ];
    for ((name, meaning), word) in names.counts.into_iter().zip(meanings).zip(17..) {
        let fields = vec![field("COUNT", 15, 0, 0)];
        list.push(register(name, word, Access::Read, fields, meaning));
    }
    list.extend([
        register(
            names.expected_peer,
            21,
            Access::ReadWrite,
            expected,
            "who has to be at the other end, with CHECK; reset: of the instance",
        ),
        register(
            names.control,
            22,
            Access::ReadWrite,
            vec![field("DISABLED", 0, 0, 0)],
            "holds the link down",
        ),
        register(
            names.inject,
            23,
            Access::Write,
            vec![field("ANY", 31, 0, 0)],
            "any write damages one word that is sent",
        ),
    ]);
    list
}
