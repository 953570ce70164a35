//! What a model is called in the cache: two sources with equal keys give the same library; paths and times never
//! count.

use std::fs;
use std::path::{Path, PathBuf};

use mkns_scratch::ContentKey;

use crate::error::{Error, Result};
use crate::source::{ModelSource, PortDecl};

/// Adds all of a model's own content.
pub(crate) fn add_source(key: &mut ContentKey, source: &ModelSource) -> Result<()> {
    key.add("top", &source.top);
    for path in &source.files {
        key.add_file("file", path)
            .map_err(Error::io("read", path))?;
    }
    for folder in &source.include_dirs {
        for path in files_of(folder)? {
            key.add_file("include", &path)
                .map_err(Error::io("read", &path))?;
        }
    }
    for path in &source.data_files {
        key.add_file("data", path)
            .map_err(Error::io("read", path))?;
    }
    for (name, value) in &source.parameters {
        key.add("parameter", name);
        key.add("value", value);
    }
    for define in &source.defines {
        key.add("define", define);
    }
    add_ports(key, "input", &source.inputs);
    add_ports(key, "output", &source.outputs);
    key.add("clock", &source.clock);
    key.add("effort", format!("{:?}", source.effort));
    key.add(
        "options",
        [source.registered_outputs, source.trace, source.coverage].map(u8::from),
    );
    Ok(())
}

fn add_ports(key: &mut ContentKey, kind: &str, ports: &[PortDecl]) {
    for port in ports {
        key.add(kind, &port.name);
        key.add("bits", port.bits.to_le_bytes());
    }
}

/// Plain files directly in `folder`, sorted.
fn files_of(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(Error::io("read", folder))?;
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(Error::io("read", folder))?.path();
        if path.is_file() {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Effort;

    #[test]
    fn every_option_counts() {
        let base = ModelSource::default();
        let variants = [
            ModelSource {
                top: "t".into(),
                ..base.clone()
            },
            ModelSource {
                trace: true,
                ..base.clone()
            },
            ModelSource {
                coverage: true,
                ..base.clone()
            },
            ModelSource {
                registered_outputs: true,
                ..base.clone()
            },
            ModelSource {
                effort: Effort::Quick,
                ..base.clone()
            },
            ModelSource {
                clock: "c".into(),
                ..base.clone()
            },
            ModelSource {
                inputs: vec![PortDecl::new("a", 1)],
                ..base.clone()
            },
            ModelSource {
                outputs: vec![PortDecl::new("a", 1)],
                ..base.clone()
            },
            ModelSource {
                inputs: vec![PortDecl::new("a", 2)],
                ..base.clone()
            },
            ModelSource {
                parameters: vec![("P".into(), "1".into())],
                ..base.clone()
            },
            ModelSource {
                defines: vec!["D".into()],
                ..base.clone()
            },
            base,
        ];
        let mut keys: Vec<String> = variants
            .iter()
            .map(|source| {
                let mut key = ContentKey::new("test");
                add_source(&mut key, source).unwrap();
                key.finish()
            })
            .collect();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), variants.len());
    }
}
