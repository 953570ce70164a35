//! What a legal packet of a host looks like, beat by beat, and why others are dropped (the table of
//! section 3.1 of `docs/microarchitecture.md`). Knows nothing of where beats are stored.

use super::beat::Beat;
use mkns_contract::header;
use mkns_design::BlockModule;

/// Why a packet is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    Keep,
    Reserved,
    /// No such layer, or none that leads to the destination.
    Layer,
    Destination,
    OverLength,
    TooShort,
    TooLong,
    Aborted,
}

/// What the next beat is taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parser {
    Header,
    /// A payload beat.
    Payload {
        /// Payload beats to come, with this one; at least 1.
        beats: u32,
        /// Payload bytes of the last of them.
        last_bytes: u32,
    },
    /// The rest of a faulty packet.
    Faulty(Fault),
}

/// The rules that all ports of a module have in common.
#[derive(Debug)]
pub struct PacketRules {
    /// KB
    bytes: u32,
    all_keep: u64,
    /// Legal values of the layer bits.
    layers: u32,
    max_packet_flits: u32,
    /// (lowest bit, mask, legal values) of each address field.
    fields: Vec<(u32, u32, u32)>,
    /// Destination bits outside all fields.
    outside: u32,
}

impl PacketRules {
    pub fn new(module: &BlockModule) -> PacketRules {
        let bytes = module.parameters.flit_bits / 8;
        let fields: Vec<(u32, u32, u32)> = module
            .layout
            .fields
            .iter()
            .map(|field| (field.offset, field_mask(field.bits), field.size))
            .collect();
        let inside = fields
            .iter()
            .fold(0, |bits, (offset, mask, _)| bits | mask << offset);
        PacketRules {
            bytes,
            all_keep: u64::MAX >> (64 - bytes),
            layers: match module.masks {
                Some(_) => 8,
                None => module.parameters.layers,
            },
            max_packet_flits: module.parameters.max_packet_flits,
            fields,
            outside: !inside & 0xF_FFFF,
        }
    }

    /// What is expected after a beat that is not the last, or the first fault so far.
    /// `reachable`: a layer leads to a header's destination.
    #[inline]
    pub fn judge(&self, parser: Parser, beat: &Beat<'_>, reachable: bool) -> Result<Parser, Fault> {
        let next = match parser {
            Parser::Faulty(fault) => return Err(fault),
            Parser::Header => self.judge_header(beat, reachable)?,
            Parser::Payload { beats, last_bytes } => {
                self.judge_payload(beat, beats, last_bytes)?;
                Parser::Payload {
                    beats: beats - 1,
                    last_bytes,
                }
            }
        };
        if beat.last && beat.user {
            return Err(Fault::Aborted);
        }
        Ok(next)
    }

    /// Whether a packet with this header and this many beats is legal if all bytes that its length counts come.
    pub fn are_kept(&self, header: u64, beats: u32) -> bool {
        let beat = Beat {
            data: &[header],
            keep: self.all_keep,
            last: beats == 1,
            user: false,
        };
        let expected = |parser| matches!(parser, Parser::Payload { beats: payload, .. } if 1 + payload == beats);
        self.judge(Parser::Header, &beat, true).is_ok_and(expected)
    }

    fn judge_header(&self, beat: &Beat<'_>, reachable: bool) -> Result<Parser, Fault> {
        let (word, keep) = (beat.data[0], beat.keep);
        let length = header::length(word);
        let beats = length.div_ceil(self.bytes);
        let keep_fault =
            keep & 0xFF != 0xFF || has_hole(keep) || (!beat.last && keep != self.all_keep);
        let destination = header::destination(word);
        let field_fault =
            |&(offset, mask, size): &(u32, u32, u32)| destination >> offset & mask >= size;
        if keep_fault {
            Err(Fault::Keep)
        } else if word >> 56 & 3 != 0 {
            Err(Fault::Reserved)
        } else if header::layer(word) >= self.layers {
            Err(Fault::Layer)
        } else if destination & self.outside != 0 || self.fields.iter().any(field_fault) {
            Err(Fault::Destination)
        } else if !reachable {
            Err(Fault::Layer)
        } else if 1 + beats > self.max_packet_flits {
            Err(Fault::OverLength)
        } else if beat.last && beats > 0 {
            Err(Fault::TooShort)
        } else if !beat.last && beats == 0 {
            Err(Fault::TooLong)
        } else {
            Ok(Parser::Payload {
                beats,
                last_bytes: length - beats.saturating_sub(1) * self.bytes,
            })
        }
    }

    /// `beats` and `last_bytes` are those of [`Parser::Payload`].
    #[inline]
    fn judge_payload(&self, beat: &Beat<'_>, beats: u32, last_bytes: u32) -> Result<(), Fault> {
        let is_final = beats == 1;
        if !beat.last {
            return if beat.keep != self.all_keep {
                Err(Fault::Keep)
            } else if is_final {
                Err(Fault::TooLong)
            } else {
                Ok(())
            };
        }
        let ones = beat.keep.count_ones();
        if beat.keep == 0 || has_hole(beat.keep) {
            Err(Fault::Keep)
        } else if is_final && ones > last_bytes {
            Err(Fault::TooLong)
        } else if !is_final || ones < last_bytes {
            Err(Fault::TooShort)
        } else {
            Ok(())
        }
    }
}

/// A 0 below a 1.
fn has_hole(keep: u64) -> bool {
    keep & keep.wrapping_add(1) != 0
}

/// The low `bits` bits.
pub fn field_mask(bits: u32) -> u32 {
    (1 << bits) - 1
}
