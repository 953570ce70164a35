//! Register writes as text, JSON, CSV and C.

use std::fmt::Write;

use serde::Serialize;

use mkns_design::network_hash;
use mkns_manage::{RegisterWrite, Reroute};
use mkns_topology::{BlockId, Network};

/// What `mkns reroute` prints.
#[derive(Debug, Serialize)]
pub struct Forms<'a> {
    #[serde(skip)]
    title: &'a str,
    /// What names in C begin with.
    #[serde(skip)]
    prefix: String,
    /// Whether all writes may come in any order while hosts send.
    safe_under_traffic: bool,
    /// Whether each write has to wait for the answer of the one before it.
    in_this_order: bool,
    /// What could happen otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    why_not: Option<&'a str>,
    under_traffic: Vec<WriteView<'a>>,
    /// Blocks whose hosts stop before the other writes.
    stop: Vec<&'a str>,
    after_drain: Vec<WriteView<'a>>,
}

#[derive(Debug, Serialize)]
struct WriteView<'a> {
    /// Index of the block's port among the control ports of the network.
    number: u32,
    block: &'a str,
    register: String,
    address: u32,
    value: u32,
}

impl<'a> Forms<'a> {
    /// The `title` says what was asked for, on the network of a spec that is called `spec`: together they name the plan.
    pub fn new(title: &'a str, spec: &str, network: &'a Network, found: &'a Reroute) -> Self {
        let name = |id: BlockId| network.block(id).name.as_str();
        let view = |write: &RegisterWrite| WriteView {
            number: write.block.0,
            block: name(write.block),
            register: write.what.to_string(),
            address: write.address,
            value: write.value,
        };
        let views = |writes: &[RegisterWrite]| writes.iter().map(view).collect();
        let drain = found.drain.as_ref();
        Self {
            title,
            prefix: format!("{spec}_{:08x}", network_hash(title)),
            safe_under_traffic: drain.is_none(),
            in_this_order: found.is_ordered,
            why_not: drain.map(|drain| drain.why.as_str()),
            under_traffic: views(&found.under_traffic),
            stop: drain.map_or(Vec::new(), |drain| {
                drain.stop.iter().map(|id| name(*id)).collect()
            }),
            after_drain: drain.map_or(Vec::new(), |drain| views(&drain.writes)),
        }
    }

    pub fn text(&self) -> String {
        let (first, later) = (self.under_traffic.len(), self.after_drain.len());
        let mut out = format!("{}: {} register writes\n", self.title, first + later);
        match self.why_not {
            None if self.in_this_order => {
                out += "safe while hosts send, in this order, each write after the answer to the one \
                 before: a packet that meets a new entry meets only new entries from there on, and no \
                 routes form a cycle\n";
            }
            None => {
                out +=
                    "safe while hosts send: no mixture of the old and new routes forms a cycle\n";
            }
            Some(why) => self.say_order(&mut out, why),
        }
        for (title, writes) in [
            ("while hosts send", &self.under_traffic),
            ("while no packet is in the network", &self.after_drain),
        ] {
            if !writes.is_empty() {
                let _ = writeln!(out, "\n{title}:");
                let (block, register) = ("block", "register");
                let _ = writeln!(out, "  {block:<16} {register:<16} {:>9} value", "address");
            }
            for write in writes {
                let (block, register) = (write.block, &write.register);
                let (address, value) = (write.address, write.value);
                let _ = writeln!(
                    out,
                    "  {block:<16} {register:<16} {address:#09x} {value:#06x}"
                );
            }
        }
        out
    }

    fn say_order(&self, out: &mut String, why: &str) {
        let (first, later) = (self.under_traffic.len(), self.after_drain.len());
        let _ = writeln!(out, "not all of them while hosts send: {why}");
        let while_sending =
            (first > 0).then(|| format!("write the first {first} in this order while hosts send"));
        let which = match first {
            0 => format!("all {later}"),
            _ => format!("the other {later}"),
        };
        let steps = while_sending.into_iter().chain([
            format!("stop the hosts of {}", self.stop.join(", ")),
            "wait until two readings of TX_FLITS of all ports are the same and PACKETS_IN of all blocks \
             equals what arrived plus what was dropped"
                .to_owned(),
            format!("write {which}; then hosts may send"),
        ]);
        for (step, number) in steps.zip(1..) {
            let _ = writeln!(out, "  {number}. {step}");
        }
    }

    pub fn csv(&self) -> String {
        let mut out = "when,number,block,register,address,value\n".to_owned();
        for (when, writes) in self.phases() {
            for write in writes {
                let (number, block, register) = (write.number, write.block, &write.register);
                let (address, value) = (write.address, write.value);
                let _ = writeln!(
                    out,
                    "{when},{number},{block},{register},{address:#x},{value:#x}"
                );
            }
        }
        out
    }

    /// A header: it can be included twice, and beside those of other plans and networks.
    pub fn c(&self) -> String {
        let title = self.title.replace("*/", "* /");
        let mut out = format!("/* Register writes of: {title} */\n");
        if let Some(why) = self.why_not {
            let _ = writeln!(
                out,
                "/* The second list waits until no packet is in the network: {why} */"
            );
        }
        let prefix = &self.prefix;
        let capitals = prefix.to_uppercase();
        let guard = format!("{capitals}_WRITES_H");
        let _ = writeln!(out, "#ifndef {guard}\n#define {guard}\n");
        out += "#include <stdint.h>\n\n";
        out += "#ifndef MKNS_WRITE\n#define MKNS_WRITE\n";
        out += "struct mkns_write { uint32_t block; uint32_t address; uint32_t value; };\n#endif\n";
        for (when, writes) in self.phases() {
            let count = writes.len();
            let phase = when.to_uppercase();
            let _ = writeln!(out, "\n#define {capitals}_{phase}_WRITES {count}u");
            // An array needs an element.
            let _ = writeln!(
                out,
                "static const struct mkns_write {prefix}_{when}[{}] = {{",
                count.max(1)
            );
            out += &c_lines(writes);
            out += "};\n";
        }
        let _ = writeln!(out, "\n#endif /* {guard} */");
        out
    }

    fn phases(&self) -> [(&'static str, &[WriteView<'a>]); 2] {
        [
            ("under_traffic", &self.under_traffic),
            ("after_drain", &self.after_drain),
        ]
    }
}

/// The elements of a list of writes.
fn c_lines(writes: &[WriteView]) -> String {
    if writes.is_empty() {
        return "  { 0u, 0u, 0u }\n".to_owned();
    }
    let lines = writes.iter().map(|write| {
        let (number, address, value) = (write.number, write.address, write.value);
        let (block, register) = (write.block, &write.register);
        format!("  {{ {number}u, {address:#x}u, {value:#x}u }}, /* {block} {register} */\n")
    });
    lines.collect()
}
