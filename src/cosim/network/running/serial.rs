//! Serial cables of a network that runs: they rise before traffic, and say in the end what they went through.

use super::RunningNetwork;
use crate::mismatch::{Failure, FailureKind};
use crate::network::serial_report::{COUNTERS, LinkReading, SerialReport};
use mkns_contract::address;
use mkns_contract::address::link_word::{PEER_BLOCK, PEER_PORT, STATE};
use mkns_topology::End;

/// Cycles within which links rise; both sides tell each other in some hundred.
const RISE: u64 = 5_000;

impl RunningNetwork<'_> {
    /// Waits until every serial link is up.
    pub(in crate::network) fn raise_links(&mut self) -> Result<(), Box<Failure>> {
        let patience = self.cycle + RISE;
        let faults = &self.plan.faults;
        let network = &self.plan.network;
        let is_broken = |cable: u32| !faults.cable_works(network, cable);
        while !self.cables.serial.are_up(is_broken) {
            self.step()?;
            self.transfer()?;
            if self.cycle > patience {
                let block = self.cables.serial.first_down(is_broken);
                let block = block.map_or(0, |block| block.0 as usize);
                let note = "a serial link does not rise".to_owned();
                return Err(self.failure(FailureKind::Contract, block, note));
            }
        }
        Ok(())
    }

    /// What the link ports' registers say; none without serial cables.
    pub(super) fn serial_report(&mut self) -> Result<Option<SerialReport>, Box<Failure>> {
        if self.cables.serial.is_empty() || !self.plan.spec.block.control_port {
            return Ok(None);
        }
        let ends: Vec<End> = self.cables.serial.ends().map(|(_, end, _)| end).collect();
        let mut report = SerialReport {
            cables: ends.len() / 2,
            packets_cut: self.cables.serial.lost_in_sessions(),
            ..SerialReport::default()
        };
        for end in ends {
            let reading = self.read_link(end)?;
            report.add(self.plan, end, &reading);
        }
        Ok(Some(report))
    }

    fn read_link(&mut self, end: End) -> Result<LinkReading, Box<Failure>> {
        let mut reading = LinkReading::default();
        for word in [PEER_BLOCK, PEER_PORT, STATE].into_iter().chain(COUNTERS) {
            let block = end.block.0 as usize;
            self.masters.answer = None;
            let address = address::link(end.port.0.into(), word);
            self.masters.of(block).read(address);
            self.control()?;
            match self.masters.answer.take() {
                Some(answer) if answer.response == 0 => reading.note(word, answer.data),
                _ => {
                    let note = format!("word {word} of the link at port {} is not read", end.port);
                    return Err(self.failure(FailureKind::Contract, block, note));
                }
            }
        }
        Ok(reading)
    }
}
