//! Tells a release which commit it is made of: `$MKNS_COMMIT`, or what git says. Other builds do not ask, so that a
//! commit makes nothing to compile anew.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=MKNS_COMMIT");
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let given = env::var("MKNS_COMMIT")
        .ok()
        .filter(|commit| !commit.is_empty());
    let commit = given.or_else(|| is_release.then(from_git).flatten());
    println!(
        "cargo::rustc-env=MKNS_COMMIT={}",
        commit.unwrap_or_default()
    );
}

/// The commit that is checked out, with `+` behind it when files were changed.
fn from_git() -> Option<String> {
    println!(
        "cargo::rerun-if-changed={}",
        git(&["rev-parse", "--git-path", "logs/HEAD"])?
    );
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let changed = git(&["status", "--porcelain", "--untracked-files=no"])?;
    Some(commit + if changed.is_empty() { "" } else { "+" })
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
