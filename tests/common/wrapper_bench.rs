//! Benches of host wrappers in Verilog, built and run by Icarus, with faults planted into the wrappers.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use mkns::fpga::HostCore;

/// What stands in the sources, and what stands there instead.
pub type Edit<'a> = (&'a str, &'a str);

/// A bench that is built.
pub struct WrapperBench {
    folder: tempfile::TempDir,
}

impl WrapperBench {
    /// Builds `tests/data/<top>.v` with the wrappers of `cores`. Every edit has to change something.
    pub fn build(
        top: &str,
        cores: &[HostCore],
        parameters: &[(&str, u32)],
        edits: &[Edit],
    ) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let files = cores.iter().flat_map(|core| core.files("// test"));
        let mut sources: BTreeMap<String, String> =
            files.filter(|(name, _)| name.ends_with(".v")).collect();
        for (right, wrong) in edits {
            let before = sources.clone();
            for text in sources.values_mut() {
                *text = text.replace(right, wrong);
            }
            assert_ne!(before, sources, "no source has `{right}`");
        }
        for (name, text) in &sources {
            fs::write(folder.path().join(name), text).expect("writable");
        }
        let data = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
        let built = Command::new("iverilog")
            .args(["-g2005", "-o", "bench.vvp", "-s", top])
            .args(
                parameters
                    .iter()
                    .map(|(name, value)| format!("-P{top}.{name}={value}")),
            )
            .args(["-y", data])
            .arg(format!("{data}/{top}.v"))
            .args(sources.keys())
            .current_dir(folder.path())
            .output()
            .expect("iverilog runs");
        let said = String::from_utf8_lossy(&built.stderr);
        assert!(built.status.success(), "{said}");
        Self { folder }
    }

    /// What the bench prints with these plus arguments.
    pub fn run(&self, arguments: &[(&str, u32)]) -> String {
        let values = arguments
            .iter()
            .map(|(name, value)| format!("+{name}={value}"));
        let output = Command::new("vvp")
            .args(["-N", "bench.vvp"])
            .args(values)
            .current_dir(self.folder.path())
            .output()
            .expect("vvp runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

/// The number behind a word of what a bench printed.
pub fn number_after(said: &str, word: &str) -> u64 {
    let mut words = said
        .split([' ', ',', '\n'])
        .skip_while(|other| *other != word);
    let number = words.nth(1).and_then(|number| number.parse().ok());
    number.unwrap_or_else(|| panic!("no `{word} N`: {said}"))
}
