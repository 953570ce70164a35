//! 3.2.

use super::modules::{adapter, arrival, awake, flit, parameters, ready};
use crate::header::with_crc;
use crate::{Beat, Flit, HostInputs, HostPort};
use mkns_spec::BlockParameters;

fn header(length: u64) -> u64 {
    with_crc(length << 40, false)
}

/// A host that refuses.
fn refusing() -> HostInputs<'static> {
    HostInputs::default()
}

#[test]
fn a_flit_is_on_the_hosts_pins_two_cycles_after_the_cores() {
    let mut host = awake(&adapter(parameters()), 0);
    host.clock(&arrival(&flit(header(0), true)));
    assert_eq!(
        (host.beat(), host.credit()),
        (None, 0),
        "t + 1: in the FIFO"
    );
    host.clock(&ready());
    let beat = host.beat().expect("t + 2");
    assert_eq!((beat.keep, beat.last, beat.user), (0xff, true, false));
    assert_eq!(host.credit(), 1, "it was taken in t + 1");
    assert_eq!(host.counter(9), 1);
    host.clock(&ready());
    assert_eq!((host.beat(), host.credit()), (None, 0));
}

/// The last beat of a packet, the counters that are 1 and ERRORS.
fn packet(flits: &[Flit]) -> (Beat, Vec<usize>, u32) {
    let mut host = awake(&adapter(parameters()), 0);
    let mut errors = 0;
    for flit in flits {
        errors |= host.clock(&arrival(flit));
    }
    errors |= host.clock(&ready());
    let counted = (0..14).filter(|&c| host.counter(c) > 0).collect();
    (host.beat().expect("its last beat"), counted, errors)
}

#[test]
fn faults_show_on_the_last_beat() {
    let (beat, counted, errors) = packet(&[flit(header(11), false), flit(1, false), flit(2, true)]);
    assert_eq!((beat.keep, beat.user), (0b111, false), "11 - 8 bytes");
    assert_eq!((counted, errors), (vec![9], 0));

    let wrong = header(8) ^ 1 << 63;
    let (beat, counted, errors) = packet(&[flit(wrong, false), flit(1, true)]);
    assert_eq!((beat.keep, beat.user), (0xff, true));
    assert_eq!((counted, errors), (vec![9, 10], 1 << 5));

    for flits in [
        vec![flit(header(8), true)],
        vec![flit(header(0), false), flit(1, true)],
        vec![flit(header(9), false), flit(1, true)],
    ] {
        let (beat, counted, errors) = packet(&flits);
        assert_eq!((beat.keep, beat.user), (0xff, true));
        assert_eq!((counted, errors), (vec![9, 11], 1 << 5));
    }

    let bad = |last| Flit {
        bad: true,
        ..flit(1, last)
    };
    let (beat, counted, _) = packet(&[flit(header(9), false), bad(false), flit(1, true)]);
    assert_eq!((beat.keep, beat.user, counted), (1, false, vec![9]));
    let (beat, counted, errors) = packet(&[flit(header(9), false), flit(1, false), bad(true)]);
    assert_eq!((beat.keep, beat.user), (0xff, true));
    assert_eq!((counted, errors), (vec![9, 12], 1 << 5));
}

#[test]
fn channels_take_turns_by_packets() {
    let block = BlockParameters {
        virtual_channels: 2,
        ..parameters()
    };
    let mut host = awake(&adapter(block), 0);
    let on = |channel, low, last| Flit {
        channel,
        ..flit(low, last)
    };
    // Two packets on channel 0 wait behind a beat that the host refuses, one on channel 1.
    let flits = [
        on(0, header(8), false),
        on(0, 1, true),
        on(1, header(0), true),
        on(0, header(0), true),
    ];
    let mut lasts = Vec::new();
    for flit in flits {
        host.clock(&HostInputs {
            ready: false,
            from_core: Some(&flit),
            ..ready()
        });
    }
    for _ in 0..4 {
        host.clock(&ready());
        lasts.push((host.credit(), host.beat().map(|beat| beat.last)));
    }
    // The header was loaded already; then its payload, channel 1, channel 0.
    let last = Some(true);
    assert_eq!(lasts, [(1, last), (2, last), (1, last), (0, None)]);
}

/// A port whose host refused the header of a packet of two beats for three cycles: dropping mode begins.
fn refused() -> HostPort {
    let mut host = awake(&adapter(parameters()), 0);
    host.clock(&arrival(&flit(header(8), false)));
    host.clock(&refusing());
    for _ in 0..3 {
        assert!(host.beat().is_some_and(|beat| !beat.last));
        assert_eq!(host.clock(&refusing()), 0);
    }
    host
}

#[test]
fn a_host_that_refuses_for_too_long_loses_packets_but_no_beat_is_withdrawn() {
    let mut host = refused();
    // The rest of the packet, and another packet, are thrown away.
    let refuse = |host: &mut HostPort, flit: Flit| {
        host.clock(&HostInputs {
            from_core: Some(&flit),
            ..refusing()
        })
    };
    refuse(&mut host, flit(1, true));
    assert_eq!(refuse(&mut host, flit(header(0), true)), 1 << 6);
    assert_eq!(host.credit(), 1, "thrown away, so the credit returns");
    assert_eq!(host.clock(&refusing()), 1 << 6);
    assert_eq!(host.counter(13), 2);
    assert!(
        host.beat().is_some_and(|beat| !beat.last),
        "still the header"
    );
    // The host comes back: header, closing beat, then normal again.
    host.clock(&ready());
    let closing = host.beat().expect("the closing beat");
    assert_eq!(
        (closing.data.low(), closing.keep, closing.last, closing.user),
        (0, 0xff, true, true)
    );
    host.clock(&ready());
    assert_eq!(host.beat(), None, "leaving");
    host.clock(&arrival(&flit(header(0), true)));
    assert_eq!(host.beat(), None, "normal");
    host.clock(&ready());
    assert!(host.beat().is_some_and(|beat| beat.last && !beat.user));
}

#[test]
fn leaving_waits_for_the_end_of_a_packet_that_is_thrown_away() {
    let mut host = refused();
    host.clock(&ready()); // closing beat
    host.clock(&ready()); // leaving, while the packet's tail is still on its way
    host.clock(&ready());
    assert_eq!(host.clock(&arrival(&flit(1, true))), 0);
    assert_eq!(
        host.clock(&arrival(&flit(header(0), true))),
        1 << 6,
        "the tail"
    );
    assert_eq!(
        host.clock(&ready()),
        0,
        "current is none: normal, nothing is taken"
    );
    assert_eq!((host.beat(), host.credit()), (None, 0));
    host.clock(&ready());
    assert!(host.beat().is_some(), "the next packet");
}
