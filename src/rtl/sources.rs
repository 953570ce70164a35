//! Verilog sources of a plan: the block modules, and the network around them.
//!
//! Modules whose text is the same in every design are shared: their names and texts are fixed. All
//! others carry the network's name in theirs, so that several networks stand in one design.

use std::collections::BTreeMap;

use askama::Template;

use super::assemblies;
use super::file_text::verilog;
use super::identifier::Identifier;
use super::names::{
    assembly_name, banner, board_name, module_of, node_name, shared_banner, top_name,
};
use super::node_constants::NodeConstants;
use super::tables::TableConstants;
use super::templates::assembly::SwitchAssembly;
use super::templates::board::Board;
use super::templates::library;
use super::templates::node::Node;
use super::templates::top::Top;
use mkns_design::{BlockModule, ModuleKind, Plan, serial_link};
use mkns_diag::Diagnostic;
use mkns_topology::{Cable, CableKind};

/// One file, and the template that it is printed from.
#[derive(Debug, Clone)]
pub(super) struct Source {
    pub name: String,
    /// Path in `hdl-templates`.
    pub template: &'static str,
    pub text: String,
}

fn pairs(sources: Vec<Source>) -> Vec<(String, String)> {
    let sources = sources.into_iter();
    sources.map(|source| (source.name, source.text)).collect()
}

/// File name and text of the block modules that the plan has and all that they are made of, in order
/// of names. Enough to build one block alone with the overrides of
/// [`block_parameters`](super::block_parameters).
pub fn render_sources(plan: &Plan) -> Vec<(String, String)> {
    pairs(block_sources(plan))
}

/// What [`render_sources`] gives: also the POK block whose unit is only part of terminals.
pub(super) fn block_sources(plan: &Plan) -> Vec<Source> {
    let has = |kind| module_of(plan, kind).is_some();
    let is_part = |kind| kind == ModuleKind::Pok && has(ModuleKind::Terminal);
    library_files(|kind| has(kind) || is_part(kind))
}

/// [`render_sources`] for a block that belongs to no network.
pub fn render_block(module: &BlockModule) -> Vec<(String, String)> {
    pairs(library_files(|kind| kind == module.kind))
}

/// File name and text of `link_port`, the port of a serial link, and all that it is made of; and of `link_window`,
/// which leads to the registers of links.
pub fn render_link() -> Vec<(String, String)> {
    pairs(link_sources())
}

/// File name and text of `management_unit` and all that it is made of.
pub fn render_management() -> Vec<(String, String)> {
    let parts = library::management(&shared_banner());
    pairs(parts.into_iter().map(library_file).collect())
}

/// What [`render_link`] gives.
pub(super) fn link_sources() -> Vec<Source> {
    let parts = library::link(&shared_banner());
    parts.into_iter().map(library_file).collect()
}

/// The files behind the wanted kinds of blocks.
fn library_files(wanted: impl Fn(ModuleKind) -> bool) -> Vec<Source> {
    let banner = &shared_banner();
    let mut parts = library::common(banner);
    for kind in ModuleKind::ALL.into_iter().filter(|kind| wanted(*kind)) {
        match kind {
            ModuleKind::Switch => parts.extend(library::switch(banner)),
            ModuleKind::Adapter => parts.extend(library::adapter(banner)),
            ModuleKind::Pok => parts.extend(library::pok_block(banner)),
            ModuleKind::Terminal => parts.extend(library::terminal(banner)),
        }
        if kind.has_hosts() {
            parts.extend(library::pcie(banner));
        }
        if kind.is_pok() {
            parts.extend(library::pok(banner));
        }
    }
    let files = parts.into_iter().map(library_file);
    let named = files.map(|file| (file.name.clone(), file));
    named.collect::<BTreeMap<_, _>>().into_values().collect()
}

/// A shared module.
fn library_file((template, text): (&'static str, String)) -> Source {
    Source {
        name: file_name(template).to_owned(),
        template,
        text,
    }
}

/// The last part of a path with `/`.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The cables that the network has.
fn cable_files(plan: &Plan) -> impl Iterator<Item = Source> {
    let banner = &shared_banner();
    let is_serial = |cable: &Cable| serial_link(&plan.spec, cable).is_some();
    let has = |wanted: &dyn Fn(&Cable) -> bool| plan.network.cables.iter().any(wanted);
    let mut parts = Vec::new();
    if has(&|cable| cable.kind != CableKind::Simplex && !is_serial(cable)) {
        parts.extend(library::cable(banner));
    }
    if has(&|cable| cable.kind == CableKind::Simplex) {
        parts.extend(library::simplex_cable(banner));
    }
    if has(&is_serial) {
        parts.extend(library::serial_cable(banner));
        parts.extend(library::link(banner));
        if plan.spec.is_managed_in_band() {
            parts.extend(library::management(banner));
        }
    }
    parts.into_iter().map(library_file)
}

/// [`render_sources`] and the modules of the network: nodes, cable, assembly, top.
pub fn render_network(plan: &Plan) -> Result<Vec<(String, String)>, Vec<Diagnostic>> {
    network_sources(plan).map(pairs)
}

/// What [`render_network`] gives.
pub(super) fn network_sources(plan: &Plan) -> Result<Vec<Source>, Vec<Diagnostic>> {
    let banner = banner(plan);
    let name = Identifier::new(top_name(plan))?;
    let index = plan.network.index();
    let assemblies = assemblies::find(plan, &index);
    let blocks = library_files(|kind| module_of(plan, kind).is_some());
    let shared = blocks.into_iter().chain(cable_files(plan));
    let mut files: BTreeMap<String, Source> =
        shared.map(|file| (file.name.clone(), file)).collect();
    let mut add = |module: &str, template, text| {
        let (name, text) = (format!("{module}.v"), verilog(text, &banner));
        let source = Source {
            name: name.clone(),
            template,
            text,
        };
        files.insert(name, source);
    };
    for kind in ModuleKind::ALL {
        if let Some(module) = module_of(plan, kind) {
            let name = node_name(plan, kind);
            let node = Node::new(module, &name, &banner).render();
            add(&name, "network/node.v", node);
        }
    }
    // Modules that differ in the shapes of their tables share a board; the first makes it.
    for module in plan.modules.iter().rev() {
        if let Some(board) = Board::new(plan, module, &banner) {
            add(&board_name(plan, module), "network/board.v", board.render());
        }
    }
    if let Some(assembly) = assemblies.first() {
        let module = SwitchAssembly::new(plan, assembly, &banner);
        add(
            &assembly_name(plan),
            "switch/switch_assembly.v",
            module.render(),
        );
    }
    let tables = TableConstants::new(plan);
    let (masks, candidates) = (NodeConstants::masks(plan), NodeConstants::candidates(plan));
    let constants = (&tables, [&masks, &candidates]);
    let top = Top::new(plan, &name, &index, &assemblies, constants, &banner);
    add(name.as_str(), "network/top.v", top.render());
    Ok(files.into_values().collect())
}
