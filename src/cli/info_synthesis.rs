//! `mkns info --synthesis`: what a network costs as the paper counts it, beside what synthesis counts.

use std::fmt::Write;
use std::path::PathBuf;

use serde::Serialize;

use super::flow::Spinner;
use super::{CommandError, Context};
use mkns_design as design;
use mkns_design::{BlockModule, Plan};
use mkns_fpga::{Area, AreaCache, Bench, ECP5_DEVICES, ToolRunner};
use mkns_rtl as rtl;
use mkns_scratch::Scratch;
use mkns_spec::{NetworkKind, NetworkSpec};
use mkns_topology::distributed_switch::{Complexity, switch_of};

/// What the blocks of a network take of ECP5 devices, out of context.
#[derive(Debug, Serialize)]
pub struct Synthesis {
    blocks: Vec<BlockCost>,
    /// All blocks; cables are left out.
    network: Cost,
    /// What the paper compares a distributed switch with.
    #[serde(skip_serializing_if = "Option::is_none")]
    complete_digraph: Option<PaperCost>,
}

/// One module.
#[derive(Debug, Serialize)]
struct BlockCost {
    block: &'static str,
    ports: u32,
    instances: u64,
    /// Of one instance.
    #[serde(flatten)]
    each: Cost,
}

/// A cost as the paper counts it (`docs/design/sources.md`, complexity) and as Yosys does.
#[derive(Debug, Default, Serialize)]
struct Cost {
    #[serde(flatten)]
    paper: PaperCost,
    area: Area,
}

/// m crosspoints of a splitter, m of a combiner, m² of a switch; m channels, one way up and one way down
/// each, between a POK and what lies above it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize)]
struct PaperCost {
    crosspoints: u64,
    channels: u64,
}

/// Synthesises every different block of the network that has not been before.
pub fn synthesise(spec: &NetworkSpec, context: &Context) -> Result<Synthesis, CommandError> {
    let plan = design::build(spec)?;
    let cache = AreaCache::new(cache_folder());
    let mut blocks = Vec::new();
    for (module, at) in plan.modules.iter().zip(0..) {
        let (block, count) = (rtl::module_name(module.kind), plan.modules.len());
        context.detail(format_args!("synthesising {block}, {} of {count}", at + 1));
        blocks.push(BlockCost {
            block,
            ports: module.core_ports(),
            instances: instances(&plan, at),
            each: Cost {
                paper: paper_cost(module),
                area: area(module, &cache, context)?,
            },
        });
    }
    let complete_digraph = match &spec.kind {
        NetworkKind::DistributedSwitch(kind) => {
            let count = Complexity::of(&switch_of(kind));
            Some(PaperCost {
                crosspoints: count.direct_crosspoints,
                channels: count.direct_channels,
            })
        }
        _ => None,
    };
    Ok(Synthesis {
        network: total(&blocks),
        blocks,
        complete_digraph,
    })
}

fn area(module: &BlockModule, cache: &AreaCache, context: &Context) -> Result<Area, CommandError> {
    let folder = Scratch::new("info").map_err(CommandError::io("make a temporary folder"))?;
    let spinner = Spinner::new(context);
    let runner = ToolRunner {
        folder: folder.path(),
        limit: None,
        listener: &spinner,
    };
    let bench = Bench {
        pins: &module.port_table(),
        name: rtl::module_name(module.kind),
        parameters: &rtl::block_parameters(module),
        sources: &rtl::render_block(module),
        device: ECP5_DEVICES[0],
        speed: 6,
        mhz: 0.0,
        seeds: 0,
        xilinx: false,
    };
    Ok(cache.area(&bench, &runner)?)
}

/// Beside the models of `mkns cosim`.
fn cache_folder() -> Option<PathBuf> {
    #[cfg(feature = "cosim")]
    return Some(mkns_diag::cache::private_folder().ok()?.join("areas"));
    #[cfg(not(feature = "cosim"))]
    return None;
}

