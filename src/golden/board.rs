//! 7.9 and 7 as a block sees them: a block on a board, whose serial ports have link ports, and the window to their
//! registers in front of its control port.

use mkns_cable::{
    EndInputs, EndOutputs, Flit, MessageInputs, MessageOutputs, RegisterAccess, Word,
};
use mkns_design::{
    BlockModule, BoardPins, Device, Pins, Plan, expected_peer, get_bits, network_hash, set_bits,
};
use mkns_topology::{BlockId, End, PortIndex};

use crate::link_port::{LinkParameters, LinkPort};
use crate::link_window::Owner;
use crate::management_unit::{ControlAnswers, ManagementUnit, UnitInputs, UnitOutputs};
use crate::registers::kind_code;
use crate::{Block, ControlPins, LinkWindow};

pub struct Board {
    block: Block,
    /// Of the block alone.
    pins: Pins,
    board: BoardPins,
    links: Vec<LinkPort>,
    window: LinkWindow,
    /// 8, where the spec has it.
    unit: Option<ManagementUnit>,
    /// Pins of the block; not state: written anew in every cycle.
    inputs: Vec<u64>,
    outputs: Vec<u64>,
}

impl Board {
    /// None where no port is serial.
    pub fn new(plan: &Plan, module: &BlockModule, block: Block) -> Option<Self> {
        Self::with_peers(plan, module, block, &|_| 0)
    }

    /// Its link ports start with the peers that the plan has.
    pub fn planned(plan: &Plan, module: &BlockModule, id: BlockId, block: Block) -> Option<Self> {
        let index = plan.network.index();
        let peer = |port: usize| {
            let port = PortIndex(port as u8);
            index.peer(End { block: id, port }).map_or(0, expected_peer)
        };
        Self::with_peers(plan, module, block, &peer)
    }

    fn with_peers(
        plan: &Plan,
        module: &BlockModule,
        block: Block,
        peer: &dyn Fn(usize) -> u32,
    ) -> Option<Self> {
        let board = Pins::of_board(module).1?;
        let pins = Pins::new(module);
        let is_managed = plan.spec.is_managed_in_band();
        let links = board.ports.iter().map(|&port| {
            LinkPort::new(LinkParameters {
                expected_peer: peer(port),
                ..parameters(plan, module, port)
            })
        });
        Some(Self {
            links: links.collect(),
            window: LinkWindow::new(module.serial_ports, is_managed),
            unit: is_managed.then(|| ManagementUnit::new(pins.ports, module.serial_ports)),
            inputs: vec![0; pins.input_words],
            outputs: vec![0; pins.output_words],
            block,
            pins,
            board,
        })
    }

