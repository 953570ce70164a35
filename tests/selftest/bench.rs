//! Self-test tops of boards side by side on one clock, each with a terminal at its serial line.

use std::fmt::Write;
use std::fs;

use mkns::design::{self, BlockModule, ModuleKind, Plan};
use mkns::fpga::{Board, Reset, SelfTest};
use mkns::{rtl, spec};
use mkns_sim::{Model, ModelSource, PortDecl, Toolchain};

use super::terminal::Terminal;

const SPEC: &str = include_str!("../../src/cli/fpga_default.toml");
pub const RUN_CYCLES: u32 = 1500;
const DRAIN_CYCLES: u32 = 600;
/// Cycles a bit where the board's own divider is not used.
pub const SHORT_DIVIDER: u32 = 8;

/// Buffers of Xilinx devices, as far as a clock goes, and an Agilex that is configured.
const CELLS: &str = "\
module reset_release (output wire ninit_done);
    assign ninit_done = 1'b0;
endmodule

module IBUFDS (input wire I, input wire IB, output wire O);
    assign O = I & ~IB;
endmodule

module BUFGCE_DIV #(parameter integer BUFGCE_DIVIDE = 2) (
    input wire I, input wire CE, input wire CLR, output wire O
);
    reg [3:0] count;
    initial count = 0;
    always @(posedge I) count <= (count == BUFGCE_DIVIDE - 1) ? 4'd0 : count + 4'd1;
    assign O = CE && !CLR && count >= BUFGCE_DIVIDE / 2;
endmodule
";

/// The plan of the built-in self-test.
pub fn plan() -> Plan {
    let spec = spec::parse_toml("default", SPEC).expect("a valid spec");
    design::build(&spec).expect("a plan")
}

/// The block that the boards test.
pub fn switch_block(plan: &Plan) -> &BlockModule {
    let switch = |module: &&BlockModule| module.kind == ModuleKind::Switch;
    plan.modules.iter().find(switch).expect("a switch block")
}

/// A board in the bench; `divider` is cycles of the self-test a bit of its serial line.
pub struct Seat {
    pub board: &'static Board,
    pub divider: u32,
}

/// The bench: all seats side by side on one clock.
pub struct Bench {
    model: Model,
    pub seats: Vec<Seat>,
    pub terminals: Vec<Terminal>,
    pub leds: Vec<u64>,
    pub pressed: Vec<bool>,
    serial_in: Vec<bool>,
    _folder: tempfile::TempDir,
}

impl Bench {
    pub fn new(seats: Vec<Seat>, edit: impl Fn(&str, String) -> String) -> Self {
        let plan = plan();
        let module = switch_block(&plan);
        let parameters = rtl::block_parameters(module);
        let sources = rtl::render_sources(&plan);
        let test = SelfTest {
            module,
            parameters: &parameters,
            sources: &sources,
        };
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut files = Vec::new();
        let mut add = |name: &str, text: String| {
            let path = folder.path().join(name);
            if !files.contains(&path) {
                fs::write(&path, text).expect("the folder can be written");
                files.push(path);
            }
        };
        for seat in &seats {
            for (name, text) in test.sources(seat.board, "// test") {
                add(&name, edit(&name, text));
            }
        }
        add("cells.v", CELLS.to_owned());
        add("bench.v", bench_text(&seats));
        let count = seats.len() as u32;
        let source = ModelSource {
            top: "bench".to_owned(),
            files,
            inputs: vec![
                PortDecl::new("button", count),
                PortDecl::new("uart_rx", count),
            ],
            outputs: vec![
                PortDecl::new("uart_tx", count),
                PortDecl::new("led", 4 * count),
            ],
            ..ModelSource::default()
        };
        let toolchain = Toolchain::locate().expect("Verilator is installed");
        let library = mkns_sim::build(&source, &toolchain, &|_| {}).expect("the model builds");
        let terminals = (seats.iter())
            .map(|seat| Terminal {
                cycles_a_bit: seat.divider * seat.board.divide,
                since: None,
                bits: 0,
                text: String::new(),
            })
            .collect();
        Self {
            model: library.instance(1).expect("an instance"),
            terminals,
            leds: vec![0; seats.len()],
            pressed: vec![false; seats.len()],
            serial_in: vec![true; seats.len()],
            seats,
            _folder: folder,
        }
    }

    pub fn run(&mut self, cycles: u32) {
        let bits = |list: &[bool]| {
            let bits = list.iter().zip(0..);
            bits.fold(0, |word, (bit, place)| word | u64::from(*bit) << place)
        };
        let mut levels = self.pressed.clone();
        for (level, seat) in levels.iter_mut().zip(&self.seats) {
            *level ^= seat.board.reset == Reset::Low;
        }
        let inputs = [bits(&levels), bits(&self.serial_in)];
        let mut outputs = [0; 2];
        for _ in 0..cycles {
            self.model.step(&inputs, &mut outputs);
            for (place, terminal) in self.terminals.iter_mut().enumerate() {
                terminal.sample(outputs[0] >> place & 1 == 1);
                self.leds[place] = outputs[1] >> (4 * place) & 15;
            }
        }
    }

    /// Sends a byte to a seat's serial input.
    pub fn send(&mut self, place: usize, byte: u8) {
        let cycles = self.seats[place].divider * self.seats[place].board.divide;
        let frame = 1 << 9 | u32::from(byte) << 1;
        for bit in 0..10 {
            self.serial_in[place] = frame >> bit & 1 == 1;
            self.run(cycles);
        }
    }
}

/// Verilog of the bench.
fn bench_text(seats: &[Seat]) -> String {
    let last = seats.len() - 1;
    let leds = 4 * seats.len() - 1;
    let mut text = format!(
        "module bench (input wire clk, input wire [{last}:0] button, input wire [{last}:0] uart_rx,\n\
         \x20   output wire [{last}:0] uart_tx, output wire [{leds}:0] led);\n"
    );
    for (place, seat) in seats.iter().enumerate() {
        let board = seat.board;
        let clock = match board.is_differential {
            true => ".clk_p(clk), .clk_n(!clk)",
            false => ".clk(clk)",
        };
        let button = match board.reset {
            Reset::None => String::new(),
            Reset::High => format!(", .button(button[{place}])"),
            Reset::Low => format!(", .button_n(button[{place}])"),
        };
        let tied: String = (board.tied.iter())
            .map(|(pin, _)| format!(", .{pin}()"))
            .collect();
        // Bit by bit from the highest: heartbeat missing where LEDs are few, lit = 1.
        let lit = match board.leds_are_low {
            true => format!("~led_{place}"),
            false => format!("led_{place}"),
        };
        let lights = match board.leds {
            4 => lit,
            _ => format!("{{1'b0, {lit}}}"),
        };
        let _ = writeln!(
            text,
            "    wire [{}:0] led_{place};\n    assign led[{} +: 4] = {lights};",
            board.leds - 1,
            4 * place,
        );
        let _ = writeln!(
            text,
            "    {} #(.BAUD_DIVIDER({}), .RUN_CYCLES({RUN_CYCLES}), .DRAIN_CYCLES({DRAIN_CYCLES})) \
             seat_{place} ({clock}{button}{tied}, .uart_rx(uart_rx[{place}]), \
             .uart_tx(uart_tx[{place}]), .led(led_{place}));",
            board.top(),
            seat.divider
        );
    }
    text + "endmodule\n"
}
