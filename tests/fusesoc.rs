//! The generated FuseSoC cores, run by `fusesoc` itself: lint and simulation of a network and of
//! self-tests, with faults that they must see; the bitstream of an ECP5 (`make fpga`).

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use mkns::tools::in_tools;
use tempfile::TempDir;

/// A folder with a generated core.
struct Core {
    folder: TempDir,
    name: &'static str,
}

impl Core {
    /// Whatever `mkns` with these arguments writes to its `-o` folder.
    fn generated(name: &'static str, arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let run = Command::new(env!("CARGO_BIN_EXE_mkns"))
            .args(arguments)
            .arg("-o")
            .arg(folder.path().join("cores"))
            .output()
            .expect("mkns runs");
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{said}");
        Self { folder, name }
    }

    fn network() -> Self {
        let arguments = ["generate", "MKNS(1,3,1,1)"];
        Self::generated("mkns:networks:mkns_1_3_1_1", &arguments)
    }

    fn selftest(block: &str) -> Self {
        let board = ["fpga", "--board", "ulx3s", "--dry-run", "--block", block];
        Self::generated("mkns:selftest:selftest_ulx3s", &board)
    }

    /// Replaces the only occurrence of `right` in a source.
    fn plant(&self, file: &str, right: &str, wrong: &str) {
        let path = self.folder.path().join("cores/rtl").join(file);
        let text = fs::read_to_string(&path).expect("a source");
        assert_eq!(text.matches(right).count(), 1, "`{right}` in {file}");
        fs::write(path, text.replace(right, wrong)).expect("the source can be written");
    }

    /// Runs a target; whether it succeeded, and all that was said.
    fn run(&self, target: &str) -> (bool, String) {
        let fusesoc = in_tools("venv/bin/fusesoc").expect("`make setup` has been run");
        let programs = in_tools("bin").expect("`make setup` has been run");
        let path = env::var_os("PATH").unwrap_or_default();
        let path = [programs].into_iter().chain(env::split_paths(&path));
        let run = Command::new(fusesoc)
            .args(["--cores-root", "cores", "run", "--build-root", "build"])
            .args(["--target", target, self.name])
            .env("PATH", env::join_paths(path).expect("a search path"))
            .current_dir(self.folder.path())
            .output()
            .expect("fusesoc runs");
        let said = String::from_utf8_lossy(&run.stdout) + String::from_utf8_lossy(&run.stderr);
        (run.status.success(), said.into_owned())
    }

    fn succeeds(&self, target: &str) -> String {
        let (success, said) = self.run(target);
        assert!(success, "{target}: {said}");
        said
    }

    fn fails(&self, target: &str) -> String {
        let (success, said) = self.run(target);
        assert!(!success, "{target}: {said}");
        said
    }

    fn built(&self, target: &str, end: &str) -> PathBuf {
        let builds = self.folder.path().join("build");
        let core = fs::read_dir(builds).expect("a build folder").next();
        let core = core.expect("a core").expect("a readable folder").path();
        let files = fs::read_dir(core.join(target)).expect("the target's folder");
        let mut paths = files.map(|file| file.expect("a readable file").path());
        let found = paths.find(|path| path.extension().is_some_and(|found| found == end));
        found.unwrap_or_else(|| panic!("no .{end} file"))
    }
}

#[test]
fn lint_and_simulation_of_a_network_pass() {
    let core = Core::network();
    core.succeeds("lint");
    let said = core.succeeds("sim");
    assert!(said.contains("96 packets of 3 hosts"), "{said}");
}

#[test]
fn users_2_simulation_of_a_network_with_serial_cables_passes() {
    let arguments = ["generate", "MKNS(1,3,1,1)", "--set", "link.kind=serial"];
    let core = Core::generated("mkns:networks:mkns_1_3_1_1", &arguments);
    let said = core.succeeds("sim");
    assert!(said.contains("96 packets of 3 hosts"), "{said}");
}

#[test]
fn lint_and_simulation_of_a_network_see_faults() {
    let core = Core::network();
    // A flit's lowest bit is lost between ingress and core.
    core.plant(
        "adapter_block.v",
        ".rx_data({in_data, rx_data}),",
        ".rx_data({in_data & ~64'd1, rx_data}),",
    );
    let said = core.fails("sim");
    assert!(said.contains("fail"), "{said}");
    core.plant("link_pipe.v", "endmodule", "wire nobody;\nendmodule");
    let said = core.fails("lint");
    assert!(said.contains("nobody"), "{said}");
}

#[test]
fn lint_and_simulation_of_self_tests_pass() {
    for (block, start) in [
        ("switch", "mkns selftest 4x64 2vc traffic 0 "),
        ("adapter", "mkns selftest adapter 4+1x64 2vc traffic 0 "),
    ] {
        let core = Core::selftest(block);
        let said = core.succeeds("sim");
        let line = said.lines().find(|line| line.starts_with(start));
        let line = line.unwrap_or_else(|| panic!("{said}"));
        assert!(line.ends_with(" ports 0000 pass"), "{line}");
        if block == "adapter" {
            // tests/fpga_selftest.rs has the others
            core.succeeds("lint");
        }
    }
}

#[test]
fn faults_in_an_adapter_block_turn_the_verdict() {
    for (right, wrong, ports) in [
        // The host, which is port 4, gets every packet as a damaged one.
        (".out_bad(out_bad[q]),", ".out_bad(out_last[q]),", "0010"),
        // Packets from the host carry the source address of another node.
        (
            ".rst(rst), .node_address(node_address), .mask_change",
            ".rst(rst), .node_address(node_address ^ 20'd1), .mask_change",
            "000f",
        ),
    ] {
        let core = Core::selftest("adapter");
        core.plant("adapter_block.v", right, wrong);
        let said = core.fails("sim");
        assert!(said.contains(&format!(" ports {ports} fail")), "{said}");
    }
}

/// Minutes; `make fpga` runs it.
#[test]
#[ignore = "several minutes of placement and routing: make fpga, make test-long"]
fn fusesoc_makes_the_bitstream_of_an_ecp5() {
    let core = Core::selftest("switch");
    core.succeeds("bitstream");
    let bitstream = core.built("bitstream", "bit");
    let bytes = fs::read(&bitstream).expect("a bitstream");
    assert!(bytes.len() > 100_000, "{} bytes", bytes.len());
    // the preamble of a Lattice bitstream
    assert!(
        bytes
            .windows(4)
            .take(200)
            .any(|four| four == [0xff, 0xff, 0xbd, 0xb3])
    );
}
