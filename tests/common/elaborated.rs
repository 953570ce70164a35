//! What Yosys finds after elaboration: ports of a top module, instances and registers below it.

use std::collections::BTreeSet;
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
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut script = "read_verilog -noautowire".to_owned();
        for (name, text) in sources {
            fs::write(folder.path().join(name), text).expect("the folder can be written");
            let _ = write!(script, " {name}");
        }
        script += "\nhierarchy\nproc\nwrite_json design.json\n";
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

    /// A line for every instance (`instance PATH MODULE`), register (`register PATH BITS`) and memory
    /// (`memory PATH`) below `top`, paths with `/`.
    pub fn names(&self, top: &str) -> String {
        let mut lines = String::new();
        self.collect(&self.0[top], "", &mut lines);
        lines
    }

    fn collect(&self, module: &Value, prefix: &str, lines: &mut String) {
        for (memory, _) in entries(module, "memories") {
            let _ = writeln!(lines, "memory {prefix}{memory}");
        }
        for (name, bits) in registers(module) {
            let _ = writeln!(lines, "register {prefix}{name} {bits}");
        }
        for (name, cell) in entries(module, "cells") {
            let kind = cell["type"].as_str().expect("a type");
            let Some(below) = self.0.get(kind) else {
                continue;
            };
            let original = below["attributes"]["hdlname"].as_str().unwrap_or(kind);
            let original = original.trim_start_matches('\\');
            let _ = writeln!(lines, "instance {prefix}{name} {original}");
            self.collect(below, &format!("{prefix}{name}/"), lines);
        }
    }
}

fn entries<'a>(module: &'a Value, part: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    module[part].as_object().into_iter().flatten()
}

/// Named wires all of whose bits flip-flops drive.
fn registers(module: &Value) -> Vec<(String, usize)> {
    let cells = entries(module, "cells").map(|(_, cell)| cell);
    let flip_flops = cells.filter(|cell| {
        cell["type"]
            .as_str()
            .is_some_and(|kind| kind.contains("dff"))
    });
    let driven: BTreeSet<String> = flip_flops
        .flat_map(|cell| cell["connections"]["Q"].as_array().expect("an output"))
        .map(Value::to_string)
        .collect();
    let wires = entries(module, "netnames");
    let named = wires.filter(|(_, wire)| wire["hide_name"] == 0);
    named
        .filter_map(|(name, wire)| {
            let bits = wire["bits"].as_array().expect("bits");
            let all = bits.iter().all(|bit| driven.contains(&bit.to_string()));
            all.then(|| (name.clone(), bits.len()))
        })
        .collect()
}
