//! The wrappers for PCIe DMA cores and their clock crossing, simulated by Icarus with random packets,
//! clock ratios, phases and stalls; faults planted into them are seen. All wrappers under lint.

use std::fs;
use std::process::Command;

use mkns::fpga::HostCore;
use mkns::random::Random;
use mkns::rtl::lint::Tool;

use crate::common::wrapper_bench::{Edit, WrapperBench, number_after};

/// Builds the bench of both wrappers at a width of their streams, with edits of the sources, and runs it.
fn run(edits: &[Edit], width: u32, arguments: &[(&str, u32)]) -> String {
    let cores = [HostCore::Xdma, HostCore::LitePcie];
    WrapperBench::build("adapter_ports_tb", &cores, &[("W", width)], edits).run(arguments)
}

#[test]
fn nothing_is_lost_at_any_ratio_of_clocks() {
    for xdma in [0, 1] {
        for (seed, width) in (1..).zip([64, 64, 512, 128]) {
            let mut random = Random::new(seed);
            let mut half_period = || random.between(1_000, 8_000) as u32;
            let (core, net) = (half_period(), half_period());
            // 100,000 cycles at the first ratio
            let cycles = if seed == 1 { 100_000 } else { 20_000 };
            let arguments = [
                ("xdma", xdma),
                ("seed", seed as u32),
                ("core_ps", core),
                ("net_ps", net),
                ("phase_ps", random.below(u64::from(2 * core)) as u32),
                ("cycles", cycles),
            ];
            let said = run(&[], width, &arguments);
            assert!(said.contains("PASS"), "{arguments:?}: {said}");
            let late = number_after(&said, "late");
            assert!(late > 100, "packets waited for the host: {said}");
        }
    }
}

#[test]
fn planted_faults_are_seen() {
    let faults = [
        (
            "assign s_ready = !full && !s_rst;",
            "assign s_ready = !s_rst;",
            1,
        ),
        (
            "read_gray == write_gray_m_2;",
            "read_gray == write_gray_m_2 + 1;",
            1,
        ),
        ("bytes_left < BYTES[12:0];", "bytes_left <= 13'd2;", 0),
        ("is_first <= m_axis_pcie_tlast;", "is_first <= 1'b0;", 0),
        (".s_tlast(m_axis_h2c_tlast_0),", ".s_tlast(1'b0),", 1),
    ];
    for (right, wrong, xdma) in faults {
        let said = run(&[(right, wrong)], 64, &[("xdma", xdma), ("cycles", 5000)]);
        assert!(said.contains("FAIL"), "`{wrong}`: {said}");
    }
}

#[test]
fn wrappers_are_clean_under_lint_and_constraints_name_registers_that_exist() {
    for core in HostCore::ALL {
        let top = core.top();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let files = core.files("// test");
        let mut names = Vec::new();
        for (name, text) in &files {
            fs::write(folder.path().join(name), text).expect("writable");
            if name.ends_with(".v") {
                names.push(name.clone());
            }
        }
        let mut commands: Vec<Command> = [Tool::Verilator, Tool::Icarus, Tool::Yosys]
            .map(|tool| tool.command(top, &names).expect("`make setup` installs it"))
            .into();
        if core != HostCore::EthMac10g {
            let mut wide = Tool::Verilator.command(top, &names).expect("as above");
            wide.arg("-GDATA_WIDTH=512");
            commands.push(wide);
        }
        for mut command in commands {
            let output = command
                .current_dir(folder.path())
                .output()
                .expect("it runs");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(
                output.status.success() && !said.contains("arning"),
                "{top}: {said}"
            );
        }
        let (_, fifo) = (files.iter())
            .find(|(name, _)| name == "axis_async_fifo.v")
            .expect("every wrapper crosses");
        for register in [
            "write_gray",
            "write_gray_m_1",
            "read_gray",
            "read_gray_s_1",
            "m_data",
        ] {
            assert!(
                fifo.contains(&format!(" {register} "))
                    || fifo.contains(&format!(" {register};"))
                    || fifo.contains(&format!(" {register},")),
                "{register}"
            );
            for (name, text) in files
                .iter()
                .filter(|(name, _)| name.starts_with("async_fifo"))
            {
                assert!(text.contains(register), "{name}: {register}");
            }
        }
    }
}

#[test]
fn the_command_writes_every_wrapper() {
    for (name, core) in [
        ("xdma", HostCore::Xdma),
        ("litepcie", HostCore::LitePcie),
        ("aurora64b66b", HostCore::Aurora64b66b),
        ("eth_mac_10g", HostCore::EthMac10g),
    ] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let output = Command::new(env!("CARGO_BIN_EXE_mkns"))
            .args(["fpga", "--wrapper", name, "-o"])
            .arg(folder.path())
            .output();
        let output = output.expect("mkns runs");
        assert!(output.status.success(), "{}: {output:?}", name);
        let banner = format!("// Generated by mkns {}.", env!("CARGO_PKG_VERSION"));
        for (file, text) in core.files(&banner) {
            let written = fs::read_to_string(folder.path().join(&file));
            assert_eq!(written.expect("the file is there"), text, "{file}");
        }
        assert!(folder.path().join(format!("{}.v", core.top())).exists());
    }
}
