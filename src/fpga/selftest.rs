//! The self-test top: a switch or adapter block between packet generators and checkers, for one board.
//!
//! The block keeps its parameters; its routing table is replaced by one that leads destination n to
//! port n, hosts after links. Texts come from `hdl-templates/fpga/`.

use askama::Template;

use super::Board;
use super::board::Reset;
use super::harness::overrides;
use super::parts::parts;
use mkns_design::{BlockModule, ModuleKind};
use mkns_rtl::verilog;

/// Rate of the serial line, bits a second.
pub const BAUD: u32 = 115_200;

/// Largest payload of a self-test packet, flits.
const LARGEST_PAYLOAD: u32 = 15;

/// The block under test: a switch block, or an adapter block whose hosts have beats as wide as flits.
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
    /// Verilog name of the block.
    module: String,
    network_ports: u32,
    hosts: u32,
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
    /// Whether the button is pressed, of its `level` in the clock; and that level while it is.
    pressed: &'a str,
    pressed_level: u8,
    /// The device has an IP that says when all of it is configured.
    has_reset_release: bool,
    tied_pins: Vec<(&'a str, &'a str)>,
    last_led: u32,
    led_level: String,
}

parts! {
    Checker "fpga/selftest_checker.v",
    Generator "fpga/selftest_generator.v",
    Host "fpga/selftest_host.v",
    Report "fpga/report_line.v",
    Synchroniser "fpga/bit_synchroniser.v",
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
        let (links, hosts) = (self.module.network_ports, self.module.pcie_ports);
        let (name, title) = match self.module.kind {
            ModuleKind::Adapter => (
                format!("adapter {links}+{hosts}"),
                format!("an adapter block of {links} links and {hosts} hosts"),
            ),
            _ => (
                links.to_string(),
                format!("a switch block of {links} ports"),
            ),
        };
        let head = format!(
            "mkns selftest {name}x{} {}vc traffic",
            block.flit_bits, block.virtual_channels
        );
        let text =
            format!("{head} T sent SSSSSSSS received RRRRRRRR errors EEEEEEEE ports PPPP WXYZ");
        let view = Top {
            banner,
            title,
            line: format!(
                "{head} 0 sent 0001e3c5 received 0001e3c5 errors 00000000 ports 0000 pass"
            ),
            module: format!("{}_block", self.module.kind.name()),
            network_ports: links,
            hosts,
            ports: self.module.core_ports(),
            data_width: block.flit_bits,
            vcs: block.virtual_channels,
            vc_bits: self.module.virtual_channel_bits(),
            credits: block.rx_buffer_flits,
            max_payload: LARGEST_PAYLOAD.min(block.max_packet_flits - 1),
            // carriage return and line feed follow
            length: text.len() + 2,
            text,
            parameters: overrides(&self.parameters()).join(",\n"),
        };
        verilog(view.render(), banner)
    }

    /// Parameters of the block with the identity table instead of the network's. Hosts number
    /// themselves in bits of their address that no table reads, and send on channel 0, where checkers
    /// expect them.
    fn parameters(&self) -> Vec<(String, String)> {
        let replaced = ["TABLE", "FIELD", "HOST_CHANNELS"];
        let kept = (self.parameters.iter())
            .filter(|(name, _)| !replaced.iter().any(|start| name.starts_with(start)));
        let mut list: Vec<_> = kept.cloned().collect();
        let mut add = |name: &str, value: String| list.push((name.to_owned(), value));
        let number = |value: u32| value.to_string();
        let (ports, hosts) = (self.module.core_ports(), self.module.pcie_ports);
        let bits = |values: u32| values.next_power_of_two().ilog2();
        let layers = self.module.parameters.layers;
        add("TABLES", number(1));
        add("TABLE0_LSB", number(0));
        add("TABLE0_BITS", number(bits(ports)));
        add("TABLE0_INIT", identity_table(ports, bits(ports), layers));
        if hosts > 0 {
            add("FIELDS", number(2));
            add("FIELD0_LSB", number(6));
            add("FIELD0_BITS", number(bits(hosts)));
            add("FIELD0_SIZE", number(hosts));
            add("FIELD1_LSB", number(0));
            add("FIELD1_BITS", number(bits(ports)));
            add("FIELD1_SIZE", number(ports));
            add("NODE_ADDRESS", format!("20'd{}", self.module.network_ports));
        }
        list
    }
}

/// In every layer, entry n leads to port n.
fn identity_table(ports: u32, bits: u32, layers: u32) -> String {
    let entry = |port| if port < ports { 1 << 6 | port } else { 0 };
    let layer: String = (0..1 << bits)
        .rev()
        .map(|port| format!("{:04x}", entry(port)))
        .collect();
    let width = 16 * (layers << bits);
    format!("{width}'h{}", layer.repeat(layers as usize))
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
    let (reset_pin, pressed, pressed_level, reset_note) = match board.reset {
        Reset::None => ("", "", 0, "none from outside"),
        Reset::High => ("button", "level", 1, "button, 1 when pressed"),
        Reset::Low => ("button_n", "!level", 0, "button_n, 0 when pressed"),
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
        pressed,
        pressed_level,
        has_reset_release: board.has_reset_release(),
        tied_pins: board.tied_levels(),
        last_led: board.leds - 1,
        led_level: match board.leds_are_low {
            true => format!("~{lit}"),
            false => lit,
        },
    };
    verilog(view.render(), banner)
}
