//! `link_port` with a step's edges as pins, and its pins as words: one word a pin.

use mkns_cable::{ClockEdges, EndInputs, EndOutputs, Flit, MessageOutputs, Word};
use mkns_design::{Port, PortTable};
use mkns_golden::link_port::LinkParameters;
use mkns_sim::PortDecl;

/// Name of the module around `link_port`.
pub const TOP: &str = "link_port_in_steps";

/// Bits of the inputs, in order.
const INPUTS: [(&str, u32); 25] = [
    ("core_edge", 1),
    ("link_edge", 1),
    ("rst", 1),
    ("tx_valid", 1),
    ("tx_vc", 1),
    ("tx_last", 1),
    ("tx_bad", 1),
    ("tx_data", 64),
    ("rx_credit", 0),
    ("reg_valid", 1),
    ("reg_write", 1),
    ("reg_address", 5),
    ("reg_wdata", 32),
    ("message_read", 1),
    ("message_read_at", 3),
    ("message_release", 1),
    ("message_write", 1),
    ("message_write_at", 3),
    ("message_write_word", 32),
    ("message_send", 1),
    ("line_tx_ready", 1),
    ("line_rx_valid", 1),
    ("line_rx_ctl", 1),
    ("line_rx_data", 64),
    ("line_rx_up", 1),
];

/// Bits of the outputs, in order.
const OUTPUTS: [(&str, u32); 15] = [
    ("tx_credit", 0),
    ("rx_valid", 1),
    ("rx_vc", 1),
    ("rx_last", 1),
    ("rx_bad", 1),
    ("rx_data", 64),
    ("link_up", 1),
    ("reg_ready", 1),
    ("reg_rdata", 32),
    ("message_word", 32),
    ("message_full", 1),
    ("message_busy", 1),
    ("line_tx_valid", 1),
    ("line_tx_ctl", 1),
    ("line_tx_data", 64),
];

/// Inputs that are edges and no pins of `link_port`.
pub const EDGES: usize = 2;

/// Words of the inputs and of the outputs of one link port.
pub const INPUT_WORDS: usize = INPUTS.len();
pub const OUTPUT_WORDS: usize = OUTPUTS.len();

/// Ports with 0 bits have one a channel.
fn declared(ports: &[(&str, u32)], channels: usize) -> Vec<PortDecl> {
    let ports = ports.iter();
    ports
        .map(|(name, width)| PortDecl::new(*name, bits(*width, channels)))
        .collect()
}

fn bits(bits: u32, channels: usize) -> u32 {
    if bits == 0 { channels as u32 } else { bits }
}

/// Declarations of inputs and outputs.
pub fn ports(channels: usize) -> (Vec<PortDecl>, Vec<PortDecl>) {
    (declared(&INPUTS, channels), declared(&OUTPUTS, channels))
}

pub fn output_name(word: usize) -> &'static str {
    OUTPUTS[word].0
}

/// Parameters of `link_port` that a spec decides.
fn overrides(parameters: &LinkParameters) -> String {
    let values = [
        ("VCS", parameters.channels as u32),
        ("RX_BUFFER_FLITS", parameters.rx_buffer_flits),
        ("LINE_FLITS", parameters.line_flits),
        ("REQUEST_TICKS", parameters.request_ticks),
        ("TAIL_TICKS", parameters.tail_ticks),
        ("SILENT_TICKS", parameters.silent_ticks),
        ("STUCK_TICKS", parameters.stuck_ticks),
        ("NETWORK", parameters.network),
        ("PORT", parameters.port.into()),
        ("KIND", parameters.kind.into()),
        ("MANAGEMENT", parameters.management.into()),
    ];
    let lines = values.map(|(name, value)| format!(".{name}(32'd{value})"));
    lines.join(", ")
}

/// Verilog of the module around `link_port`, with these parameters.
pub fn module(parameters: &LinkParameters) -> String {
    let clocks = "    wire core_clk = clk & core_edge;\n    wire link_clk = clk & link_edge;\n";
    around(TOP, (clocks, "core_clk", "link_clk"), 0, parameters)
}

