//! What a card or a running network counts of one of its hosts.

use std::io;

use mkns_contract::{MAGIC, address, counter};

/// Packets of a port since the last reset of the card, or since the network runs. All counts wrap at 2^32.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(C)]
pub struct PortCounters {
    /// Taken from the host.
    pub sent: u32,
    /// Packets of the host that the network did not take, for whatever reason.
    pub refused: u32,
    /// Handed to the buffer of the host.
    pub received: u32,
    /// Of these, dropped because they were damaged on their way.
    pub damaged: u32,
    /// Of these, dropped because the host did not read and its buffer was full.
    pub dropped: u32,
    /// 1 while a packet waits for the host to read it.
    pub waiting: u32,
}

impl PortCounters {
    /// What `mkns live` answers, with the numbers in the order of the fields: `{"counters":[7,0,5,0,0,1]}`.
    pub fn answer(&self, waiting: bool) -> [u32; 6] {
        [
            self.sent,
            self.refused,
            self.received,
            self.damaged,
            self.dropped,
            waiting.into(),
        ]
    }

    /// Counts packets that a host has sent, and those that were refused.
    pub fn add_sent(&mut self, sent: u32, refused: u32) {
        self.sent = self.sent.wrapping_add(sent);
        self.refused = self.refused.wrapping_add(refused);
    }

    /// Counts a packet that has arrived.
    pub fn add_received(&mut self, is_kept: bool) {
        self.received = self.received.wrapping_add(1);
        self.add_dropped(u32::from(!is_kept));
    }

    /// Counts packets that the host was too late for.
    pub fn add_dropped(&mut self, packets: u32) {
        self.dropped = self.dropped.wrapping_add(packets);
    }

    /// The counters in such an answer.
    pub(crate) fn of_answer(answer: &str) -> Option<Self> {
        let list = answer
            .strip_prefix(r#"{"counters":["#)?
            .strip_suffix("]}")?;
        let numbers: Result<Vec<u32>, _> = list.split(',').map(str::parse).collect();
        let [sent, refused, received, damaged, dropped, waiting] = numbers.ok()?.try_into().ok()?;
        Some(Self {
            sent,
            refused,
            received,
            damaged,
            dropped,
            waiting,
        })
    }

    /// Of the host at PCIe port `port` of block 0, read over the card's window of registers: `word` gives the word at an
    /// address.
    pub(crate) fn read(
        mut word: impl FnMut(u32) -> io::Result<u32>,
        port: u32,
    ) -> io::Result<Self> {
        if word(address::ID)? != MAGIC {
            let words = "no block answers there: the card has no control port, or is in reset";
            return Err(io::Error::other(words));
        }
        let refused = counter::REFUSED.map(|number| word(address::pcie_counter(port, number)));
        let refused = refused.collect::<Result<Vec<u32>, _>>()?;
        Ok(Self {
            sent: word(address::pcie_counter(port, counter::PACKETS_IN))?,
            refused: refused.into_iter().fold(0, u32::wrapping_add),
            received: word(address::pcie_counter(port, counter::PACKETS_OUT))?,
            waiting: word(address::host_buffer(port, 0))?,
            damaged: word(address::host_buffer(port, 1))?,
            dropped: word(address::host_buffer(port, 2))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_of_a_network_has_all_numbers() {
        let counters = PortCounters {
            sent: 7,
            waiting: 1,
            ..PortCounters::default()
        };
        assert_eq!(counters.answer(true), [7, 0, 0, 0, 0, 1]);
        let read = PortCounters::of_answer;
        assert_eq!(read(r#"{"counters":[7,0,0,0,0,1]}"#), Some(counters));
        for wrong in [
            r#"{"error":"no"}"#,
            r#"{"counters":[7,0,0,0,0]}"#,
            r#"{"counters":[7,0,0,0,0,-1]}"#,
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
