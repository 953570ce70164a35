//! What `mkns bench --block` reports: the figures of the FPGA tools, the latency and throughput of the golden model, the
//! speed of the verilated RTL; and how they are printed.

use std::fmt::Write;

use serde::Serialize;

use super::bench_rtl_throughput::{CYCLES, LongestWait, Throughput};
use mkns_design::BlockModule;
use mkns_fpga::{Area, Figures};
use mkns_rtl as rtl;

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
    zero_load_ns: Option<f64>,
    #[serde(flatten)]
    throughput: Throughput,
}

/// The figures of a link port.
#[derive(Debug, Serialize)]
pub struct LinkOutcome {
    spec: String,
    block: &'static str,
    virtual_channels: usize,
    comb: u64,
    ff: u64,
    ebr: u64,
    #[serde(flatten)]
    figures: Figures,
}

impl LinkOutcome {
    pub fn new(text: &str, virtual_channels: usize, figures: Figures) -> Self {
        Self {
            spec: text.to_owned(),
            block: "link_port",
            virtual_channels,
            comb: figures.area.comb,
            ff: figures.area.ff,
            ebr: figures.area.ebr,
            figures,
        }
    }

    pub fn text(&self) -> String {
        let Figures { device, speed, .. } = &self.figures;
        let (block, channels) = (self.block, self.virtual_channels);
        format!(
            "{}: {block}, {channels} VCs, on {} grade {speed} out of context\n{}{}",
            self.spec,
            device.name,
            of_tools(&self.figures),
            of_parts(&self.figures)
        )
    }
}

impl Outcome {
    pub fn new(
        text: &str,
        module: &BlockModule,
        figures: Figures,
        throughput: Throughput,
    ) -> Outcome {
        let zero_load = f64::from(throughput.zero_load_cycles);
        Outcome {
            spec: text.to_owned(),
            block: rtl::module_name(module.kind),
            ports: module.core_ports(),
            flit_bits: module.parameters.flit_bits,
            virtual_channels: module.parameters.virtual_channels,
            comb: figures.area.comb,
            ff: figures.area.ff,
            ebr: figures.area.ebr,
            zero_load_ns: figures.fmax_mhz.map(|mhz| zero_load * 1e3 / mhz),
            throughput,
            figures,
        }
    }

    /// What a port carries at the median clock rate, if that is known.
    fn rate(&self, accepted: f64) -> String {
        let gbit = |mhz: f64| accepted * mhz * f64::from(self.flit_bits) / 1e3;
        let rate = self.figures.fmax_mhz.map(gbit);
        rate.map_or(String::new(), |rate| format!(", {rate:.1} Gbit/s per port"))
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        let (figures, throughput) = (&self.figures, &self.throughput);
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
        text += &of_tools(figures);
        let mut line = |words: String| {
            let _ = writeln!(text, "{words}");
        };
        let nanoseconds = self
            .zero_load_ns
            .map_or(String::new(), |ns| format!(", {ns:.1} ns"));
        line(format!(
            "zero load   {} cycles{nanoseconds}",
            throughput.zero_load_cycles
        ));
        line(format!(
            "saturation  golden model, {CYCLES} cycles; flits per port and cycle"
        ));
        let count = self.virtual_channels;
        let mut runs = vec![("1 VC in use".to_owned(), &throughput.uniform)];
        if count > 1 {
            runs.push((
                format!("{count} VCs in use"),
                &throughput.uniform_all_channels,
            ));
        }
        for (channels, run) in runs {
            line(format!("  uniform, {channels}, by flits per packet"));
            for (length, accepted) in run {
                line(format!(
                    "  {length:>6}  {accepted:.3}{}",
                    self.rate(*accepted)
                ));
            }
        }
        line(format!("  permutation {:.3}", throughput.permutation));
        line(format!(
            "fairness    {:.3}, the lowest",
            throughput.fairness
        ));
        let LongestWait { streams, hot_spot } = throughput.longest_wait;
        line(format!(
            "longest wait at the head of a queue, cycles: streams {streams}, hot spot {hot_spot}"
        ));
        for (length, speed) in &throughput.verilated_cycles_per_second {
            line(format!(
                "verilated   {:.3} million cycles/s, {length} flits per packet",
                speed / 1e6
            ));
        }
        text += &of_parts(figures);
        text
    }
}

/// What the FPGA tools say.
fn of_tools(figures: &Figures) -> String {
    let mut text = String::new();
    let mut line = |words: String| {
        let _ = writeln!(text, "{words}");
    };
    line(format!("area        {}", area(&figures.area)));
    line("            COMB = LUT4 + 2·CCU2C + 4·DPR16X4; without the harness, which".into());
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
    text
}

fn of_parts(figures: &Figures) -> String {
    let mut text = String::new();
    let mut line = |words: String| {
        let _ = writeln!(text, "{words}");
    };
    line("modules (their own cells, without those of the modules inside)".into());
    for part in &figures.parts {
        line(format!(
            "  {:>3} × {:20} {:>6} COMB {:>5} FF {:>3} EBR each",
            part.instances, part.module, part.each.comb, part.each.ff, part.each.ebr
        ));
    }
    text
}

fn area(area: &Area) -> String {
    format!(
        "{} COMB ({} LUT4, {} CCU2C, {} DPR16X4), {} FF, {} EBR",
        area.comb, area.lut4, area.ccu2c, area.dpr16x4, area.ff, area.ebr
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use mkns_design as design;
    use mkns_fpga::ECP5_DEVICES;
    use mkns_spec as spec;

    /// The keys that programs read.
    #[test]
    fn json_has_its_figures_by_length_at_the_top() {
        let text =
            "network = \"MKNS(2,2,1,1)\"\n[block]\nvirtual_channels = 2\nmax_packet_flits = 9\n";
        let spec = spec::parse_toml("two.toml", text).expect("a valid spec");
        let plan = design::build(&spec).expect("a plan");
        let module = &plan.modules[0];
        let area = Area {
            comb: 7,
            ebr: 3,
            ..Area::default()
        };
        let figures = Figures {
            device: ECP5_DEVICES[0],
            speed: 8,
            area,
            harness: Area::default(),
            used_with_harness: Default::default(),
            parts: Vec::new(),
            placements: Vec::new(),
            fmax_mhz: None,
            xilinx: None,
        };
        let outcome = Outcome::new("two", module, figures, Throughput::new(module, 2000));
        let json = serde_json::to_value(&outcome).expect("numbers can be written");
        let number = |path: &str| json.pointer(path).and_then(|value| value.as_f64());
        assert_eq!((number("/comb"), number("/ebr")), (Some(7.0), Some(3.0)));
        assert_eq!(number("/zero_load_cycles"), Some(5.0));
        assert!(json["fmax_mhz"].is_null());
        for key in ["uniform", "uniform_all_channels"] {
            for length in ["1", "2", "3", "4", "9", "1..9"] {
                let accepted = number(&format!("/{key}/{length}"));
                let accepted = accepted.unwrap_or_else(|| panic!("{key} has no {length}: {json}"));
                assert!(accepted > 0.5, "{key}, {length}: {accepted}");
            }
            assert_eq!(number(&format!("/{key}/33")), None, "no packet is as long");
        }
        for pattern in ["streams", "hot_spot"] {
            let wait = number(&format!("/longest_wait/{pattern}"));
            assert!(wait.is_some_and(|wait| wait > 0.0), "{pattern}: {wait:?}");
        }
    }
}
