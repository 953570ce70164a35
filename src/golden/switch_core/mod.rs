//! Section 1, the switch core: P ports, virtual output queues in front of a full crossbar.
//!
//! Every part of a cycle is computed from the state at its start. [`Core::clock`] first lets
//! the parts decide that look at several ports, then finishes port by port, in an order in which a
//! part reads what an earlier one has changed only where the page says so.

mod adaptive;
mod allocation;
mod arrival;
mod arrived;
mod candidates;
mod choices;
mod credits;
mod decision;
mod describe;
mod lookup;
mod pop;
mod promise;
mod queues;
mod rest;
mod route_tables;
mod shape;
mod state;
mod watch;

use mkns_design::{ComputedRoutes, PathRegister};

use crate::Flit;
use crate::core::{Core, CoreInputs, Events};

use arrival::Entry;
use arrived::Arrival;
pub use state::SwitchCore;

impl Core for SwitchCore {
    fn reset(&mut self, link_up: u32) {
        let (shape, tables) = (self.shape.clone(), self.tables.clone());
        let mut counters = self.counters.clone();
        counters.reset();
        let mut adaptive = self.adaptive.take();
        if let Some(adaptive) = &mut adaptive {
            adaptive.reset();
        }
        *self = Self {
            adaptive,
            ..Self::in_reset(shape, tables, counters, link_up)
        };
    }

    fn tx(&self, port: usize) -> Option<&Flit> {
        self.tx[port].as_ref()
    }

    fn rx_credit(&self, port: usize) -> u32 {
        self.rx_credit[port]
    }

    fn held(&self, inputs: &CoreInputs) -> u32 {
        let entries = self.entries(&inputs.rx, &self.admissions());
        let waits = |(i, entry): (usize, &Entry)| u32::from(!matches!(entry, Entry::Taken(_))) << i;
        let held = entries.iter().enumerate().map(waits);
        held.fold(0, |held, input| held | input)
    }

    fn clock(&mut self, inputs: &mut CoreInputs) -> Events {
        let mut events = Events::default();
        if self.is_at_rest(inputs) {
            self.watch_nothing();
            let room = self.room();
            self.finish_choices(&[], &[]);
            self.show_room(room, &[]);
            return events;
        }
        let room = self.room();
        let admissions = self.admissions();
        let entries = self.entries(&inputs.rx, &admissions);
        let admission = |i: usize| admissions.get(i).copied().unwrap_or_default();
        let mut decisions = std::mem::take(&mut self.decisions);
        self.allocate(&admissions, &mut decisions);
        self.count_stage1(&mut events);
        self.return_credits();
        self.take_room(&admissions);
        for i in 0..self.shape.ports {
            let arrival = match &self.adaptive {
                Some(adaptive) => adaptive.arrived[i].clone(),
                None => inputs.rx[i].take().map(Arrival::on_pins),
            };
            let stage1 = self.look_up(i, arrival, admission(i));
            self.push(i);
            self.stage1[i] = stage1;
        }
        for (o, decision) in decisions.iter().enumerate() {
            self.finish_output(o, decision, inputs.tx_credit[o], &mut events);
        }
        self.finish_choices(&admissions, &entries);
        self.finish_arrivals(entries);
        self.show_room(room, &admissions);
        self.decisions = decisions;
        self.up = inputs.link_up;
        events
    }

    fn counter(&self, port: usize, c: usize) -> u32 {
        self.counters.count(port, c)
    }

    fn read(&self, register: PathRegister) -> Option<u32> {
        match register {
            PathRegister::Step { row } => Some(self.step[row]),
            PathRegister::Turns { row } => Some(self.shape.turns[row]),
            PathRegister::Table { n, index } => {
                Some(self.tables.read(n, index, self.shape.ports).into())
            }
            PathRegister::Candidates { a } => Some(self.adaptive.as_ref()?.candidates.read(a)),
            _ => None,
        }
    }

    fn write(&mut self, register: PathRegister, value: u32) {
        match register {
            PathRegister::Step { row } => self.step[row] = value & self.shape.turns[row],
            PathRegister::Table { n, index } => self.tables.write(n, index, value as u16),
            PathRegister::Candidates { a } => {
                if let Some(adaptive) = &mut self.adaptive {
                    adaptive.candidates.write(a, value);
                }
            }
            _ => {}
        }
    }

    fn compute_routes(&mut self, routes: ComputedRoutes) {
        self.tables.compute(routes);
    }

    /// Occupancies, locks and credits, one line per port.
    fn describe(&self) -> String {
        let lines = (0..self.shape.ports).filter_map(|p| {
            let mut text = String::new();
            self.input_state(p, &mut text);
            self.output_state(p, &mut text);
            (!text.is_empty()).then(|| format!("port {p}: {text}"))
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}
