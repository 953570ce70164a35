//! The window of a board's management unit (`docs/microarchitecture.md`, 8.5): a message goes out, and what comes is
//! taken.

use mkns_contract::address::management;
use mkns_contract::address::management_word::{
    IS_RECEIVED, MANAGEMENT, RECEIVED, SEND, SENDING, SENDS, TAKES,
};
use mkns_topology::BlockId;

use super::message::Words;
use crate::Registers;

/// Words of an answer that are not those of the key.
const READ_WORDS: [usize; 6] = [0, 1, 2, 3, 6, 7];

/// What the window of a board holds, as far as it is known.
#[derive(Debug, Clone)]
pub struct Window {
    board: BlockId,
    /// The words that were written last: the unit keeps them, so that only others are written.
    written: [Option<u32>; 8],
}

impl Window {
    pub fn new(board: BlockId) -> Self {
        Self {
            board,
            written: [None; 8],
        }
    }

    pub fn board(&self) -> BlockId {
        self.board
    }

    /// Sends a message, when the one before it has left; false when the board does not answer. A message that has come
    /// before is dropped.
    pub fn send<R: Registers>(&mut self, port: &mut R, words: &Words) -> Result<bool, R::Error> {
        // What came before the message left is nobody's answer to it.
        self.send_with(port, words, SENDS | TAKES)
    }

    /// Sends a message while answers to others may come.
    pub fn send_another<R: Registers>(
        &mut self,
        port: &mut R,
        words: &Words,
    ) -> Result<bool, R::Error> {
        self.send_with(port, words, SENDS)
    }

    fn send_with<R: Registers>(
        &mut self,
        port: &mut R,
        words: &Words,
        command: u32,
    ) -> Result<bool, R::Error> {
        for (number, word) in words.iter().enumerate() {
            if self.written[number] != Some(*word) {
                self.written[number] = None;
                if !port.write(self.board, management(SEND + number as u32), *word)? {
                    return Ok(false);
                }
                self.written[number] = Some(*word);
            }
        }
        port.write(self.board, management(MANAGEMENT), command)
    }

    /// Looks until a message has come, so often at most, and takes it.
    pub fn receive<R: Registers>(
        &mut self,
        port: &mut R,
        looks: &mut u32,
    ) -> Result<Option<Words>, R::Error> {
        while *looks > 0 {
            *looks -= 1;
            let Some(state) = self.state(port)? else {
                return Ok(None);
            };
            if Self::has_message(state) {
                return self.take(port);
            }
        }
        Ok(None)
    }

    /// Takes the message that has come.
    pub fn take<R: Registers>(&mut self, port: &mut R) -> Result<Option<Words>, R::Error> {
        let mut words = [0; 8];
        for number in READ_WORDS {
            let register = management(RECEIVED + number as u32);
            words[number] = port.read(self.board, register)?.unwrap_or(0);
        }
        port.write(self.board, management(MANAGEMENT), TAKES)?;
        Ok(Some(words))
    }

    /// MANAGEMENT; none when the board does not answer.
    pub fn state<R: Registers>(&self, port: &mut R) -> Result<Option<u32>, R::Error> {
        port.read(self.board, management(MANAGEMENT))
    }

    /// Whether MANAGEMENT says that the window can send.
    pub fn is_free(state: u32) -> bool {
        state & SENDING == 0
    }

    /// Whether MANAGEMENT says that a message has come.
    pub fn has_message(state: u32) -> bool {
        state & IS_RECEIVED != 0
    }

    /// Words of SEND have no effect while a message waits there. MANAGEMENT as soon as none does; none when it stays, or
    /// the board does not answer.
    pub fn becomes_free<R: Registers>(
        &self,
        port: &mut R,
        patience: u32,
    ) -> Result<Option<u32>, R::Error> {
        for _ in 0..patience {
            match self.state(port)? {
                Some(state) if Self::is_free(state) => return Ok(Some(state)),
                Some(_) => {}
                None => return Ok(None),
            }
        }
        Ok(None)
    }
}
