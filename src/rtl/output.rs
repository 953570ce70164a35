//! Everything that `mkns generate` writes, in memory.

use std::collections::BTreeSet;

use askama::Template;

use super::block_path::block_path;
use super::file_text::{finished, verilog};
use super::link_constraints::LINK_CONSTRAINTS;
use super::manifest::{MANIFEST, manifest};
use super::names::{banner, banner_text, top_name};
use super::output_file::OutputFile;
use super::sources::render_network;
use super::templates::board_top::{BoardTop, board_top_name};
use super::templates::flow::{FileList, FuseSocCore};
use super::templates::network_bench::NetworkBench;
use super::templates::ports::Ports;
use super::templates::registers::{CHeader, NetworkMap, Registers};
use mkns_design::Plan;
use mkns_diag::Diagnostic;
use mkns_topology::{BlockId, export};

/// Path of the bench for simulators.
fn bench_path(plan: &Plan) -> String {
    format!("sim/{}_network_bench.v", plan.spec.name)
}

/// All files of a design in order of their paths; `manifest.json` comes last and lists the others.
pub fn render_output(plan: &Plan) -> Result<Vec<OutputFile>, Vec<Diagnostic>> {
    render_output_with(plan, &[])
}

/// [`render_output`], and a module for each of these blocks alone.
pub fn render_output_with(
    plan: &Plan,
    blocks: &[BlockId],
) -> Result<Vec<OutputFile>, Vec<Diagnostic>> {
    let sources = render_network(plan)?;
    let sources = sources.into_iter();
    let mut files: Vec<OutputFile> = sources
        .map(|(name, text)| file(format!("rtl/{name}"), text))
        .collect();
    let paths: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
    if paths.iter().any(|path| path == "rtl/link_port.v") {
        let constraints = LINK_CONSTRAINTS.into_iter();
        files.extend(
            constraints.map(|(name, text)| file(format!("constraints/{name}"), text.to_owned())),
        );
    }
    files.extend(lists(plan, &paths));
    files.extend(documents(plan));
    files.extend(board_tops(plan));
    files.extend(lone_blocks(plan, blocks));
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files.push(file(MANIFEST, manifest(plan, &files)));
    Ok(files)
}

/// A top for every block that has serial links: its board, and what tells it from others.
fn board_tops(plan: &Plan) -> Vec<OutputFile> {
    let (index, banner) = (plan.network.index(), banner(plan));
    let tops = plan.instances.iter().filter_map(|instance| {
        let top = BoardTop::new(plan, &index, instance, &banner)?;
        let name = board_top_name(plan, &plan.network.block(instance.block).name);
        Some(file(
            format!("boards/{name}.v"),
            verilog(top.render(), &banner),
        ))
    });
    tops.collect()
}

/// A module for each block that has no board.
fn lone_blocks(plan: &Plan, blocks: &[BlockId]) -> Vec<OutputFile> {
    let banner = banner(plan);
    let blocks: BTreeSet<BlockId> = blocks.iter().copied().collect();
    let instances = blocks.iter().map(|id| &plan.instances[id.0 as usize]);
    let alone = instances.filter(|instance| plan.modules[instance.module].serial_ports == 0);
    let files = alone.map(|instance| {
        let module = BoardTop::of_node(plan, instance, &banner);
        let text = verilog(module.render(), &banner);
        file(block_path(plan, instance.block), text)
    });
    files.collect()
}

/// What other tools read to find the sources.
fn lists(plan: &Plan, sources: &[String]) -> Vec<OutputFile> {
    let top = top_name(plan);
    let comment = banner(plan);
    let bench = NetworkBench::new(plan, &top, &comment);
    let list = FileList {
        banner: &comment,
        top: &top,
        files: sources,
    };
    let path = bench_path(plan);
    let core = FuseSocCore {
        banner: &banner_text(plan),
        name: &plan.spec.name,
        version: env!("CARGO_PKG_VERSION"),
        description: format!("System network {}", plan.spec.notation()),
        top: &top,
        files: sources,
        bench: bench.is_some().then_some(path.as_str()),
    };
    let mut files = vec![
        file("files.f", finished(list.render())),
        file(format!("{}.core", plan.spec.name), finished(core.render())),
    ];
    files.extend(bench.map(|bench| file(path.as_str(), verilog(bench.render(), &comment))));
    files
}

/// What people and their scripts read.
fn documents(plan: &Plan) -> Vec<OutputFile> {
    let ports = Ports::new(plan, top_name(plan), &banner_text(plan)).render();
    let mut files = vec![
        file("topology.json", export::json(&plan.network)),
        file("cables.csv", export::cables_csv(&plan.network)),
        file("routes.csv", routes(plan)),
        file("docs/ports.md", finished(ports)),
    ];
    if plan.spec.block.control_port {
        let (map, banner) = (NetworkMap::new(plan), banner(plan));
        let registers = Registers::new(&map, &banner).render();
        files.push(file("registers.rdl", finished(registers)));
        let header = CHeader::new(&map, &banner).render();
        files.push(file("registers.h", finished(header)));
    }
    files
}

/// The tables in the format that `mkns check --routes` reads.
fn routes(plan: &Plan) -> String {
    let tables = plan.instances.iter().map(|instance| &instance.tables);
    mkns_routing::file::dump(&plan.network, &plan.layout, tables)
}

fn file(path: impl Into<String>, text: String) -> OutputFile {
    let path = path.into();
    OutputFile { path, text }
}
