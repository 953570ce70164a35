//! `manifest.json`: what a folder holds, what it was made from, and a hash of every file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::names::top_name;
use super::output_file::OutputFile;
use super::parameters::{block_parameters, module_name};
use mkns_design::{HEADER, HeaderField, Plan};
use mkns_routing::AddressField;
use mkns_spec::{BlockParameters, SerialLink};

/// Name of the manifest inside the output folder.
pub const MANIFEST: &str = "manifest.json";
/// What `generator` says in our own manifests.
const GENERATOR: &str = "mkns";

#[derive(Serialize)]
struct Manifest<'a> {
    generator: &'static str,
    version: &'static str,
    name: &'a str,
    spec: String,
    block_parameters: &'a BlockParameters,
    /// The engine that the spec names or has, or `tables` of a file.
    routing: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    routes_from: Option<&'a str>,
    /// Names of the failed parts that the tables avoid.
    failed_parts: Vec<String>,
    design_key: String,
    top: String,
    /// Fields of a destination address, bit 0 first.
    address_layout: &'a [AddressField],
    header_layout: [HeaderField; 7],
    modules: Vec<Module>,
    hosts: usize,
    blocks: usize,
    cables: usize,
    /// The serial links of the network.
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<&'a SerialLink>,
    /// SHA-256 of every other file.
    files: BTreeMap<&'a str, String>,
    /// SHA-256 of this file with nothing between these quotes.
    checksum: &'static str,
}

/// One parameterisation of a block module and how often it is used.
#[derive(Serialize)]
struct Module {
    module: &'static str,
    instances: usize,
    parameters: BTreeMap<String, String>,
}

/// The manifest of these files.
pub fn manifest(plan: &Plan, files: &[OutputFile]) -> String {
    let manifest = Manifest {
        generator: GENERATOR,
        version: env!("CARGO_PKG_VERSION"),
        name: &plan.spec.name,
        spec: plan.spec.notation(),
        block_parameters: &plan.spec.block,
        routing: match plan.routes_from {
            None => &plan.spec.routing,
            Some(_) => "tables",
        },
        routes_from: plan.routes_from.as_deref(),
        failed_parts: plan
            .faults
            .parts()
            .map(|part| part.name(&plan.network))
            .collect(),
        design_key: plan.key(),
        top: top_name(plan),
        address_layout: &plan.layout.fields,
        header_layout: HEADER,
        modules: modules(plan),
        hosts: plan.network.hosts.len(),
        blocks: plan.network.blocks.len(),
        cables: plan.network.cables.len(),
        files: files
            .iter()
            .map(|file| (file.path.as_str(), hash(&file.text)))
            .collect(),
        link: plan.spec.link.as_ref(),
        checksum: "",
    };
    let text = serde_json::to_string_pretty(&manifest);
    let text = text.expect("a manifest has string keys only") + "\n";
    let checksum = hash(&text);
    text.replace(&checksum_line(""), &checksum_line(&checksum))
}

/// How a manifest ends that has this checksum.
fn checksum_line(checksum: &str) -> String {
    format!("\n  \"checksum\": \"{checksum}\"\n}}\n")
}

/// Whether somebody changed a manifest of ours. One of an earlier version has no checksum.
pub fn is_manifest_edited(text: &str) -> bool {
    read_summary(text).is_some_and(|ours| {
        let plain = text.replace(&checksum_line(&ours.checksum), &checksum_line(""));
        !ours.checksum.is_empty() && hash(&plain) != ours.checksum
    })
}

fn modules(plan: &Plan) -> Vec<Module> {
    let modules = plan.modules.iter().enumerate();
    modules
        .map(|(number, module)| Module {
            module: module_name(module.kind),
            instances: (plan.instances.iter())
                .filter(|instance| instance.module == number)
                .count(),
            parameters: block_parameters(module).into_iter().collect(),
        })
        .collect()
}

fn hash(text: &str) -> String {
    hash_of(text.as_bytes())
}

/// The hash of a file as a manifest lists it.
pub fn hash_of(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

/// The part of a manifest that describes the folder it lies in.
#[derive(Debug, Clone, Deserialize)]
pub struct Summary {
    generator: String,
    #[serde(default)]
    pub name: String,
    /// Notation of the network.
    #[serde(default)]
    pub spec: String,
    #[serde(default)]
    pub design_key: String,
    pub top: String,
    pub blocks: usize,
    /// Paths of all files but the manifest, and their hashes.
    pub files: BTreeMap<String, String>,
    #[serde(default)]
    checksum: String,
}

/// Reads a manifest back; `None` when it is not one of ours.
pub fn read_summary(text: &str) -> Option<Summary> {
    let found: Option<Summary> = serde_json::from_str(text).ok();
    found.filter(|summary| summary.generator == GENERATOR)
}
