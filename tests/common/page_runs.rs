//! Runs the commands of a page, block by block, in a folder that looks like a clone.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::pages::{Block, Runner, blocks, shows};

/// A block as one script, which ends with 0 when every command ends as the page says.
fn script(block: &Block) -> String {
    let exit = block
        .info
        .split(' ')
        .find_map(|word| word.strip_prefix("exit="));
    let Some(exit) = exit else {
        return format!("set -e\n{}", block.text);
    };
    let each = |line| format!("( {line} ) && exit 1 || [ $? = {exit} ] || exit 1\n");
    block.commands().into_iter().map(each).collect()
}

/// Runs a page's blocks as far as `runner` goes; panics with what failed.
pub fn run(page: &Path, runner: Runner, program: &Path) {
    let blocks = blocks(page);
    let runs = |block: &&Block| block.is_commands() && block.runner() <= runner;
    if !(blocks.iter().filter(runs)).any(|block| block.runner() == runner) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    look_like_a_clone(folder.path());
    let beside = program.parent().expect("the program is in a folder");
    let before = std::env::var("PATH").expect("a search path");
    for (number, block) in blocks.iter().enumerate().filter(|(_, block)| runs(block)) {
        let ended = Command::new("sh")
            .args(["-c", &script(block)])
            .current_dir(folder.path())
            .env("PATH", format!("{}:{before}", beside.display()))
            .output()
            .expect("a shell");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(
            ended.status.success(),
            "{}:{}: {}\n{}{}{}",
            page.display(),
            block.line,
            ended.status,
            block.text,
            text(&ended.stdout),
            text(&ended.stderr)
        );
        if let Some(output) = blocks.get(number + 1).filter(|next| next.is_output()) {
            let printed = text(&ended.stdout);
            assert!(
                shows(&output.text, &printed),
                "{}:{}: the page shows\n{}but the commands print\n{printed}",
                page.display(),
                output.line,
                output.text,
            );
        }
    }
}

/// What commands of a page may name; copies, so that they may change it.
fn look_like_a_clone(folder: &Path) {
    for part in ["examples", "hdl-templates"] {
        let (from, to) = (PathBuf::from(part), folder.join(part));
        let copied = Command::new("cp").arg("-r").args([from, to]).output();
        assert!(copied.expect("cp runs").status.success());
    }
    let tools = Path::new(".tools");
    if tools.exists() {
        let tools = tools.canonicalize().expect("the folder of tools exists");
        symlink(tools, folder.join(".tools")).expect("a link");
    }
}
