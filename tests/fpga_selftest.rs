//! The self-test tops of all boards, simulated: the serial line is decoded as a terminal would, for
//! each board's clock and reset polarity; a fault planted into the switch turns the verdict.
#![cfg(feature = "cosim")]

use std::fmt::Write;
use std::fs;

use mkns::fpga::{BAUD, BOARDS, Board, Reset, SelfTest};
use mkns::rtl::lint::Tool;
use mkns::{design, rtl, spec};
use mkns_sim::{Model, ModelSource, PortDecl, Toolchain};

const SPEC: &str = include_str!("../src/cli/fpga_default.toml");
const RUN_CYCLES: u32 = 1500;
const DRAIN_CYCLES: u32 = 600;
/// Cycles a bit where the board's own divider is not used.
const SHORT_DIVIDER: u32 = 8;

/// Buffers of Xilinx devices, as far as a clock goes.
const XILINX_BUFFERS: &str = "\
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

/// A board in the test bench; `real` keeps its own baud rate.
struct Seat {
    board: &'static Board,
    divider: u32,
}

/// Decodes one serial line, sampled once an oscillator cycle.
struct Terminal {
    cycles_a_bit: u32,
    /// Cycles since the start bit; none while the line is idle.
    since: Option<u32>,
    bits: u32,
    text: String,
}

impl Terminal {
    fn sample(&mut self, line: bool) {
        let Some(since) = self.since else {
            if !line {
                self.since = Some(0);
                self.bits = 0;
            }
            return;
        };
        let since = since + 1;
        self.since = Some(since);
        // the middle of bit n is n + 1/2 bits after the start
        let (bit, rest) = (since / self.cycles_a_bit, since % self.cycles_a_bit);
        if rest != self.cycles_a_bit / 2 {
            return;
        }
        match bit {
            // a glitch, such as registers before the first clock edge, is no start bit
            0 if line => self.since = None,
            0 => {}
            1..=8 => self.bits |= u32::from(line) << (bit - 1),
            _ => {
                assert!(line, "a stop bit");
                self.text.push(char::from(self.bits as u8));
                self.since = None;
            }
        }
    }

    fn lines(&self) -> Vec<&str> {
        let ended = self.text.rsplit_once("\r\n").map_or("", |(ended, _)| ended);
        ended
            .split("\r\n")
            .filter(|line| !line.is_empty())
            .collect()
    }
}

/// The bench: all seats side by side on one clock.
struct Bench {
    model: Model,
    seats: Vec<Seat>,
    terminals: Vec<Terminal>,
    leds: Vec<u64>,
    pressed: Vec<bool>,
    serial_in: Vec<bool>,
    _folder: tempfile::TempDir,
}

