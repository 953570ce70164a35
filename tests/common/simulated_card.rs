//! A card in Icarus: a model in `tests/data` stands for its PCIe core and takes lines of text.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use mkns::manage::WordWindow;

/// What stands in the sources, and what stands there instead.
pub type Edit<'a> = (&'a str, &'a str);

/// A card that runs.
#[derive(Debug)]
pub struct SimulatedCard {
    child: Child,
    lines: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// Holds the model.
    _folder: tempfile::TempDir,
}

impl SimulatedCard {
    /// Builds the sources below `bench`, a file of `tests/data` with the module `around`, with Xilinx' XDMA core, and starts
    /// it. Every edit has to change one place.
    pub fn start(sources: &[(String, String)], bench: &str, edits: &[Edit]) -> Self {
        Self::with_core(sources, &["xdma_model.v", bench], &[], edits)
    }

    /// The same with another core: files of `tests/data` with its model and with the module `around`, and what they want to
    /// have defined.
    pub fn with_core(
        sources: &[(String, String)],
        models: &[&str],
        defines: &[(&str, usize)],
        edits: &[Edit],
    ) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut sources = sources.to_vec();
        for (right, wrong) in edits {
            let places = sources.iter().map(|(_, text)| text.matches(right).count());
            assert_eq!(places.sum::<usize>(), 1, "`{right}`");
            for (_, text) in &mut sources {
                *text = text.replace(right, wrong);
            }
        }
        for (name, text) in &sources {
            fs::write(folder.path().join(name), text).expect("writable");
        }
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        let built = Command::new("iverilog")
            .args(["-g2005", "-o", "card.vvp", "-s", "around"])
            .args(
                defines
                    .iter()
                    .map(|(name, value)| format!("-D{name}={value}")),
            )
            .args(sources.iter().map(|(name, _)| name))
            .arg(data.join("link/vendor_cells.v"))
            .args(models.iter().map(|model| data.join(model)))
            .current_dir(folder.path())
            .output()
            .expect("iverilog runs");
        let said = String::from_utf8_lossy(&built.stderr);
        assert!(built.status.success(), "{said}");
        let mut child = Command::new("vvp")
            .args(["-n", "card.vvp"])
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("vvp runs");
        let lines = child.stdin.take().expect("a pipe");
        let answers = BufReader::new(child.stdout.take().expect("a pipe"));
        Self {
            child,
            lines,
            answers,
            _folder: folder,
        }
    }

    /// Sends a line; the answer. What the bench finds wrong is an answer, too: it begins with FAULT.
    pub fn ask(&mut self, line: &str) -> String {
        writeln!(self.lines, "{line}").expect("the model runs");
        self.lines.flush().expect("the model runs");
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("the model runs");
        answer.trim_end().to_owned()
    }

    /// The word of an answer `= V`; an error for any other answer.
    pub fn word(&mut self, line: &str) -> io::Result<u32> {
        let answer = self.ask(line);
        let digits = answer.strip_prefix("= ");
        let word = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        word.ok_or_else(|| io::Error::other(format!("`{line}` is answered by `{answer}`")))
    }
}

/// The BAR of the registers.
impl WordWindow for SimulatedCard {
    fn read(&mut self, offset: usize) -> io::Result<u32> {
        self.word(&format!("r {offset:x}"))
    }

    fn write(&mut self, offset: usize, value: u32) -> io::Result<()> {
        match self.ask(&format!("w {offset:x} {value:x}")).as_str() {
            "." => Ok(()),
            answer => Err(io::Error::other(answer.to_owned())),
        }
    }
}

impl Drop for SimulatedCard {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
