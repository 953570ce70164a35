//! What the set-up scripts install, asked on machines that lack exactly one thing.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Programs and files of a machine that lacks nothing, with the package that each comes from.
const PROGRAMS: [(&str, &str); 15] = [
    ("g++", "g++"),
    ("make", "make"),
    ("iverilog", "iverilog"),
    ("berkeley-abc", "berkeley-abc"),
    ("tclsh", "tcl"),
    ("ip", "iproute2"),
    ("ping", "iputils-ping"),
    ("chromium", "chromium"),
    ("chromedriver", "chromium-driver"),
    ("slurmctld", "slurm-wlm"),
    ("slurmd", "slurm-wlm"),
    ("munged", "munge"),
    ("mpirun", "openmpi-bin"),
    ("mpicc", "libopenmpi-dev"),
    ("python3", "python3 python3-venv"),
];
const FILES: [(&str, &str); 3] = [
    ("usr/include/lz4.h", "liblz4-dev"),
    ("usr/include/zlib.h", "zlib1g-dev"),
    ("usr/lib/llvm-14/lib/libclang.so", "libclang-14-dev"),
];
/// Tools of the shell that the scripts use.
const SHELL: [&str; 8] = [
    "sh", "dirname", "hostname", "mkdir", "ls", "cat", "tr", "id",
];

struct Machine(tempfile::TempDir);

impl Machine {
    /// A machine that lacks what is called `lacking`, with copies of the scripts.
    fn without(lacking: &str) -> Self {
        let machine = Self(tempfile::tempdir().expect("a folder"));
        for folder in ["bin", "tools"] {
            fs::create_dir(machine.path(folder)).expect("writable");
        }
        for script in ["setup.sh", "slurm_here.sh"] {
            let from = Path::new("tools").join(script);
            fs::copy(from, machine.path("tools").join(script)).expect("a copy");
        }
        for program in SHELL {
            let real = ["/bin", "/usr/bin"].map(|folder| Path::new(folder).join(program));
            let real = real.iter().find(|path| path.exists());
            let real = real.unwrap_or_else(|| panic!("no {program}"));
            symlink(real, machine.path("bin").join(program)).expect("writable");
        }
        for (program, _) in PROGRAMS.iter().filter(|(name, _)| *name != lacking) {
            let path = machine.path("bin").join(program);
            fs::write(&path, "#!/bin/sh\n").expect("writable");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("our own");
        }
        for (file, _) in FILES.iter().filter(|(name, _)| *name != lacking) {
            machine.add_file(file);
        }
        machine
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn add_file(&self, name: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        fs::write(path, "").expect("writable");
    }

    /// The packages that both scripts would install.
    fn missing(&self) -> String {
        let ask = |script: &str, words: &[&str]| {
            let mut command = Command::new("/bin/sh");
            command.arg(self.path("tools").join(script)).args(words);
            command
                .env_clear()
                .env("PATH", self.path("bin"))
                .env("MPI", "1")
                .env("MKNS_SYSTEM_ROOT", self.0.path());
            let output = command.output().expect("a shell");
            let words = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{script}: {words}");
            String::from_utf8(output.stdout).expect("text")
        };
        let asked = [
            ask("setup.sh", &["all", "missing"]),
            ask("slurm_here.sh", &["missing"]),
        ];
        let words: Vec<&str> = asked
            .iter()
            .flat_map(|text| text.split_whitespace())
            .collect();
        words.join(" ")
    }
}

#[test]
fn users_13_a_machine_that_lacks_one_thing_gets_that_thing() {
    assert_eq!(Machine::without("").missing(), "");
    for (name, package) in PROGRAMS.iter().chain(&FILES) {
        assert_eq!(Machine::without(name).missing(), *package, "{name}");
    }
}

/// Packages of Open MPI bring a library with nearly the same name along.
#[test]
fn users_13_something_similar_is_not_the_thing_itself() {
    let machine = Machine::without("usr/lib/llvm-14/lib/libclang.so");
    machine.add_file("usr/lib/llvm-14/lib/libclang-cpp.so.14");
    assert_eq!(machine.missing(), "libclang-14-dev");
    machine.add_file("usr/lib/llvm-14/lib/libclang-14.so.1");
    assert_eq!(machine.missing(), "");
}
