//! `mkns manage --mmap`, the program itself, on the register window of a generated card in Icarus: every read and write that
//! the program makes of its file is an access over the card's AXI4-Lite master.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::process::Command;

use crate::common::simulated_card::{Edit, SimulatedCard};
use crate::common::word_file::WordFile;
use crate::xdma_driver::card_sources;

/// Set where files cannot be mounted.
const NO_FUSE: &str = "MKNS_NO_FUSE";
const NETWORK: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/examples/xdma_card/network.toml"
);
/// Two blocks.
const BYTES: u64 = 2 << 20;

/// The window of the example's card as a file; none where that is not wanted.
fn window(edits: &[Edit]) -> Option<WordFile> {
    if std::env::var_os(NO_FUSE).is_some() {
        return None;
    }
    let card = SimulatedCard::start(&card_sources(), "xdma_example_tb.v", edits);
    let file = WordFile::serve(card, BYTES);
    Some(file.unwrap_or_else(|error| panic!("{error}; run as root, or set {NO_FUSE}")))
}

/// Exit code and words of the program on this window.
fn manage(window: &WordFile) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_mkns"))
        .args(["manage", NETWORK, "--once", "--mmap"])
        .arg(window.path())
        .output()
        .expect("mkns runs");
    let said = [output.stdout, output.stderr].concat();
    (
        output.status.code(),
        String::from_utf8_lossy(&said).into_owned(),
    )
}

#[test]
fn the_program_manages_a_card_over_its_window() {
    let Some(window) = window(&[]) else {
        return;
    };
    let (code, said) = manage(&window);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("all links are as the routes in use expect"),
        "{said}"
    );
    // Block 1 keeps the host's address that is written to it, and block 0 does not have it.
    let file = File::options().read(true).write(true).open(window.path());
    let file = file.expect("the window");
    let mut word = [0; 4];
    file.write_all_at(&0x4_5678_u32.to_le_bytes(), (1 << 20) + 0x10)
        .expect("written");
    file.read_exact_at(&mut word, (1 << 20) + 0x10)
        .expect("read");
    assert_eq!(u32::from_le_bytes(word), 0x4_5678);
    file.read_exact_at(&mut word, 0x10).expect("read");
    assert_eq!(u32::from_le_bytes(word), 0);
}

#[test]
fn the_program_finds_faults_planted_into_the_window() {
    for fault in [
        // block 0 stands where block 1 should
        (
            "chosen[number] = address[31:20] == number[11:0];",
            "chosen[number] = address[31:20] == number[11:0] + 12'd1;",
        ),
        // nobody answers
        (
            "chosen[number] = address[31:20] == number[11:0];",
            "chosen[number] = 1'b0;",
        ),
    ] {
        let Some(window) = window(&[fault]) else {
            return;
        };
        let (_, said) = manage(&window);
        assert!(
            !said.contains("all links are as the routes in use expect\n")
                || said.contains("no answer"),
            "`{}`: {said}",
            fault.1
        );
    }
}
