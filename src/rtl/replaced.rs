//! What a new output changes in the parameters of the one that it replaces, so that nobody loses a variant of a network
//! without a word.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value};

use super::manifest::{MANIFEST, read_summary};
use super::output_file::OutputFile;

/// What a manifest says of the design; the network's parameters lie one level deeper.
const OF_DESIGN: [&str; 5] = ["spec", "routing", "routes_from", "failed_parts", "link"];
const PARAMETERS: &str = "block_parameters";

/// Parameters in which `files` differ from the output in the folder `target`, as `flit_bits 64 -> 128`; none where the
/// folder holds no output of mkns.
pub fn replaced_parameters(files: &[OutputFile], target: &Path) -> Vec<String> {
    let old = fs::read_to_string(target.join(MANIFEST)).unwrap_or_default();
    let new = files.iter().find(|file| file.path == MANIFEST);
    let new = new.map_or("", |file| file.text.as_str());
    let (Some(before), Some(after)) = (read_summary(&old), read_summary(new)) else {
        return Vec::new();
    };
    let (old, new) = (parameters(&old), parameters(new));
    let mut names: Vec<&String> = old.keys().chain(new.keys()).collect();
    names.sort();
    names.dedup();
    let differing = names
        .into_iter()
        .filter(|&name| old.get(name) != new.get(name));
    let changes: Vec<String> = differing
        .map(|name| format!("{name} {} -> {}", word(old.get(name)), word(new.get(name))))
        .collect();
    if changes.is_empty() && before.design_key != after.design_key {
        return vec!["other settings or another version of mkns".to_owned()];
    }
    changes
}

/// The parameters in a manifest by name.
fn parameters(manifest: &str) -> Map<String, Value> {
    let mut all: Map<String, Value> = serde_json::from_str(manifest).unwrap_or_default();
    let mut found = match all.remove(PARAMETERS) {
        Some(Value::Object(block)) => block,
        _ => Map::new(),
    };
    for name in OF_DESIGN {
        match all.remove(name) {
            Some(Value::Object(table)) => {
                let keys = table.into_iter();
                found.extend(keys.map(|(key, value)| (format!("{name}.{key}"), value)));
            }
            Some(value) => drop(found.insert(name.to_owned(), value)),
            None => {}
        }
    }
    found
}

fn word(value: Option<&Value>) -> String {
    match value {
        None => "none".to_owned(),
        Some(Value::String(text)) if text.is_empty() => "none".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(list)) if list.is_empty() => "none".to_owned(),
        Some(Value::Array(list)) => {
            let words: Vec<String> = list.iter().map(|one| word(Some(one))).collect();
            words.join(",")
        }
        Some(other) => other.to_string(),
    }
}
