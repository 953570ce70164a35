//! Faults planted into the RTL of switch blocks: each has to be reported where it shows.
#![cfg(feature = "cosim")]

use crate::common::faulty::small_plan;
use crate::common::planted::{Fault, are_found, fault, run_with};
use mkns::design::ModuleKind::Switch;
use mkns::design::Plan;
use mkns::rtl::render_sources;

const FAULTS: [Fault; 34] = [
    fault(
        "wrong arbiter reset",
        Switch,
        "output_unit.v",
        "granted <= FIRST_REQUEST << (REQUESTS - 1);",
        "granted <= FIRST_REQUEST;",
        &["tx_", "rx_credit"],
    ),
    fault(
        "arbiter pointer stays at what was granted",
        Switch,
        "output_unit.v",
        "{{REQUESTS{1'b0}}, granted} << 1;",
        "{{REQUESTS{1'b0}}, granted};",
        &["tx_", "rx_credit"],
    ),
    fault(
        "returned credit is lost",
        Switch,
        "output_channel.v",
        "+ {{CREDIT_BITS-1{spent}}, 1'b1};",
        "+ {CREDIT_BITS{spent}};",
        &["tx_", "rx_credit"],
    ),
    fault(
        "a spent credit counts for a cycle more",
        Switch,
        "output_channel.v",
        "two_credits | (one_credit & ~spent)",
        "two_credits | one_credit",
        &["tx_", "rx_credit"],
    ),
    fault(
        "missing packet lock",
        Switch,
        "output_unit.v",
        "(popped & {VCS{more}}),",
        "{VCS{1'b0}},",
        &["tx_", "rx_credit"],
    ),
    fault(
        "discard is not cleared",
        Switch,
        "output_unit.v",
        "(cut & ~popped) |",
        "cut |",
        &["tx_", "rx_credit", "s_axil_rdata"],
    ),
    fault(
        "a failing link cuts only the packets whose flits come by",
        Switch,
        "output_unit.v",
        "cut = discard | (locked & {VCS{down}});",
        "cut = discard;",
        &["tx_", "rx_credit", "s_axil_rdata"],
    ),
    fault(
        "sent flits are not counted",
        Switch,
        "output_unit.v",
        "~more & sendable, sendable}),",
        "~more & sendable, 1'b0}),",
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
        "a counter is read a cycle early",
        Switch,
        "event_counters.v",
        "{found_2, wanted_1 & found_1}",
        "{2{wanted_1 & found_1}}",
        &["s_axil_arready"],
    ),
    fault(
        "a grant of a last flit does not wait for its bank",
        Switch,
        "output_progress.v",
        "(is_overdue | ~more)",
        "is_overdue",
        &["tx_", "rx_credit"],
    ),
    fault(
        "a packet takes its bank until it is over",
        Switch,
        "queue_bank.v",
        ".other(ready_more),",
        ".other(ready_more | pop),",
        &["tx_", "rx_credit"],
    ),
    fault(
        "a grant claims nothing",
        Switch,
        "queue_bank.v",
        ".one(chosen),",
        ".one(chosen & pop),",
        &["tx_", "rx_credit"],
    ),
    fault(
        "nobody is ever overdue",
        Switch,
        "output_unit.v",
        "overdue[of] <= patience_spent;",
        "overdue[of] <= 1'b0;",
        &["tx_", "rx_credit"],
    ),
    fault(
        "the accept pointer stays",
        Switch,
        "accept_bank.v",
        "from[pointer] <= next_from[pointer];",
        "from[pointer] <= from[pointer];",
        &["tx_", "rx_credit"],
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
        "a dropped flit brings no credit back",
        Switch,
        "input_credits.v",
        "leaving[BANKS] = lost[lane];",
        "leaving[BANKS] = lost[lane] & rst;",
        &["rx_credit"],
    ),
    fault(
        "a made-up tail brings a credit back",
        Switch,
        "input_credits.v",
        "debt[lane] <= made_up[lane] | (debt[lane] & ~|leaving);",
        "debt[lane] <= 1'b0;",
        &["rx_credit"],
    ),
    fault(
        "queue reads one place too far",
        Switch,
        "queue_bank.v",
        "memory[{pop_queue, pop_head}]}",
        "memory[{pop_queue, pop_head ^ 1'b1}]}",
        &["tx_", "rx_credit"],
    ),
    fault(
        "the end of a packet is that of the flit popped before",
        Switch,
        "queue_bank.v",
        "((pop & holds_two & ~second_last) | (~pop & first_more));",
        "first_more;",
        // The packet counter may be read before a wrong end is seen on the pins.
        &["tx_", "rx_credit", "s_axil_rdata"],
    ),
    fault(
        "a queue that holds all credits mistakes its second flit for an end, or an end for none",
        Switch,
        "queue_bank.v",
        "end else if (~holds_two[queue])",
        "end else if (push[queue] & &{holds_two[queue], push_place - heads[push_queue] + ONE + ONE})\nsecond_last[queue] <= ~second_last[queue];\nelse if (~holds_two[queue])",
        &["tx_", "rx_credit", "s_axil_rdata"],
    ),
    fault(
        "table entries are swapped in pairs",
        Switch,
        "route_table.v",
        "memory[write_index[INDEX_BITS-1:0]] <= kept(write_entry[13:0]);",
        "memory[write_index[INDEX_BITS-1:0] ^ 1'b1] <= kept(write_entry[13:0]);",
        &["tx_", "rx_credit"],
    ),
    fault(
        "a header for which there is no turn is not dropped",
        Switch,
        "route_lookup.v",
        "turns[main] & ~back[main], main);",
        "~back[main], main);",
        &["rx_credit", "s_axil_rdata"],
    ),
    fault(
        "links are always up for routing",
        Switch,
        "input_units.v",
        "present = rx_valid & up;",
        "present = rx_valid;",
        &["tx_", "rx_credit", "s_axil_rdata"],
    ),
    fault(
        "a watched request is overdue one chance early",
        Switch,
        "output_unit.v",
        "LAST_COUNT = after(PATIENCE);",
        "LAST_COUNT = after(PATIENCE - 1);",
        &["tx_", "rx_credit"],
    ),
    fault(
        "a watched request whose packet has just ended waits, as if it still held the lock",
        Switch,
        "output_unit.v",
        "(watches & lanes & ~locked)",
        "(watches & lanes & ~owned)",
        &["tx_", "rx_credit"],
    ),
    fault(
        "a flit goes to the memory of its channel's neighbour",
        Switch,
        "input_units.v",
        "+: QUEUE_BITS] | part[QUEUE_BITS-1:0];",
        "+: QUEUE_BITS];",
        &["tx_", "rx_credit"],
    ),
    fault(
        "a made-up tail does not wait for an empty queue",
        Switch,
        "input_units.v",
        "~holds[chooser*STRIDE +: REQUESTS]\n",
        "(~holds[chooser*STRIDE +: REQUESTS] | {REQUESTS{1'b1}})\n",
        &["tx_", "rx_credit"],
    ),
    fault(
        "an entry that leads nowhere is accepted",
        Switch,
        "control_port.v",
        "is_entry(write_register) & ~leads_nowhere",
        "is_entry(write_register)",
        &["s_axil_bresp"],
    ),
    fault(
        "an alternate may lead nowhere",
        Switch,
        "control_port.v",
        "(ALTERNATES == 0 | ~OUTPUTS[s_axil_wdata[12:8]])",
        "(ALTERNATES == 0)",
        &["s_axil_bresp"],
    ),
    fault(
        "an odd entry reads its neighbour",
        Switch,
        "route_lookup.v",
        ".read_index(table_read[11:0])",
        ".read_index({table_read[11:1], 1'b0})",
        &["s_axil_rdata"],
    ),
];

/// In blocks without alternates.
const FAULTS_WITHOUT_ALTERNATES: [Fault; 2] = [
    fault(
        "an entry with an alternate is accepted",
        Switch,
        "control_port.v",
        "(ALTERNATES == 0 | ~OUTPUTS[s_axil_wdata[12:8]])",
        "(~OUTPUTS[s_axil_wdata[12:8]])",
        &["s_axil_bresp"],
    ),
    fault(
        "a link that is down counts as up",
        Switch,
        "route_outcome.v",
        "is_up[row] ? if_up",
        "(is_up[row] | ALTERNATES == 0) ? if_up",
        &["tx_", "rx_credit"],
    ),
];

fn without_alternates() -> Plan {
    let mut plan = small_plan();
    for module in &mut plan.modules {
        module.alternates = false;
    }
    plan
}

#[test]
fn every_planted_fault_is_found_where_it_shows() {
    are_found(&[
        (small_plan(), &FAULTS),
        (without_alternates(), &FAULTS_WITHOUT_ALTERNATES),
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
