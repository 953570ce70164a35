//! What commands that simulate say of pairs without a route, parts of traces, and numbers that are out of range.

use std::process::Command;

/// Exit code, standard output and standard error.
fn mkns(words: &[&str]) -> (Option<i32>, String, String) {
    let run = Command::new(env!("CARGO_BIN_EXE_mkns"))
        .args(words)
        .output()
        .expect("mkns runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (run.status.code(), text(run.stdout), text(run.stderr))
}

const CUT: [&str; 3] = ["MKNS(1,3x2,2,1)", "--down", "kb_y0"];
const SHORT: [&str; 6] = ["--load", "0.2", "--cycles", "600", "--warmup", "300"];

#[test]
fn numbers_a1_every_command_tells_the_pairs_without_a_route() {
    let with = |verb: &[&'static str], more: &[&'static str]| {
        let (code, out, error) = mkns(&[verb, &CUT, &SHORT, more].concat());
        assert_eq!(code, Some(0), "{verb:?} {more:?}: {error}");
        out
    };
    // Packets change dimension 2 on the line of their destination: three blocks lose ab_0_1, and three ab_0_0.
    let text = with(&["sim"], &[]);
    assert!(
        text.contains("6 of 36 pairs of hosts have no route"),
        "{text}"
    );
    let json = with(&["sim"], &["--format", "json"]);
    assert!(json.contains("\"pairs_without_route\": 6"), "{json}");
    let csv = with(&["sim"], &["--format", "csv"]);
    assert!(
        csv.lines()
            .next()
            .is_some_and(|head| head.ends_with("pairs_without_route"))
    );
    assert!(csv.trim_end().ends_with(",6"), "{csv}");
    let comparison = with(&["compare", "--simulate"], &[]);
    assert!(
        comparison.contains("6 of 36 pairs of hosts have no route"),
        "{comparison}"
    );
    let picture = with(&["plot", "--kind", "latency"], &[]);
    assert!(
        picture.contains("6 pairs of hosts have no route"),
        "{picture}"
    );
}

#[test]
fn numbers_b1_info_says_which_numbers_leave_the_failures_out() {
    let (code, text, _) = mkns(&["info", CUT[0], CUT[1], CUT[2]]);
    assert_eq!(code, Some(0));
    assert!(
        text.contains("routes join 30 of 36 pairs of hosts, 6 have no route"),
        "{text}"
    );
    assert!(
        text.contains("describe the network without these failures"),
        "{text}"
    );
}

#[test]
fn reports_4_a_part_of_a_trace_is_no_success() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (trace, flows) = (path("trace.csv"), path("flows.csv"));
    let text = "cycle,source,destination,flits\n0,0,1,3\n3000,1,2,3\n15000,2,0,3\n";
    std::fs::write(&trace, text).expect("written");
    let sim = [
        "sim",
        "MKNS(1,4,1,1)",
        "--traffic",
        "trace",
        "--packets",
        &trace,
        "--flows",
        &flows,
    ];
    let (code, out, _) = mkns(&sim);
    assert_eq!(code, Some(0));
    assert!(
        out.contains("3 of 3 packets of the trace, 0 under way"),
        "{out}"
    );
    let flows = std::fs::read_to_string(&flows).expect("flows");
    assert!(
        flows.lines().skip(1).all(|line| line.starts_with(",1,")),
        "{flows}"
    );
    let (code, out, error) = mkns(&[&sim[..], &["--cycles", "3005", "--format", "json"]].concat());
    assert_eq!(code, Some(9));
    assert!(
        out.contains("\"packets\": 3") && out.contains("\"under_way\": 1"),
        "{out}"
    );
    assert!(
        error.contains("2 of 3 packets of the trace, 1 under way"),
        "{error}"
    );
}

#[test]
fn abuse_17_cycles_and_threads_are_bounded() {
    for (option, value) in [
        ("--cycles", "18446744073709551615"),
        ("--warmup", "18446744073709551615"),
        ("--threads", "100000"),
    ] {
        let (code, _, error) = mkns(&["sim", "MKNS(1,2,1,1)", option, value]);
        assert_eq!(code, Some(2), "{error}");
        let fact = format!("E0901]: `{option} {value}` is out of range");
        assert!(error.contains(&fact), "{error}");
    }
}

#[test]
fn reports_5_a_pattern_that_uses_no_network_is_refused() {
    for (verb, spec) in [
        (&["sim"][..], "torus(11)"),
        (&["compare", "--simulate"], "torus(13)"),
    ] {
        let words = [verb, &[spec, "--traffic", "transpose"]].concat();
        let (code, _, error) = mkns(&words);
        assert_eq!(code, Some(2), "{error}");
        assert!(
            error.contains("E0901") && error.contains("hosts is its own partner"),
            "{error}"
        );
    }
}

#[test]
fn numbers_b11_the_bound_of_work_is_that_of_ports_and_cables() {
    let words = ["workload", "MKNS(2,4,2,1)", "--job", "all-to-all:64"];
    let (_, text, _) = mkns(&words);
    assert!(text.contains("busiest host's port or cable"), "{text}");
    let (_, json, _) = mkns(&[&words[..], &["--format", "json"]].concat());
    for figure in [
        "\"bound\": 432",
        "\"port_bound\": 279",
        "\"cable_bound\": 432",
    ] {
        assert!(json.contains(figure), "{figure}: {json}");
    }
}
