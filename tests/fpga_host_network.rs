//! The host core wrappers together with real adapter blocks: a network of two blocks whose four hosts
//! are an XDMA, a LitePCIe, an Aurora and a MAC core, each stalling as that core does. Nothing is lost
//! but what the drop policy counts; a host that stalls for ever does not slow the others down.
#![cfg(feature = "cosim")]

#[path = "host_cores/bench.rs"]
mod bench;
#[path = "host_cores/model.rs"]
mod model;
#[path = "host_cores/packet.rs"]
mod packet;
#[path = "host_cores/receiver.rs"]
mod receiver;
#[path = "host_cores/sender.rs"]
mod sender;

use bench::{Bench, Tally};
use mkns::random::Random;
use mkns_sim::ModelLibrary;
use model::{Planted, library};
use receiver::Manner;

/// PCIe counter of packets that a time-out dropped.
const TIMEOUT_DROPS: u64 = 13;
/// Cycles after which nothing is on its way any more.
const DRAIN: u64 = 6_000;

/// Faults of the wrappers, and last one of the adapter block's time-out.
const FAULTS: [Planted; 10] = [
    Planted {
        file: "packet_buffer.v",
        right: "assign overflow = s_commit",
        with: "assign overflow = !FAULT && s_commit",
    },
    Planted {
        file: "packet_buffer.v",
        right: "read != committed",
        with: "read != (FAULT ? write : committed)",
    },
    Planted {
        file: "adapter_aurora64b66b.v",
        right: ".s_discard(!channel_up)",
        with: ".s_discard(!channel_up && !FAULT)",
    },
    Planted {
        file: "adapter_aurora64b66b.v",
        right: "tx_cutting <= 1'b1;",
        with: "tx_cutting <= !FAULT;",
    },
    Planted {
        file: "ethernet_deframer.v",
        right: "is_whole && !s_tuser",
        with: "is_whole && (FAULT || !s_tuser)",
    },
    Planted {
        file: "ethernet_framer.v",
        right: "ends && !is_short",
        with: "ends && (FAULT || !is_short)",
    },
    Planted {
        file: "ethernet_framer.v",
        right: "m_tlast && (padding",
        with: "m_tlast && !FAULT && (padding",
    },
    Planted {
        file: "axis_async_fifo.v",
        right: "!full && !s_rst",
        with: "(FAULT || !full) && !s_rst",
    },
    Planted {
        file: "packet_length.v",
        right: "bytes_left < BYTES[12:0]",
        with: "bytes_left < (FAULT ? 13'd2 : BYTES[12:0])",
    },
    Planted {
        file: "pcie_egress.v",
        right: "stalled   = normal",
        with: "stalled   = !FAULT && normal",
    },
];

/// Half periods, ps: XDMA 250 MHz, LitePCIe 125 MHz, Aurora and MAC 10.3125 Gbit/s / 66 bits, the
/// MAC's receive clock 300 ppm slower; network 200 MHz.
const REAL_CLOCKS: [u64; 6] = [2_000, 4_000, 3_200, 3_200, 3_201, 2_500];
/// The same cores, and a network of 50 MHz.
const SLOW_NETWORK: [u64; 6] = [2_000, 4_000, 3_200, 3_200, 3_201, 10_000];

/// Traffic with stalls and a channel that falls now and then; then everything drains and every packet
/// that was sent must have arrived or be counted.
fn traffic(
    library: &ModelLibrary,
    clocks: [u64; 6],
    fault: u64,
    seed: u64,
    cycles: u64,
) -> Result<Bench, String> {
    let mut bench = Bench::new(library, clocks, fault, seed);
    bench.senders[3].odd_frames = 40;
    for _ in 0..cycles / 1_000 {
        bench.run(970)?;
        bench.set_channel_up(false);
        bench.run(30)?;
        bench.set_channel_up(true);
    }
    bench.senders.iter_mut().for_each(|sender| sender.load = 0);
    for receiver in &mut bench.receivers {
        receiver.manner = Manner::Eager;
    }
    bench.run(DRAIN)?;
    account(&mut bench)?;
    Ok(bench)
}

/// Holds what the hosts saw against the counters.
fn account(bench: &mut Bench) -> Result<(), String> {
    let timeouts: u64 = (0..4)
        .map(|port| bench.pcie_counter(port, TIMEOUT_DROPS))
        .sum();
    let counters = bench.counters();
    let tally = &bench.tally;
    let sent: u64 = tally.sent.iter().sum();
    let arrived: u64 = tally.arrived.iter().flatten().sum();
    let [overflowed, late] = [counters.overflowed, counters.dropped].map(|two| two[0] + two[1]);
    let dropped = timeouts + overflowed + late + counters.tx_cut;
    let pairs = [
        ("lost packets", sent - arrived, dropped),
        ("cut by the channel", bench.senders[2].cut, counters.rx_cut),
        ("bad frames", tally.bad, counters.bad_frames),
        ("foreign frames", tally.foreign, counters.foreign),
    ];
    let broken = (0..4).map(|port| ("broken packets", tally.broken[port], counters.damaged[port]));
    for (what, seen, counted) in pairs.into_iter().chain(broken) {
        if seen != counted {
            return Err(format!(
                "{what}: {seen} seen, {counted} counted; time-outs {timeouts}, {counters:?}, {tally:?}"
            ));
        }
    }
    Ok(())
}

