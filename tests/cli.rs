//! The command line as users see it, where a transcript (`tests/cli/*.trycmd`) does not tell.

/// The 16,000-VM machine must stay quick to ask about. A release build takes 2 s for `info` and some 10 s
/// for `check`; a debug build on a busy machine gets room.
#[test]
fn the_16000_vm_machine_is_measured_and_proved_in_time() {
    for (verb, seconds) in [("info", 60), ("check", 120)] {
        let start = std::time::Instant::now();
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_mkns"))
            .args([verb, "MKNS(2,8x10x10x10,4,1)"])
            .output()
            .expect("mkns runs");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stdout)
        );
        assert!(
            start.elapsed().as_secs() < seconds,
            "{verb} took {:?}",
            start.elapsed()
        );
    }
}

/// Spoilt tables end with exit code 4 and name the fault.
#[test]
fn a_spoilt_table_file_fails_the_check_with_exit_code_4() {
    let mkns = || std::process::Command::new(env!("CARGO_BIN_EXE_mkns"));
    let spec = "MKNS(2,4,2,1)";
    let export = mkns()
        .args(["export", spec, "--to", "routes"])
        .output()
        .expect("mkns runs");
    let good = String::from_utf8(export.stdout).expect("text");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("routes.csv");
    let check = |text: &str| {
        std::fs::write(&path, text).expect("written");
        let output = mkns()
            .args(["check", spec, "--routes"])
            .arg(&path)
            .output()
            .expect("runs");
        (
            output.status.code(),
            String::from_utf8(output.stdout).expect("text"),
        )
    };
    assert_eq!(check(&good).0, Some(0));
    let (code, text) = check(&good.replacen("kb_y1,y,2,2,", "kb_y1,y,2,3,", 1));
    assert_eq!(code, Some(4));
    assert!(text.contains("delivery   FAILED"), "{text}");
    assert!(
        text.contains("_2_0_0: the packet does not arrive"),
        "{text}"
    );
    let (code, _) = check(&good.replacen("kb_y1,y,2,2,", "kb_y1,y,2,99,", 1));
    assert_eq!(code, Some(2), "a file that cannot be read as tables");
}
