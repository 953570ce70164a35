//! A block on a board: some of its network ports have link ports of serial cables. Its pins in packed words are those
//! of the block and, behind them, those of the lines and what link ports and block say to each other.

use super::block_module::BlockModule;
use super::pins::Pins;
use super::ports::{Port, PortTable, packed_words, word_offset};

/// Words of the pins of a board that the block alone does not have; serial ports lie side by side.
#[derive(Debug, Clone)]
pub struct BoardPins {
    /// The network ports that are serial.
    pub ports: Vec<usize>,
    /// Input: who this is.
    pub block_number: usize,
    /// Inputs: what comes from the lines.
    pub line_rx_valid: usize,
    pub line_rx_ctl: usize,
    pub line_rx_data: usize,
    pub line_rx_up: usize,
    /// Outputs: what goes to the lines.
    pub line_tx_valid: usize,
    pub line_tx_ctl: usize,
    pub line_tx_data: usize,
    /// Outputs: what the link ports give the block.
    pub port_up: usize,
    pub port_rx_valid: usize,
    pub port_rx_channel: usize,
    pub port_rx_last: usize,
    pub port_tx_credit: usize,
}

impl BlockModule {
    /// The block without a board around it.
    pub fn alone(&self) -> Self {
        Self {
            serial_ports: 0,
            ..self.clone()
        }
    }

    /// The network ports that are serial, lowest first.
    pub fn serial_port_numbers(&self) -> impl Iterator<Item = u32> + use<> {
        let ports = self.serial_ports;
        (0..self.network_ports).filter(move |port| ports >> port & 1 == 1)
    }

    /// Port table of the block with its link ports; that of the block when it has none. Block pins of serial ports show
    /// what the block says to its link ports; inputs there are not looked at.
    pub fn board_table(&self) -> PortTable {
        let mut table = self.port_table();
        let links = self.serial_ports.count_ones();
        if links == 0 {
            return table;
        }
        let port = |name, bits| Port { name, bits };
        table.inputs.extend([
            port("block_number", 16),
            port("line_rx_valid", links),
            port("line_rx_ctl", links),
            port("line_rx_data", 64 * links),
            port("line_rx_up", links),
        ]);
        table.outputs.extend([
            port("line_tx_valid", links),
            port("line_tx_ctl", links),
            port("line_tx_data", 64 * links),
            port("port_up", links),
            port("port_rx_valid", links),
            port("port_rx_vc", links),
            port("port_rx_last", links),
            port("port_tx_credit", links * self.parameters.virtual_channels),
        ]);
        table
    }
}

impl Pins {
    /// Pins of a block with its link ports, and those that the block alone does not have, if there are any.
    pub fn of_board(module: &BlockModule) -> (Self, Option<BoardPins>) {
        let pins = Self::new(module);
        let ports: Vec<usize> = module
            .serial_port_numbers()
            .map(|port| port as usize)
            .collect();
        if ports.is_empty() {
            return (pins, None);
        }
        let table = module.board_table();
        let input = |name| word_offset(&table.inputs, name);
        let output = |name| word_offset(&table.outputs, name);
        let board = BoardPins {
            ports,
            block_number: input("block_number"),
            line_rx_valid: input("line_rx_valid"),
            line_rx_ctl: input("line_rx_ctl"),
            line_rx_data: input("line_rx_data"),
            line_rx_up: input("line_rx_up"),
            line_tx_valid: output("line_tx_valid"),
            line_tx_ctl: output("line_tx_ctl"),
            line_tx_data: output("line_tx_data"),
            port_up: output("port_up"),
            port_rx_valid: output("port_rx_valid"),
            port_rx_channel: output("port_rx_vc"),
            port_rx_last: output("port_rx_last"),
            port_tx_credit: output("port_tx_credit"),
        };
        let pins = Self {
            input_words: packed_words(&table.inputs),
            output_words: packed_words(&table.outputs),
            ..pins
        };
        (pins, Some(board))
    }
}
