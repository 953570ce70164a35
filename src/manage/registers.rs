//! The interface through which a manager speaks to blocks: two calls, read and write.

use mkns_topology::BlockId;

/// The control ports of a network's blocks (`docs/microarchitecture.md`, section 4).
pub trait Registers {
    /// What can go wrong on the way to a block.
    type Error;

    /// Reads a register; none when the block does not answer.
    fn read(&mut self, block: BlockId, address: u32) -> Result<Option<u32>, Self::Error>;

    /// Reads many registers, in any order: several messages may be on their way at once.
    fn read_many(&mut self, places: &[(BlockId, u32)]) -> Result<Vec<Option<u32>>, Self::Error> {
        let each = places.iter();
        each.map(|&(block, address)| self.read(block, address))
            .collect()
    }

    /// Writes a register and waits for the answer; false when the block does not answer or refuses.
    fn write(&mut self, block: BlockId, address: u32, value: u32) -> Result<bool, Self::Error>;

    /// Asks all hosts to stop sending, or to go on; false when they do not, now. Only routes that cannot change under
    /// traffic need it; it is asked again in each round until it is true.
    fn hold_hosts(&mut self, _stop: bool) -> Result<bool, Self::Error> {
        Ok(false)
    }

    /// Whether a block has told of a change of its links: then `changed` has something to say.
    fn has_news(&mut self) -> Result<bool, Self::Error> {
        Ok(false)
    }

    /// Blocks that have told of a change of their links since this was asked.
    fn changed(&mut self) -> Result<Vec<BlockId>, Self::Error> {
        Ok(Vec::new())
    }

    /// Called after each round that changed nothing: blocks may need a new way to tell of changes.
    fn tend(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

impl<R: Registers> Registers for &mut R {
    type Error = R::Error;

    fn read(&mut self, block: BlockId, address: u32) -> Result<Option<u32>, Self::Error> {
        (**self).read(block, address)
    }

    fn read_many(&mut self, places: &[(BlockId, u32)]) -> Result<Vec<Option<u32>>, Self::Error> {
        (**self).read_many(places)
    }

    fn write(&mut self, block: BlockId, address: u32, value: u32) -> Result<bool, Self::Error> {
        (**self).write(block, address, value)
    }

    fn hold_hosts(&mut self, stop: bool) -> Result<bool, Self::Error> {
        (**self).hold_hosts(stop)
    }

    fn has_news(&mut self) -> Result<bool, Self::Error> {
        (**self).has_news()
    }

    fn changed(&mut self) -> Result<Vec<BlockId>, Self::Error> {
        (**self).changed()
    }

    fn tend(&mut self) -> Result<(), Self::Error> {
        (**self).tend()
    }
}
