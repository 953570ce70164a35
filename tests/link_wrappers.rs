//! Wrappers of the network side, simulated by Icarus: random words both ways through a model of the
//! cable or the core (`tests/data/link/`) and compared; faults planted into the wrappers are seen.

use std::fs;
use std::path::Path;
use std::process::Command;

use mkns::fpga::LinkCore;
use mkns::rtl::lint::Tool;

const BENCHES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/link");

/// What a bench counted for one direction.
#[derive(Debug)]
struct Way {
    sent: u64,
    received: u64,
    missing: u64,
    wrong: u64,
}

/// What a run of a bench said.
#[derive(Debug)]
struct Said {
    ways: Vec<Way>,
    faults: Vec<String>,
}

impl Said {
    /// Every word arrived once, in order, whole.
    fn is_clean(&self) -> bool {
        let whole = |way: &Way| way.received == way.sent && way.missing == 0 && way.wrong == 0;
        self.faults.is_empty() && self.ways.len() == 2 && self.ways.iter().all(whole)
    }
}

fn bench(core: LinkCore) -> &'static str {
    match core {
        LinkCore::Ribbon => "ribbon_tb",
        LinkCore::Aurora64b66b => "aurora_tb",
        LinkCore::TenGbaseR => "serdes66_tb",
        LinkCore::Symbols8b10b => "serdes8b10b_tb",
    }
}

/// A wrapper and its bench, built once.
struct Built(tempfile::TempDir);

impl Built {
    fn new(core: LinkCore, edit: impl Fn(&str) -> String) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let top = bench(core);
        let mut files = vec![format!("{BENCHES}/words.v"), format!("{BENCHES}/{top}.v")];
        for (name, text) in core.files("// test") {
            if name.ends_with(".v") {
                fs::write(folder.path().join(&name), edit(&text)).expect("writable");
                files.push(name);
            }
        }
        let built = Command::new("iverilog")
            .args(["-g2005", "-o", "bench.vvp", "-s", top, "-I", BENCHES])
            .args(&files)
            .current_dir(folder.path())
            .output()
            .expect("iverilog runs");
        let said = String::from_utf8_lossy(&built.stderr);
        assert!(built.status.success(), "{said}");
        Self(folder)
    }

    fn run(&self, arguments: &[(&str, u32)]) -> Said {
        let values = arguments
            .iter()
            .map(|(name, value)| format!("+{name}={value}"));
        let output = Command::new("vvp")
            .args(["-N", "bench.vvp"])
            .args(values)
            .current_dir(self.0.path())
            .output()
            .expect("vvp runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let way = |line: &str| {
            let numbers: Vec<u64> = line
                .split(' ')
                .filter_map(|word| word.parse().ok())
                .collect();
            let [sent, received, missing, wrong] = numbers[..] else {
                panic!("{line}");
            };
            Way {
                sent,
                received,
                missing,
                wrong,
            }
        };
        let (ways, faults) = text
            .lines()
            .partition::<Vec<_>, _>(|line| line.contains(" sent "));
        Said {
            ways: ways.into_iter().map(way).collect(),
            faults: faults.into_iter().map(str::to_owned).collect(),
        }
    }
}

#[test]
fn words_cross_a_ribbon_at_any_clocks_and_skews() {
    let built = Built::new(LinkCore::Ribbon, str::to_owned);
    // Periods of both sides and the data wires' lag behind the clock, ps: a quarter period is the limit.
    for (a, b, skew) in [
        (40_000, 40_000, 0),
        (40_000, 40_008, 9_000),
        (20_000, 20_004, 4_500),
        (25_000, 61_000, 3_000),
    ] {
        let said = built.run(&[("period_a", a), ("period_b", b), ("skew", skew)]);
        assert!(said.is_clean(), "{a} {b} {skew}: {said:?}");
        // a word in 8 cycles, less the pauses of the source
        assert!(said.ways[0].sent > 2400, "{said:?}");
    }
    let said = built.run(&[("skew", 13_000)]);
    assert!(
        !said.is_clean(),
        "skew beyond the quarter is seen: {said:?}"
    );
}

#[test]
fn a_flipped_bit_costs_one_word_and_a_pulled_cable_is_noticed() {
    let built = Built::new(LinkCore::Ribbon, str::to_owned);
    let said = built.run(&[("flip", 200), ("cycles", 20_000)]);
    for way in &said.ways {
        assert!(way.wrong > 50 && way.wrong == way.missing, "{said:?}");
        assert_eq!(way.received + way.wrong, way.sent, "{said:?}");
    }
    let said = built.run(&[("unplug", 5000)]);
    assert!(said.faults.is_empty(), "{said:?}");
    // Words of the time without a cable, and at most the two that it cut.
    assert!(
        said.ways[0].missing > 2000 && said.ways[0].wrong <= 2,
        "{said:?}"
    );
    assert_eq!(said.ways[1].missing, 0, "{said:?}");
}

#[test]
fn words_cross_aurora_through_its_pauses_and_falls() {
    let built = Built::new(LinkCore::Aurora64b66b, str::to_owned);
    let said = built.run(&[("cycles", 20_000)]);
    assert!(said.is_clean() && said.ways[0].sent > 18_000, "{said:?}");
    let said = built.run(&[("fall", 500), ("cycles", 20_000)]);
    for way in &said.ways {
        // lost under way, never changed
        assert!(way.missing > 400 && way.wrong == 0, "{said:?}");
        assert_eq!(way.received + way.missing, way.sent, "{said:?}");
    }
}

