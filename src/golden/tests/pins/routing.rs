//! Route tables and the causes of drops (sections 1.3, 4).

use super::host_header::Header;
use super::testbench::{PinTestbench, entry, two_channels};
use crate::Block;
use mkns_design::{ComputedRoutes, switch_module, switch_tables};
use mkns_routing::{TableEntry, Turns};
use mkns_spec::BlockParameters;

const NOWHERE: [usize; 0] = [];
const ERRORS: u32 = 0x18;
const FIRST_DROP_PORT: u32 = 0x1C;
const FIRST_DROP_LOW: u32 = 0x20;
const FIRST_DROP_HIGH: u32 = 0x24;

fn header(destination: u32, layer: u32) -> u64 {
    let header = Header {
        destination,
        layer,
        length: 9,
        ..Header::default()
    };
    header.pack()
}

/// Writes entry `index` of table 0.
fn set_entry(testbench: &mut PinTestbench, index: u32, bits: u32) {
    testbench
        .write(0x4_0000 + 4 * index, bits)
        .expect("table 0");
}

/// Sends a packet of two flits from port 0 and returns where it came out.
fn route(testbench: &mut PinTestbench, word: u64) -> Vec<usize> {
    testbench.tick_sending(0, 0, false, word);
    testbench.send(0, 0, true, 1);
    let sent = testbench.run(12);
    let ports: Vec<usize> = sent.iter().map(|flit| flit.port).collect();
    if let Some(&port) = ports.first() {
        testbench.give_credit(port, 0);
        testbench.tick();
        testbench.give_credit(port, 0);
        testbench.tick();
    }
    ports
}

/// Expects a drop of two flits on port 0, counted under `counter`, as ERRORS bit `error`.
fn expect_drop(testbench: &mut PinTestbench, word: u64, counter: u32, error: u32) {
    let before = testbench.counter(0, counter);
    assert_eq!(route(testbench, word), NOWHERE);
    assert_eq!(testbench.counter(0, counter), before + 1);
    assert_eq!(
        testbench.read(ERRORS).map(|errors| errors & 0x7F),
        Ok(1 << error)
    );
    testbench.write(ERRORS, 0x7F).expect("ERRORS");
    assert_eq!(testbench.read(ERRORS).map(|errors| errors & 0x7F), Ok(0));
}

/// Names of the page's state table, pairs in words, and why a header is dropped; no text for programmers.
#[test]
fn users_10_a_state_is_described_in_the_words_of_the_page() {
    let mut testbench = PinTestbench::switch(4, two_channels());
    testbench.write(0x4_0000, 0).expect("table 0");
    testbench.tick_sending(0, 1, false, header(0, 0));
    let dropped = testbench.block.describe();
    assert_eq!(
        dropped,
        "port 0: stage1[0] (channel 1) = dropped, a header (no route), open[0][1] = dropping"
    );
    testbench.send(0, 1, true, 1);
    testbench.run(8);
    testbench.send(0, 1, false, header(1, 0));
    let mut seen = String::new();
    for _ in 0..8 {
        testbench.tick();
        seen += &(testbench.block.describe() + "\n");
    }
    for words in [
        "port 0: stage1[0] (channel 1) = to(1), open[0][1] = to(1)",
        "flits in queue[0][1][1] = 1",
        "grant[1] = (input 0, channel 1)",
        "popped[1] = (input 0, channel 1), lock[1][1] = (input 0, channel 1)",
    ] {
        assert!(seen.contains(words), "`{words}` in {seen}");
    }
    for debug in ["Some(", "None", "Dropp", "To("] {
        assert!(!seen.contains(debug), "`{debug}` in {seen}");
    }
}

#[test]
fn each_cause_of_a_drop_is_counted_on_the_input_port() {
    let mut testbench = PinTestbench::switch(4, two_channels());
    expect_drop(&mut testbench, header(7, 0), 5, 0); // no port 7
    set_entry(&mut testbench, 3, 0);
    expect_drop(&mut testbench, header(3, 0), 5, 0); // invalid entry
    set_entry(&mut testbench, 3, 1 << 6 | 1 << 5);
    expect_drop(&mut testbench, header(3, 0), 5, 0); // every table says same
    expect_drop(&mut testbench, header(0, 0), 6, 1); // U-turn
    testbench.set_link(1, false);
    expect_drop(&mut testbench, header(1, 0), 7, 2); // link down, no alternate
    assert_eq!(
        testbench.counter(0, 0),
        10,
        "dropped flits are received flits"
    );
    assert_eq!(testbench.counter(0, 1), 5, "and packets");
    assert_eq!(route(&mut testbench, header(2, 0)), [2, 2]);
    assert_eq!(testbench.counter(2, 2), 2);
    assert_eq!(testbench.counter(2, 3), 1);
}

