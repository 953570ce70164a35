//! The registers of all blocks as a manager sees them: those of one board through its control port, all others by
//! messages.

use mkns_contract::address::link_word::{CONTROL, EXPECTED_PEER};
use mkns_contract::address::management_word::KEY;
use mkns_contract::address::{LINK_STRIDE, LINK_UP, LINKS, MANAGEMENT, management};
use mkns_topology::{BlockId, End, PortIndex};

use super::messenger::{InBandError, Messenger};
use crate::Registers;

/// CONTROL: the link is held down.
pub(super) const DISABLED: u32 = 1;
/// EXPECTED_PEER: its peer is checked.
pub(super) const CHECK: u32 = 1 << 31;

/// A messenger at a control port.
#[derive(Debug)]
pub struct InBandRegisters<'a, R> {
    pub(super) messenger: &'a mut Messenger,
    pub(super) port: R,
}

impl Messenger {
    /// The registers of all blocks through this control port.
    pub fn through<R: Registers>(&mut self, port: R) -> InBandRegisters<'_, R> {
        InBandRegisters {
            messenger: self,
            port,
        }
    }

    /// What a read says of links.
    fn note_value(&mut self, block: BlockId, address: u32, value: Option<u32>) {
        match (address, value) {
            (LINK_UP, Some(word)) => self.map.note_links(block, word),
            (LINK_UP, None) => self.notices.lose(block),
            _ => {}
        }
    }

    /// The keys that a block may have, the likelier first.
    fn keys_of(&self, block: BlockId) -> Vec<u64> {
        let mut keys = vec![self.key, 0];
        if !self.keyed.contains(&block) {
            keys.reverse();
        }
        keys.dedup();
        keys
    }
}

impl<R: Registers> InBandRegisters<'_, R> {
    /// Sets the key of a block that is open, or has a half of it or all of it from an earlier attempt.
    pub(super) fn set_key(&mut self, block: BlockId) -> Result<bool, InBandError<R::Error>> {
        let key = self.messenger.key;
        let low = key & 0xffff_ffff;
        for (half, keys) in [(0, &[0, low, key][..]), (1, &[low, key][..])] {
            let write = (management(KEY + half), (key >> (32 * half)) as u32);
            let is_done = match block == self.messenger.own {
                true => self.port.write(self.board(), write.0, write.1)?,
                // A repetition carries the key that the first message has left.
                false => (self.messenger.write(&mut self.port, block, write, keys)?).is_some(),
            };
            if !is_done {
                return Ok(false);
            }
        }
        self.messenger.keyed.insert(block);
        Ok(true)
    }

    fn board(&self) -> BlockId {
        self.messenger.window.board()
    }

    /// Whether a write leaves every block within reach. What would take a link down that is needed is refused.
    fn ensure_open(
        &self,
        block: BlockId,
        address: u32,
        value: u32,
    ) -> Result<(), InBandError<R::Error>> {
        if !(LINKS..LINKS + 16 * LINK_STRIDE).contains(&address) {
            return Ok(());
        }
        let port = PortIndex(((address - LINKS) / LINK_STRIDE) as u8);
        let end = End { block, port };
        let closes = match (address - LINKS) % LINK_STRIDE / 4 {
            CONTROL => value & DISABLED != 0,
            EXPECTED_PEER => {
                let peer = self.messenger.map.peer(end);
                let fits = peer.map(mkns_design::expected_peer);
                value & CHECK != 0 && fits.is_some_and(|fits| fits != value)
            }
            _ => false,
        };
        match closes && !self.messenger.map.is_spared(end) {
            true => Err(InBandError::ClosesRoute(end)),
            false => Ok(()),
        }
    }
}

impl<R: Registers> Registers for InBandRegisters<'_, R> {
    type Error = InBandError<R::Error>;

    fn read(&mut self, block: BlockId, address: u32) -> Result<Option<u32>, Self::Error> {
        let value = match block == self.messenger.own {
            true => self.port.read(self.board(), address)?,
            false => self.messenger.read(&mut self.port, block, address)?,
        };
        self.messenger.note_value(block, address, value);
        Ok(value)
    }

    fn read_many(&mut self, places: &[(BlockId, u32)]) -> Result<Vec<Option<u32>>, Self::Error> {
        let own = self.messenger.own;
        let far = places.iter().copied().filter(|(block, _)| *block != own);
        let far: Vec<(BlockId, u32)> = far.collect();
        let mut far = self.messenger.read_many(&mut self.port, &far)?.into_iter();
        let mut values = Vec::new();
        for &(block, address) in places {
            let value = match block == own {
                true => self.port.read(self.board(), address)?,
                false => far.next().flatten(),
            };
            self.messenger.note_value(block, address, value);
            values.push(value);
        }
        Ok(values)
    }

    fn write(&mut self, block: BlockId, address: u32, value: u32) -> Result<bool, Self::Error> {
        if self.messenger.unproven == Some(block) {
            return Err(InBandError::NotCompared(block));
        }
        self.ensure_open(block, address, value)?;
        self.messenger.notices.expect(block);
        if block == self.messenger.own {
            return Ok(self.port.write(self.board(), address, value)?);
        }
        let keys = self.messenger.keys_of(block);
        let written = (self.messenger).write(&mut self.port, block, (address, value), &keys)?;
        // A block that was reset is open again.
        let is_opened = written == Some(0) && self.messenger.keyed.remove(&block);
        if is_opened {
            self.messenger.notices.forget(block);
        }
        match is_opened && address >> 7 != MANAGEMENT >> 7 {
            true => self.set_key(block),
            false => Ok(written.is_some()),
        }
    }

    fn hold_hosts(&mut self, stop: bool) -> Result<bool, Self::Error> {
        Ok(self.port.hold_hosts(stop)?)
    }

    fn has_news(&mut self) -> Result<bool, Self::Error> {
        Ok(self.messenger.has_news(&mut self.port)?)
    }

    fn changed(&mut self) -> Result<Vec<BlockId>, Self::Error> {
        self.acknowledged()
    }

    fn tend(&mut self) -> Result<(), Self::Error> {
        self.arm()
    }
}
