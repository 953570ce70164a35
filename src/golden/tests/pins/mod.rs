//! What the page says of a block, asked on its pins.

mod adaptive_bench;
mod adaptive_hosts;
mod adaptive_links;
mod adaptive_lookup;
mod adaptive_requests;
mod adaptive_room;
mod allocation;
mod conservation;
mod control;
mod egress;
mod host_channels;
mod host_header;
mod ingress;
mod links;
mod pcie_pins;
mod pok;
mod routing;
mod starvation;
mod testbench;
mod timing;
mod widths;
