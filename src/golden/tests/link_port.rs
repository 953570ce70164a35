//! Two references of section 7 over a cable that makes errors: every flit exactly once and in order, no credit lost.

use mkns_cable::{BlockActivity, EndInputs, Faults, Flit, LinkReport, Pair, Word};
use proptest::prelude::*;

use crate::link_port::{LinkParameters, LinkPort, LinkPortPair, foreign_hello};

/// Two references with timers for a flight.
fn pair(
    parameters: &LinkParameters,
    flight: u32,
    faults: Faults,
    activity: BlockActivity,
    seed: u64,
) -> Pair<LinkPortPair> {
    let end = |block| {
        LinkPort::new(LinkParameters {
            block,
            ..parameters.clone().with_flight(flight)
        })
    };
    let sizes = (parameters.channels, parameters.rx_buffer_flits);
    let ends = LinkPortPair([end(1), end(2)]);
    Pair::new(ends, sizes, (flight as usize, faults), activity, seed)
}

/// A run of `cycles` cycles from a link that is up, and to the end of all flits.
fn run(faults: Faults, flight: u32, cycles: u64, seed: u64) -> (LinkReport, [u16; 3]) {
    let bursty = BlockActivity {
        bursty: true,
        ..BlockActivity::FULL
    };
    let mut pair = pair(
        &LinkParameters::default(),
        flight,
        Faults::default(),
        bursty,
        seed,
    );
    assert!(
        pair.rise(2_000),
        "a cable without errors brings the link up"
    );
    pair.cable
        .iter_mut()
        .for_each(|direction| direction.change(faults));
    pair.run(cycles);
    let counts = pair.ends.0[0].counts();
    (pair.finish(), counts)
}

#[test]
fn a_flit_takes_17_cycles_and_the_flight() {
    for flight in [1, 5, 40] {
        let silent = BlockActivity {
            send_rate: 0,
            ..BlockActivity::FULL
        };
        let parameters = LinkParameters::default();
        let mut pair = pair(&parameters, flight, Faults::default(), silent, 1);
        assert!(pair.rise(2_000));
        pair.run(500);
        let mut ends = pair.ends.0;
        let [mut there, mut back] = [0, 1].map(|_| vec![None; flight as usize]);
        let mut first = None;
        for cycle in 0..400_u32 {
            let outputs = [ends[0].outputs(), ends[1].outputs()];
            there.push(outputs[0].line_tx);
            back.push(outputs[1].line_tx);
            let arriving = [back.remove(0), there.remove(0)];
            // Where no STATUS happens to be due.
            let tx = (cycle == 70).then_some(Flit {
                channel: 1,
                last: true,
                bad: false,
                data: 9,
            });
            if outputs[1].rx.is_some() {
                first = first.or(Some(cycle));
            }
            for (side, end) in ends.iter_mut().enumerate() {
                let inputs = EndInputs {
                    tx: tx.filter(|_| side == 0),
                    line_tx_ready: true,
                    line_rx: arriving[side],
                    line_rx_up: true,
                    ..EndInputs::default()
                };
                end.clock(&inputs);
            }
        }
        let took = first.expect("the flit arrives") - 70;
        assert!(
            (17 + flight..=18 + flight).contains(&took),
            "{flight}: {took}"
        );
    }
}

#[test]
fn every_flit_comes_once_and_in_order_whatever_the_cable_does() {
    let kinds = [
        ("none", Faults::default()),
        ("bit errors", Faults::bit_errors(1e-5)),
        ("many bit errors", Faults::bit_errors(1e-4)),
        ("bursts", Faults::only(|faults| faults.burst = 1e-3)),
        ("dropped", Faults::only(|faults| faults.dropped = 1e-3)),
        ("repeated", Faults::only(|faults| faults.repeated = 1e-3)),
        ("swapped", Faults::only(|faults| faults.swapped = 1e-3)),
        ("markers", Faults::only(|faults| faults.marker = 1e-3)),
        ("garbage", Faults::only(|faults| faults.garbage = 1e-3)),
        (
            "silence",
            Faults::only(|faults| (faults.silence, faults.silence_words) = (1e-4, 3_000)),
        ),
        ("all", Faults::of_every_kind(1e-3)),
    ];
    for (kind, faults) in kinds {
        for flight in [3, 40] {
            let (report, [errors, replays, _]) = run(faults, flight, 60_000, 11);
            assert_eq!(
                report.faults,
                Vec::<String>::new(),
                "{kind}, flight {flight}"
            );
            assert_eq!(report.deaths, 0, "{kind}");
            assert!(report.delivered > 10_000, "{kind}: {}", report.delivered);
            let is_without = faults == Faults::default();
            assert_eq!(errors == 0, is_without, "{kind}: {errors} errors");
            assert_eq!(replays == 0, is_without, "{kind}: {replays} replays");
        }
    }
}

