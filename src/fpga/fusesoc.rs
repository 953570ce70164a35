//! The FuseSoC core of a self-test, and the bench that its simulation target runs.

use askama::Template;

use super::Device;
use super::board::{Board, OpenDevice};
use mkns_rtl::{finished, verilog};

/// Path of the bench in the build folder.
const BENCH: &str = "sim/selftest_bench.v";

#[derive(Template)]
#[template(path = "fpga/selftest.core")]
struct Core<'a> {
    banner: &'a str,
    top: String,
    version: &'static str,
    title: &'a str,
    sources: &'a [String],
    bench: &'static str,
    pins: &'static str,
    device: &'static str,
    package: &'static str,
    speed: u32,
    mhz: f64,
}

#[derive(Template)]
#[template(path = "fpga/selftest_bench.v")]
struct Bench<'a> {
    banner: String,
    board: &'a str,
}

/// Names and texts of core and bench for boards whose flow FuseSoC can run: those with an ECP5.
///
/// `sources` are paths in the build folder, `banner` comes without comment marks.
pub fn files(board: &Board, sources: &[String], banner: &str) -> Option<[(String, String); 2]> {
    let Some(OpenDevice::Ecp5(device, package, speed)) = board.open else {
        return None;
    };
    let core = Core {
        banner,
        top: board.top(),
        version: env!("CARGO_PKG_VERSION"),
        title: board.title,
        sources,
        bench: BENCH,
        pins: board.constraints[0].0,
        device: Device::named(device)?.option,
        package,
        speed,
        mhz: f64::from(board.clock_hz()) / 1e6,
    };
    let bench = Bench {
        banner: format!("// {banner}"),
        board: board.title,
    };
    Some([
        (format!("{}.core", board.top()), finished(core.render())),
        (BENCH.to_owned(), verilog(bench.render(), &bench.banner)),
    ])
}
