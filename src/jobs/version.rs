//! Which program makes results: results of one program are not those of another.

use std::env;
use std::fs;
use std::sync::OnceLock;

use mkns_scratch::ContentKey;

static COMMIT: OnceLock<&'static str> = OnceLock::new();

/// Says which commit this program is made of, if that is known; `+` at its end says that files were changed.
pub fn set_commit(commit: &'static str) {
    let _ = COMMIT.set(commit);
}

fn commit() -> Option<&'static str> {
    let commit = COMMIT.get().copied();
    commit.filter(|commit| !commit.is_empty())
}

/// Version and commit, for people.
pub fn version() -> String {
    let number = env!("CARGO_PKG_VERSION");
    match commit() {
        Some(commit) => format!("{number} ({commit})"),
        None => number.to_owned(),
    }
}

/// What keys of results contain: version and commit, and the build where no commit stands for it.
pub fn program_identity() -> &'static str {
    static IDENTITY: OnceLock<String> = OnceLock::new();
    IDENTITY.get_or_init(|| match commit() {
        Some(commit) if !commit.ends_with('+') => version(),
        _ => format!("{} build {}", version(), build()),
    })
}

/// Size and time of change of the program's file.
fn build() -> String {
    let mut key = ContentKey::new("build");
    let about = env::current_exe().and_then(fs::metadata);
    if let Ok(about) = about {
        key.add("size", about.len().to_le_bytes());
        if let Ok(changed) = about.modified() {
            key.add("changed", format!("{changed:?}"));
        }
    }
    key.finish()
}