#[test]
fn words_cross_a_transceiver_that_begins_anywhere() {
    let built = Built::new(LinkCore::TenGbaseR, str::to_owned);
    // 625 ppm fill the queue of the slower side within 26,000 words.
    let said = built.run(&[("cycles", 30_000)]);
    assert!(said.is_clean() && said.ways[0].sent > 29_000, "{said:?}");
    // An error comes out of the descrambler three times, in at most three words.
    let said = built.run(&[("errors", 10_000), ("cycles", 20_000)]);
    assert!(said.faults.is_empty(), "{said:?}");
    for way in &said.ways {
        let errors = 66 * way.sent / 10_000;
        assert!(
            way.missing > errors / 2 && way.missing < 3 * errors,
            "{said:?}"
        );
    }
    // The receiver finds its place again every time that it loses a bit.
    let said = built.run(&[("slips", 3000), ("cycles", 20_000)]);
    for way in &said.ways {
        assert!(way.received > way.sent / 3 && way.wrong < 200, "{said:?}");
    }
}

#[test]
fn words_cross_a_transceiver_with_symbols() {
    let built = Built::new(LinkCore::Symbols8b10b, str::to_owned);
    let said = built.run(&[("cycles", 20_000)]);
    assert!(said.is_clean() && said.ways[0].sent > 12_000, "{said:?}");
    for argument in ["errors", "slips"] {
        let said = built.run(&[(argument, 2000), ("cycles", 20_000)]);
        assert!(said.faults.is_empty(), "{said:?}");
        for way in &said.ways {
            // one word for each error; a few until a word with a K symbol mends a slip
            let events = 8 * way.sent / 2000;
            let lost = way.missing;
            assert!(
                lost > events / 3 && lost < 8 * events,
                "{argument}: {said:?}"
            );
        }
    }
}

#[test]
fn planted_faults_are_seen() {
    use LinkCore::{Aurora64b66b, Ribbon, Symbols8b10b, TenGbaseR};
    for (core, right, wrong) in [
        (
            Ribbon,
            "{data_fall, data_rise, data[63:8]}",
            "{data_rise, data_fall, data[63:8]}",
        ),
        (
            Ribbon,
            "clocks_left == 3'd0 && !rst;",
            "clocks_left == 3'd1 && !rst;",
        ),
        (Ribbon, "ctl <= ctl_fall;", "ctl <= 1'b0;"),
        (
            Ribbon,
            "valid       <= clocks_left == 3'd1;",
            "valid       <= clocks_left == 3'd2;",
        ),
        (Ribbon, "ctl ? 8'd0 : data[63:56]", "data[63:56]"),
        (Aurora64b66b, "s_axi_tx_tready && channel_up", "channel_up"),
        (
            Aurora64b66b,
            "line_tx_ctl ? SEVEN_BYTES : 8'hFF",
            "line_tx_ctl ? 8'h3F : 8'hFF",
        ),
        (Aurora64b66b, "m_axi_rx_tvalid && channel_up", "channel_up"),
        (
            Symbols8b10b,
            "is_odd ? {low, held} :",
            "is_odd ? {held, low} :",
        ),
        (Symbols8b10b, "first[7:0] == K28_5)", "first[7:0] == K28_1)"),
        (
            Symbols8b10b,
            "turn == 2'd0 && word != 10'd0 && !rst",
            "!rst",
        ),
        (TenGbaseR, "line[82:19]", "line[83:20]"),
        (TenGbaseR, "slip   <= 1'b1;", "slip   <= 1'b0;"),
        (TenGbaseR, "turn != 10'd0 && !tx_rst", "!tx_rst"),
        (TenGbaseR, "clear[7:0] == WORD", "clear[7:0] != WORD"),
    ] {
        let edit = |text: &str| text.replace(right, wrong);
        let files = core.files("// test");
        assert!(
            files.iter().any(|(_, text)| text.contains(right)),
            "`{right}`"
        );
        let built = Built::new(core, edit);
        let is_seen = |cycles| !built.run(&[("cycles", cycles)]).is_clean();
        assert!(is_seen(3000) || is_seen(30_000), "`{wrong}`");
    }
}

/// The file names of a wrapper's Verilog, written into `folder`.
fn write(core: LinkCore, folder: &Path) -> Vec<(String, String)> {
    let files = core.files("// test").into_iter();
    let sources: Vec<_> = files.filter(|(name, _)| name.ends_with(".v")).collect();
    for (name, text) in &sources {
        fs::write(folder.join(name), text).expect("writable");
    }
    sources
}

#[test]
fn wrappers_are_clean_under_lint() {
    for core in LinkCore::ALL {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let sources = write(core, folder.path());
        let names: Vec<String> = sources.iter().map(|(name, _)| name.clone()).collect();
        for tool in [Tool::Verilator, Tool::Icarus, Tool::Yosys] {
            let mut command = tool
                .command(core.top(), &names)
                .expect("`make setup` installs it");
            let output = command
                .current_dir(folder.path())
                .output()
                .expect("it runs");
            let said = String::from_utf8_lossy(&output.stderr);
            let clean = output.status.success() && !said.contains("arning");
            assert!(clean, "{}: {said}", core.top());
        }
    }
}

#[test]
fn the_command_writes_every_wrapper() {
    for core in LinkCore::ALL {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let output = Command::new(env!("CARGO_BIN_EXE_mkns"))
            .args(["fpga", "--wrapper", core.top(), "-o"])
            .arg(folder.path())
            .output();
        let output = output.expect("mkns runs");
        assert!(output.status.success(), "{}: {output:?}", core.top());
        let banner = format!("// Generated by mkns {}.", env!("CARGO_PKG_VERSION"));
        for (file, text) in core.files(&banner) {
            let written = fs::read_to_string(folder.path().join(&file));
            assert_eq!(written.expect("the file is there"), text, "{file}");
        }
    }
}
