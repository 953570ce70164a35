//! Links that go down (sections 1.2, 1.6).

use proptest::prelude::*;

use super::host_header::header;
use super::testbench::{PinTestbench, two_channels};
use mkns_random::Random;
use mkns_spec::BlockParameters;

#[test]
fn a_packet_cut_by_its_link_gets_a_made_up_tail() {
    let mut testbench = PinTestbench::switch(4, two_channels());
    testbench.tick_sending(0, 1, false, header(2));
    testbench.send(0, 1, false, 11);
    testbench.run(2);
    testbench.set_link(0, false);
    let sent = testbench.run(20);
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
    assert_eq!((testbench.counter(0, 0), testbench.counter(0, 1)), (2, 0));
    assert_eq!((testbench.counter(2, 2), testbench.counter(2, 3)), (3, 1));
}

/// A link counts as down from the cycle after that of its pins.
#[test]
fn a_link_goes_down_and_comes_up_a_cycle_late() {
    let mut testbench = PinTestbench::switch(4, two_channels());
    testbench.set_link(0, false);
    testbench.tick_sending(0, 0, true, header(2));
    testbench.tick_sending(0, 0, true, header(2));
    testbench.set_link(0, true);
    testbench.tick_sending(0, 0, true, header(2));
    testbench.tick_sending(0, 0, true, header(2));
    // The first flit and the last one.
    assert_eq!(testbench.run(20).len(), 2);
    assert_eq!(testbench.counter(0, 0), 2);
}

#[test]
fn a_reset_does_not_hide_a_link_that_is_down() {
    let mut testbench = PinTestbench::switch(4, two_channels());
    testbench.set_link(0, false);
    testbench.inputs[testbench.at.rst] = 1;
    testbench.tick();
    testbench.inputs[testbench.at.rst] = 0;
    testbench.set_link(0, true);
    testbench.send(0, 0, true, header(2));
    assert_eq!(testbench.run(10), [], "lost");
    testbench.send(0, 0, true, header(2));
    assert_eq!(testbench.run(10).len(), 1);
}

/// The tail waits until its queue is empty and, a lost flit being on the pins, for the next cycle; the first flit
/// that leaves after it, the tail itself here, pays for it.
#[test]
fn a_made_up_tail_takes_no_credit_and_waits_for_idle_pins() {
    let mut testbench = PinTestbench::switch(4, two_channels());
    testbench.send(0, 0, false, header(2));
    testbench.run(10);
    testbench.set_link(0, false);
    let (mut returned, mut tail) = (0, None);
    // The pins go down in cycle 0, the packet is closed at the end of 1, the tail may come in 2 and after; until
    // 5 lost flits are on the pins.
    for cycle in 0..20 {
        if (2..5).contains(&cycle) {
            testbench.send(0, 0, false, 99);
        }
        if testbench.tick().iter().any(|flit| flit.bad) {
            tail = tail.or(Some(cycle));
        }
        returned += u32::from(testbench.returned_credit(0, 0));
    }
    // Stage 1 in cycle 6, popped in 7.
    assert_eq!(tail, Some(10));
    assert_eq!(returned, 3, "those of the lost flits");
}

#[test]
fn flits_from_a_link_that_is_down_vanish_and_their_credits_return() {
    let mut testbench = PinTestbench::switch(4, two_channels());
    testbench.set_link(0, false);
    testbench.tick();
    let mut returned = 0;
    for _ in 0..5 {
        assert_eq!(testbench.tick_sending(0, 0, true, header(1)), []);
        returned += u32::from(testbench.returned_credit(0, 0));
    }
    for _ in 0..10 {
        assert_eq!(testbench.tick(), []);
        returned += u32::from(testbench.returned_credit(0, 0));
    }
    assert_eq!(returned, 5);
    assert_eq!(testbench.counter(0, 0), 0, "no counter counts them");
}

#[test]
fn made_up_tails_of_several_channels_come_lowest_first() {
    let mut testbench = PinTestbench::switch(
        4,
        BlockParameters {
            virtual_channels: 4,
            ..two_channels()
        },
    );
    for channel in [3, 1, 2] {
        testbench.tick_sending(0, channel, false, header(2));
    }
    // The headers leave first, so that the tails go out as they come.
    testbench.run(10);
    testbench.set_link(0, false);
    let tails: Vec<usize> = testbench
        .run(30)
        .iter()
        .filter(|flit| flit.bad)
        .map(|flit| flit.channel)
        .collect();
    assert_eq!(tails, [1, 2, 3]);
}

#[test]
fn a_header_that_comes_before_the_made_up_tail_is_dropped() {
    let mut testbench = PinTestbench::switch(4, two_channels());
    let credits = testbench.module.parameters.rx_buffer_flits;
    // The queue to port 2 is not empty, so the tail waits.
    for _ in 0..credits + 3 {
        testbench.tick_sending(0, 0, true, header(2));
    }
    testbench.send(0, 0, false, header(2));
    testbench.run(3);
    testbench.set_link(0, false);
    testbench.run(10);
    testbench.set_link(0, true);
    testbench.tick();
    testbench.send(0, 0, true, header(1));
    assert_eq!(testbench.run(10), []);
    assert_eq!(testbench.counter(0, 7), 1);
    // Once the queue has drained, the tail follows and packets pass again.
    let mut bad = 0;
    for _ in 0..80 {
        testbench.give_credit(2, 0);
        bad += testbench.tick().iter().filter(|flit| flit.bad).count();
        if bad == 1 {
            break;
        }
    }
    assert_eq!(bad, 1);
    testbench.send(0, 0, true, header(1));
    assert_eq!(testbench.run(10).len(), 1);
}

