//! A read-back as text: CSV with the columns `a,port_a,b,port_b` and, if there is one, `state`; or JSON with the same
//! names. Other columns do not count, so that the plan itself can be read.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use serde_json::Value;

use super::ReadBack;
use super::read_back::ReadBackStatement;
use mkns_diag::{Code, Diagnostic, Place, nearest};
use mkns_topology::{BlockId, End, Network, PortIndex};

/// Columns that say which ports see each other.
const COLUMNS: [&str; 4] = ["a", "port_a", "b", "port_b"];
/// Column that says whether the cable carries something.
const STATE: &str = "state";
/// Keys under which a JSON document may hold its list.
const LIST: &str = "cables";

/// Reads who sees whom; `source` is the path for diagnostics.
pub fn read_back(source: &str, text: &str, network: &Network) -> Result<ReadBack, Box<Diagnostic>> {
    let names = Names::new(network);
    let read = match text.trim_start().starts_with(['[', '{']) {
        true => json(text, &names),
        false => csv(text, &names),
    };
    let sightings = read.and_then(|sightings| ReadBack::new(network, &sightings));
    sightings.map_err(|(span, fact)| {
        let remedy = "correct the read-back; docs/reference/cabling.md says how it is written";
        let place = match span.is_empty() {
            true => Place::file(source),
            false => Place::in_text(source, text, span, ""),
        };
        Box::new(Diagnostic::new(Code::NotReadBack, fact, remedy).at(place))
    })
}

/// A stretch of text and what is wrong with it.
type Fault = (Range<usize>, String);

fn csv(text: &str, names: &Names) -> Result<Vec<ReadBackStatement>, Fault> {
    let mut lines = lines(text).filter(|(_, line)| !line.trim().is_empty());
    let (head, first) = lines.next().unwrap_or((0..0, ""));
    let titles: Vec<&str> = first.split(',').map(str::trim).collect();
    let column = |name: &str| titles.iter().position(|title| *title == name);
    let Some(columns) = COLUMNS
        .iter()
        .map(|name| column(name))
        .collect::<Option<Vec<_>>>()
    else {
        let wanted = COLUMNS.join(",");
        return Err((
            head,
            format!("the first line does not name the columns {wanted}"),
        ));
    };
    let state = column(STATE);
    lines
        .map(|(span, line)| {
            let cells: Vec<&str> = line.split(',').map(str::trim).collect();
            let cell = |at: usize| cells.get(at).copied().unwrap_or("");
            let state = state.map_or("", cell);
            let [a, port_a, b, port_b] = [0, 1, 2, 3].map(|at| cell(columns[at]));
            names
                .sighting([(a, port_a), (b, port_b)], state, span.clone())
                .map_err(|fact| (span, fact))
        })
        .collect()
}

/// The lines of a text and where they are.
fn lines(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut start = 0;
    text.split('\n').map(move |line| {
        let span = start..start + line.len();
        start = span.end + 1;
        (span, line.trim_end_matches('\r'))
    })
}

/// One entry of a JSON list.
#[derive(Deserialize)]
struct Entry {
    #[serde(default)]
    a: Option<String>,
    #[serde(default)]
    port_a: Option<Value>,
    #[serde(default)]
    b: Option<String>,
    #[serde(default)]
    port_b: Option<Value>,
    #[serde(default)]
    state: Option<String>,
}

fn json(text: &str, names: &Names) -> Result<Vec<ReadBackStatement>, Fault> {
    let nowhere = |fact: String| (0..0, fact);
    let document: Value = serde_json::from_str(text)
        .map_err(|error| nowhere(format!("this is not JSON: {error}")))?;
    let list = match document {
        Value::Object(mut object) => object.remove(LIST).unwrap_or_default(),
        other => other,
    };
    let Value::Array(list) = list else {
        let fact = format!("the document is neither a list of cables nor has one under `{LIST}`");
        return Err(nowhere(fact));
    };
    let entries = list.into_iter().enumerate();
    entries
        .map(|(number, value)| {
            let wrong = |fact: String| nowhere(format!("entry {number}: {fact}"));
            let entry: Entry =
                serde_json::from_value(value).map_err(|error| wrong(error.to_string()))?;
            let port = |port: Option<Value>| match port {
                None | Some(Value::Null) => String::new(),
                Some(Value::String(text)) => text,
                Some(port) => port.to_string(),
            };
            let (port_a, port_b) = (port(entry.port_a), port(entry.port_b));
            let [a, b] = [entry.a, entry.b].map(Option::unwrap_or_default);
            let state = entry.state.unwrap_or_default();
            names
                .sighting([(&a, &port_a), (&b, &port_b)], &state, 0..0)
                .map_err(wrong)
        })
        .collect()
}

/// Blocks by both of their names.
struct Names<'a> {
    network: &'a Network,
    blocks: BTreeMap<String, BlockId>,
}

impl<'a> Names<'a> {
    fn new(network: &'a Network) -> Self {
        let blocks = network.block_ids().flat_map(|id| {
            let block = network.block(id);
            [(block.label(), id), (block.name.clone(), id)]
        });
        Self {
            network,
            blocks: blocks.collect(),
        }
    }

    fn sighting(
        &self,
        ends: [(&str, &str); 2],
        state: &str,
        span: Range<usize>,
    ) -> Result<ReadBackStatement, String> {
        let is_dead = match state {
            "" | "up" => false,
            "dead" => true,
            _ => return Err(format!("state is `{state}`, but it must be `up` or `dead`")),
        };
        let [a, b] = ends;
        Ok(ReadBackStatement {
            ends: [self.end(a)?, self.end(b)?],
            is_dead,
            span,
        })
    }

    /// A block and its port; nothing where neither is given.
    fn end(&self, (block, port): (&str, &str)) -> Result<Option<End>, String> {
        if block.is_empty() && port.is_empty() {
            return Ok(None);
        }
        let Some(&id) = self.blocks.get(block) else {
            let known = self.blocks.keys().map(String::as_str);
            let meant = nearest(block, known);
            let meant = meant.map_or(String::new(), |name| format!("; is it `{name}`?"));
            return Err(format!("there is no block `{block}`{meant}"));
        };
        let ports = self.network.block(id).network_ports;
        let number = port.parse::<u8>().ok().filter(|number| *number < ports);
        let number = number.ok_or_else(|| {
            let last = ports.saturating_sub(1);
            format!("port of {block} is `{port}`, but it must be 0 to {last}")
        })?;
        Ok(Some(End {
            block: id,
            port: PortIndex(number),
        }))
    }
}