#[test]
fn nothing_is_lost_but_what_is_counted() {
    let library = library(&FAULTS);
    let bench =
        traffic(&library, REAL_CLOCKS, 0, 1, 100_000).unwrap_or_else(|what| panic!("{what}"));
    // Every policy had its turn, and loss is the exception.
    let (tally, counters) = (&bench.tally, bench.counters());
    let sent: u64 = tally.sent.iter().sum();
    let arrived: u64 = tally.arrived.iter().flatten().sum();
    println!("{sent} packets sent, {arrived} arrived, {counters:?}");
    assert!(
        tally
            .arrived
            .iter()
            .flatten()
            .filter(|count| **count > 500)
            .count()
            == 12,
        "{tally:?}"
    );
    assert!(arrived * 10 > sent * 8, "{sent} sent, {arrived} arrived");
    assert!(
        counters.damaged[3] > 0 && counters.dropped.iter().all(|count| *count > 0),
        "{counters:?}"
    );
    assert!(counters.tx_cut > 0 && counters.rx_cut > 0, "{counters:?}");
    assert!(
        counters.bad_frames > 20 && counters.foreign > 20,
        "{counters:?}"
    );
    // Frames overflow where the network is slower than the cores.
    let slow =
        traffic(&library, SLOW_NETWORK, 0, 2, 10_000).unwrap_or_else(|what| panic!("{what}"));
    let counters = slow.counters();
    assert!(
        counters.overflowed.iter().all(|count| *count > 0),
        "{counters:?}"
    );
}

#[test]
fn any_ratio_of_clocks_will_do() {
    let library = library(&FAULTS);
    for seed in 10..16 {
        let mut random = Random::new(seed);
        let clocks = [(); 6].map(|()| random.between(1_000, 5_000));
        let run = traffic(&library, clocks, 0, seed, 4_000);
        assert!(run.is_ok(), "{clocks:?}: {}", run.err().unwrap_or_default());
    }
}

/// Packets from and to the hosts besides `port` in 10,000 cycles in which every host offers as much as
/// it can and `port` takes all of its own or, frozen, nothing.
fn delivered(library: &ModelLibrary, port: usize, manner: Manner, fault: u64) -> u64 {
    let mut bench = Bench::new(
        library,
        [2_000, 2_000, 2_000, 2_000, 2_000, 2_500],
        fault,
        7,
    );
    for (sender, receiver) in bench.senders.iter_mut().zip(&mut bench.receivers) {
        (sender.load, sender.pauses) = (1_000, 0);
        receiver.manner = Manner::Eager;
    }
    bench.receivers[port].manner = manner;
    // Buffers fill and the first time-out passes; then it counts.
    for cycles in [3_000, 10_000] {
        bench.tally = Tally::default();
        let run = bench.run(cycles);
        run.unwrap_or_else(|what| panic!("{what}"));
    }
    let others = || (0..4).filter(|other| *other != port);
    let pairs = others().flat_map(|from| others().map(move |to| (from, to)));
    pairs.map(|(from, to)| bench.tally.arrived[from][to]).sum()
}

#[test]
fn a_host_that_stalls_for_ever_does_not_slow_the_others_down() {
    let library = library(&FAULTS);
    for port in 0..4 {
        let usual = delivered(&library, port, Manner::Eager, 0);
        let beside = delivered(&library, port, Manner::Frozen, 0);
        println!("port {port}: {beside} instead of {usual} packets");
        assert!(
            beside * 100 >= usual * 95,
            "port {port}: {beside} instead of {usual}"
        );
    }
    // Without the time-out all stand still with an Aurora core, but not with XDMA.
    let beside = |port| delivered(&library, port, Manner::Frozen, FAULTS.len() as u64);
    assert_eq!(beside(2), 0);
    assert!(beside(0) > 0);
}

#[test]
fn planted_faults_are_seen() {
    let library = library(&FAULTS);
    for number in 1..FAULTS.len() as u64 {
        // Most show soon; a lost mark of damage only after a long pause of the MAC.
        let is_seen = [8_000, 60_000]
            .into_iter()
            .any(|cycles| traffic(&library, REAL_CLOCKS, number, 1, cycles).is_err());
        assert!(is_seen, "`{}`", FAULTS[number as usize - 1].with);
    }
}