#[test]
fn a_packet_is_cut_when_its_output_is_down_between_two_of_its_flits() {
    for cycles in [1, 10] {
        let mut testbench = PinTestbench::switch(4, two_channels());
        testbench.send(0, 0, false, header(1));
        assert_eq!(testbench.run(6).len(), 1);
        // No flit of the packet comes by while the link is down, and the next one after the repair.
        testbench.set_link(1, false);
        testbench.run(cycles);
        testbench.set_link(1, true);
        testbench.tick_sending(0, 0, false, 11);
        testbench.send(0, 0, true, 12);
        assert_eq!(testbench.run(12), []);
        assert_eq!(testbench.counter(1, 8), 1);
        testbench.send(0, 0, true, header(1));
        assert_eq!(testbench.run(12).len(), 1);
    }
}

#[test]
fn an_output_whose_link_goes_down_drains_and_keeps_its_credits() {
    let mut testbench = PinTestbench::switch(4, two_channels());
    testbench.tick_sending(0, 0, false, header(1));
    testbench.send(0, 0, false, 11);
    // The header is popped in this cycle, its flit in the next finds the link down.
    testbench.tick();
    testbench.set_link(1, false);
    for data in 0..20 {
        let sent = testbench.tick_sending(0, 0, false, data);
        assert!(sent.iter().all(|flit| flit.data == header(1)));
    }
    // Up again: the rest of the packet is still thrown away, the next packet passes.
    testbench.set_link(1, true);
    testbench.send(0, 0, true, 99);
    assert_eq!(testbench.run(12), []);
    assert_eq!(testbench.counter(1, 8), 1);
    assert_eq!(testbench.read(0x18), Ok(1 << 3));
    for _ in 0..testbench.module.parameters.rx_buffer_flits - 1 {
        testbench.tick_sending(0, 0, true, header(1));
    }
    // One credit went to the header; all others are there.
    testbench.run(12);
    assert_eq!(
        testbench.counter(1, 3),
        testbench.module.parameters.rx_buffer_flits - 1
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(32) })]

    /// Credits at the sender, flits in the block, credits owed and tails to be paid for are C together: so when
    /// all is quiet, senders have C again, whatever was cut, lost, made up or thrown away.
    #[test]
    fn credits_come_home_whatever_links_do(
        seed in 1u64..u64::MAX, channels in 0u32..3, credits in 4u32..20, drain in 5u64..100,
    ) {
        let parameters = BlockParameters {
            virtual_channels: 1 << channels,
            rx_buffer_flits: credits,
            ..two_channels()
        };
        let channels = 1 << channels;
        let mut testbench = PinTestbench::switch(4, parameters);
        let mut random = Random::new(seed);
        let mut held = vec![credits; 4 * channels];
        let mut buffered = vec![0; 4 * channels];
        let mut changed = [0; 4];
        let mut up = [true; 4];
        // Packets that are not at their end, as their sender sees it.
        let mut begun = vec![false; 4 * channels];
        for cycle in 0..3000 {
            let port = random.below(4) as usize;
            let is_end = cycle >= 2000 + 10;
            if cycle < 2000 && cycle - changed[port] >= 8 && random.below(20) == 0 {
                up[port] = !up[port];
                changed[port] = cycle;
                testbench.set_link(port, up[port]);
            }
            if cycle == 2000 {
                (0..4).for_each(|port| testbench.set_link(port, true));
            }
            for input in 0..4 {
                let places = input * channels..(input + 1) * channels;
                let mut channel = random.below(channels as u64) as usize;
                if is_end {
                    // Nothing but the ends of what has begun, at last.
                    let unfinished = places.clone().find(|&place| begun[place] && held[place] > 0);
                    channel = unfinished.unwrap_or(places.start) - places.start;
                }
                let place = places.start + channel;
                if held[place] > 0 && (!is_end && random.below(3) > 0 || is_end && begun[place]) {
                    held[place] -= 1;
                    let last = is_end || random.below(5) == 0;
                    begun[place] = !last;
                    testbench.send(input, channel, last, header(random.below(4) as u32));
                }
            }
            for (place, flits) in buffered.iter_mut().enumerate() {
                if *flits > 0 && (is_end || random.below(100) < drain) {
                    *flits -= 1;
                    testbench.give_credit(place / channels, place % channels);
                }
            }
            for flit in testbench.tick() {
                buffered[flit.port * channels + flit.channel] += 1;
            }
            for (place, held) in held.iter_mut().enumerate() {
                *held += u32::from(testbench.returned_credit(place / channels, place % channels));
                prop_assert!(*held <= credits);
            }
        }
        prop_assert_eq!(held, vec![credits; 4 * channels], "{}", testbench.block.describe());
    }
}
