//! Commands of the pages that need tools: every one ends as its page says. Commands that need none run in `cases`.

use std::path::{Path, PathBuf};

use crate::common::files::files_below;
use crate::common::page_runs::run;
use crate::common::pages::Runner;

fn run_all(runner: Runner) {
    let mut pages = files_below(Path::new("docs"));
    pages.push(PathBuf::from("README.md"));
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
    for page in pages {
        run(&page, runner, Path::new(env!("CARGO_BIN_EXE_mkns")));
    }
}

#[test]
fn pages_hold_with_tools() {
    run_all(Runner::Tools);
}

#[test]
#[ignore = "half an hour, co-simulations and a bitstream: make test-long"]
fn pages_hold_to_their_end() {
    run_all(Runner::Long);
}
