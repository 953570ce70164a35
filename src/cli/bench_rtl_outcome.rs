//! What `mkns bench --block` reports: the figures of the FPGA tools, the latency and throughput of the golden model, the
//! speed of the verilated RTL; and how they are printed.

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

/// The figures of what stands around a block on its board.
#[derive(Debug, Serialize)]
pub struct PartOutcome {
    spec: String,
    block: &'static str,
    /// Those of a link port; a management unit has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    virtual_channels: Option<usize>,
    comb: u64,
    ff: u64,
    ebr: u64,
    #[serde(flatten)]
    figures: Figures,
}

impl PartOutcome {
    pub fn new(
        text: &str,
        block: &'static str,
        virtual_channels: Option<usize>,
        figures: Figures,
    ) -> Self {
        Self {
            spec: text.to_owned(),
            block,
            virtual_channels,
            comb: figures.area.comb,
            ff: figures.area.ff,
            ebr: figures.area.ebr,
            figures,
        }
    }

    pub fn text(&self) -> String {
        let Figures { device, speed, .. } = &self.figures;
        let channels = self.virtual_channels;
        let channels = channels.map_or(String::new(), |count| format!(", {count} VCs"));
        format!(
            "{}: {}{channels}, on {} grade {speed} out of context\n{}{}",
            self.spec,
            self.block,
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
        let (figures, throughput) = (&self.figures, &self.throughput);
        let mut text = format!(
            "{}: {}, {} ports × {} bit, {} VCs, on {} grade {} out of context\n{}",
            self.spec,
            self.block,
            self.ports,
            self.flit_bits,
            self.virtual_channels,
            figures.device.name,
            figures.speed,
            of_tools(figures)
        );
        let nanoseconds = self
            .zero_load_ns
            .map_or(String::new(), |ns| format!(", {ns:.1} ns"));
        let zero_load = throughput.zero_load_cycles;
        text += &format!("zero load   {zero_load} cycles{nanoseconds}\n");
        text += &format!("saturation  golden model, {CYCLES} cycles; flits per port and cycle\n");
        let count = self.virtual_channels;
        let mut runs = vec![("1 VC in use".to_owned(), &throughput.uniform)];
        if count > 1 {
            runs.push((
                format!("{count} VCs in use"),
                &throughput.uniform_all_channels,
            ));
        }
        for (channels, run) in runs {
            text += &format!("  uniform, {channels}, by flits per packet\n");
            for (length, accepted) in run {
                text += &format!("  {length:>6}  {accepted:.3}{}\n", self.rate(*accepted));
            }
        }
        let LongestWait { streams, hot_spot } = throughput.longest_wait;
        text += &format!(
            "  permutation {:.3}\n\
             fairness    {:.3}, the lowest\n\
             longest wait at the head of a queue, cycles: streams {streams}, hot spot {hot_spot}\n",
            throughput.permutation, throughput.fairness
        );
        for (length, speed) in &throughput.verilated_cycles_per_second {
            text += &format!(
                "verilated   {:.3} million cycles/s, {length} flits per packet\n",
                speed / 1e6
            );
        }
        text + &of_parts(figures)
    }
}

/// What the FPGA tools say.
fn of_tools(figures: &Figures) -> String {
    let mut text = format!(
        "area        {}\n            COMB = LUT4 + 2·CCU2C + 4·DPR16X4; without the harness, which\n            takes {}\n",
        area(&figures.area),
        area(&figures.harness)
    );
    if let Some(xilinx) = figures.xilinx {
        text += &format!(
            "UltraScale+ {} LUT, {} FF, {} BRAM36 (estimate of yosys synth_xilinx, not placed)\n",
            xilinx.luts, xilinx.ffs, xilinx.brams
        );
    }
    for placement in &figures.placements {
        let path = placement.critical_path.as_ref();
        let path = path.map_or(String::new(), |path| {
            format!(
                ": {:.2} ns cells + {:.2} ns wires, {} → {}",
                path.logic_ns, path.routing_ns, path.from, path.to
            )
        });
        text += &format!(
            "seed {:<6} {:.1} MHz ({} s){path}\n",
            placement.seed, placement.mhz, placement.seconds
        );
    }
    let median = figures.fmax_mhz;
    text + &median.map_or(String::new(), |mhz| format!("median      {mhz:.1} MHz\n"))
}

fn of_parts(figures: &Figures) -> String {
    let lines = figures.parts.iter().map(|part| {
        format!(
            "  {:>3} × {:20} {:>6} COMB {:>5} FF {:>3} EBR each\n",
            part.instances, part.module, part.each.comb, part.each.ff, part.each.ebr
        )
    });
    "modules (their own cells, without those of the modules inside)\n".to_owned()
        + &lines.collect::<String>()
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