impl Bench {
    fn new(seats: Vec<Seat>, edit: impl Fn(&str, String) -> String) -> Self {
        let spec = spec::parse_toml("default", SPEC).expect("a valid spec");
        let plan = design::build(&spec).expect("a plan");
        let module = (plan.modules.iter())
            .find(|module| module.kind == design::ModuleKind::Switch)
            .expect("a switch block");
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
        add("xilinx_buffers.v", XILINX_BUFFERS.to_owned());
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

    fn run(&mut self, cycles: u32) {
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
    fn send(&mut self, place: usize, byte: u8) {
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

/// The number behind a word of a report line, hexadecimal.
fn number(line: &str, word: &str) -> u32 {
    let mut words = line.split(' ').skip_while(|other| *other != word);
    let digits = words
        .nth(1)
        .unwrap_or_else(|| panic!("`{word}` in `{line}`"));
    u32::from_str_radix(digits, 16).expect("hexadecimal digits")
}

#[test]
fn every_board_says_that_its_switch_passes() {
    let mut seats: Vec<Seat> = (BOARDS.iter())
        .map(|board| Seat {
            board,
            divider: SHORT_DIVIDER,
        })
        .collect();
    let real = Board::named("ulx3s").expect("a known board");
    seats.push(Seat {
        board: real,
        divider: (real.clock_hz() + BAUD / 2) / BAUD,
    });
    let last = seats.len() - 1;
    let mut bench = Bench::new(seats, |_, text| text);
    bench.run(230_000);
    for (seat, terminal) in bench.seats.iter().zip(&bench.terminals) {
        let lines = terminal.lines();
        let name = seat.board.name;
        assert!(!lines.is_empty(), "{name}: {:?}", terminal.text);
        let mut sent = 0;
        for (line, traffic) in lines.iter().zip([0, 1, 2, 3].iter().cycle()) {
            let start = format!("mkns selftest 4x64 2vc traffic {traffic} ");
            assert!(line.starts_with(&start), "{name}: {line}");
            assert!(line.ends_with(" ports 0000 pass"), "{name}: {line}");
            assert_eq!(
                number(line, "sent"),
                number(line, "received"),
                "{name}: {line}"
            );
            assert!(
                number(line, "sent") > sent + RUN_CYCLES / 2,
                "{name}: {line}"
            );
            sent = number(line, "sent");
        }
    }
    // The baud rate does not change what is said.
    assert_eq!(
        bench.terminals[0].lines()[0],
        bench.terminals[last].lines()[0]
    );
    // Passed, not failed.
    let verdicts = bench.seats.iter().zip(&bench.leds);
    for (seat, leds) in verdicts.filter(|(seat, _)| seat.board.leds == 4) {
        assert_eq!(leds >> 2, 0b01, "{}: {leds:04b}", seat.board.name);
    }

    // Traffic is chosen at run time; a reset button starts everything anew.
    let before = bench.terminals[0].lines().len();
    bench.send(0, b'2');
    bench.run(60_000);
    let lines = bench.terminals[0].lines();
    let chosen: Vec<&&str> = lines.iter().skip(before + 1).collect();
    assert!(chosen.len() >= 2, "{lines:?}");
    assert!(
        chosen.iter().all(|line| line.contains("traffic 2")),
        "{lines:?}"
    );
    let first = lines[0].to_owned();
    for place in 0..=1 {
        bench.pressed[place] = true;
        bench.run(100);
        bench.pressed[place] = false;
        bench.terminals[place].text.clear();
        bench.terminals[place].since = None;
        bench.run(20_000);
        assert_eq!(
            bench.terminals[place].lines()[0],
            first,
            "{}",
            bench.seats[place].board.name
        );
    }
}

#[test]
fn a_fault_in_the_switch_turns_the_verdict() {
    let seat = Seat {
        board: Board::named("ulx3s").expect("a known board"),
        divider: SHORT_DIVIDER,
    };
    // One bit of the last flit of every packet that leaves port 0 is wrong.
    let mut bench = Bench::new(vec![seat], |name, text| {
        if name != "switch_block.v" {
            return text;
        }
        let core = ".tx_data(tx_data),";
        assert_eq!(
            text.matches(core).count(),
            1,
            "the core's output is where it was"
        );
        let text = text.replace(core, ".tx_data(right_data),");
        text.replacen(
            "    wire table_write;",
            "    wire [PORTS*DATA_WIDTH-1:0] right_data;\n    \
             assign tx_data = right_data ^ {{PORTS*DATA_WIDTH-8{1'b0}}, tx_last[0], 7'd0};\n    \
             wire table_write;",
            1,
        )
    });
    bench.run(30_000);
    let lines = bench.terminals[0].lines();
    assert!(lines.len() >= 2, "{lines:?}");
    for line in &lines {
        assert!(line.ends_with(" ports 0001 fail"), "{line}");
        assert!(number(line, "errors") > 0, "{line}");
    }
    assert_eq!(bench.leds[0] >> 2, 0b10, "{:04b}", bench.leds[0]);
}

#[test]
fn the_tops_are_clean_under_lint() {
    let spec = spec::parse_toml("default", SPEC).expect("a valid spec");
    let plan = design::build(&spec).expect("a plan");
    let module = (plan.modules.iter())
        .find(|module| module.kind == design::ModuleKind::Switch)
        .expect("a switch block");
    let test = SelfTest {
        module,
        parameters: &rtl::block_parameters(module),
        sources: &rtl::render_sources(&plan),
    };
    for board in &BOARDS {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut names = Vec::new();
        for (name, text) in test.sources(board, "// test") {
            fs::write(folder.path().join(&name), text).expect("the folder can be written");
            names.push(name);
        }
        // The tools know no Xilinx buffers; the self-test below the top is the same anyway.
        let top = match board.is_differential {
            true => "selftest".to_owned(),
            false => board.top(),
        };
        if board.is_differential {
            names.retain(|name| *name != format!("{}.v", board.top()));
        }
        for tool in [Tool::Verilator, Tool::Icarus] {
            let mut command = tool
                .command(&top, &names)
                .expect("`make setup` installs it");
            let output = command
                .current_dir(folder.path())
                .output()
                .expect("it runs");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{}: {said}", board.name);
            assert!(!said.contains("arning"), "{}: {said}", board.name);
        }
    }
}
