//! Latency and throughput of a block's switch core in the golden model, and how fast the verilated RTL runs.

use serde::{Serialize, Serializer};

use mkns_bench::{Offered, SaturatedCore, SwitchBench};
use mkns_cosim::{Models, SessionError};
use mkns_design::BlockModule;
use mkns_rtl as rtl;
use mkns_traffic::{Destinations, HOT_SHARE, Lengths};

/// Cycles of each run of the golden model that `mkns bench` reports; the run for the longest wait has five times as many.
pub const CYCLES: u64 = 200_000;

/// Flits of packets whose throughput is told, as far as the block takes them; all lengths mixed come last.
const LENGTHS: [u32; 6] = [1, 2, 3, 4, 9, 33];

/// Flits of packets at which the verilated RTL is timed.
const TIMED: [u32; 2] = [1, 9];

/// Figures by the length of packets, such as `9` or `1..33`.
pub type ByLength = Vec<(String, f64)>;

/// The longest time that a packet is the oldest of its queue and does not leave, cycles; all channels in use, packets
/// of all lengths.
#[derive(Debug, Serialize)]
pub struct LongestWait {
    pub streams: u64,
    pub hot_spot: u64,
}

/// What a block forwards.
#[derive(Debug, Serialize)]
pub struct Throughput {
    pub zero_load_cycles: u32,
    /// Flits per port and cycle of saturated uniform traffic, one channel in use.
    #[serde(serialize_with = "as_map")]
    pub uniform: ByLength,
    /// Flits per port and cycle of saturated uniform traffic, all channels in use.
    #[serde(serialize_with = "as_map")]
    pub uniform_all_channels: ByLength,
    /// Of the least served input over the most served one, the least of all these runs.
    pub fairness: f64,
    /// Flits per port and cycle when each port sends to the next one; packets of one flit, all channels in use.
    pub permutation: f64,
    pub longest_wait: LongestWait,
    /// Of the verilated RTL under the traffic of `uniform_all_channels`; its outputs were compared with the golden
    /// model's.
    #[serde(serialize_with = "as_map")]
    pub verilated_cycles_per_second: ByLength,
}

fn as_map<S: Serializer>(figures: &ByLength, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(figures.iter().map(|(length, figure)| (length, figure)))
}

/// As a key of [`ByLength`].
fn name(lengths: Lengths) -> String {
    match lengths {
        Lengths::Fixed(flits) => flits.to_string(),
        Lengths::Between(least, most) => format!("{least}..{most}"),
    }
}

impl Throughput {
    /// What the golden model forwards in runs of this many cycles.
    pub fn new(module: &BlockModule, cycles: u64) -> Throughput {
        let parameters = &module.parameters;
        let ports = module.core_ports();
        let bench = |destinations, lengths, channels| {
            let offered = Offered {
                destinations,
                lengths,
                channels,
            };
            SwitchBench::new(ports, parameters, offered)
        };
        let channels = parameters.virtual_channels as usize;
        let longest = parameters.max_packet_flits;
        let all_lengths = Lengths::Between(1, longest);
        let fixed = LENGTHS.into_iter().filter(|flits| *flits <= longest);
        let lengths: Vec<_> = fixed.map(Lengths::Fixed).chain([all_lengths]).collect();
        let mut fairness = 1.0;
        let mut uniform = |channels| -> ByLength {
            let figure = |&lengths: &Lengths| {
                let result = bench(Destinations::Others, lengths, channels).run(1.0, cycles);
                fairness = result.fairness.min(fairness);
                (name(lengths), result.accepted)
            };
            lengths.iter().map(figure).collect()
        };
        let on_one = uniform(1);
        let on_all = match channels {
            1 => on_one.clone(),
            _ => uniform(channels),
        };
        let single = Lengths::Fixed(1);
        let next = Destinations::Fixed((1..ports).chain([0]).collect());
        let wait =
            |destinations| bench(destinations, all_lengths, channels).longest_wait(5 * cycles);
        let latency = bench(Destinations::Others, single, 1).zero_load_latency();
        Throughput {
            zero_load_cycles: latency.expect("an idle switch forwards a flit"),
            uniform: on_one,
            uniform_all_channels: on_all,
            fairness,
            permutation: bench(next, single, channels).run(1.0, cycles).accepted,
            longest_wait: LongestWait {
                streams: wait(Destinations::Streams),
                hot_spot: wait(Destinations::HotSpot {
                    host: 0,
                    share: HOT_SHARE,
                }),
            },
            verilated_cycles_per_second: Vec::new(),
        }
    }

    /// Uniform traffic on all channels through the RTL of a switch block with as many ports.
    pub fn run_verilated(&mut self, module: &BlockModule) -> Result<(), SessionError> {
        let ports = module.core_ports();
        let (block, _) = SwitchBench::block(ports, &module.parameters);
        let models = Models::from_sources(&rtl::render_block(&block))?;
        let core = SaturatedCore::new(&models, ports, &module.parameters)?;
        let longest = module.parameters.max_packet_flits;
        for flits in TIMED.into_iter().filter(|flits| *flits <= longest) {
            let lengths = Lengths::Fixed(flits);
            let speed = core.cycles_per_second(Offered {
                destinations: Destinations::Others,
                lengths,
                channels: module.parameters.virtual_channels as usize,
            })?;
            self.verilated_cycles_per_second
                .push((name(lengths), speed));
        }
        Ok(())
    }
}
