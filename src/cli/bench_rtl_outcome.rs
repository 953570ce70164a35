//! What `mkns bench --rtl` tells: the figures of the FPGA tools, latency and throughput of the golden model, speed of the
//! verilated RTL; and how they are printed.

use std::fmt::Write;

use serde::{Serialize, Serializer};

use mkns_cosim::{Models, SaturatedCore, SessionError};
use mkns_design::BlockModule;
use mkns_fpga::{Area, Figures};
use mkns_golden::traffic::Lengths;
use mkns_golden::{Offered, Pattern, SwitchBench};
use mkns_rtl as rtl;

/// Cycles of each run of the golden model.
const CYCLES: u64 = 200_000;

/// Flits of packets whose throughput is told, as far as the block takes them; all lengths mixed come last.
const LENGTHS: [u32; 6] = [1, 2, 3, 4, 9, 33];

/// Flits of packets at which the verilated RTL is timed.
const TIMED: [u32; 2] = [1, 9];

/// Figures by the length of packets, such as `9` or `1..33`.
type ByLength = Vec<(String, f64)>;

/// The longest time that a packet is the oldest of its queue and does not leave, cycles; all channels in use, packets
/// of all lengths.
#[derive(Debug, Serialize)]
struct LongestWait {
    streams: u64,
    hot_spot: u64,
}

