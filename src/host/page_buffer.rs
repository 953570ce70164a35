//! Memory that starts at a page, as drivers that make one descriptor per page want it.

/// Bytes of a page.
const PAGE: usize = 4096;

/// Some pages.
#[derive(Debug)]
pub struct PageBuffer {
    /// One page more than is used.
    memory: Vec<u8>,
    /// Where the first page starts in it.
    start: usize,
}

impl PageBuffer {
    /// Of this many pages, all zero.
    pub fn new(pages: usize) -> Self {
        let memory = vec![0; (pages + 1) * PAGE];
        let start = memory.as_ptr().align_offset(PAGE);
        Self { memory, start }
    }

    pub fn bytes(&mut self) -> &mut [u8] {
        let end = self.memory.len() - PAGE;
        &mut self.memory[self.start..][..end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_starts_at_a_page_and_is_as_long_as_asked() {
        let mut buffer = PageBuffer::new(3);
        let bytes = buffer.bytes();
        assert_eq!((bytes.as_ptr() as usize % PAGE, bytes.len()), (0, 3 * PAGE));
    }
}
