//! Third-party bus models agree with the PCIe side of generated RTL (`make cocotb`), and see a fault in it.

use std::process::Command;

use mkns::tools::in_tools;

#[test]
fn bus_models_of_cocotbext_axi_pass_and_find_a_planted_fault() {
    let python = in_tools("venv/bin/python").expect("`make setup` has been run");
    let run = Command::new(python)
        .args(["tools/cocotb_smoke.py", env!("CARGO_BIN_EXE_mkns")])
        .output()
        .expect("Python runs");
    let said = String::from_utf8_lossy(&run.stdout);
    let complaint = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{said}{complaint}");
    assert!(said.contains("3 of 3 tests passed"), "{said}");
    assert!(said.contains("planted fault found"), "{said}");
}
