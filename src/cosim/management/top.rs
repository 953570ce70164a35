//! `management_unit` and its pins as words.

use mkns_cable::{MessageInputs, RegisterAccess};
use mkns_design::{Port, PortTable, get_bits, set_bits};
use mkns_golden::ControlPins;
use mkns_golden::management_unit::{ControlAnswers, UnitInputs, UnitOutputs};
use mkns_sim::PortDecl;

use crate::models::declarations;

/// Name of the module around `management_unit`.
pub const TOP: &str = "management_unit_alone";

/// Ports of the unit, and bit p for one with a link.
pub const PORTS: usize = 4;
pub const LINKS: u32 = 0b1011;

/// Bits of the inputs, in order; one of each port where 0, one word of each port where 1000.
const EACH: u32 = 0;
const WORD_EACH: u32 = 1000;
const INPUTS: [(&str, u32); 26] = [
    ("rst", 1),
    ("s_axil_awvalid", 1),
    ("s_axil_awaddr", 20),
    ("s_axil_wvalid", 1),
    ("s_axil_wdata", 32),
    ("s_axil_wstrb", 4),
    ("s_axil_bready", 1),
    ("s_axil_arvalid", 1),
    ("s_axil_araddr", 20),
    ("s_axil_rready", 1),
    ("window_awready", 1),
    ("window_wready", 1),
    ("window_bvalid", 1),
    ("window_bresp", 2),
    ("window_arready", 1),
    ("window_rvalid", 1),
    ("window_rdata", 32),
    ("window_rresp", 2),
    ("reg_valid", 1),
    ("reg_write", 1),
    ("reg_address", 5),
    ("reg_wdata", 32),
    ("link_up", EACH),
    ("message_full", EACH),
    ("message_busy", EACH),
    ("message_word", WORD_EACH),
];

const OUTPUTS: [(&str, u32); 26] = [
    ("s_axil_awready", 1),
    ("s_axil_wready", 1),
    ("s_axil_bvalid", 1),
    ("s_axil_bresp", 2),
    ("s_axil_arready", 1),
    ("s_axil_rvalid", 1),
    ("s_axil_rdata", 32),
    ("s_axil_rresp", 2),
    ("window_awvalid", 1),
    ("window_awaddr", 20),
    ("window_wvalid", 1),
    ("window_wdata", 32),
    ("window_wstrb", 4),
    ("window_bready", 1),
    ("window_arvalid", 1),
    ("window_araddr", 20),
    ("window_rready", 1),
    ("reg_ready", 1),
    ("reg_rdata", 32),
    ("message_read", EACH),
    ("message_read_at", 3),
    ("message_release", EACH),
    ("message_write", EACH),
    ("message_write_at", 3),
    ("message_write_word", 32),
    ("message_send", EACH),
];

/// Inputs that `management_unit` has: wready comes with awready.
fn is_connected(name: &str) -> bool {
    name != "window_wready"
}

/// Words of the inputs: one each, but for the last, which has two ports in each word.
pub const INPUT_WORDS: usize = INPUTS.len() - 1 + PORTS / 2;
pub const OUTPUT_WORDS: usize = OUTPUTS.len();

