//! The self-test top: a switch block between packet generators and checkers, for one board.
//!
//! The block keeps its parameters; its routing table is replaced by one that leads destination n to
//! port n. Texts come from `hdl-templates/fpga/`.

use askama::Template;

use super::Board;
use super::board::Reset;
use super::parts::{finished, parts};
use crate::design::BlockModule;

/// Rate of the serial line, bits a second.
pub const BAUD: u32 = 115_200;

/// Largest payload of a self-test packet, flits.
const LARGEST_PAYLOAD: u32 = 15;

/// The switch block under test.
pub struct SelfTest<'a> {
    pub module: &'a BlockModule,
    /// Its Verilog parameters, table shapes included.
    pub parameters: &'a [(String, String)],
    /// File names and texts of the block.
    pub sources: &'a [(String, String)],
}

#[derive(Template)]
#[template(path = "fpga/selftest.v")]
struct Top<'a> {
    banner: &'a str,
    title: String,
    line: String,
    ports: u32,
    data_width: u32,
    vcs: u32,
    vc_bits: u32,
    credits: u32,
    max_payload: u32,
    text: String,
    length: usize,
    parameters: String,
}

#[derive(Template)]
#[template(path = "fpga/selftest_board.v")]
struct BoardTop<'a> {
    banner: &'a str,
    name: String,
    title: &'a str,
    clock_note: String,
    reset_note: &'a str,
    baud: u32,
    divider: u32,
    mhz: f64,
    differential: bool,
    divide: u32,
    has_reset: bool,
    reset_pin: &'a str,
    reset_level: &'a str,
    tied_pins: Vec<(&'a str, &'a str)>,
    last_led: u32,
    led_level: String,
}

parts! {
    Checker "fpga/selftest_checker.v",
    Generator "fpga/selftest_generator.v",
    Receiver "fpga/uart_receiver.v",
    Transmitter "fpga/uart_transmitter.v",
}

impl SelfTest<'_> {
    /// File names and texts of everything: the block, the self-test, its top for `board`.
    pub fn sources(&self, board: &Board, banner: &str) -> Vec<(String, String)> {
        let mut files = self.sources.to_vec();
        files.extend(parts(banner));
        files.push(("selftest.v".to_owned(), self.top(banner)));
        files.push((format!("{}.v", board.top()), board_top(board, banner)));
        files.sort();
        files
    }

    fn top(&self, banner: &str) -> String {
        let block = &self.module.parameters;
        let ports = self.module.network_ports;
        let head = format!(
            "mkns selftest {ports}x{} {}vc traffic",
            block.flit_bits, block.virtual_channels
        );
        let text =
            format!("{head} T sent SSSSSSSS received RRRRRRRR errors EEEEEEEE ports PPPP WXYZ");
        let view = Top {
            banner,
            title: format!("a switch block of {ports} ports"),
            line: format!(
                "{head} 0 sent 0001e3c5 received 0001e3c5 errors 00000000 ports 0000 pass"
            ),
            ports,
            data_width: block.flit_bits,
            vcs: block.virtual_channels,
            vc_bits: self.module.virtual_channel_bits(),
            credits: block.rx_buffer_flits,
            max_payload: LARGEST_PAYLOAD.min(block.max_packet_flits - 1),
            // carriage return and line feed follow
            length: text.len() + 2,
            text,
            parameters: self.overrides().join(",\n"),
        };
        finished(view.render())
    }

    /// Parameters of the block with the identity table instead of the network's.
    fn overrides(&self) -> Vec<String> {
        let ports = self.module.network_ports;
        let bits = ports.next_power_of_two().ilog2();
        let kept = (self.parameters.iter()).filter(|(name, _)| !name.starts_with("TABLE"));
        let mut list: Vec<String> = kept.map(|(name, value)| connection(name, value)).collect();
        let layer: String = (0..1 << bits)
            .rev()
            .map(|port| {
                let valid = if port < ports { 1 << 6 | port } else { 0 };
                format!("{valid:04x}")
            })
            .collect();
        let layers = self.module.parameters.layers;
        let width = 16 * (layers << bits);
        let table = format!("{width}'h{}", layer.repeat(layers as usize));
        for (name, value) in [
            ("TABLES", "1"),
            ("TABLE0_LSB", "0"),
            ("TABLE0_BITS", &bits.to_string()),
            ("TABLE0_INIT", &table),
        ] {
            list.push(connection(name, value));
        }
        list
    }
}

fn connection(name: &str, value: &str) -> String {
    format!("        .{name}({value})")
}

fn board_top(board: &Board, banner: &str) -> String {
    let mhz = f64::from(board.clock_hz()) / 1e6;
    let clock_note = match board.divide {
        1 => format!("{mhz} MHz"),
        divide => format!(
            "{} MHz, divided by {divide}",
            f64::from(board.oscillator_hz) / 1e6
        ),
    };
    let (reset_pin, reset_level, reset_note) = match board.reset {
        Reset::None => ("", "1'b0", "none from outside"),
        Reset::High => ("button", "button", "button, 1 when pressed"),
        Reset::Low => ("button_n", "!button_n", "button_n, 0 when pressed"),
    };
    let lit = match board.leds {
        4 => "light".to_owned(),
        // The heartbeat goes first when LEDs are few.
        leds => format!("light[3:{}]", 4 - leds),
    };
    let view = BoardTop {
        banner,
        name: board.top(),
        title: board.title,
        clock_note,
        reset_note,
        baud: BAUD,
        divider: (board.clock_hz() + BAUD / 2) / BAUD,
        mhz,
        differential: board.is_differential,
        divide: board.divide,
        has_reset: board.reset != Reset::None,
        reset_pin,
        reset_level,
        tied_pins: (board.tied.iter())
            .map(|&(pin, level)| (pin, if level { "1'b1" } else { "1'b0" }))
            .collect(),
        last_led: board.leds - 1,
        led_level: match board.leds_are_low {
            true => format!("~{lit}"),
            false => lit,
        },
    };
    finished(view.render())
}
