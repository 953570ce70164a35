//! What the outputs of a board have to be: a model of its block, references of its link ports and of the window to
//! their registers, joined on the block's packed words.

use mkns_cable::{EndInputs, Flit, Word};
use mkns_design::{
    BlockModule, BoardPins, ModuleKind, Pins, Plan, expected_peer, get_bits, network_hash, set_bits,
};
use mkns_golden::link_port::{LinkParameters, LinkPort};
use mkns_golden::{Block, LinkWindow};
use mkns_topology::{BlockId, End, PortIndex};

use crate::pin_model::PinModel;

/// A block's model with link ports.
pub struct BoardModel {
    block: Block,
    /// Of the block alone.
    pins: Pins,
    board: BoardPins,
    links: Vec<LinkPort>,
    window: LinkWindow,
    /// Of the block.
    inputs: Vec<u64>,
    outputs: Vec<u64>,
}

impl BoardModel {
    /// None where no port is serial.
    pub fn new(plan: &Plan, module: &BlockModule, id: BlockId, block: Block) -> Option<Self> {
        Self::with_peers(plan, module, id, block, &|_| 0)
    }

    /// Its link ports start with the peers that the plan has.
    pub fn planned(plan: &Plan, module: &BlockModule, id: BlockId, block: Block) -> Option<Self> {
        let index = plan.network.index();
        let peer = |port: usize| {
            let port = PortIndex(port as u8);
            index.peer(End { block: id, port }).map_or(0, expected_peer)
        };
        Self::with_peers(plan, module, id, block, &peer)
    }

    fn with_peers(
        plan: &Plan,
        module: &BlockModule,
        id: BlockId,
        block: Block,
        peer: &dyn Fn(usize) -> u32,
    ) -> Option<Self> {
        let board = Pins::of_board(module).1?;
        let pins = Pins::new(module);
        let links = board.ports.iter().map(|&port| {
            LinkPort::new(LinkParameters {
                expected_peer: peer(port),
                ..parameters(plan, module, id, port)
            })
        });
        Some(Self {
            links: links.collect(),
            window: LinkWindow::new(module.serial_ports),
            inputs: vec![0; pins.input_words],
            outputs: vec![0; pins.output_words],
            block,
            pins,
            board,
        })
    }
}

fn parameters(plan: &Plan, module: &BlockModule, id: BlockId, port: usize) -> LinkParameters {
    let link = plan.spec.link.clone().unwrap_or_default();
    LinkParameters {
        channels: module.parameters.virtual_channels as usize,
        rx_buffer_flits: module.parameters.rx_buffer_flits,
        line_flits: link.receive_flits,
        network: network_hash(&plan.spec.name),
        block: id.0 as u16,
        port: port as u16,
        kind: match module.kind {
            ModuleKind::Switch => 0,
            ModuleKind::Adapter => 1,
            ModuleKind::Pok => 2,
            ModuleKind::Terminal => 3,
        },
        ..LinkParameters::default()
    }
    .with_flight(link.flight_words)
}

impl PinModel for BoardModel {
    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        let (pins, board) = (&self.pins, &self.board);
        let channels = pins.channels;
        let of_block = pins.input_words;
        self.inputs.copy_from_slice(&inputs[..of_block]);
        let shown: Vec<_> = self.links.iter().map(LinkPort::outputs).collect();
        for (shown, &port) in shown.iter().zip(&board.ports) {
            let mut set = |signal: usize, bits: usize, value: u64| {
                set_bits(&mut self.inputs[signal..], port * bits, bits, value);
            };
            let flit = shown.rx.unwrap_or(Flit {
                channel: 0,
                last: false,
                bad: false,
                data: 0,
            });
            set(pins.rx.valid, 1, shown.rx.is_some().into());
            set(pins.rx.channel, pins.channel_bits, flit.channel as u64);
            set(pins.rx.last, 1, flit.last.into());
            set(pins.rx.bad, 1, flit.bad.into());
            set(pins.rx.data, 64, flit.data);
            set(pins.tx_credit, channels, shown.tx_credit.into());
            set(pins.link_up, 1, shown.link_up.into());
        }
        self.window.hide(pins, &mut self.inputs);
        self.block.step(&self.inputs, &mut self.outputs);

        outputs.fill(0);
        outputs[..pins.output_words].copy_from_slice(&self.outputs);
        self.window.show(pins, inputs, outputs);
        let rst = inputs[pins.rst] & 1 == 1;
        let access = self.window.access(pins, inputs);
        let mut ready = None;
        for (number, (link, &port)) in self.links.iter_mut().zip(&board.ports).enumerate() {
            let mut put = |signal: usize, bits: usize, value: u64| {
                set_bits(&mut outputs[signal..], number * bits, bits, value);
            };
            let shown = &shown[number];
            put(board.line_tx_valid, 1, shown.line_tx.is_some().into());
            let control = shown.line_tx.is_some_and(|word| word.control);
            put(board.line_tx_ctl, 1, control.into());
            put(
                board.line_tx_data,
                64,
                shown.line_tx.map_or(0, |word| word.data),
            );
            put(board.port_up, 1, shown.link_up.into());
            put(board.port_rx_valid, 1, shown.rx.is_some().into());
            let channel = shown.rx.map_or(0, |flit| flit.channel);
            put(board.port_rx_channel, 1, channel as u64);
            put(
                board.port_rx_last,
                1,
                shown.rx.is_some_and(|flit| flit.last).into(),
            );
            put(board.port_tx_credit, channels, shown.tx_credit.into());

            let sent =
                |signal: usize, bits: usize| get_bits(&self.outputs[signal..], port * bits, bits);
            let line =
                |signal: usize, bits: usize| get_bits(&inputs[signal..], number * bits, bits);
            let asked = access
                .filter(|(of, _)| *of == port)
                .map(|(_, access)| access);
            if asked.is_some() {
                ready = shown.register;
            }
            link.clock(&EndInputs {
                rst,
                tx: (sent(pins.tx.valid, 1) == 1).then(|| Flit {
                    channel: sent(pins.tx.channel, pins.channel_bits) as usize,
                    last: sent(pins.tx.last, 1) == 1,
                    bad: sent(pins.tx.bad, 1) == 1,
                    data: sent(pins.tx.data, 64),
                }),
                rx_credit: sent(pins.rx_credit, channels) as u32,
                register: asked,
                line_tx_ready: true,
                line_rx: (line(board.line_rx_valid, 1) == 1).then(|| Word {
                    control: line(board.line_rx_ctl, 1) == 1,
                    data: line(board.line_rx_data, 64),
                }),
                line_rx_up: line(board.line_rx_up, 1) == 1,
            });
        }
        match rst {
            true => self.window.reset(),
            false => self.window.clock(pins, inputs, &self.outputs, ready),
        }
    }

    fn describe(&self) -> String {
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
