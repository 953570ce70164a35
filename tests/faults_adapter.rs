//! Faults planted into the RTL of adapter blocks: each has to be reported where it shows.
#![cfg(feature = "cosim")]

use crate::common::faulty::small_plan;
use crate::common::planted::{Fault, are_found, fault, run_with};
use crate::common::rtl_designs::build;
use mkns::design::ModuleKind::Adapter;
use mkns::design::Plan;
use mkns::rtl::render_sources;

const FAULTS: [Fault; 10] = [
    fault(
        "wrong CRC polynomial",
        Adapter,
        "header_crc.v",
        "register[5] ? 6'b000011",
        "register[5] ? 6'b000111",
        &["tx_data", "rx_credit", "m_axis_pcie_"],
    ),
    fault(
        "source port is not stamped",
        Adapter,
        "pcie_ingress.v",
        "| STAMP[19:0];",
        "| 20'd0;",
        &["tx_", "rx_credit", "m_axis_pcie_"],
    ),
    fault(
        "longest packet is one flit too long",
        Adapter,
        "pcie_ingress.v",
        "length > MAX_BYTES)\n                    fault[OVER_LENGTH]",
        "length > MAX_BYTES + BYTES)\n                    fault[OVER_LENGTH]",
        &[
            "tx_",
            "rx_credit",
            "m_axis_pcie_",
            "s_axis_pcie_",
            "s_axil_rdata",
        ],
    ),
    fault(
        "aborted packets pass",
        Adapter,
        "pcie_ingress.v",
        "else if (s_axis_tuser)\n                    fault[ABORTED] = 1'b1;",
        "else if (s_axis_tuser)\n                    fault[ABORTED] = 1'b0;",
        &[
            "s_axis_pcie_tready",
            "tx_",
            "rx_credit",
            "m_axis_pcie_",
            "s_axil_rdata",
        ],
    ),
    fault(
        "the host timeout begins anew with every beat that the host takes",
        Adapter,
        "pcie_egress.v",
        "if (timed_out || host_ends || !normal)",
        "if (timed_out || !host_stalls || !normal)",
        &["m_axis_pcie_", "tx_", "rx_credit", "s_axil_rdata"],
    ),
    fault(
        "host timeout is one cycle late",
        Adapter,
        "pcie_egress.v",
        "LAST_STALL = HOST_TIMEOUT - 1;",
        "LAST_STALL = HOST_TIMEOUT;",
        &["m_axis_pcie_", "tx_", "rx_credit", "s_axil_rdata"],
    ),
    fault(
        "ingress gives a dropped packet's room away",
        Adapter,
        "pcie_ingress.v",
        "write_pointer <= commit_pointer;",
        "write_pointer <= write_pointer;",
        &[
            "s_axis_pcie_tready",
            "tx_",
            "rx_credit",
            "m_axis_pcie_",
            "s_axil_rdata",
        ],
    ),
    fault(
        "digits of the destination are not swapped",
        Adapter,
        "pcie_ingress.v",
        "^{source & 20'h55555, s_axis_tdata[19:0] & 20'hAAAAA}",
        "^{source & 20'h55555, s_axis_tdata[19:0] & 20'h55555}",
        &["tx_", "rx_credit", "m_axis_pcie_"],
    ),
    fault(
        "a beat of payload chooses a channel of its own",
        Adapter,
        "pcie_ingress.v",
        "in_payload ? packet_channel : own",
        "own",
        &[
            "tx_",
            "rx_credit",
            "m_axis_pcie_",
            "s_axis_pcie_tready",
            "s_axil_rdata",
        ],
    ),
    fault(
        "a flit leaves with the credit of another channel",
        Adapter,
        "pcie_ingress.v",
        "leave = stored_valid && |(stored_channel & has_credit);",
        "leave = stored_valid && |has_credit;",
        &[
            "tx_",
            "rx_credit",
            "m_axis_pcie_",
            "s_axis_pcie_tready",
            "s_axil_rdata",
        ],
    ),
];

/// Faults of the converters, with hosts wider and narrower than a flit.
const WIDE_HOST_FAULTS: [Fault; 3] = [
    fault(
        "last piece of a beat is lost",
        Adapter,
        "ingress_width.v",
        "more = more | keep[n*PIECE_BYTES];",
        "more = more | keep[n*PIECE_BYTES + 1];",
        &[
            "s_axis_pcie_tready",
            "tx_",
            "rx_credit",
            "m_axis_pcie_",
            "s_axil_rdata",
        ],
    ),
    fault(
        "gathered data is not cleared",
        Adapter,
        "egress_width.v",
        "gathered <= ends ? {PCIE_WIDTH{1'b0}} : beat_data;",
        "gathered <= beat_data;",
        &["m_axis_pcie_tdata"],
    ),
    fault(
        "the register behind the pins hides what was begun from the timeout",
        Adapter,
        "pcie_egress.v",
        "truncated <= take ? !head_last : in_packet;",
        "truncated <= m_axis_tvalid && !m_axis_tlast;",
        &["m_axis_pcie_", "tx_", "rx_credit", "s_axil_rdata"],
    ),
];
const NARROW_HOST_FAULTS: [Fault; 2] = [
    fault(
        "an empty last beat passes",
        Adapter,
        "ingress_width.v",
        "whole_keep = !legal ? NO_BYTES : in_packet",
        "whole_keep = in_packet",
        &[
            "s_axis_pcie_tready",
            "tx_",
            "rx_credit",
            "m_axis_pcie_",
            "s_axil_rdata",
        ],
    ),
    fault(
        "beats of a flit count as refusals",
        Adapter,
        "egress_width.v",
        "assign host_stalls = m_axis_tvalid && !m_axis_tready;",
        "assign host_stalls = piece_valid && !piece_ready;",
        &["m_axis_pcie_", "tx_", "rx_credit", "s_axil_rdata"],
    ),
];

/// A small plan whose hosts have beats of another width than flits.
fn plan_of_widths(flit_bits: u32, pcie_bits: u32) -> Plan {
    let mut spec = small_plan().spec;
    (spec.block.flit_bits, spec.block.pcie_bits) = (flit_bits, pcie_bits);
    build(&spec)
}

#[test]
fn every_planted_fault_is_found_where_it_shows() {
    are_found(&[
        (small_plan(), &FAULTS),
        (plan_of_widths(64, 256), &WIDE_HOST_FAULTS),
        (plan_of_widths(256, 64), &NARROW_HOST_FAULTS),
    ]);
}

/// The good RTL under the same runs shows no difference, so every report above is the fault's.
#[test]
fn without_a_fault_nothing_is_reported() {
    let plan = small_plan();
    if let Some(failure) = run_with(&plan, Adapter, &render_sources(&plan), 3) {
        panic!("{failure}");
    }
}
