//! A PCIe-side port of an adapter block: its ingress, its egress and their counters (section 3).
//!
//! Also the border between packed words and the beats of one port.

use std::fmt::Write;

use super::egress::{Delivery, Egress, OutputBeat};
use super::egress_width::EgressWidth;
use super::flit::TransmittedFlit;
use super::ingress::{Beat, Fault, Ingress, Intake};
use super::ingress_width::IngressWidth;
use super::words::{InputWords, OutputWords};
use crate::design::BlockModule;

/// PCIe counters of a port; ingress faults are counters 1…8 by [`Fault`].
const COUNTERS: usize = 14;
const PACKETS_IN: usize = 0;
const PACKETS_OUT: usize = 9;
const CRC_FAULT: usize = 10;
const LENGTH_FAULT: usize = 11;
const BAD: usize = 12;
const TIMEOUT_DROPS: usize = 13;

const INGRESS_DROP_ERROR: u32 = 1 << 4;
const EGRESS_FAULT_ERROR: u32 = 1 << 5;
const TIMEOUT_DROP_ERROR: u32 = 1 << 6;

/// Port q of the PCIe side.
#[derive(Debug, Clone)]
pub struct HostPort {
    /// q
    port: usize,
    /// KP: bytes of a beat on the host's pins.
    bytes: usize,
    /// Only when beats and flits differ in width.
    ingress_width: Option<Box<IngressWidth>>,
    ingress: Ingress,
    egress: Egress,
    egress_width: Option<Box<EgressWidth>>,
    counters: [u32; COUNTERS],
    counters_enabled: bool,
    /// ERRORS bits 4…6 of the last cycle.
    errors: u32,
}

impl HostPort {
    pub fn new(module: &BlockModule, port: u32) -> HostPort {
        HostPort {
            port: port as usize,
            bytes: module.parameters.pcie_bits as usize / 8,
            ingress_width: IngressWidth::new(module).map(Box::new),
            ingress: Ingress::new(module, port),
            egress: Egress::new(module),
            egress_width: EgressWidth::new(module).map(Box::new),
            counters: [0; COUNTERS],
            counters_enabled: module.parameters.counters && module.parameters.control_port,
            errors: 0,
        }
    }

    pub fn reset(&mut self) {
        self.ingress.reset();
        self.egress.reset();
        self.ingress_width
            .iter_mut()
            .for_each(|width| width.reset());
        self.egress_width.iter_mut().for_each(|width| width.reset());
        self.counters = [0; COUNTERS];
        self.errors = 0;
    }

    pub fn is_at_rest(&self) -> bool {
        self.ingress_is_at_rest() && self.egress_is_at_rest()
    }

    /// Whether the egress half of a cycle in which nothing arrives changes nothing.
    #[inline]
    pub fn egress_is_at_rest(&self) -> bool {
        self.egress.is_at_rest()
            && (self.egress_width.as_deref()).is_none_or(EgressWidth::is_at_rest)
    }

    /// Whether the ingress half of a cycle without beat and credit changes nothing.
    #[inline]
    pub fn ingress_is_at_rest(&self) -> bool {
        self.ingress.is_at_rest()
            && (self.ingress_width.as_deref()).is_none_or(IngressWidth::is_at_rest)
    }

    /// Bytes of the flits in both halves.
    pub fn buffer_bytes(&self) -> usize {
        self.ingress.buffer_bytes() + self.egress.buffer_bytes()
    }

    pub fn counter(&self, counter: usize) -> u32 {
        self.counters[counter]
    }

    /// ERRORS bits set by this cycle.
    pub fn errors(&self) -> u32 {
        self.errors
    }

    /// The flit on the core's rx pins: its last flag and data.
    pub fn injected(&self) -> Option<(bool, &[u64])> {
        self.ingress.injected()
    }

    /// One bit a channel: credits to the core in this cycle.
    pub fn egress_credit(&self) -> u8 {
        self.egress.credit()
    }

    /// Outputs of this cycle; the words are 0 before.
    pub fn write_outputs(&self, words: &OutputWords, outputs: &mut [u64]) {
        outputs[words.pcie_tready] |= u64::from(self.ready()) << self.port;
        let Some(beat) = self.beat_out() else {
            return;
        };
        outputs[words.pcie_tvalid] |= 1 << self.port;
        outputs[words.pcie_tlast] |= u64::from(beat.last) << self.port;
        outputs[words.pcie_tuser] |= u64::from(beat.user) << self.port;
        // KP divides 64: the tkeep of a port lies in one word.
        let bit = self.port * self.bytes;
        outputs[words.pcie_tkeep + bit / 64] |= beat.keep << (bit % 64);
        let beat_words = self.bytes / 8;
        outputs[words.pcie_tdata + self.port * beat_words..][..beat_words]
            .copy_from_slice(beat.data);
    }

