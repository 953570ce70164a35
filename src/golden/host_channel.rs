//! 3.1: the channel on which a host's packet enters the network.

/// h of a packet from `source` to `destination`: the exclusive or of all ten two-bit digits of both,
/// those of the destination with their bits swapped, mod `host_channels`.
pub fn host_channel(source: u32, destination: u32, host_channels: usize) -> usize {
    let mut e = 0;
    for digit in 0..10 {
        let of_source = source >> (2 * digit) & 3;
        let of_destination = destination >> (2 * digit) & 3;
        let swapped = (of_destination & 1) << 1 | of_destination >> 1;
        e ^= of_source ^ swapped;
    }
    e as usize % host_channels
}

#[cfg(test)]
mod tests {
    use super::host_channel;

    #[test]
    fn digits_worked_by_hand() {
        // Source digits 1 and 2 (1 xor 2 = 3); destination digit 1, swapped 2: 3 xor 2 = 1.
        assert_eq!(host_channel(0b10_01, 0b01, 4), 1);
        assert_eq!(host_channel(0b10_01, 0b01, 1), 0);
        // The tenth digit counts too.
        assert_eq!(host_channel(3 << 18, 0, 4), 3);
        assert_eq!(host_channel(3 << 18, 0, 2), 1);
        assert_eq!(host_channel(0, 2 << 18, 4), 1);
    }
}
