//! Packets as bytes, as cards and sockets carry them: a header of eight bytes, lowest first, then the payload
//! (`docs/microarchitecture.md`, 3.1).

use mkns_contract::Header;

use crate::PortError;

/// Bytes of a header.
pub const HEADER_BYTES: usize = 8;
/// Bytes of the longest payload that a header can tell.
pub const MOST_PAYLOAD: usize = 0x1fff;
/// Highest address.
const MOST_ADDRESS: u32 = 0xf_ffff;
/// Highest layer.
const MOST_LAYER: u32 = 7;

/// A packet that arrived.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReceivedPacket {
    /// Address of the host that sent it.
    pub source: u32,
    /// Address that it was sent to.
    pub destination: u32,
    pub layer: u32,
    pub payload: Vec<u8>,
}

/// Appends a packet as the host writes it; the block adds the source and the CRC.
///
/// # Errors
/// When the address, the layer or the length of the payload does not fit the header.
pub fn append(
    bytes: &mut Vec<u8>,
    destination: u32,
    layer: u32,
    payload: &[u8],
) -> Result<(), PortError> {
    let limits = [
        (
            "the destination",
            u64::from(destination),
            u64::from(MOST_ADDRESS),
        ),
        ("the layer", layer.into(), MOST_LAYER.into()),
        (
            "the length of the payload",
            payload.len() as u64,
            MOST_PAYLOAD as u64,
        ),
    ];
    for (field, value, most) in limits {
        if value > most {
            return Err(PortError::OutOfRange { field, value, most });
        }
    }
    let header = Header {
        destination,
        length: payload.len() as u32,
        layer,
        ..Header::default()
    };
    bytes.extend(header.pack().to_le_bytes());
    bytes.extend(payload);
    Ok(())
}

/// The first packet of some bytes, and what follows it.
///
/// # Errors
/// When the bytes end in the middle of a packet.
pub fn split(bytes: &[u8]) -> Result<(Header, &[u8], &[u8]), PortError> {
    let ends = |fact: String| PortError::Damaged(fact);
    let (word, rest) = bytes
        .split_first_chunk::<HEADER_BYTES>()
        .ok_or_else(|| ends(format!("{} bytes are no header", bytes.len())))?;
    let header = Header::unpack(u64::from_le_bytes(*word));
    let length = header.length as usize;
    if rest.len() < length {
        let left = rest.len();
        return Err(ends(format!(
            "{left} bytes are left of a payload of {length}"
        )));
    }
    let (payload, rest) = rest.split_at(length);
    Ok((header, payload, rest))
}

/// The first packet of some bytes as its receiver sees it, and what follows it.
///
/// # Errors
/// When the bytes end in the middle of a packet.
pub fn split_received(bytes: &[u8]) -> Result<(ReceivedPacket, &[u8]), PortError> {
    let (header, payload, rest) = split(bytes)?;
    let packet = ReceivedPacket {
        source: header.source,
        destination: header.destination,
        layer: header.layer,
        payload: payload.to_vec(),
    };
    Ok((packet, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_follow_each_other_in_one_message() {
        let mut bytes = Vec::new();
        append(&mut bytes, 5, 1, b"first").expect("a packet");
        append(&mut bytes, 6, 0, b"").expect("a packet");
        let (header, payload, rest) = split(&bytes).expect("the first");
        assert_eq!(
            (header.destination, header.layer, payload),
            (5, 1, &b"first"[..])
        );
        let (header, payload, rest) = split(rest).expect("the second");
        assert_eq!((header.destination, payload, rest.len()), (6, &b""[..], 0));
    }

    #[test]
    fn what_does_not_fit_is_refused_by_name() {
        let mut bytes = Vec::new();
        let error = append(&mut bytes, 1 << 20, 0, b"").expect_err("21 bits");
        assert_eq!(
            error.to_string(),
            "the destination is 1048576; it has to be at most 1048575"
        );
        append(&mut bytes, 0, 8, b"").expect_err("a ninth layer");
        append(&mut bytes, 0, 0, &[0; 8192]).expect_err("14 bits of length");
        assert!(bytes.is_empty(), "nothing is left half-written");
        append(&mut bytes, 0, 0, &[1, 2, 3]).expect("a packet");
        bytes.pop();
        split(&bytes).expect_err("one byte is missing");
    }
}