    /// tready on the host's pins.
    pub fn ready(&self) -> bool {
        match &self.ingress_width {
            Some(width) => width.ready(),
            None => self.ingress.ready(),
        }
    }

    /// The beat on the host's pins.
    pub fn beat_out(&self) -> Option<OutputBeat<'_>> {
        match &self.egress_width {
            Some(width) => width.beat(),
            None => self.egress.beat(),
        }
    }

    /// The egress half of the clock edge; `arriving` is on the core's tx pins.
    pub fn clock_egress(&mut self, host_ready: bool, arriving: Option<TransmittedFlit<'_>>) {
        self.errors = 0;
        let stalls = self.beat_out().is_some() && !host_ready;
        let taken = match &mut self.egress_width {
            Some(width) => width.step(self.egress.beat(), host_ready),
            None => host_ready,
        };
        match self.egress.step(taken, stalls, arriving) {
            Delivery::Nothing => {}
            Delivery::Whole => self.count(PACKETS_OUT),
            Delivery::CrcFault => self.count_egress_fault(CRC_FAULT),
            Delivery::LengthFault => self.count_egress_fault(LENGTH_FAULT),
            Delivery::Bad => self.count_egress_fault(BAD),
            Delivery::TimeoutDrop => {
                self.count(TIMEOUT_DROPS);
                self.errors |= TIMEOUT_DROP_ERROR;
            }
        }
    }

    /// The ingress half of the clock edge; `core_credit` is the core's rx_credit of this cycle.
    pub fn clock_ingress(
        &mut self,
        words: &InputWords,
        inputs: &[u64],
        core_credit: bool,
        node_address: u32,
    ) {
        let valid = inputs[words.pcie_tvalid] >> self.port & 1 == 1;
        let beat = valid.then(|| self.beat(words, inputs));
        self.step_ingress(beat, core_credit, node_address);
    }

    /// The same for a beat of the host.
    pub fn step_ingress(&mut self, beat: Option<Beat<'_>>, core_credit: bool, node_address: u32) {
        let intake = match &mut self.ingress_width {
            Some(width) => {
                let piece = width.offered();
                let taken = piece.is_some() && self.ingress.ready();
                let intake = self.ingress.step(piece, core_credit, node_address);
                width.step(beat, taken);
                intake
            }
            None => self.ingress.step(beat, core_credit, node_address),
        };
        match intake {
            Intake::Nothing => {}
            Intake::Committed => self.count(PACKETS_IN),
            Intake::Dropped(fault) => {
                self.count(fault as usize);
                self.errors |= INGRESS_DROP_ERROR;
            }
        }
    }

    pub fn describe(&self, text: &mut String) {
        let facts = [
            self.ingress_width.as_deref().map(IngressWidth::describe),
            Some(self.ingress.describe()),
            Some(self.egress.describe()),
            self.egress_width.as_deref().map(EgressWidth::describe),
        ];
        for fact in facts.iter().flatten().filter(|fact| !fact.is_empty()) {
            let _ = writeln!(text, "PCIe port {} {fact}", self.port);
        }
    }

    fn beat<'a>(&self, words: &InputWords, inputs: &'a [u64]) -> Beat<'a> {
        let beat_words = self.bytes / 8;
        let bit = self.port * self.bytes;
        let keep = inputs[words.pcie_tkeep + bit / 64] >> (bit % 64);
        Beat {
            data: &inputs[words.pcie_tdata + self.port * beat_words..][..beat_words],
            keep: keep & (u64::MAX >> (64 - self.bytes)),
            last: inputs[words.pcie_tlast] >> self.port & 1 == 1,
            user: inputs[words.pcie_tuser] >> self.port & 1 == 1,
        }
    }

    fn count_egress_fault(&mut self, counter: usize) {
        self.count(PACKETS_OUT);
        self.count(counter);
        self.errors |= EGRESS_FAULT_ERROR;
    }

    fn count(&mut self, counter: usize) {
        if self.counters_enabled {
            self.counters[counter] = self.counters[counter].wrapping_add(1);
        }
    }
}

// The counters follow the causes in the order of the page.
const _: () = assert!(Fault::Keep as usize == 1 && Fault::Aborted as usize == PACKETS_OUT - 1);
