//! 3.1: the fields of a header flit and its CRC-6.

/// Bits 57:0, which the CRC covers.
const COVERED: u64 = (1 << 58) - 1;
/// Bits 19:0.
const DESTINATION: u64 = (1 << 20) - 1;

/// Bits 19:0.
pub fn destination(header: u64) -> u32 {
    (header & DESTINATION) as u32
}

/// The header with another destination.
pub fn with_destination(header: u64, destination: u32) -> u64 {
    header & !DESTINATION | u64::from(destination)
}

/// The header with another source, bits 39:20.
pub fn with_source(header: u64, source: u32) -> u64 {
    header & !(DESTINATION << 20) | u64::from(source) << 20
}

/// Bytes of payload, bits 52:40.
pub fn length(header: u64) -> u32 {
    (header >> 40 & 0x1fff) as u32
}

/// The header with another length.
pub fn with_length(header: u64, bytes: u32) -> u64 {
    header & !(0x1fff << 40) | u64::from(bytes) << 40
}

/// Bits 55:53.
pub fn layer(header: u64) -> u32 {
    (header >> 53 & 7) as u32
}

/// The header with another layer.
pub fn with_layer(header: u64, layer: u32) -> u64 {
    header & !(7 << 53) | u64::from(layer) << 53
}

/// Bits 57:56: how a packet may travel (1.8).
pub fn travel(header: u64) -> u64 {
    header >> 56 & 3
}

/// Bit 56 or 57 is 1; in adaptive blocks, bit 57.
pub fn has_reserved_bits(header: u64, is_adaptive: bool) -> bool {
    travel(header) > u64::from(is_adaptive)
}

/// 1.8: the header of a packet that takes the escape to a network port, with bits 57:56 and the CRC changed as the
/// table says.
pub fn after_escape(header: u64) -> u64 {
    match travel(header) {
        1 => header ^ 3 << 56 ^ 32 << 58,
        2 => header ^ 1 << 56 ^ 33 << 58,
        _ => header,
    }
}

/// The CRC-6 of bits 57:0, polynomial x⁶ + x + 1, bit 57 first.
fn crc6(bits: u64) -> u64 {
    let mut register = 0;
    for bit in (0..=57).rev() {
        let feedback = (register >> 5 & 1) ^ (bits >> bit & 1);
        register = register << 1 & 0x3f;
        if feedback == 1 {
            register ^= 0b00_0011;
        }
    }
    register
}

/// The header with its CRC in bits 63:58. 6: in networks with POK the destination is an address train,
/// which splitters change, so bits 19:0 count as 0.
pub fn with_crc(header: u64, is_train: bool) -> u64 {
    let covered = match is_train {
        true => header & COVERED & !DESTINATION,
        false => header & COVERED,
    };
    header & COVERED | crc6(covered) << 58
}

/// The CRC of a header that arrives is not that of its fields.
pub fn has_crc_fault(header: u64, is_train: bool) -> bool {
    header != with_crc(header, is_train)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crc_of_words_worked_by_hand() {
        assert_eq!(crc6(0), 0);
        // Bit 0 comes last: feedback 1, register = 000011.
        assert_eq!(crc6(1), 0b000011);
        // One more shift.
        assert_eq!(crc6(2), 0b000110);
        // Five shifts bring the two ones to bits 6 and 5; the one that leaves comes back as 000011.
        assert_eq!(crc6(1 << 4), 0b110000);
        assert_eq!(crc6(1 << 5), 0b100011);
    }

    #[test]
    fn a_train_is_left_out() {
        let header = 5 | 9 << 20;
        assert_eq!(with_crc(header, true) >> 58, with_crc(9 << 20, false) >> 58);
        let changed = with_destination(with_crc(header, true), 1);
        assert!(!has_crc_fault(changed, true));
        assert!(has_crc_fault(changed, false));
    }

    #[test]
    fn fields_stand_where_the_page_puts_them() {
        let header = 0x12345 | 0xabcde << 20 | 0x1234 << 40 | 5 << 53 | 1 << 57;
        assert_eq!(destination(header), 0x12345);
        assert_eq!(length(header), 0x1234);
        assert_eq!(layer(header), 5);
        assert!(has_reserved_bits(header, false) && !has_reserved_bits(header ^ 1 << 57, false));
        assert_eq!(with_source(header, 0xabcde), header);
        assert_eq!(with_length(header, 0x1234), header);
    }
}
