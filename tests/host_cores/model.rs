//! The model of the host core bench: the network, the wrappers and `tests/data/host_cores_bench.v`,
//! with planted faults that sleep until the bench wakes one.

use std::fs;

use mkns::fpga::HostCore;
use mkns::{design, rtl, spec};
use mkns_sim::{Effort, ModelLibrary, ModelSource, PortDecl, Toolchain};

const SPEC: &str = "name = \"host_cores\"\n\
    [network]\nvms_per_node = 2\nports = 4\ndimensions = [{ size = 2 }]\n\
    [block]\nmax_packet_flits = 9\nhost_timeout = 200\n";
const BENCH: &str = include_str!("../data/host_cores_bench.v");

/// Input words of the model, in the order of its ports.
pub mod input {
    pub const CLOCKS: usize = 0;
    pub const RESETS: usize = 1;
    pub const FAULT: usize = 2;
    pub const CHANNEL_UP: usize = 3;
    pub const VALID: usize = 4;
    pub const LAST: usize = 5;
    pub const USER: usize = 6;
    pub const KEEP: usize = 7;
    pub const DATA: usize = 8;
    pub const READY: usize = 12;
    pub const READ_ADDRESS: usize = 13;
    pub const READ_VALID: usize = 14;
    pub const WORDS: usize = 15;
}

/// Output words of the model.
pub mod output {
    pub const READY: usize = 0;
    pub const VALID: usize = 1;
    pub const LAST: usize = 2;
    pub const USER: usize = 3;
    pub const KEEP: usize = 4;
    pub const DATA: usize = 5;
    pub const COUNTERS: usize = 9;
    pub const READ_VALID: usize = 15;
    pub const READ_DATA: usize = 16;
    pub const WORDS: usize = 17;
}

/// A fault: a piece of a file, and what stands there instead; in it `FAULT` is 1 while the fault is awake.
pub struct Planted {
    pub file: &'static str,
    pub right: &'static str,
    pub with: &'static str,
}

/// The model with all `faults` in it, asleep; fault n wakes when the bench's `fault` is n + 1.
pub fn library(faults: &[Planted]) -> ModelLibrary {
    let spec = spec::parse_toml("host cores", SPEC).expect("a valid spec");
    let plan = design::build(&spec).expect("a plan");
    let mut files = rtl::render_network(&plan).expect("a network");
    files.extend(HostCore::ALL.iter().flat_map(|core| core.files("// test")));
    files.retain(|(name, _)| name.ends_with(".v"));
    files.sort();
    files.dedup();
    files.push(("bench.v".to_owned(), BENCH.to_owned()));
    for (fault, number) in faults.iter().zip(1..) {
        let (_, text) = (files.iter_mut())
            .find(|(name, _)| name == fault.file)
            .expect("the file is there");
        assert_eq!(text.matches(fault.right).count(), 1, "{}", fault.right);
        let awake = format!("(bench.fault == 4'd{number})");
        *text = text.replace(fault.right, &fault.with.replace("FAULT", &awake));
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let paths = files.iter().map(|(name, text)| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("the folder can be written");
        path
    });
    let ports = |list: &[(&str, u32)]| {
        let ports = list.iter().map(|(name, bits)| PortDecl::new(*name, *bits));
        ports.collect()
    };
    let source = ModelSource {
        top: "bench".to_owned(),
        files: paths.collect(),
        inputs: ports(&[
            ("clocks", 6),
            ("resets", 6),
            ("fault", 4),
            ("channel_up", 1),
            ("in_valid", 4),
            ("in_last", 4),
            ("in_user", 4),
            ("in_keep", 32),
            ("in_data", 256),
            ("out_ready", 4),
            ("s_axil_araddr", 40),
            ("s_axil_arvalid", 2),
        ]),
        outputs: ports(&[
            ("in_ready", 4),
            ("out_valid", 4),
            ("out_last", 4),
            ("out_user", 4),
            ("out_keep", 32),
            ("out_data", 256),
            ("counters", 384),
            ("s_axil_rvalid", 2),
            ("s_axil_rdata", 64),
        ]),
        effort: Effort::Quick,
        ..ModelSource::default()
    };
    let toolchain = Toolchain::locate().expect("Verilator is installed");
    mkns_sim::build(&source, &toolchain, &|_| {}).expect("the model builds")
}