/// Whether a link of these two ends is up after all HELLOs, and the reasons of both.
fn outcome(
    ends: [LinkParameters; 2],
    corruptor: impl FnMut(Word) -> Word + Send + 'static,
) -> (bool, [u32; 2]) {
    let sizes = (ends[0].channels, ends[0].rx_buffer_flits);
    let ends = LinkPortPair(ends.map(LinkPort::new));
    let mut pair = Pair::new(ends, sizes, (20, Faults::default()), BlockActivity::FULL, 3);
    pair.corrupt_words(Box::new(corruptor));
    let is_up = pair.rise(4_000);
    (is_up, [0, 1].map(|end| pair.ends.0[end].reason()))
}

#[test]
fn ends_that_do_not_fit_stay_down_and_say_why() {
    let end = LinkParameters {
        network: 0x0005_0007,
        block: 3,
        port: 4,
        ..LinkParameters::default()
    };
    let of = |change: fn(&mut LinkParameters)| {
        let mut other = end.clone();
        change(&mut other);
        outcome([end.clone(), other], |word| word)
    };
    assert_eq!(of(|_| {}), (true, [0, 0]));
    assert_eq!(of(|other| other.channels = 1), (false, [11, 11]));
    assert_eq!(of(|other| other.line_flits = 150), (false, [12, 12]));
    assert_eq!(of(|other| other.network += 1), (false, [13, 13]));
    assert_eq!(of(|other| other.network += 1 << 16), (false, [14, 14]));
    // Only the second end looks at who the first one is, and the first hears no more than a refusal.
    assert_eq!(
        of(|other| other.expected_peer = 1 << 31 | 4 << 16 | 3),
        (true, [0, 0])
    );
    assert_eq!(
        of(|other| other.expected_peer = 1 << 31 | 4 << 16 | 9),
        (false, [6, 15])
    );
    assert_eq!(
        of(|other| other.expected_peer = 1 << 31 | 5 << 16 | 3),
        (false, [6, 16])
    );
    // Another version of the protocol, and flits of another width.
    for (index, content) in [(1_u32, 2), (2, 128)] {
        let other = foreign_hello(index, content);
        let is_hello =
            move |word: &Word| word.control && word.data >> 17 & 0x7f == u64::from(0x20 | index);
        let corruptor = move |word: Word| if is_hello(&word) { other } else { word };
        let reason = 8 + index;
        assert_eq!(
            outcome([end.clone(), end.clone()], corruptor),
            (false, [reason; 2])
        );
    }
}

/// Boards that are reset and plugs that are pulled, under all faults at a rate.
fn report_of_deaths(seed: u64, flight: u32, channels: usize, rate: f64) -> LinkReport {
    let parameters = LinkParameters {
        channels,
        silent_ticks: 16,
        stuck_ticks: 64,
        ..LinkParameters::default()
    };
    let bursty = BlockActivity {
        bursty: true,
        ..BlockActivity::FULL
    };
    let faults = Faults::of_every_kind(rate);
    let mut pair = pair(&parameters, flight, faults, bursty, seed);
    for round in 0..4 {
        pair.run(3_000);
        match (seed >> (4 * round)) % 4 {
            0 => pair.reset(round % 2),
            1 => pair.cable[round % 2].plug(false),
            2 => pair
                .cable
                .iter_mut()
                .for_each(|direction| direction.plug(false)),
            _ => {}
        }
        pair.run(2_500);
        pair.cable
            .iter_mut()
            .for_each(|direction| direction.plug(true));
    }
    pair.finish()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn links_that_die_lose_flits_but_no_credits(seed: u64, flight in 1_u32..70, channels in 1_usize..=2, rate in 0_usize..3) {
        let report = report_of_deaths(seed, flight, channels, [0.0, 1e-4, 1e-3][rate]);
        prop_assert_eq!(&report.faults, &Vec::<String>::new(), "{:?}", report);
        prop_assert!(report.delivered > 1_000, "{:?}", report);
    }
}