#[test]
fn a_dropped_packet_gives_its_credits_back() {
    let mut testbench = PinTestbench::switch(4, two_channels());
    testbench.tick_sending(0, 1, false, header(9, 0));
    testbench.send(0, 1, true, 0);
    let mut returned = 0;
    for _ in 0..10 {
        testbench.tick();
        returned += u32::from(testbench.returned_credit(0, 1));
    }
    assert_eq!(returned, 2);
}

#[test]
fn an_entry_allows_nothing_to_a_network_port_without_uturns() {
    let mut testbench = PinTestbench::switch(4, two_channels());
    set_entry(&mut testbench, 0, 1 << 6 | 1 << 7);
    expect_drop(&mut testbench, header(0, 0), 6, 1);
    set_entry(&mut testbench, 1, 1 << 6 | 1 << 7 | 1 << 13 | 1);
    testbench.set_link(1, false);
    testbench.tick();
    expect_drop(&mut testbench, header(1, 0), 6, 1); // the alternate is the packet's own input
}

#[test]
fn an_entry_can_allow_a_uturn_and_name_an_alternate() {
    let mut module = switch_module(4, two_channels());
    module.turns = Turns::between_all(4, 0);
    let mut tables = switch_tables(&module);
    tables.tables[0].entries[2] = TableEntry {
        alternate: Some(9),
        ..entry(1)
    };
    let mut testbench = PinTestbench::new(module, &tables);
    set_entry(&mut testbench, 0, 1 << 6 | 1 << 7);
    assert_eq!(route(&mut testbench, header(0, 0)), [0, 0]);
    set_entry(&mut testbench, 1, 1 << 6 | 1 << 13 | 3 << 8 | 1);
    assert_eq!(route(&mut testbench, header(1, 0)), [1, 1]);
    testbench.set_link(1, false);
    testbench.tick();
    assert_eq!(route(&mut testbench, header(1, 0)), [3, 3]);
    testbench.set_link(3, false);
    testbench.tick();
    expect_drop(&mut testbench, header(1, 0), 7, 2);
    // An alternate that is no port does not count; it can only be there from power-up on.
    expect_drop(&mut testbench, header(2, 0), 7, 2);
    // Nor does one that is the packet's own input, unless U-turns are allowed.
    set_entry(&mut testbench, 1, 1 << 6 | 1 << 13 | 1);
    expect_drop(&mut testbench, header(1, 0), 6, 1);
}

#[test]
fn the_first_dropped_header_is_kept_until_bit_7_is_cleared() {
    let mut testbench = PinTestbench::switch(4, two_channels());
    testbench.send(2, 0, true, header(30, 0));
    testbench.send(1, 0, true, header(31, 0));
    testbench.run(5);
    testbench.send(3, 0, true, header(29, 0));
    testbench.run(5);
    let kept = |testbench: &mut PinTestbench| {
        let [port, low, high] = [FIRST_DROP_PORT, FIRST_DROP_LOW, FIRST_DROP_HIGH]
            .map(|address| testbench.read(address).expect("readable"));
        (port, u64::from(high) << 32 | u64::from(low))
    };
    assert_eq!(testbench.read(ERRORS), Ok(0x81));
    assert_eq!(
        kept(&mut testbench),
        (1, header(31, 0)),
        "the lowest input of the first cycle"
    );
    testbench.write(ERRORS, 0x80).expect("ERRORS");
    assert_eq!(testbench.read(ERRORS), Ok(0x01));
    testbench.send(3, 0, true, header(29, 0));
    testbench.run(5);
    assert_eq!(kept(&mut testbench), (3, header(29, 0)));
}

#[test]
fn layers_select_tables_and_entries_past_the_end_are_invalid() {
    let parameters = BlockParameters {
        layers: 3,
        ..two_channels()
    };
    let module = switch_module(4, parameters);
    let mut tables = switch_tables(&module);
    tables.tables[0].entries[32 + 1] = entry(2);
    let mut testbench = PinTestbench::new(module, &tables);
    assert_eq!(route(&mut testbench, header(1, 0)), [1, 1]);
    assert_eq!(route(&mut testbench, header(1, 1)), [2, 2]);
    // Three layers use two bits: layer 5 is layer 1; layer 3 has no entries.
    assert_eq!(route(&mut testbench, header(1, 5)), [2, 2]);
    expect_drop(&mut testbench, header(1, 3), 5, 0);
}

#[test]
fn computed_routes_replace_the_tables() {
    let module = switch_module(4, two_channels());
    let routes = ComputedRoutes::new(|destination, _| match destination {
        1 => entry(3),
        _ => TableEntry::default(),
    });
    let block = Block::new(&module, 0, Some(&switch_tables(&module)));
    let mut testbench = PinTestbench::of(module, block.with_routes(Some(routes)));
    assert_eq!(route(&mut testbench, header(1, 0)), [3, 3]);
    set_entry(&mut testbench, 1, 1 << 6 | 2);
    assert_eq!(
        route(&mut testbench, header(1, 0)),
        [3, 3],
        "the write has no effect"
    );
    assert_eq!(testbench.read(0x4_0004), Ok(1 << 6 | 2), "but is kept");
    assert_eq!(route(&mut testbench, header(2, 0)), NOWHERE);
}