fn instances(plan: &Plan, module: usize) -> u64 {
    let instances = plan.instances.iter();
    instances
        .filter(|instance| instance.module == module)
        .count() as u64
}

fn paper_cost(module: &BlockModule) -> PaperCost {
    match module.pok {
        Some(shape) => PaperCost {
            crosspoints: 2 * u64::from(shape.branches),
            channels: shape.branches.into(),
        },
        None => PaperCost {
            crosspoints: u64::from(module.core_ports()).pow(2),
            channels: 0,
        },
    }
}

fn total(blocks: &[BlockCost]) -> Cost {
    blocks.iter().fold(Cost::default(), |sum, block| {
        let (count, each) = (block.instances, &block.each);
        Cost {
            paper: PaperCost {
                crosspoints: sum.paper.crosspoints + count * each.paper.crosspoints,
                channels: sum.paper.channels + count * each.paper.channels,
            },
            area: sum.area.plus(&each.area.times(count)),
        }
    })
}

impl Synthesis {
    /// ECP5 logic cells of all blocks: LUT4 + 2·CCU2C + 4·DPR16X4.
    pub fn comb(&self) -> u64 {
        self.network.area.comb
    }

    pub fn to_text(&self) -> String {
        let mut out = format!(
            "\n  {:<17}{:>5}{:>7}{:>13}{:>10}{:>10}{:>10}{:>6}\n",
            "cost", "ports", "blocks", "crosspoints", "channels", "COMB", "FF", "EBR"
        );
        let mut line = |name: &str, head: [String; 2], paper: &PaperCost, area: Option<&Area>| {
            let area =
                area.map(|area| [area.comb, area.ff, area.ebr].map(|count| count.to_string()));
            let [comb, ff, ebr] = area.unwrap_or(["–", "–", "–"].map(str::to_owned));
            let [ports, count] = head;
            let (crosspoints, channels) = (paper.crosspoints, paper.channels);
            let _ = writeln!(
                out,
                "  {name:<17}{ports:>5}{count:>7}{crosspoints:>13}{channels:>10}{comb:>10}{ff:>10}{ebr:>6}"
            );
        };
        for block in &self.blocks {
            let head = [block.ports.to_string(), block.instances.to_string()];
            line(block.block, head, &block.each.paper, Some(&block.each.area));
        }
        let instances: u64 = self.blocks.iter().map(|block| block.instances).sum();
        let head = [String::new(), instances.to_string()];
        let Cost { paper, area } = &self.network;
        line("network", head, paper, Some(area));
        if let Some(direct) = &self.complete_digraph {
            line("complete digraph", Default::default(), direct, None);
        }
        out + "  of one block, then of all; ECP5 cells by Yosys, COMB = LUT4 + 2·CCU2C + 4·DPR16X4, PCIe \
               sides and control ports included\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mkns_spec as spec;

    #[test]
    fn the_blocks_of_a_distributed_switch_add_up_to_what_the_paper_counts() {
        for notation in ["hypercube(3)", "multi_ring(2,2)", "block_design(7,4,2,2)"] {
            let spec = spec::parse(notation).expect("a valid notation");
            let plan = design::build(&spec).expect("a plan");
            let blocks: Vec<BlockCost> = (plan.modules.iter().zip(0..))
                .map(|(module, at)| BlockCost {
                    block: "",
                    ports: 0,
                    instances: instances(&plan, at),
                    each: Cost {
                        paper: paper_cost(module),
                        area: Area {
                            comb: 10,
                            ..Area::default()
                        },
                    },
                })
                .collect();
            let NetworkKind::DistributedSwitch(kind) = &spec.kind else {
                panic!("{notation} is a distributed switch");
            };
            let count = Complexity::of(&switch_of(kind));
            let network = total(&blocks);
            assert_eq!(network.paper.crosspoints, count.crosspoints, "{notation}");
            assert_eq!(network.paper.channels, count.channels, "{notation}");
            assert_eq!(network.area.comb, 10 * plan.instances.len() as u64);
        }
    }
}
