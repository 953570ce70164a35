//! Links that go down (sections 1.2, 1.6).

use super::rig::{Rig, two_channels};
use crate::header::Header;
use mkns_spec::BlockParameters;

fn header(destination: u32) -> u64 {
    let header = Header {
        destination,
        ..Header::default()
    };
    header.pack()
}

#[test]
fn a_packet_cut_by_its_link_gets_a_made_up_tail() {
    for register_route in [false, true] {
        let mut rig = Rig::switch(
            4,
            BlockParameters {
                register_route,
                ..two_channels()
            },
        );
        rig.send(0, 1, false, header(2));
        rig.tick();
        rig.send(0, 1, false, 11);
        rig.run(2);
        rig.set_link(0, false);
        let sent = rig.run(20);
        let seen: Vec<(u64, bool, bool)> = sent
            .iter()
            .map(|flit| (flit.data, flit.last, flit.bad))
            .collect();
        assert_eq!(
            seen,
            [
                (header(2), false, false),
                (11, false, false),
                (0, true, true)
            ]
        );
        // Received: two flits and no packet; sent: three and one.
        assert_eq!((rig.counter(0, 0), rig.counter(0, 1)), (2, 0));
        assert_eq!((rig.counter(2, 2), rig.counter(2, 3)), (3, 1));
    }
}

#[test]
fn flits_from_a_link_that_is_down_vanish_and_their_credits_return() {
    let mut rig = Rig::switch(4, two_channels());
    rig.set_link(0, false);
    let mut returned = 0;
    for _ in 0..5 {
        rig.send(0, 0, true, header(1));
        assert_eq!(rig.tick(), []);
        returned += u32::from(rig.returned_credit(0, 0));
    }
    for _ in 0..10 {
        assert_eq!(rig.tick(), []);
        returned += u32::from(rig.returned_credit(0, 0));
    }
    assert_eq!(returned, 5);
    assert_eq!(rig.counter(0, 0), 0, "no counter counts them");
}

#[test]
fn made_up_tails_of_several_channels_come_lowest_first() {
    let mut rig = Rig::switch(
        4,
        BlockParameters {
            virtual_channels: 4,
            ..two_channels()
        },
    );
    for channel in [3, 1, 2] {
        rig.send(0, channel, false, header(2));
        rig.tick();
    }
    // The headers leave first, so that the tails go out as they come.
    rig.run(10);
    rig.set_link(0, false);
    let tails: Vec<usize> = rig
        .run(30)
        .iter()
        .filter(|flit| flit.bad)
        .map(|flit| flit.channel)
        .collect();
    assert_eq!(tails, [1, 2, 3]);
}

#[test]
fn a_header_that_comes_before_the_made_up_tail_is_dropped() {
    let mut rig = Rig::switch(4, two_channels());
    let parameters = rig.module.parameters.clone();
    // The queue to port 2 stands at F flits, so the tail has no room.
    for _ in 0..parameters.queue_flits {
        rig.send(0, 0, true, header(2));
        rig.tick();
    }
    rig.send(0, 0, false, header(2));
    rig.run(3);
    rig.set_link(0, false);
    rig.run(10);
    rig.set_link(0, true);
    rig.send(0, 0, true, header(1));
    assert_eq!(rig.run(10), []);
    assert_eq!(rig.counter(0, 7), 1);
    // Once the queue has drained, the tail follows and packets pass again.
    let mut bad = 0;
    for _ in 0..80 {
        rig.give_credit(2, 0);
        bad += rig.tick().iter().filter(|flit| flit.bad).count();
        if bad == 1 {
            break;
        }
    }
    assert_eq!(bad, 1);
    rig.send(0, 0, true, header(1));
    assert_eq!(rig.run(10).len(), 1);
}

#[test]
fn a_packet_is_cut_when_its_output_is_down_between_two_of_its_flits() {
    let mut rig = Rig::switch(4, two_channels());
    rig.send(0, 0, false, header(1));
    assert_eq!(rig.run(6).len(), 1);
    // No flit of the packet comes by while the link is down, and the next one after the repair.
    rig.set_link(1, false);
    rig.run(10);
    rig.set_link(1, true);
    rig.send(0, 0, false, 11);
    rig.tick();
    rig.send(0, 0, true, 12);
    assert_eq!(rig.run(12), []);
    assert_eq!(rig.counter(1, 8), 1);
    rig.send(0, 0, true, header(1));
    assert_eq!(rig.run(12).len(), 1);
}

#[test]
fn an_output_whose_link_goes_down_drains_and_keeps_its_credits() {
    let mut rig = Rig::switch(4, two_channels());
    rig.send(0, 0, false, header(1));
    rig.tick();
    rig.send(0, 0, false, 11);
    // The header is popped in this cycle, its flit in the next finds the link down.
    rig.tick();
    rig.set_link(1, false);
    for data in 0..20 {
        rig.send(0, 0, false, data);
        let sent = rig.tick();
        assert!(sent.iter().all(|flit| flit.data == header(1)));
    }
    // Up again: the rest of the packet is still thrown away, the next packet passes.
    rig.set_link(1, true);
    rig.send(0, 0, true, 99);
    assert_eq!(rig.run(12), []);
    assert_eq!(rig.counter(1, 8), 1);
    assert_eq!(rig.read(0x18), Ok(1 << 3));
    for _ in 0..rig.module.parameters.rx_buffer_flits - 1 {
        rig.send(0, 0, true, header(1));
        rig.tick();
    }
    // One credit went to the header; all others are there.
    rig.run(12);
    assert_eq!(rig.counter(1, 3), rig.module.parameters.rx_buffer_flits - 1);
}

/// Section 1.8, *late links*: a flit is tried two cycles after it came. In the first cycle of a repair it is
/// thrown away, one cycle later it is sent.
#[test]
fn with_registered_arbitration_the_first_cycle_of_a_repair_sends_nothing() {
    for (repaired_after, sent, dropped) in [(2, 0, 1), (1, 1, 0)] {
        let mut rig = Rig::switch(
            4,
            BlockParameters {
                registered_arbitration: true,
                ..two_channels()
            },
        );
        rig.set_link(1, false);
        rig.run(5);
        // The lookup of this cycle still finds the link up.
        rig.set_link(1, true);
        rig.send(0, 0, true, header(1));
        rig.tick();
        rig.set_link(1, false);
        rig.run(repaired_after - 1);
        rig.set_link(1, true);
        assert_eq!(rig.run(10).len(), sent, "{repaired_after}");
        assert_eq!(rig.counter(1, 8), dropped, "{repaired_after}");
    }
}