#[test]
fn a_table_reads_what_decides() {
    let mut module = switch_module(4, two_channels());
    module.turns = Turns::between_all(4, 0);
    let mut tables = switch_tables(&module);
    let entries = &mut tables.tables[0].entries;
    entries[0] = TableEntry::unpack(1 << 6 | 4); // no port
    entries[1] = TableEntry::unpack(1 << 13 | 4 << 8 | 1 << 7 | 1 << 6 | 3); // no alternate
    entries[2] = TableEntry::unpack(1 << 13 | 2 << 8 | 3); // invalid
    entries[3] = TableEntry::unpack(1 << 13 | 2 << 8 | 1 << 7 | 3 << 5 | 1); // same
    entries[4] = TableEntry::unpack(1 << 13 | 3 << 8 | 1 << 7 | 1 << 6 | 2);
    let mut testbench = PinTestbench::new(module, &tables);
    let mut read = |index: u32| testbench.read(0x4_0000 + 4 * index);
    assert_eq!(read(0), Ok(0));
    assert_eq!(read(1), Ok(1 << 7 | 1 << 6 | 3));
    assert_eq!(read(2), Ok(0));
    assert_eq!(read(3), Ok(3 << 5));
    assert_eq!(read(4), Ok(1 << 13 | 3 << 8 | 1 << 7 | 1 << 6 | 2));
    // The two bits above an entry are not kept, nor is an alternate that is not valid.
    set_entry(&mut testbench, 4, 3 << 14 | 3 << 8 | 1 << 6 | 1);
    assert_eq!(testbench.read(0x4_0010), Ok(1 << 6 | 1));
}

#[test]
fn an_entry_that_leads_nowhere_is_refused() {
    // Ports 0 to 2 are built; no input turns to port 2.
    let mut module = switch_module(4, two_channels());
    module.turns = Turns::none(4);
    for (from, to) in [(0, 1), (1, 0), (2, 0)] {
        module.turns.insert(from, to);
    }
    let tables = switch_tables(&module);
    let mut testbench = PinTestbench::new(module, &tables);
    let before = testbench.read(0x4_0000);
    for (bits, answer) in [
        (1 << 6 | 2, Err(2)),
        (1 << 6 | 3, Err(2)),
        (1 << 6 | 31, Err(2)),
        (1 << 13 | 2 << 8 | 1 << 6 | 1, Err(2)),
        // An alternate that is not valid, an invalid entry, `same`.
        (2 << 8 | 1 << 6 | 1, Ok(())),
        (1 << 13 | 9 << 8 | 9, Ok(())),
        (1 << 13 | 9 << 8 | 3 << 5 | 9, Ok(())),
    ] {
        assert_eq!(testbench.write(0x4_0000, bits), answer, "{bits:#x}");
        if answer.is_err() {
            assert_eq!(
                testbench.read(0x4_0000),
                before,
                "{bits:#x} changes nothing"
            );
        }
    }
    let rows = [0, 4, 8, 12].map(|row| testbench.read(0x1800 + row));
    assert_eq!(rows, [Ok(0b10), Ok(1), Ok(1), Ok(0)], "TURNS");
    assert_eq!(testbench.write(0x1800, 0), Err(2));
    assert_eq!(testbench.read(0x1810), Err(2));
}

#[test]
fn without_alternates_an_entry_that_names_one_leads_nowhere() {
    let mut module = switch_module(4, two_channels());
    module.alternates = false;
    let mut tables = switch_tables(&module);
    tables.tables[0].entries[2].alternate = Some(1);
    let mut testbench = PinTestbench::new(module, &tables);
    assert_eq!(testbench.read(0x4_0008), Ok(1 << 6 | 2), "at power-up");
    testbench.set_link(2, false);
    testbench.run(2);
    assert_eq!(route(&mut testbench, header(2, 0)), NOWHERE);
    let alternate = 1 << 13 | 3 << 8;
    for (bits, answer) in [
        (alternate | 1 << 6 | 1, Err(2)),
        (3 << 8 | 1 << 6 | 1, Ok(())),
        (alternate | 1, Ok(())),
        (alternate | 3 << 5 | 1, Ok(())),
    ] {
        assert_eq!(testbench.write(0x4_0000, bits), answer, "{bits:#x}");
    }
}

#[test]
fn a_table_write_is_seen_by_lookups_from_the_next_cycle_on() {
    let mut testbench = PinTestbench::switch(4, two_channels());
    testbench.start_write(0x4_0000 + 4, 1 << 6 | 2);
    testbench.tick();
    // The write is carried out at the end of this cycle.
    testbench.tick_sending(0, 0, true, header(1, 0));
    testbench.inputs[testbench.at.control_in.awvalid] = 0;
    testbench.send(0, 0, true, header(1, 0));
    let ports: Vec<usize> = testbench.run(12).iter().map(|flit| flit.port).collect();
    assert_eq!(ports, [1, 2]);
}