/// Everything that the bench tells.
#[derive(Debug, Serialize)]
pub struct Outcome {
    spec: String,
    block: &'static str,
    ports: u32,
    flit_bits: u32,
    virtual_channels: u32,
    comb: u64,
    ff: u64,
    ebr: u64,
    #[serde(flatten)]
    figures: Figures,
    zero_load_cycles: u32,
    zero_load_ns: Option<f64>,
    /// Flits per port and cycle of saturated uniform traffic, one channel in use.
    #[serde(serialize_with = "as_map")]
    uniform: ByLength,
    /// The same with all channels in use.
    #[serde(serialize_with = "as_map")]
    uniform_all_channels: ByLength,
    /// Of the least served input over the most served one, the least of all these runs.
    fairness: f64,
    /// Like `uniform`, to the next port; packets of one flit, all channels in use.
    permutation: f64,
    longest_wait: LongestWait,
    /// Of the verilated RTL under the traffic of `uniform_all_channels`; its outputs were compared with the golden
    /// model's.
    #[serde(serialize_with = "as_map")]
    verilated_cycles_per_second: ByLength,
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

impl Outcome {
    /// Adds latency and throughput, which the golden model of the block's core gives.
    pub fn new(text: &str, module: &BlockModule, figures: Figures) -> Outcome {
        let parameters = &module.parameters;
        let ports = module.core_ports();
        let bench = |pattern, lengths, channels| {
            let offered = Offered {
                pattern,
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
                let result = bench(Pattern::Uniform, lengths, channels).run(1.0, CYCLES);
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
        let wait = |pattern| bench(pattern, all_lengths, channels).longest_wait(5 * CYCLES);
        let latency = bench(Pattern::Uniform, single, 1).zero_load_latency();
        let zero_load_cycles = latency.expect("an idle switch forwards a flit");
        Outcome {
            spec: text.to_owned(),
            block: rtl::module_name(module.kind),
            ports,
            flit_bits: parameters.flit_bits,
            virtual_channels: parameters.virtual_channels,
            comb: figures.area.comb,
            ff: figures.area.ff,
            ebr: figures.area.ebr,
            zero_load_ns: figures
                .fmax_mhz
                .map(|mhz| f64::from(zero_load_cycles) * 1e3 / mhz),
            zero_load_cycles,
            uniform: on_one,
            uniform_all_channels: on_all,
            fairness,
            permutation: bench(Pattern::Permutation, single, channels)
                .run(1.0, CYCLES)
                .accepted,
            longest_wait: LongestWait {
                streams: wait(Pattern::Streams),
                hot_spot: wait(Pattern::HotSpot),
            },
            verilated_cycles_per_second: Vec::new(),
            figures,
        }
    }

    /// Uniform traffic on all channels through the RTL of a switch block with as many ports.
    pub fn run_verilated(&mut self, module: &BlockModule) -> Result<(), SessionError> {
        let (block, _) = SwitchBench::block(self.ports, &module.parameters);
        let models = Models::from_sources(&rtl::render_block(&block))?;
        let core = SaturatedCore::new(&models, self.ports, &module.parameters)?;
        let longest = module.parameters.max_packet_flits;
        for flits in TIMED.into_iter().filter(|flits| *flits <= longest) {
            let lengths = Lengths::Fixed(flits);
            let speed = core.cycles_per_second(Offered {
                pattern: Pattern::Uniform,
                lengths,
                channels: self.virtual_channels as usize,
            })?;
            self.verilated_cycles_per_second
                .push((name(lengths), speed));
        }
        Ok(())
    }

    /// What a port carries at the median clock rate, if that is known.
    fn rate(&self, accepted: f64) -> String {
        let gbit = |mhz: f64| accepted * mhz * f64::from(self.flit_bits) / 1e3;
        let rate = self.figures.fmax_mhz.map(gbit);
        rate.map_or(String::new(), |rate| format!(", {rate:.1} Gbit/s a port"))
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        let figures = &self.figures;
        let mut line = |words: String| {
            let _ = writeln!(text, "{words}");
        };
        line(format!(
            "{}: {}, {} ports × {} bit, {} VCs, on {} grade {} out of context",
            self.spec,
            self.block,
            self.ports,
            self.flit_bits,
            self.virtual_channels,
            figures.device.name,
            figures.speed
        ));
        line(format!("area        {}", area(&figures.area)));
        line(
            "            COMB = LUT4 + 2·CCU2C + 4·DPR16X4; without the harness, which itself"
                .into(),
        );
        line(format!("            takes {}", area(&figures.harness)));
        if let Some(xilinx) = figures.xilinx {
            line(format!(
                "UltraScale+ {} LUT, {} FF, {} BRAM36 (estimate of yosys synth_xilinx, not placed)",
                xilinx.luts, xilinx.ffs, xilinx.brams
            ));
        }
        for placement in &figures.placements {
            line(format!(
                "seed {:<6} {:.1} MHz ({} s){}",
                placement.seed,
                placement.mhz,
                placement.seconds,
                placement
                    .critical_path
                    .as_ref()
                    .map_or(String::new(), |path| format!(
                        ": {:.2} ns cells + {:.2} ns wires, {} → {}",
                        path.logic_ns, path.routing_ns, path.from, path.to
                    ))
            ));
        }
        if let Some(mhz) = figures.fmax_mhz {
            line(format!("median      {mhz:.1} MHz"));
        }
        let nanoseconds = self
            .zero_load_ns
            .map_or(String::new(), |ns| format!(", {ns:.1} ns"));
        line(format!(
            "zero load   {} cycles{nanoseconds}",
            self.zero_load_cycles
        ));
        line(format!(
            "saturation  golden model, {CYCLES} cycles; flits per port and cycle"
        ));
        let count = self.virtual_channels;
        let mut runs = vec![("1 VC in use".to_owned(), &self.uniform)];
        if count > 1 {
            runs.push((format!("{count} VCs in use"), &self.uniform_all_channels));
        }
        for (channels, run) in runs {
            line(format!("  uniform, {channels}, by flits of a packet"));
            for (length, accepted) in run {
                line(format!(
                    "  {length:>6}  {accepted:.3}{}",
                    self.rate(*accepted)
                ));
            }
        }
        line(format!("  permutation {:.3}", self.permutation));
        line(format!("fairness    {:.3}, the least", self.fairness));
        let LongestWait { streams, hot_spot } = self.longest_wait;
        line(format!(
            "longest wait at the head of a queue, cycles: streams {streams}, hot spot {hot_spot}"
        ));
        for (length, speed) in &self.verilated_cycles_per_second {
            line(format!(
                "verilated   {:.3} million cycles/s, {length} flits a packet",
                speed / 1e6
            ));
        }
        line("modules (own cells, without the modules inside)".into());
        for part in &figures.parts {
            line(format!(
                "  {:>3} × {:20} {:>6} COMB {:>5} FF {:>3} EBR each",
                part.instances, part.module, part.each.comb, part.each.ff, part.each.ebr
            ));
        }
        text
    }
}

fn area(area: &Area) -> String {
    format!(
        "{} COMB ({} LUT4, {} CCU2C, {} DPR16X4), {} FF, {} EBR",
        area.comb, area.lut4, area.ccu2c, area.dpr16x4, area.ff, area.ebr
    )
}
