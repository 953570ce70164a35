//! Where results are kept that can be made again: models, areas, what lint has passed.

use std::env;
use std::path::PathBuf;

/// `$MKNS_CACHE`, else `mkns` in the user's cache folder.
pub fn folder() -> PathBuf {
    let given = |variable: &str| {
        env::var_os(variable)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    given("MKNS_CACHE")
        .or_else(|| given("XDG_CACHE_HOME").map(|cache| cache.join("mkns")))
        .or_else(|| given("HOME").map(|home| home.join(".cache/mkns")))
        .unwrap_or_else(|| env::temp_dir().join("mkns-cache"))
}
