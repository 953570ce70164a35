//! The plan that a generated folder was made from, where its manifest tells enough of the spec.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value};

use super::manifest::{MANIFEST, read_summary};
use mkns_design::Plan;

/// The plan with the folder's own design key; none where the manifest does not tell the whole spec, as with tables from a
/// file or parts that failed.
pub fn plan_of_folder(folder: &Path) -> Option<Plan> {
    let text = fs::read_to_string(folder.join(MANIFEST)).ok()?;
    let summary = read_summary(&text)?;
    let manifest: Map<String, Value> = serde_json::from_str(&text).ok()?;
    let mut settings = vec![format!("name={}", summary.name)];
    let routing = manifest.get("routing").and_then(Value::as_str);
    settings.extend(routing.map(|routing| format!("routing={routing}")));
    for (name, prefix) in [("block_parameters", ""), ("link", "link.")] {
        let table = manifest.get(name).and_then(Value::as_object);
        let keys = table.into_iter().flatten();
        settings.extend(keys.filter_map(|(key, value)| setting(prefix, key, value)));
    }
    let candidates = [&settings[..], &settings[..1]];
    candidates.into_iter().find_map(|settings| {
        let spec = mkns_spec::parse_with(&summary.spec, settings).ok()?;
        let plan = mkns_design::build(&spec).ok()?;
        (plan.key() == summary.design_key).then_some(plan)
    })
}

fn setting(prefix: &str, key: &str, value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(format!("{prefix}{key}={text}")),
        other => Some(format!("{prefix}{key}={other}")),
    }
}
