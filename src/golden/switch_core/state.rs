//! 1.1 State and reset values: the fields stand in the order of the table.

use std::collections::VecDeque;

use mkns_design::BlockModule;
use mkns_routing::BlockTables;

use super::adaptive::Adaptive;
use super::decision::Decision;
use super::route_tables::RouteTables;
use super::shape::{PerChannel, Request, Shape};
use crate::Flit;
use crate::core_counters::{Cause, CoreCounters};

/// Where the rest of a packet in progress goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Path {
    To(usize),
    Dropping,
}

/// What becomes of a flit in stage 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlitDecision {
    To(usize),
    MadeUpTo(usize),
    /// With the cause when it is the header: it is counted now (1.2 rule 2).
    Dropped(Option<Cause>),
    Lost,
}

/// A flit in stage 1 or in a queue.
#[derive(Debug, Clone)]
pub struct Word {
    pub flit: Flit,
    /// 1.8: its packet leaves on A.
    pub adaptive: bool,
}

impl Word {
    /// Of a packet that keeps to the channels of the tables.
    pub fn of(flit: Flit) -> Self {
        Self {
            flit,
            adaptive: false,
        }
    }
}

/// A switch core: its parameters, the state of table 1.1, and the counters of section 4.
#[derive(Debug, Clone)]
pub struct SwitchCore {
    pub(super) shape: Shape,

    /// Bit p: the link of port p was up in the cycle before.
    pub(super) up: u32,
    pub(super) open: Vec<PerChannel<Option<Path>>>,
    /// The output of `to(o)`.
    pub(super) closing: Vec<PerChannel<Option<usize>>>,
    pub(super) stage1: Vec<Option<(Word, FlitDecision)>>,
    pub(super) queue: Vec<Vec<PerChannel<VecDeque<Word>>>>,
    /// By output, bit k: the queue of k holds a flit, which follows from `queue`.
    pub(super) stored: Vec<u128>,
    pub(super) owed: Vec<PerChannel<usize>>,
    pub(super) debt: Vec<PerChannel<bool>>,
    pub(super) lock: Vec<PerChannel<Option<Request>>>,
    pub(super) discard: Vec<PerChannel<bool>>,
    pub(super) credit: Vec<PerChannel<usize>>,
    pub(super) flow: Vec<Option<Request>>,
    pub(super) grant: Vec<Option<Request>>,
    pub(super) popped: Vec<Option<Request>>,
    pub(super) grant_pointer: Vec<usize>,
    pub(super) accept_pointer: Vec<Vec<usize>>,
    pub(super) watched: Vec<PerChannel<Request>>,
    pub(super) passed: Vec<PerChannel<usize>>,
    pub(super) overdue: Vec<PerChannel<bool>>,
    /// `match`, a word that Rust keeps for itself.
    pub(super) matched: Vec<Option<Flit>>,
    pub(super) fetched: Vec<Option<Flit>>,
    pub(super) tx: Vec<Option<Flit>>,
    /// Bit v.
    pub(super) rx_credit: Vec<u32>,
    /// Row i, bit o.
    pub(super) step: Vec<u32>,
    pub(super) tables: RouteTables,
    /// 1.8, of adaptive blocks.
    pub(super) adaptive: Option<Adaptive>,

    pub(super) counters: CoreCounters,
    /// Not state: written anew in every cycle.
    pub(super) decisions: Vec<Decision>,
}

impl SwitchCore {
    /// The core of a switch or adapter block with these tables, after a cycle with `rst` and all links up.
    pub fn new(module: &BlockModule, tables: Option<&BlockTables>) -> Self {
        let shape = Shape::new(module, tables);
        let counters = CoreCounters::new(shape.ports, &module.parameters);
        let link_up = module.turns.built();
        Self {
            adaptive: Adaptive::new(module, tables),
            ..Self::in_reset(shape, RouteTables::new(module, tables), counters, link_up)
        }
    }

    /// Every register of 1.1 has its reset value.
    pub(super) fn in_reset(
        shape: Shape,
        tables: RouteTables,
        counters: CoreCounters,
        link_up: u32,
    ) -> Self {
        let ports = shape.ports;
        Self {
            up: link_up,
            open: vec![[None; 4]; ports],
            closing: vec![[None; 4]; ports],
            stage1: vec![None; ports],
            queue: vec![vec![PerChannel::default(); ports]; ports],
            stored: vec![0; ports],
            owed: vec![[0; 4]; ports],
            debt: vec![[false; 4]; ports],
            lock: vec![[None; 4]; ports],
            discard: vec![[false; 4]; ports],
            credit: shape.credits.iter().map(|&credits| [credits; 4]).collect(),
            flow: vec![None; ports],
            grant: vec![None; ports],
            popped: vec![None; ports],
            grant_pointer: vec![0; ports],
            accept_pointer: vec![vec![0; shape.banks]; ports],
            watched: (0..ports).map(|o| shape.first_watched(o)).collect(),
            passed: vec![[0; 4]; ports],
            overdue: vec![[false; 4]; ports],
            matched: vec![None; ports],
            fetched: vec![None; ports],
            tx: vec![None; ports],
            rx_credit: vec![0; ports],
            step: shape.step.clone(),
            tables,
            adaptive: None,
            counters,
            decisions: Vec::with_capacity(ports),
            shape,
        }
    }

    /// Whether the link of a port is up; everything asks `up`, not the pins.
    pub(super) fn is_up(&self, p: usize) -> bool {
        self.up >> p & 1 == 1
    }
}