/// `link_port` with one clock, for tools that know no more: its name, its Verilog, its pins.
pub fn one_clock_link(parameters: &LinkParameters) -> (&'static str, String, PortTable) {
    const NAME: &str = "link_port_one_clock";
    let text = around(NAME, ("", "clk", "clk"), EDGES, parameters);
    let pins = |pins: &[(&'static str, u32)]| {
        let pins = pins.iter();
        pins.map(|(name, width)| Port {
            name,
            bits: bits(*width, parameters.channels),
        })
        .collect()
    };
    let table = PortTable {
        inputs: pins(&INPUTS[EDGES..]),
        outputs: pins(&OUTPUTS),
    };
    (NAME, text, table)
}

/// A module with the inputs from `first` on, and how it makes the clocks.
fn around(
    name: &str,
    (clocks, core, link): (&str, &str, &str),
    first: usize,
    parameters: &LinkParameters,
) -> String {
    let (inputs, outputs) = ports(parameters.channels);
    let inputs = &inputs[first..];
    let of = |direction: &str, ports: &[PortDecl]| -> Vec<String> {
        let port =
            |port: &PortDecl| format!("{direction} wire [{}:0] {}", port.bits - 1, port.name);
        ports.iter().map(port).collect()
    };
    let declarations = [of("input", inputs), of("output", &outputs)].concat();
    let connections = inputs[EDGES - first..].iter().chain(&outputs);
    let connections: Vec<String> = connections
        .map(|port| format!(".{0}({0})", port.name))
        .collect();
    format!(
        "module {name} (\n    input wire clk,\n    {}\n);\n{clocks}    link_port #({}) port (\n        \
         .clk({core}), .link_clk({link}), .link_rst(rst), .block_number(16'd{}),\n        {}\n    );\nendmodule\n",
        declarations.join(",\n    "),
        overrides(parameters),
        parameters.block,
        connections.join(",\n        "),
    )
}

pub fn pack(inputs: &EndInputs, edges: &ClockEdges) -> [u64; INPUT_WORDS] {
    let tx = inputs.tx.map(|flit| flit_words(&flit)).unwrap_or_default();
    let access = inputs.register;
    let of_access = |value: fn(&mkns_cable::RegisterAccess) -> u32| {
        access.as_ref().map_or(0, |access| u64::from(value(access)))
    };
    let rx = inputs.line_rx.map(word_words).unwrap_or_default();
    let message = inputs.message;
    [
        edges.core.into(),
        edges.link.into(),
        inputs.rst.into(),
        tx[0],
        tx[1],
        tx[2],
        tx[3],
        tx[4],
        inputs.rx_credit.into(),
        access.is_some().into(),
        of_access(|access| access.write.into()),
        of_access(|access| access.address),
        of_access(|access| access.wdata),
        message.read.is_some().into(),
        message.read.unwrap_or_default().into(),
        message.release.into(),
        message.write.is_some().into(),
        message.write.map_or(0, |(number, _)| number).into(),
        message.write.map_or(0, |(_, word)| word).into(),
        message.send.into(),
        inputs.line_tx_ready.into(),
        rx[0],
        rx[1],
        rx[2],
        inputs.line_rx_up.into(),
    ]
}

fn flit_words(flit: &Flit) -> [u64; 5] {
    let Flit {
        channel,
        last,
        bad,
        data,
    } = *flit;
    [1, channel as u64, last.into(), bad.into(), data]
}

fn word_words(word: Word) -> [u64; 3] {
    [1, word.control.into(), word.data]
}

/// What outputs are expected to be as words.
pub fn pack_outputs(outputs: &EndOutputs) -> [u64; OUTPUT_WORDS] {
    let rx = outputs.rx.map(|flit| flit_words(&flit)).unwrap_or_default();
    let tx = outputs.line_tx.map(word_words).unwrap_or_default();
    [
        outputs.tx_credit.into(),
        rx[0],
        rx[1],
        rx[2],
        rx[3],
        rx[4],
        outputs.link_up.into(),
        outputs.register.is_some().into(),
        outputs.register.unwrap_or_default().into(),
        outputs.message.word.into(),
        outputs.message.full.into(),
        outputs.message.busy.into(),
        tx[0],
        tx[1],
        tx[2],
    ]
}

pub fn unpack(words: &[u64]) -> EndOutputs {
    EndOutputs {
        tx_credit: words[0] as u32,
        rx: (words[1] == 1).then(|| Flit {
            channel: words[2] as usize,
            last: words[3] == 1,
            bad: words[4] == 1,
            data: words[5],
        }),
        link_up: words[6] == 1,
        register: (words[7] == 1).then_some(words[8] as u32),
        message: MessageOutputs {
            word: words[9] as u32,
            full: words[10] == 1,
            busy: words[11] == 1,
        },
        line_tx: (words[12] == 1).then(|| Word {
            control: words[13] == 1,
            data: words[14],
        }),
    }
}
