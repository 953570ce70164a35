//! A small reader of generated network tops: instances, their parameters and connections, and the
//! table constants. Written from the look of the text, not from the views that make it.

use std::collections::{BTreeMap, BTreeSet};

/// What a network top says.
pub struct Top {
    /// Blocks and assemblies, in order.
    pub blocks: Vec<Instance>,
    /// Cables between link ports.
    pub serial: BTreeSet<String>,
    /// `localparam`s: name and value.
    pub constants: BTreeMap<String, String>,
}

/// One instance that has parameters.
pub struct Instance {
    pub name: String,
    pub parameters: BTreeMap<String, String>,
    pub connections: BTreeMap<String, String>,
}

impl Top {
    pub fn read(text: &str) -> Self {
        let code: String = text
            .lines()
            .map(|line| line.split("//").next().unwrap_or("").trim())
            .collect::<Vec<_>>()
            .join(" ");
        let statements = code.split(';').map(str::trim);
        let mut top = Self {
            blocks: Vec::new(),
            serial: BTreeSet::new(),
            constants: BTreeMap::new(),
        };
        for statement in statements {
            // boards of a kind may be numbered
            let modules = [
                "_adapter_node",
                "_switch_node",
                "_adapter_board",
                "_switch_board",
                "_switch_assembly",
            ];
            let module = statement.split_whitespace().next().unwrap_or("");
            let module =
                module.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '_');
            if module == "serial_cable" {
                let name = statement.split_once(") ").expect("parameters").1;
                let name = name.split(' ').next().expect("a name");
                top.serial.insert(name.to_owned());
            }
            if let Some(constant) = statement.strip_prefix("localparam") {
                let (left, value) = constant.split_once('=').expect("a constant has a value");
                let name = left
                    .split_whitespace()
                    .last()
                    .expect("a constant has a name");
                top.constants
                    .insert(name.to_owned(), value.trim().to_owned());
            } else if modules.iter().any(|end| module.ends_with(end)) {
                top.blocks.push(Instance::read(statement));
            }
        }
        top
    }

    /// 16-bit words of a table constant, entry 0 first.
    pub fn words(&self, constant: &str) -> Vec<u16> {
        let (_, digits) = self.constants[constant]
            .split_once("'h")
            .expect("a hex literal");
        let groups = digits.split('_').rev();
        groups
            .map(|group| u16::from_str_radix(group, 16).expect("four digits"))
            .collect()
    }
}

impl Instance {
    /// `module #(.A(1)) name (.p(x))`
    fn read(statement: &str) -> Self {
        let (_, rest) = statement.split_once("#(").expect("parameters");
        let split = closing(rest);
        let (name, connections) = rest[split + 1..].split_once('(').expect("connections");
        Self {
            name: name.trim().to_owned(),
            parameters: associations(&rest[..split]),
            connections: associations(&connections[..closing(connections)]),
        }
    }

    /// The items of a concatenation on a port, port 0 first, replications and ranges written out;
    /// a constant 0 of n bits becomes n items `0`.
    pub fn list(&self, port: &str) -> Vec<String> {
        let text = self.connections[port].trim();
        let inner = text
            .strip_prefix('{')
            .and_then(|text| text.strip_suffix('}'));
        let mut items = Vec::new();
        for item in top_level(inner.expect("a concatenation")) {
            items.extend(written_out(item.trim()));
        }
        items.reverse();
        items
    }
}

/// One item of a concatenation as single links or bits, highest first.
fn written_out(item: &str) -> Vec<String> {
    if let Some((count, rest)) = item.strip_prefix('{').and_then(|item| item.split_once('{')) {
        let count: usize = count.parse().expect("a replication count");
        return vec![rest.trim_end_matches('}').to_owned(); count];
    }
    if let Some((count, "0")) = item.split_once("'d") {
        return vec!["0".to_owned(); count.parse().expect("a width")];
    }
    let range = item
        .split_once('[')
        .map(|(name, range)| (name, range.trim_end_matches(']')));
    match range.and_then(|(name, range)| Some((name, range.split_once(':')?))) {
        Some((name, (high, low))) if name == "cable_up" => {
            let number = |text: &str| text.parse::<usize>().expect("an index");
            let indices = (number(low)..=number(high)).rev();
            indices.map(|index| format!("{name}[{index}]")).collect()
        }
        // unused_x[6*LINK_BITS-1:4*LINK_BITS]
        Some((name, (high, low))) => {
            let factor = |text: &str| -> usize {
                text.split('*')
                    .next()
                    .expect("a factor")
                    .parse()
                    .expect("a number")
            };
            vec![name.to_owned(); factor(high) - factor(low)]
        }
        None => vec![item.to_owned()],
    }
}

/// `.a(x), .b(y)` as a map.
fn associations(text: &str) -> BTreeMap<String, String> {
    let items = top_level(text).into_iter().map(|item| {
        let item = item.trim().strip_prefix('.').expect("a named association");
        let (name, value) = item.split_once('(').expect("a value");
        let value = value.strip_suffix(')').expect("a closed value");
        (name.to_owned(), value.to_owned())
    });
    items.collect()
}

/// Parts between commas that no bracket encloses.
fn top_level(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let mut start = 0;
    let mut parts = Vec::new();
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// Place of the parenthesis that closes the one before the text.
fn closing(text: &str) -> usize {
    let mut depth = 1;
    let mut letters = text.char_indices();
    let place = letters.find(|(_, letter)| {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    place.expect("balanced parentheses").0
}
