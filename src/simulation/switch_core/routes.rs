//! The route tables of a block and what their entries mean (section 1.3).

use std::ops::Range;

use crate::prefetch::prefetch;
use mkns_contract::header;
use mkns_design::{BlockModule, ComputedRoutes};
use mkns_routing::{BlockTables, TableEntry};

/// How a table is indexed, and which of a block's entries are its own.
#[derive(Debug, Clone)]
struct Table {
    lsb: u32,
    bits: u32,
    first: u32,
    end: u32,
}

/// The tables that all blocks of a module have.
#[derive(Debug, Clone)]
pub struct RouteShape {
    /// Selects the layer bits in use.
    layer_mask: u32,
    tables: Vec<Table>,
}

impl RouteShape {
    pub fn new(module: &BlockModule) -> RouteShape {
        let layers = module.parameters.layers;
        let mut end = 0;
        let tables = module.tables.iter().map(|shape| {
            let first = end;
            end += layers << shape.bits;
            Table {
                lsb: shape.lsb,
                bits: shape.bits,
                first,
                end,
            }
        });
        RouteShape {
            tables: tables.collect(),
            layer_mask: layers.next_power_of_two() - 1,
        }
    }
}

/// The contents of all tables of a block, or what replaces them.
#[derive(Debug, Clone)]
pub struct Routes {
    /// Table after table.
    entries: Box<[u16]>,
    computed: Option<ComputedRoutes>,
}

impl Routes {
    /// `tables` gives the power-up contents; without, all entries are 0.
    pub fn new(shape: &RouteShape, tables: Option<&BlockTables>) -> Routes {
        let end = shape.tables.last().map_or(0, |table| table.end);
        let mut entries = vec![0; end as usize].into_boxed_slice();
        let given = tables.iter().flat_map(|tables| &tables.tables);
        for (table, given) in shape.tables.iter().zip(given) {
            let own = &mut entries[table.entries()];
            for (entry, given) in own.iter_mut().zip(&given.entries) {
                *entry = given.pack();
            }
        }
        Routes {
            entries,
            computed: None,
        }
    }

    pub fn bytes(&self) -> usize {
        size_of_val(&*self.entries)
    }

    #[inline]
    pub fn prefetch(&self) {
        prefetch(&*self.entries);
    }

    pub fn compute(&mut self, routes: ComputedRoutes) {
        self.computed = Some(routes);
    }

    /// False when there is no such entry.
    pub fn write(&mut self, shape: &RouteShape, table: usize, index: usize, entry: u16) -> bool {
        let own = shape.tables.get(table).map(Table::entries);
        let place = own.and_then(|own| self.entries[own].get_mut(index));
        place.map(|place| *place = entry).is_some()
    }

    /// The deciding entry for a header; none when no table decides or its entry is invalid.
    #[inline]
    pub fn decide(&self, shape: &RouteShape, header_word: u64) -> Option<TableEntry> {
        let destination = header::destination(header_word);
        let layer = header::layer(header_word) & shape.layer_mask;
        let entry = match &self.computed {
            Some(routes) => routes.entry(destination, layer),
            None => shape
                .tables
                .iter()
                .map(|table| TableEntry::unpack(table.entry(&self.entries, destination, layer)))
                .find(|entry| !(entry.valid && entry.same))?,
        };
        entry.valid.then_some(entry)
    }
}

impl Table {
    fn entries(&self) -> Range<usize> {
        self.first as usize..self.end as usize
    }

    #[inline]
    fn entry(&self, entries: &[u16], destination: u32, layer: u32) -> u16 {
        let field = destination >> self.lsb & ((1 << self.bits) - 1);
        let place = self.first + (layer << self.bits | field);
        if place < self.end {
            entries[place as usize]
        } else {
            0
        }
    }
}
