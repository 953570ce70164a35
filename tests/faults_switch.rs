//! Faults planted into the RTL of switch blocks: each has to be reported where it shows.
#![cfg(feature = "cosim")]

use crate::common::faulty::small_plan;
use crate::common::planted::{Fault, are_found, fault, run_with};
use crate::common::rtl_designs::build;
use mkns::design::ModuleKind::Switch;
use mkns::design::Plan;
use mkns::rtl::render_sources;

const FAULTS: [Fault; 18] = [
    fault(
        "wrong arbiter reset",
        Switch,
        "output_units.v",
        "grant_from <= {OUTPUTS*STRIDE{1'b0}};",
        "grant_from <= {OUTPUTS{{{(STRIDE-1){1'b1}}, 1'b0}}};",
        &["tx_"],
    ),
    fault(
        "arbiter pointer stays at what was granted",
        Switch,
        "output_units.v",
        "~(served | (served - ONE));",
        "~(served - ONE);",
        &["tx_"],
    ),
    fault(
        "returned credit is lost",
        Switch,
        "output_units.v",
        "+ {{CREDIT_BITS-1{1'b0}}, tx_credit[number*VCS + counter]}",
        "+ {{CREDIT_BITS-1{1'b0}}, tx_credit[number*VCS + counter] & spent[counter]}",
        &["tx_"],
    ),
    fault(
        "missing packet lock",
        Switch,
        "output_units.v",
        "next_locked[number*VCS +: VCS]\n                                | popped_channel[number*VCS +: VCS];",
        "next_locked[number*VCS +: VCS];",
        &["tx_"],
    ),
    fault(
        "discard is not cleared",
        Switch,
        "output_units.v",
        "next_discard[number*VCS +: VCS]\n                            & ~popped_channel[number*VCS +: VCS];",
        "next_discard[number*VCS +: VCS];",
        &["tx_", "s_axil_rdata"],
    ),
    fault(
        "a failing link cuts only the packets whose flits come by",
        Switch,
        "output_units.v",
        "if (~link_up[number])",
        "if (1'b0)",
        &["tx_", "s_axil_rdata"],
    ),
    fault(
        "sent flits are not counted",
        Switch,
        "output_units.v",
        "sent & popped_last, sent};",
        "sent & popped_last, {OUTPUTS{1'b0}}};",
        &["s_axil_rdata"],
    ),
    fault(
        "a counter's low bits wrap without a carry",
        Switch,
        "counter_group.v",
        "low < earlier[3:0]",
        "1'b0",
        &["s_axil_rdata"],
    ),
    fault(
        "a total is brought up to date without a carry",
        Switch,
        "event_counters.v",
        "wrapped <= low < earlier[BITS-1:0];",
        "wrapped <= 1'b0;",
        &["s_axil_rdata"],
    ),
    fault(
        "a counter is read a cycle late",
        Switch,
        "event_counters.v",
        "{found_2, found_1}",
        "{found_1, found_1}",
        &["s_axil_arready"],
    ),
    fault(
        "a header does not wait for the queue of its tail",
        Switch,
        "output_units.v",
        "(~held[row*STRIDE +: REQUESTS]\n",
        "({REQUESTS{1'b1}}\n",
        &["tx_"],
    ),
    fault(
        "stuck data bit in the crossbar",
        Switch,
        "crossbar.v",
        "tx_data <= data;",
        "tx_data <= data & ~{OUTPUTS{{{DATA_WIDTH-1{1'b0}}, 1'b1}}};",
        &["tx_data"],
    ),
    fault(
        "last is lost when the packet is bad",
        Switch,
        "crossbar.v",
        "tx_last <= last;",
        "tx_last <= last & ~bad;",
        &["tx_last"],
    ),
    fault(
        "channels are swapped",
        Switch,
        "crossbar.v",
        "vc[number*VC_BITS +: VC_BITS] = fetched_vc[",
        "vc[number*VC_BITS +: VC_BITS] = ~fetched_vc[",
        &["tx_vc"],
    ),
    fault(
        "queue limit is off by one",
        Switch,
        "queue_banks.v",
        "localparam CROWDED = QUEUE_FLITS - RX_BUFFER_FLITS;",
        "localparam CROWDED = QUEUE_FLITS - RX_BUFFER_FLITS + 1;",
        &["rx_credit", "tx_"],
    ),
    fault(
        "queue reads one place too far",
        Switch,
        "queue_banks.v",
        "place = {queue, head[POINTER_BITS-1:0]};\n                            read_address",
        "place = {queue, head[POINTER_BITS-1:0] ^ 1'b1};\n                            read_address",
        &["tx_"],
    ),
    fault(
        "table entries are swapped in pairs",
        Switch,
        "route_table.v",
        "memory[write_index[INDEX_BITS-1:0]] <= write_entry;",
        "memory[write_index[INDEX_BITS-1:0] ^ 1'b1] <= write_entry;",
        &["tx_"],
    ),
    fault(
        "links are always up for routing",
        Switch,
        "input_units.v",
        "taken = flit_valid & link_up;",
        "taken = flit_valid;",
        &["tx_", "rx_credit", "s_axil_rdata"],
    ),
];

