//! Wrappers that join one PCIe port of an adapter block to a PCIe DMA core, with the crossing between
//! the two clocks.

use askama::Template;

use super::board::ConstraintFile;

/// A DMA core on the host's side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostCore {
    /// Xilinx XDMA in AXI4-Stream mode (PG195).
    Xdma,
    /// A LitePCIe stand-alone core.
    LitePcie,
}

/// Timing exceptions of the crossing.
pub const CROSSING_CONSTRAINTS: [ConstraintFile; 2] = [
    (
        "async_fifo.xdc",
        include_str!("../../constraints/common/async_fifo.xdc"),
    ),
    (
        "async_fifo.sdc",
        include_str!("../../constraints/common/async_fifo.sdc"),
    ),
];

#[derive(Template)]
#[template(path = "fpga/axis_async_fifo.v")]
struct AxisAsyncFifo<'a> {
    banner: &'a str,
}

#[derive(Template)]
#[template(path = "fpga/adapter_xdma.v")]
struct AdapterXdma<'a> {
    banner: &'a str,
}

#[derive(Template)]
#[template(path = "fpga/adapter_litepcie.v")]
struct AdapterLitePcie<'a> {
    banner: &'a str,
}

impl HostCore {
    /// File names and texts of the wrapper, its FIFO and the constraints of both.
    pub fn files(self, banner: &str) -> Vec<(String, String)> {
        let fifo = AxisAsyncFifo { banner }.render();
        let (name, wrapper) = match self {
            Self::Xdma => ("adapter_xdma.v", AdapterXdma { banner }.render()),
            Self::LitePcie => ("adapter_litepcie.v", AdapterLitePcie { banner }.render()),
        };
        let verilog = [("axis_async_fifo.v", fifo), (name, wrapper)].map(|(name, text)| {
            let text = text.expect("templates call nothing that fails");
            (
                name.to_owned(),
                format!("{}\n", text.trim_end_matches('\n')),
            )
        });
        let constraints =
            CROSSING_CONSTRAINTS.map(|(name, text)| (name.to_owned(), text.to_owned()));
        verilog.into_iter().chain(constraints).collect()
    }
}
