//! The pages that users read, and the commands in them.
//!
//! A fence `sh` holds commands; its further words say who runs them. None: `cargo test`. `tools`: `make test`.
//! `long`: `make test-long`. `elsewhere`: nobody here, as it takes a board, a vendor's program or minutes of building.
//! `exit=5`: each command ends so. Blocks of a page run in order in one folder, which looks like a clone.
//!
//! A fence `output` behind one of commands shows what they print, and is compared with it. `…` stands for anything: for
//! lines when it is alone in one, else for the rest of a line or for a part of it.

use std::fs;
use std::path::Path;

/// Who runs a block; those to the right run what stands to their left too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Runner {
    Cargo,
    Tools,
    Long,
    Nobody,
}

/// A fenced block of a page.
#[derive(Debug)]
pub struct Block {
    /// Line of its fence, from 1.
    pub line: usize,
    /// What stands behind the fence, such as `sh long`.
    pub info: String,
    pub text: String,
}

impl Block {
    pub fn is_commands(&self) -> bool {
        self.info.split(' ').next() == Some("sh")
    }

    pub fn runner(&self) -> Runner {
        let has = |word: &str| self.info.split(' ').any(|found| found == word);
        match () {
            () if has("elsewhere") => Runner::Nobody,
            () if has("long") => Runner::Long,
            () if has("tools") => Runner::Tools,
            () => Runner::Cargo,
        }
    }

    /// Whether it shows what the commands before it print.
    pub fn is_output(&self) -> bool {
        self.info == "output"
    }

    /// Commands, each on one line, without remarks.
    pub fn commands(&self) -> Vec<String> {
        let text = self.text.replace("\\\n", " ");
        let lines = text
            .lines()
            .map(|line| line.split(" # ").next().unwrap_or_default());
        let lines = lines.map(|line| line.trim().to_owned());
        lines
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .collect()
    }
}

/// All blocks of a page.
pub fn blocks(page: &Path) -> Vec<Block> {
    let text = fs::read_to_string(page).expect("a readable page");
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_open = false;
    for (number, line) in text.lines().enumerate() {
        if let Some(info) = line.trim_start().strip_prefix("```") {
            is_open = !is_open;
            if is_open {
                let (line, info) = (number + 1, info.to_owned());
                blocks.push(Block {
                    line,
                    info,
                    text: String::new(),
                });
            }
        } else if let (true, Some(block)) = (is_open, blocks.last_mut()) {
            block.text += line;
            block.text.push('\n');
        }
    }
    blocks
}

/// Whether a page shows what was printed.
pub fn shows(page: &str, printed: &str) -> bool {
    fn lines(text: &str) -> Vec<&str> {
        text.trim_end().lines().map(str::trim_end).collect()
    }
    lines_fit(&lines(page), &lines(printed))
}

fn lines_fit(page: &[&str], printed: &[&str]) -> bool {
    match (page, printed) {
        ([], _) => printed.is_empty(),
        ([first, rest @ ..], _) if first.trim() == "…" => {
            (0..=printed.len()).any(|skipped| lines_fit(rest, &printed[skipped..]))
        }
        ([first, page @ ..], [line, printed @ ..]) => {
            line_fits(first, line) && lines_fit(page, printed)
        }
        (_, []) => false,
    }
}

/// The parts between two `…` stand in the line, one behind the other.
fn line_fits(page: &str, printed: &str) -> bool {
    let parts: Vec<&str> = page.split('…').collect();
    let [first, between @ .., last] = &parts[..] else {
        return page == printed;
    };
    let Some(mut rest) = printed.strip_prefix(first) else {
        return false;
    };
    for part in between {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(last)
}