/// Faults of registered arbitration.
const REGISTERED_FAULTS: [Fault; 7] = [
    fault(
        "a spent credit counts for a cycle more",
        Switch,
        "registered_output_unit.v",
        "two_credits | (one_credit & ~spent)",
        "two_credits | one_credit",
        &["tx_"],
    ),
    fault(
        "a grant that lost to a single flit does not ask again",
        Switch,
        "registered_output_unit.v",
        "~last : last);",
        "~last : 1'b0);",
        &["tx_", "rx_credit"],
    ),
    fault(
        "crowded queues come first without end",
        Switch,
        "registered_output_unit.v",
        "urged = |crowded & ~&in_turn;",
        "urged = |crowded;",
        &["tx_", "rx_credit"],
    ),
    fault(
        "the grant of a crowded queue moves the pointer",
        Switch,
        "registered_output_unit.v",
        "if (any_candidate & ~preferring & (blocked | ~keeps))",
        "if (any_candidate & (blocked | ~keeps))",
        &["tx_", "rx_credit"],
    ),
    fault(
        "an input waits for queues that were crowded a cycle earlier",
        Switch,
        "registered_output_unit.v",
        "~crowded_input & {INPUTS{urged}}",
        "~crowded_input & {INPUTS{urges}}",
        &["tx_", "rx_credit"],
    ),
    fault(
        "the end of a packet is that of the flit popped before",
        Switch,
        "registered_queue_bank.v",
        "assign ready_last = (pop & second_last) | (~pop & first_last);",
        "assign ready_last = first_last;",
        &["tx_"],
    ),
    // As full as only the tails make a queue that a block makes up for cut packets.
    fault(
        "the fullest queue mistakes its second flit for an end, or an end for none",
        Switch,
        "registered_queue_bank.v",
        "end else if (~holds_two[queue])",
        "end else if (push[queue] & push_tail == push_limit + RX_BUFFER_FLITS[PLACE_BITS-1:0])\n\
         second_last[queue] <= ~second_last[queue];\nelse if (~holds_two[queue])",
        &["tx_", "rx_credit", "s_axil_rdata"],
    ),
];

fn plan_with_registered_arbitration() -> Plan {
    let mut spec = small_plan().spec;
    build(&spec)
}

#[test]
fn every_planted_fault_is_found_where_it_shows() {
    are_found(&[
        (plan_with_registered_arbitration(), &REGISTERED_FAULTS),
        (small_plan(), &FAULTS),
    ]);
}

/// The good RTL under the same runs shows no difference, so every report above is the fault's.
#[test]
fn without_a_fault_nothing_is_reported() {
    let plan = small_plan();
    if let Some(failure) = run_with(&plan, Switch, &render_sources(&plan), 3) {
        panic!("{failure}");
    }
}
