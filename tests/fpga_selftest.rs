//! The self-test tops of all boards, simulated: the serial line is decoded as a terminal would, for
//! each board's clock and reset polarity; a fault planted into the switch turns the verdict.
#![cfg(feature = "cosim")]

#[path = "selftest/bench.rs"]
mod bench;
#[path = "selftest/terminal.rs"]
mod terminal;

use std::fs;

use bench::{Bench, RUN_CYCLES, SHORT_DIVIDER, Seat, plan, switch_block};
use mkns::fpga::{BAUD, BOARDS, Board, SelfTest};
use mkns::rtl;
use mkns::rtl::lint::Tool;

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
            "    wire [31:0] table_change;",
            "    wire [PORTS*DATA_WIDTH-1:0] right_data;\n    \
             assign tx_data = right_data ^ {{PORTS*DATA_WIDTH-8{1'b0}}, tx_last[0], 7'd0};\n    \
             wire [31:0] table_change;",
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
    let plan = plan();
    let module = switch_block(&plan);
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
        // build.tcl makes it for Agilex.
        let release = "module reset_release (output wire ninit_done);\n    assign ninit_done = 1'b0;\nendmodule\n";
        fs::write(folder.path().join("reset_release.v"), release).expect("writable");
        if board.name == "de10_agilex" {
            names.push("reset_release.v".to_owned());
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
