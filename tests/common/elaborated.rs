//! What Yosys finds after elaboration: ports of a top module, and all modules below it.

use std::fmt::Write;
use std::fs;
use std::process::Command;

use mkns::fpga::Program;
use serde_json::{Map, Value};

/// Modules of a design, as `write_json` lists them.
pub struct Elaborated(Map<String, Value>);

impl Elaborated {
    /// Reads sources (file names and texts). Modules that no source has stay empty.
    pub fn of(sources: &[(String, String)]) -> Self {
        Self::by(sources, "hierarchy\nproc")
    }

    /// Reads sources for this top; registers have their resets and enables as inputs of their own.
    pub fn below(sources: &[(String, String)], top: &str) -> Self {
        let script = format!("hierarchy -top {top}\nproc\nopt_dff\nopt_clean");
        Self::by(sources, &script)
    }

    /// Reads sources for this top with these parameters (`-set NAME VALUE`), in one module without unused parts.
    pub fn flat(sources: &[(String, String)], top: &str, parameters: &str) -> Self {
        let script = format!(
            "chparam {parameters} {top}\nhierarchy -top {top}\nproc\nflatten\nopt_expr\nmemory_collect\n\
             opt_clean"
        );
        let script = match parameters {
            "" => script.split_once('\n').expect("lines").1,
            _ => &script,
        };
        Self::by(sources, script)
    }

    /// All modules as `write_json` lists them, by their names with parameters.
    pub fn modules(&self) -> &Map<String, Value> {
        &self.0
    }

    fn by(sources: &[(String, String)], commands: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut script = "read_verilog -noautowire".to_owned();
        for (name, text) in sources {
            fs::write(folder.path().join(name), text).expect("the folder can be written");
            let _ = write!(script, " {name}");
        }
        let _ = write!(script, "\n{commands}\nwrite_json design.json\n");
        fs::write(folder.path().join("elaborate.ys"), script).expect("writable");
        let yosys = Program::Yosys.path().expect("`make setup` has been run");
        let run = Command::new(yosys)
            .args(["-q", "-s", "elaborate.ys"])
            .current_dir(folder.path())
            .output()
            .expect("yosys runs");
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{said}");
        let text = fs::read_to_string(folder.path().join("design.json")).expect("a design");
        let design: Value = serde_json::from_str(&text).expect("JSON");
        Self(design["modules"].as_object().expect("modules").clone())
    }

    /// Ports of a module, vectors bit by bit.
    pub fn ports(&self, top: &str) -> Vec<String> {
        let ports = self.0[top]["ports"].as_object().expect("ports");
        let bits = |(name, port): (&String, &Value)| {
            let count = port["bits"].as_array().expect("bits").len();
            match count {
                1 if !name.starts_with("led") => vec![name.clone()],
                _ => (0..count).map(|bit| format!("{name}[{bit}]")).collect(),
            }
        };
        ports.iter().flat_map(bits).collect()
    }
}
