//! Routing tables as text (`routes.csv`): written for people and other tools, read back as equal.
//!
//! One line per entry, in block, table and index order:
//! `block,table,index,port,same,valid,allow_uturn,alternate`. The table is named after its address
//! field; index is {layer, field value}; port is the index that the hardware uses (PCIe ports follow
//! the network ports). A set bit of the `step` matrix is a line with table `step`, index = input
//! port and port = output port. Knows text only: whether tables work is the business of `verify`.

use std::fmt::Write as _;
use std::ops::Range;

use super::{AddressLayout, BlockTables, DimensionTable, TableEntry};
use mkns_diag::{Code, Diagnostic, Place};
use mkns_topology::Network;

const HEADER: &str = "block,table,index,port,same,valid,allow_uturn,alternate";
/// What stands in the table column of a step line.
const STEP: &str = "step";
const REMEDY: &str =
    "write the file anew with `mkns generate` or `mkns export --to routes`, or correct the line";

/// The tables of all blocks as CSV.
pub fn dump<'a>(
    network: &Network,
    layout: &AddressLayout,
    tables: impl IntoIterator<Item = &'a BlockTables>,
) -> String {
    let mut out = format!("{HEADER}\n");
    for (block, tables) in network.blocks.iter().zip(tables) {
        for table in &tables.tables {
            let field = &layout.fields[table.field].name;
            for (index, entry) in table.entries.iter().enumerate() {
                write_entry(&mut out, &format!("{},{field},{index}", block.name), *entry);
            }
        }
        for (input, row) in tables.step.iter().enumerate() {
            for output in (0..row.len()).filter(|&output| row[output]) {
                let entry = TableEntry {
                    valid: true,
                    port: output as u8,
                    ..TableEntry::default()
                };
                write_entry(&mut out, &format!("{},{STEP},{input}", block.name), entry);
            }
        }
    }
    out
}

fn write_entry(out: &mut String, place: &str, entry: TableEntry) {
    let [same, valid, uturn] = [entry.same, entry.valid, entry.allow_uturn].map(u8::from);
    let alternate = entry
        .alternate
        .map_or(String::new(), |port| port.to_string());
    writeln!(
        out,
        "{place},{},{same},{valid},{uturn},{alternate}",
        entry.port
    )
    .expect("writing to a string does not fail");
}

/// Reads what [`dump`] wrote for the same network; `source` is the path for diagnostics. A block
/// without lines has no tables.
pub fn load(
    source: &str,
    text: &str,
    network: &Network,
    layout: &AddressLayout,
) -> Result<Vec<BlockTables>, Box<Diagnostic>> {
    let mut tables: Vec<BlockTables> = network.blocks.iter().map(BlockTables::empty).collect();
    if text.lines().nth(1).is_none() {
        let fact = format!("{source} has no entries");
        return Err(Box::new(Diagnostic::new(Code::RouteFile, fact, REMEDY)));
    }
    let mut block = 0;
    let mut start = 0;
    for (number, line) in text.lines().enumerate() {
        let span = start..start + line.len();
        start = span.end + 1;
        let wrong = |fact: String| bad_line(source, text, span.clone(), fact);
        if number == 0 {
            if line != HEADER {
                return Err(wrong(format!("the first line is not `{HEADER}`")));
            }
            continue;
        }
        let row = RouteLine::parse(line).map_err(wrong)?;
        // Lines come in block order, so the search goes on from the last block.
        block = (block..network.blocks.len())
            .find(|&at| network.blocks[at].name == row.block)
            .ok_or_else(|| wrong(format!("block `{}` is unknown or out of order", row.block)))?;
        row.add_to(&mut tables[block], layout).map_err(wrong)?;
    }
    Ok(tables)
}

/// One line.
struct RouteLine<'a> {
    block: &'a str,
    table: &'a str,
    index: usize,
    entry: TableEntry,
}

impl<'a> RouteLine<'a> {
    fn parse(line: &'a str) -> Result<Self, String> {
        let cells: Vec<&str> = line.split(',').collect();
        let [block, table, index, port, same, valid, uturn, alternate] = cells[..] else {
            return Err(format!("{} cells instead of 8", cells.len()));
        };
        let alternate = match alternate {
            "" => None,
            port => Some(cell("alternate", port, 31)? as u8),
        };
        Ok(Self {
            block,
            table,
            index: cell("index", index, u32::MAX)? as usize,
            entry: TableEntry {
                valid: cell("valid", valid, 1)? == 1,
                same: cell("same", same, 1)? == 1,
                port: cell("port", port, 31)? as u8,
                allow_uturn: cell("allow_uturn", uturn, 1)? == 1,
                alternate,
            },
        })
    }

    fn add_to(&self, tables: &mut BlockTables, layout: &AddressLayout) -> Result<(), String> {
        if self.table == STEP {
            let row = tables.step.get_mut(self.index);
            let bit = row.and_then(|row| row.get_mut(usize::from(self.entry.port)));
            *bit.ok_or("step names a port that the block does not have")? = true;
            return Ok(());
        }
        let named = |field: &super::AddressField| field.name == self.table;
        let field = layout.fields.iter().position(named);
        let field = field.ok_or_else(|| format!("there is no address field `{}`", self.table))?;
        if tables.tables.last().is_none_or(|last| last.field != field) {
            let entries = Vec::new();
            tables.tables.push(DimensionTable { field, entries });
        }
        let last = tables.tables.last_mut().expect("a table was just added");
        if last.entries.len() != self.index {
            let expected = last.entries.len();
            return Err(format!("index {} where {expected} must follow", self.index));
        }
        last.entries.push(self.entry);
        Ok(())
    }
}

fn cell(name: &str, text: &str, largest: u32) -> Result<u32, String> {
    let value = text.parse().ok().filter(|value| *value <= largest);
    value.ok_or_else(|| format!("{name} is `{text}`, not a number from 0 to {largest}"))
}

fn bad_line(source: &str, text: &str, span: Range<usize>, fact: String) -> Box<Diagnostic> {
    let place = Place::in_text(source, text, span, "");
    Box::new(Diagnostic::new(Code::RouteFile, fact, REMEDY).at(place))
}
