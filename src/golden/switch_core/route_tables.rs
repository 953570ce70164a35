//! 1.3 Route tables.

use mkns_design::{BlockModule, ComputedRoutes, TableShape};
use mkns_routing::{BlockTables, TableEntry};

use super::shape::Shape;
use crate::core_counters::Cause;

/// The tables of a block.
#[derive(Debug, Clone)]
pub struct RouteTables {
    layers: u32,
    shapes: Vec<TableShape>,
    entries: Vec<Vec<TableEntry>>,
    /// Decides instead of the entries.
    computed: Option<ComputedRoutes>,
}

impl RouteTables {
    /// Power-up contents: `TABLEn_INIT`, or zeros.
    pub fn new(module: &BlockModule, contents: Option<&BlockTables>) -> Self {
        let layers = module.parameters.layers;
        let zeros =
            |shape: &TableShape| vec![TableEntry::default(); (layers << shape.bits) as usize];
        let mut entries: Vec<_> = module.tables.iter().map(zeros).collect();
        if let Some(contents) = contents {
            for (entries, table) in entries.iter_mut().zip(&contents.tables) {
                for (entry, given) in entries.iter_mut().zip(&table.entries) {
                    *entry = *given;
                    entry.alternate = given.alternate.filter(|_| module.alternates);
                }
            }
        }
        Self {
            layers,
            shapes: module.tables.clone(),
            entries,
            computed: None,
        }
    }

    /// From now on `routes` decide, whatever the tables hold.
    pub fn compute(&mut self, routes: ComputedRoutes) {
        self.computed = Some(routes);
    }

    /// Writes an entry that exists.
    pub fn write(&mut self, n: usize, index: usize, entry: u16) {
        self.entries[n][index] = TableEntry::unpack(entry);
    }

    /// Section 4: an entry as the control port of a core with P ports reads it.
    pub fn read(&self, n: usize, index: usize, ports: usize) -> u16 {
        let entry = self.entries[n][index];
        let exists = |port: &u8| usize::from(*port) < ports;
        let read = match entry {
            TableEntry { valid: false, .. } => TableEntry::default(),
            TableEntry { same: true, .. } => TableEntry::same(),
            _ if !exists(&entry.port) => TableEntry::default(),
            _ => TableEntry {
                alternate: entry.alternate.filter(exists),
                ..entry
            },
        };
        read.pack()
    }

    /// Rule 1: the deciding entry, unless every table says `same`.
    fn deciding_entry(&self, header: u64) -> Option<TableEntry> {
        let destination = header as u32 & 0xf_ffff;
        let layer = (header >> 53) as u32 & 7 & (self.layers.next_power_of_two() - 1);
        if let Some(routes) = &self.computed {
            return Some(routes.entry(destination, layer));
        }
        self.shapes
            .iter()
            .zip(&self.entries)
            .map(|(shape, entries)| {
                let field = destination >> shape.lsb & ((1 << shape.bits) - 1);
                let index = field + (layer << shape.bits);
                // Behind the table everything reads as 0.
                entries.get(index as usize).copied().unwrap_or_default()
            })
            .find(|entry| !(entry.valid && entry.same))
    }

    /// Rules 1 to 4: the output of a header on input i of a core, or why it is dropped. `up`: bit p.
    pub fn route(&self, i: usize, header: u64, shape: &Shape, up: u32) -> Result<usize, Cause> {
        let exists = |port: usize| port < shape.ports;
        let is_up = |port: usize| up >> port & 1 == 1;
        let entry = self.deciding_entry(header).ok_or(Cause::NoRoute)?;
        let port = usize::from(entry.port);
        if !entry.valid || !exists(port) {
            return Err(Cause::NoRoute);
        }
        let o = match entry.alternate.map(usize::from) {
            _ if is_up(port) => port,
            Some(alternate) if exists(alternate) && is_up(alternate) => alternate,
            _ => return Err(Cause::LinkDown),
        };
        if !shape.has_turn(i, o) || o == i && !entry.allow_uturn {
            return Err(Cause::UTurn);
        }
        Ok(o)
    }
}
