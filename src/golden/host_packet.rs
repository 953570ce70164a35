//! 3.1: the table of faults. Looks at the beats that a host gives, one after another.

use mkns_design::BlockModule;
use mkns_routing::AddressField;

use crate::beat::{is_legal_header, is_legal_payload};
use crate::note::PageText;
use crate::pcie_counters::PcieCounter;
use crate::{Beat, header};

/// Place in the packet that the next beat has. Reset: `Header`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PacketPhase {
    Header,
    /// Payload beat `beat`, from 1, of a packet of `length` bytes.
    Payload {
        beat: u32,
        length: u32,
    },
    /// A fault was found in an earlier beat of the packet.
    Faulty(PcieCounter),
}

impl PageText for PacketPhase {
    fn page_text(&self) -> String {
        match self {
            Self::Header => "expecting a header".to_owned(),
            Self::Payload { beat, length } => {
                format!("expecting payload beat {beat} of a packet of {length} bytes")
            }
            Self::Faulty(cause) => format!("in a faulty packet ({})", cause.name()),
        }
    }
}

/// What an ingress checks packets against.
pub struct HostPacketRules {
    /// KB
    bytes: u32,
    max_packet_flits: u32,
    layers: u32,
    /// `PATHS`
    masks: bool,
    /// `ADAPTIVE`
    adaptive: bool,
    fields: Vec<AddressField>,
}

impl HostPacketRules {
    pub fn new(module: &BlockModule) -> Self {
        let block = &module.parameters;
        Self {
            bytes: block.flit_bits / 8,
            max_packet_flits: block.max_packet_flits,
            layers: block.layers,
            masks: module.masks.is_some(),
            adaptive: module.candidates().is_some(),
            fields: module.layout.fields.clone(),
        }
    }

    /// The place that the next beat has if `beat` is good and not the last; or the packet's first fault.
    /// `reachable`: a header's destination has a mask that is not 0, or there are no masks.
    pub fn check(
        &self,
        place: PacketPhase,
        beat: &Beat,
        reachable: bool,
    ) -> Result<PacketPhase, PcieCounter> {
        let next = match place {
            PacketPhase::Header => self.header(beat, reachable)?,
            PacketPhase::Payload { beat: n, length } => self.payload(beat, n, length)?,
            PacketPhase::Faulty(cause) => return Err(cause),
        };
        if beat.last && beat.user {
            return Err(PcieCounter::Aborted);
        }
        Ok(next)
    }

    /// The header's rows, and the place of the beat after it.
    fn header(&self, beat: &Beat, reachable: bool) -> Result<PacketPhase, PcieCounter> {
        let header = beat.data.low();
        let length = header::length(header);
        let n = length.div_ceil(self.bytes);
        let cause = if !is_legal_header(beat, self.bytes) {
            PcieCounter::Keep
        } else if header::has_reserved_bits(header, self.adaptive) {
            PcieCounter::Reserved
        } else if !self.masks && header::layer(header) >= self.layers {
            PcieCounter::Layer
        } else if !self.is_destination(header::destination(header)) {
            PcieCounter::Destination
        } else if !reachable {
            PcieCounter::Layer
        } else if 1 + n > self.max_packet_flits {
            PcieCounter::OverLength
        } else if beat.last && n > 0 {
            PcieCounter::TooShort
        } else if !beat.last && n == 0 {
            PcieCounter::TooLong
        } else {
            return Ok(PacketPhase::Payload { beat: 1, length });
        };
        Err(cause)
    }

    /// Every field has a legal value, and no bit outside all fields is 1.
    fn is_destination(&self, destination: u32) -> bool {
        let mut outside = destination;
        for field in &self.fields {
            let value = field.value(destination);
            if value >= field.size {
                return false;
            }
            outside &= !(value << field.offset);
        }
        outside == 0
    }

    /// The payload's rows for payload beat `number`, and the place of the beat after it.
    fn payload(&self, beat: &Beat, number: u32, length: u32) -> Result<PacketPhase, PcieCounter> {
        let n = length.div_ceil(self.bytes);
        let ones = beat.keep.count_ones();
        // Of beat n; before it more bytes are left than a beat has.
        let left = length - (number - 1) * self.bytes;
        let is_final = number == n;
        if !is_legal_payload(beat, self.bytes) {
            Err(PcieCounter::Keep)
        } else if is_final && (!beat.last || ones > left) {
            Err(PcieCounter::TooLong)
        } else if beat.last && (!is_final || ones < left) {
            Err(PcieCounter::TooShort)
        } else {
            let beat = number + 1;
            Ok(PacketPhase::Payload { beat, length })
        }
    }
}