    /// A cycle: the outputs, then the edge.
    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        let ends: Vec<_> = self.links.iter().map(LinkPort::outputs).collect();
        let rst = inputs[self.pins.rst] & 1 == 1;
        // What the window sees of the master does not depend on its answers.
        let mut unit_inputs = self.unit_inputs(inputs, &ends);
        let mut seen = inputs.to_vec();
        if let Some(unit) = &self.unit {
            let master = unit.outputs(&unit_inputs).window;
            master.put(&self.pins, &mut seen);
        }
        self.drive_block(&seen, &ends);
        self.block.step(&self.inputs, &mut self.outputs);
        self.show(&seen, outputs, &ends);
        unit_inputs.window = ControlAnswers::on(&self.pins, outputs);
        let access = self.window.access(&self.pins, &seen);
        unit_inputs.register =
            access.and_then(|(owner, access)| (owner == Owner::Unit).then_some(access));
        let unit = self.unit.as_ref().map(|unit| unit.outputs(&unit_inputs));
        if let Some(unit) = &unit {
            unit.master.put(&self.pins, outputs);
        }
        self.clock_links(inputs, rst, access, unit.as_ref());
        let ready = access.and_then(|(owner, _)| match owner {
            Owner::Link(port) => ends[self.link_at(port)?].register,
            Owner::Unit => unit.as_ref()?.register,
        });
        match rst {
            true => self.window.reset(inputs[self.board.block_number] as u16),
            false => (self.window).clock(&self.pins, &seen, &self.outputs, ready),
        }
        if let Some(unit) = &mut self.unit {
            unit.clock(&unit_inputs);
        }
    }

    /// What the unit sees, but for the window behind it.
    fn unit_inputs(&self, inputs: &[u64], ends: &[EndOutputs]) -> UnitInputs {
        let mut messages = vec![MessageOutputs::default(); self.pins.ports];
        let mut link_up = 0;
        for (end, &port) in ends.iter().zip(&self.board.ports) {
            messages[port] = end.message;
            link_up |= u32::from(end.link_up) << port;
        }
        UnitInputs {
            rst: inputs[self.pins.rst] & 1 == 1,
            master: ControlPins::on(&self.pins, inputs),
            link_up,
            messages,
            ..UnitInputs::default()
        }
    }

    /// The block sees the pins of the board, but its links at serial ports, and of the master what is for it.
    fn drive_block(&mut self, inputs: &[u64], ends: &[EndOutputs]) {
        let pins = &self.pins;
        self.inputs.copy_from_slice(&inputs[..pins.input_words]);
        for (end, &port) in ends.iter().zip(&self.board.ports) {
            let mut set = |signal: usize, bits: usize, value: u64| {
                set_bits(&mut self.inputs[signal..], port * bits, bits, value);
            };
            let flit = end.rx.unwrap_or_default();
            set(pins.rx.valid, 1, end.rx.is_some().into());
            set(pins.rx.channel, pins.channel_bits, flit.channel as u64);
            set(pins.rx.last, 1, flit.last.into());
            set(pins.rx.bad, 1, flit.bad.into());
            set(pins.rx.data, 64, flit.data);
            set(pins.tx_credit, pins.channels, end.tx_credit.into());
            set(pins.link_up, 1, end.link_up.into());
        }
        self.window.hide(pins, &mut self.inputs);
    }

    /// The pins of the board: those of the block, the master's through the window, lines, and what links tell the block.
    fn show(&self, inputs: &[u64], outputs: &mut [u64], ends: &[EndOutputs]) {
        let (pins, board) = (&self.pins, &self.board);
        outputs.fill(0);
        outputs[..pins.output_words].copy_from_slice(&self.outputs);
        self.window.show(pins, inputs, outputs);
        for (number, end) in ends.iter().enumerate() {
            let mut put = |signal: usize, bits: usize, value: u64| {
                set_bits(&mut outputs[signal..], number * bits, bits, value);
            };
            let word = end.line_tx.unwrap_or_default();
            put(board.line_tx_valid, 1, end.line_tx.is_some().into());
            put(board.line_tx_ctl, 1, word.control.into());
            put(board.line_tx_data, 64, word.data);
            let flit = end.rx.unwrap_or_default();
            put(board.port_up, 1, end.link_up.into());
            put(board.port_rx_valid, 1, end.rx.is_some().into());
            put(board.port_rx_channel, 1, flit.channel as u64);
            put(board.port_rx_last, 1, flit.last.into());
            put(board.port_tx_credit, pins.channels, end.tx_credit.into());
        }
    }

    /// The edge of the link ports: flits and credits of the block, words of the lines, the access that is for each.
    fn clock_links(
        &mut self,
        inputs: &[u64],
        rst: bool,
        access: Option<(Owner, RegisterAccess)>,
        unit: Option<&UnitOutputs>,
    ) {
        let (pins, board) = (&self.pins, &self.board);
        let announced = self.window.announced(inputs[board.block_number] as u16);
        for (number, (link, &port)) in self.links.iter_mut().zip(&board.ports).enumerate() {
            let sent =
                |signal: usize, bits: usize| get_bits(&self.outputs[signal..], port * bits, bits);
            let line =
                |signal: usize, bits: usize| get_bits(&inputs[signal..], number * bits, bits);
            link.announce(announced);
            link.clock(&EndInputs {
                rst,
                tx: (sent(pins.tx.valid, 1) == 1).then(|| Flit {
                    channel: sent(pins.tx.channel, pins.channel_bits) as usize,
                    last: sent(pins.tx.last, 1) == 1,
                    bad: sent(pins.tx.bad, 1) == 1,
                    data: sent(pins.tx.data, 64),
                }),
                rx_credit: sent(pins.rx_credit, pins.channels) as u32,
                register: access
                    .and_then(|(owner, access)| (owner == Owner::Link(port)).then_some(access)),
                message: unit.map_or_else(MessageInputs::default, |unit| unit.messages[port]),
                line_tx_ready: true,
                line_rx: (line(board.line_rx_valid, 1) == 1).then(|| Word {
                    control: line(board.line_rx_ctl, 1) == 1,
                    data: line(board.line_rx_data, 64),
                }),
                line_rx_up: line(board.line_rx_up, 1) == 1,
            });
        }
    }

    /// The number of the link at a port of the block.
    fn link_at(&self, port: usize) -> Option<usize> {
        self.board.ports.iter().position(|&at| at == port)
    }
}

impl Device for Board {
    fn step_all(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        self.step(inputs, outputs);
    }

    fn describe(&self, _instance: usize) -> String {
        let mut text = self.block.describe();
        for (link, port) in self.links.iter().zip(&self.board.ports) {
            let [errors, replays, deaths] = link.counts();
            text += &format!(
                "\nlink port {port}: reason {}, {errors} CRC errors, {replays} replays, {deaths} deaths",
                link.reason()
            );
        }
        text
    }
}

fn parameters(plan: &Plan, module: &BlockModule, port: usize) -> LinkParameters {
    let link = plan.spec.link.clone().unwrap_or_default();
    LinkParameters {
        channels: module.parameters.virtual_channels as usize,
        rx_buffer_flits: module.parameters.rx_buffer_flits,
        line_flits: link.receive_flits,
        network: network_hash(&plan.spec.name),
        port: port as u16,
        kind: kind_code(module.kind),
        management: link.is_managed(),
        ..LinkParameters::default()
    }
    .with_flight(link.flight_words)
}
