//! A Verilator that plants a fault into the RTL it reads, or never ends: whole runs of `mkns` then fail as
//! in the field.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use mkns::tools::in_tools;

/// A data bit that the crossbar lets through as 0; `$ON_TRACE` is run when a waveform is asked for.
const FAULTY: &str = r#"
for word in "$@"; do
  case "$word" in
  */crossbar.v) sed -i "s/tx_data <= data;/tx_data <= data \& ~{OUTPUTS{{{DATA_WIDTH-1{1'b0}}, 1'b1}}};/" "$word" ;;
  --trace-fst) eval "${ON_TRACE:-true}" || exit 3 ;;
  esac
done
"#;

/// A folder to work in, whose `verilator` is a stand-in.
pub struct StubTools {
    pub folder: tempfile::TempDir,
    cache: PathBuf,
}

/// `mkns` that ends when interrupted: whoever runs the tests in the background has interrupts ignored, and mkns would
/// ignore them, too.
pub fn interruptible_mkns() -> Command {
    let mut command = Command::new("env");
    command.args(["--default-signal", env!("CARGO_BIN_EXE_mkns")]);
    command
}

impl StubTools {
    /// Finds a fault in every switch. Models with the fault are kept between test runs.
    pub fn faulty() -> Self {
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("faulty-models");
        let stale = fs::read_to_string(cache.join("script")).ok().as_deref() != Some(FAULTY);
        if stale {
            let _ = fs::remove_dir_all(&cache);
            fs::create_dir_all(&cache).expect("a writable folder");
            fs::write(cache.join("script"), FAULTY).expect("a writable folder");
        }
        Self::new(FAULTY, cache)
    }

    /// Never comes to an end.
    pub fn endless() -> Self {
        let mut stub_tools = Self::new("sleep 987\n", PathBuf::new());
        stub_tools.cache = stub_tools.path("cache");
        stub_tools
    }

    fn new(script: &str, cache: PathBuf) -> Self {
        let real = in_tools("verilator").expect("`make setup` has been run");
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in ["verilator/bin", "tmp"] {
            fs::create_dir_all(folder.path().join(name)).expect("a writable folder");
        }
        symlink(
            real.join("include"),
            folder.path().join("verilator/include"),
        )
        .expect("a link");
        let program = folder.path().join("verilator/bin/verilator_bin");
        let real = real.display();
        let text = format!(
            "#!/bin/sh\nexport VERILATOR_ROOT='{real}'\nif [ \"$1\" != --version ]; then\n{script}fi\n\
             exec '{real}/bin/verilator_bin' \"$@\"\n"
        );
        fs::write(&program, text).expect("a writable folder");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("our own file");
        Self { folder, cache }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// `mkns` in the project's folder with the stand-in, its temporary files in `tmp` of the folder.
    pub fn mkns(&self, arguments: &[&str]) -> Command {
        let mut command = interruptible_mkns();
        command
            .args(arguments)
            .env("MKNS_VERILATOR_ROOT", self.path("verilator"))
            .env("MKNS_CACHE", &self.cache)
            .env("TMPDIR", self.path("tmp"));
        command
    }

    /// Names of what is left in a folder of temporary files: `tmp`, `cache/tmp`.
    pub fn left_in(&self, name: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(name)).into_iter().flatten();
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        names.map(|name| name.to_string_lossy().into()).collect()
    }
}