fn pins(pins: &[(&'static str, u32)], ports: u32) -> Vec<Port> {
    let pins = pins.iter().map(|&(name, bits)| Port {
        name,
        bits: match bits {
            EACH => ports,
            WORD_EACH => 32 * ports,
            bits => bits,
        },
    });
    pins.collect()
}

fn table_of(ports: u32) -> PortTable {
    PortTable {
        inputs: pins(&INPUTS, ports),
        outputs: pins(&OUTPUTS, ports),
    }
}

pub fn table() -> PortTable {
    table_of(PORTS as u32)
}

/// Pins of a `management_unit` with this many ports, besides the clock.
pub fn management_pins(ports: u32) -> PortTable {
    let mut table = table_of(ports);
    table.inputs.retain(|pin| is_connected(pin.name));
    table
}

pub fn ports() -> (Vec<PortDecl>, Vec<PortDecl>) {
    let table = table();
    (declarations(&table.inputs), declarations(&table.outputs))
}

/// Verilog of the module around the unit.
pub fn module() -> String {
    let (inputs, outputs) = ports();
    let declare = |direction: &str, ports: &[PortDecl]| -> Vec<String> {
        let ports = ports.iter();
        ports
            .map(|port| format!("{direction} wire [{}:0] {}", port.bits - 1, port.name))
            .collect()
    };
    let declarations = [declare("input", &inputs), declare("output", &outputs)].concat();
    let connected = inputs.iter().chain(&outputs);
    let connected = connected.filter(|port| is_connected(&port.name));
    let connections: Vec<String> = connected
        .map(|port| format!(".{0}({0})", port.name))
        .collect();
    format!(
        "module {TOP} (\n    input wire clk,\n    {}\n);\n    management_unit #(.PORTS({PORTS}), \
         .LINKS({PORTS}'d{LINKS})) unit (\n        .clk(clk),\n        {}\n    );\nendmodule\n",
        declarations.join(",\n    "),
        connections.join(",\n        "),
    )
}

pub fn pack(inputs: &UnitInputs) -> [u64; INPUT_WORDS] {
    let (master, window) = (&inputs.master, &inputs.window);
    let access = inputs.register.unwrap_or(RegisterAccess {
        write: false,
        address: 0,
        wdata: 0,
    });
    let each = |bit: fn(&mkns_cable::MessageOutputs) -> bool| {
        let ports = inputs.messages.iter().enumerate();
        ports.fold(0, |all, (port, pins)| all | u64::from(bit(pins)) << port)
    };
    let mut words = [0; INPUT_WORDS];
    let single = [
        inputs.rst.into(),
        master.awvalid.into(),
        master.awaddr.into(),
        master.wvalid.into(),
        master.wdata.into(),
        master.wstrb.into(),
        master.bready.into(),
        master.arvalid.into(),
        master.araddr.into(),
        master.rready.into(),
        window.awready.into(),
        window.wready.into(),
        window.bvalid.into(),
        window.bresp.into(),
        window.arready.into(),
        window.rvalid.into(),
        window.rdata.into(),
        window.rresp.into(),
        inputs.register.is_some().into(),
        access.write.into(),
        access.address.into(),
        access.wdata.into(),
        inputs.link_up.into(),
        each(|pins| pins.full),
        each(|pins| pins.busy),
    ];
    words[..single.len()].copy_from_slice(&single);
    for (port, pins) in inputs.messages.iter().enumerate() {
        set_bits(&mut words[single.len()..], 32 * port, 32, pins.word.into());
    }
    words
}

/// Without the data of a write that is not shown: they have no meaning.
pub fn with_meaning(mut outputs: UnitOutputs) -> UnitOutputs {
    if !outputs.window.wvalid {
        outputs.window.wdata = 0;
    }
    outputs
}

/// What the pins say; numbers and words that belong to nothing are passed over. None where `reg_rdata` is not 0 without
/// `reg_ready`.
pub fn unpack(words: &[u64]) -> Option<UnitOutputs> {
    let bit = |word: usize| words[word] & 1 == 1;
    let ready = bit(17);
    if !ready && words[18] != 0 {
        return None;
    }
    let messages = (0..PORTS).map(|port| {
        let is_set = |word: usize| get_bits(&words[word..], port, 1) == 1;
        MessageInputs {
            read: is_set(19).then_some(words[20] as u32),
            release: is_set(21),
            write: is_set(22).then_some((words[23] as u32, words[24] as u32)),
            send: is_set(25),
        }
    });
    Some(with_meaning(UnitOutputs {
        master: ControlAnswers {
            awready: bit(0),
            wready: bit(1),
            bvalid: bit(2),
            bresp: words[3] as u32,
            arready: bit(4),
            rvalid: bit(5),
            rdata: words[6] as u32,
            rresp: words[7] as u32,
        },
        window: ControlPins {
            awvalid: bit(8),
            awaddr: words[9] as u32,
            wvalid: bit(10),
            wdata: words[11] as u32,
            wstrb: words[12] as u32,
            bready: bit(13),
            arvalid: bit(14),
            araddr: words[15] as u32,
            rready: bit(16),
        },
        register: ready.then_some(words[18] as u32),
        messages: messages.collect(),
    }))
}
