//! The command line as users see it, where a transcript (`tests/cli/*.trycmd`) does not tell.

/// The 16,000-host machine must stay quick to ask about. A release build takes 2 s for `info` and some 10 s
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

/// Exit code, standard output and standard error.
fn mkns(words: &[&str]) -> (Option<i32>, String, String) {
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_mkns"))
        .args(words)
        .output();
    let run = run.expect("mkns runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (run.status.code(), text(run.stdout), text(run.stderr))
}

#[test]
fn abuse_9_layers_that_an_engine_does_not_have_are_refused() {
    let diversity = |layers: &str| {
        let spec = ["diversity", "MKNS(1,3x3,2,0)", "--set", "routing=planes"];
        mkns(&[&spec[..], &["--layers", layers]].concat())
    };
    for layers in ["1", "2", "4"] {
        let (code, _, error) = diversity(layers);
        assert_eq!(code, Some(2), "{error}");
        assert!(
            error.contains("a layer for each of the 3 first coordinates"),
            "{error}"
        );
    }
    assert_eq!(diversity("3").0, Some(0));
}

/// `dimension_order` survives no failure, `vtftr` this one; a cable that is a block's only one leaves nothing to serve.
#[test]
fn reports_13_generate_refuses_routes_that_leave_joined_hosts_out() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = folder.path().join("out");
    let generate = |words: &[&str]| {
        let output = output.to_str().expect("text");
        mkns(&[&["generate"], words, &["-o", output]].concat())
    };
    let down = ["MKNS(1,2x2,2,1)", "--down", "kb_y0"];
    let (code, _, error) = generate(&down);
    assert_eq!(code, Some(4), "{error}");
    assert!(
        error.contains("E0408") && error.contains("the first ab_0_0_0_0 to ab_0_1_0_0"),
        "{error}"
    );
    assert!(!output.exists());
    let (code, _, error) = generate(&[&down[..], &["--set", "routing=vtftr"]].concat());
    assert_eq!(code, Some(0), "{error}");
    let cut = ["MKNS(1,2,1,0)", "--down", "ab_0_0_0_0", "--overwrite"];
    let (code, _, error) = generate(&cut);
    assert_eq!(code, Some(0), "{error}");
    assert!(error.contains("3 pairs of hosts have no route"), "{error}");
}

#[test]
fn numbers_b10_an_order_of_writes_has_no_empty_step_and_a_default_is_said_once() {
    let (code, out, error) = mkns(&["workload", "--help"]);
    assert_eq!(code, Some(0), "{error}");
    assert!(!out.contains("[default: 1] [default: 1]"), "{out}");
    let reroute = [
        "reroute",
        "MKNS(1,3x3,2,1)",
        "--set",
        "routing=up_down",
        "--down",
        "kb_y0",
    ];
    let (_, out, _) = mkns(&reroute);
    assert!(!out.contains("the first 0 in"), "{out}");
}
