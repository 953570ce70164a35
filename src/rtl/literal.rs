//! Verilog constants that carry their width.

use std::fmt;

/// A sized literal such as `7'd5`, `20'h00006` or, entry by entry, `48'h0049_0060_0048`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Literal(String);

impl Literal {
    /// Hexadecimal, as many digits as the width needs.
    pub fn hex(bits: u32, value: u64) -> Self {
        let digits = bits.div_ceil(4) as usize;
        Self(format!("{bits}'h{value:0digits$x}"))
    }

    /// Bit by bit, the first one in the low bit.
    pub fn bits(bits: &[bool]) -> Self {
        let digit = |four: &[bool]| {
            let value = four
                .iter()
                .rev()
                .fold(0, |value, bit| value << 1 | u32::from(*bit));
            char::from_digit(value, 16).expect("four bits are one digit")
        };
        let digits: Vec<char> = bits.chunks(4).map(digit).collect();
        let digits: String = digits.into_iter().rev().collect();
        Self(format!("{}'h{digits}", bits.len()))
    }

    /// All zero.
    pub fn zero(bits: u32) -> Self {
        Self(format!("{bits}'d0"))
    }

    /// 16-bit words side by side, the first one in the low bits, one digit group a word.
    pub fn words(words: &[u16]) -> Self {
        let groups: Vec<String> = words
            .iter()
            .rev()
            .map(|word| format!("{word:04x}"))
            .collect();
        Self(format!("{}'h{}", 16 * words.len(), groups.join("_")))
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_and_order_are_those_of_verilog() {
        assert_eq!(Literal::hex(20, 6).to_string(), "20'h00006");
        assert_eq!(Literal::zero(4).to_string(), "4'd0");
        let bits = [true, false, false, false, false, true];
        assert_eq!(Literal::bits(&bits).to_string(), "6'h21");
        assert_eq!(Literal::words(&[0x48, 0x60]).to_string(), "32'h0060_0048");
    }
}
