//! One entry point: from a source to a loaded library, through the cache.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::bridge::ffi;
use crate::cache::Cache;
use crate::clocked;
use crate::compile::{self, ModelBuild, Variant};
use crate::error::{Error, Result};
use crate::glue;
use crate::key;
use crate::model::ModelLibrary;
use crate::ports;
use crate::prune;
use crate::source::{Effort, ModelSource};
use crate::toolchain::Toolchain;
use crate::verilate;
use mkns_scratch::ContentKey;

/// What a build is doing, for progress lines. Nothing is reported when the cache has the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Another thread or process builds the same; waiting for it.
    Waiting {
        top: String,
    },
    /// Verilator's own library is compiled; once per machine and tool version.
    CompilingRuntime,
    Compiling {
        top: String,
    },
    Finished {
        top: String,
        elapsed: Duration,
    },
}

/// Builds a model, or takes it from the cache, and loads it.
///
/// A cache entry's key covers the content of all files, top, parameters, port tables, options, tool
/// versions and flags.
pub fn build(
    source: &ModelSource,
    toolchain: &Toolchain,
    progress: &dyn Fn(Progress),
) -> Result<ModelLibrary> {
    let cache = Cache::open(&toolchain.cache)?;
    let source = &with_absolute_paths(source)?;
    let (key, entry) = entry(&cache, source, toolchain)?;
    if cache.has(&entry) {
        prune::touch(&entry);
    } else {
        let variant = variant(source);
        let _lock = cache.lock(&key, || {
            progress(Progress::Waiting {
                top: source.top.clone(),
            })
        })?;
        if !cache.has(&entry) {
            cache.remove_damaged(&entry)?;
            let start = Instant::now();
            progress(Progress::Compiling {
                top: source.top.clone(),
            });
            let published = cache.publish("models", &key, |folder| {
                ModelBuild {
                    folder,
                    toolchain,
                    variant,
                }
                .make_model(source, || runtime(&cache, toolchain, variant, progress))
            });
            published.map_err(|error| ports::missing_parameters(source, error))?;
            progress(Progress::Finished {
                top: source.top.clone(),
                elapsed: start.elapsed(),
            });
        }
    }
    let path = entry.join("model.so");
    let library = ffi::open_library(&path.to_string_lossy()).map_err(|error| Error::Load {
        path,
        fact: error.what().to_owned(),
    })?;
    Ok(ModelLibrary::new(library, source, key))
}

/// Key and folder of a model. One of full effort also serves where quick effort would do.
fn entry(cache: &Cache, source: &ModelSource, toolchain: &Toolchain) -> Result<(String, PathBuf)> {
    let of = |effort| -> Result<(String, PathBuf)> {
        let mut key = key_of("model", toolchain, variant(source));
        let source = ModelSource {
            effort,
            ..source.clone()
        };
        key::add_source(&mut key, &source)?;
        let key = key.finish();
        let folder = cache.entry("models", &key);
        Ok((key, folder))
    };
    let full = of(Effort::Full)?;
    if source.effort == Effort::Full || full.1.exists() {
        return Ok(full);
    }
    of(Effort::Quick)
}

fn variant(source: &ModelSource) -> Variant {
    Variant {
        trace: source.trace,
        coverage: source.coverage,
    }
}

/// The folder of the compiled run time.
fn runtime(
    cache: &Cache,
    toolchain: &Toolchain,
    variant: Variant,
    progress: &dyn Fn(Progress),
) -> Result<PathBuf> {
    let key = key_of("runtime", toolchain, variant).finish();
    let entry = cache.entry("runtime", &key);
    if !cache.has(&entry) {
        let _lock = cache.lock(&key, || {
            progress(Progress::Waiting {
                top: "Verilator run time".into(),
            })
        })?;
        if !cache.has(&entry) {
            cache.remove_damaged(&entry)?;
            progress(Progress::CompilingRuntime);
            cache.publish("runtime", &key, |folder| {
                ModelBuild {
                    folder,
                    toolchain,
                    variant,
                }
                .make_runtime()
            })?;
        }
    }
    Ok(entry)
}

/// What all builds with these tools share.
fn key_of(kind: &str, toolchain: &Toolchain, variant: Variant) -> ContentKey {
    let mut key = ContentKey::new(kind);
    key.add("crate", env!("CARGO_PKG_VERSION"));
    key.add("tools", &toolchain.versions);
    key.add("steps", [verilate::STEPS, compile::STEPS].concat());
    key.add("generator", glue::GENERATOR);
    key.add("wrapper", clocked::GENERATOR);
    key.add("variant", format!("{variant:?}"));
    for (name, text) in glue::FILES {
        key.add(name, text);
    }
    key
}

fn with_absolute_paths(source: &ModelSource) -> Result<ModelSource> {
    let absolute = |paths: &[PathBuf]| {
        paths
            .iter()
            .map(|path| fs::canonicalize(path).map_err(Error::io("find", path)))
            .collect::<Result<Vec<_>>>()
    };
    Ok(ModelSource {
        files: absolute(&source.files)?,
        include_dirs: absolute(&source.include_dirs)?,
        data_files: absolute(&source.data_files)?,
        ..source.clone()
    })
}
