//! Verilog constants that carry their width.

use std::fmt;

use bitvec::prelude::*;

/// A sized literal such as `7'd5`, `20'h00006` or, entry by entry, `48'h0049_0060_0048`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Literal(String);

impl Literal {
    /// Hexadecimal, as many digits as the width needs.
    pub fn hex(bits: u32, value: u64) -> Self {
        let digits = bits.div_ceil(4) as usize;
        Self(format!("{bits}'h{value:0digits$x}"))
    }

    /// Bit by bit, the first one in the low bit.
    pub fn bits(bits: &BitSlice) -> Self {
        let mut digits: Vec<String> = bits
            .chunks(4)
            .map(|four| format!("{:x}", four.load_le::<u8>()))
            .collect();
        digits.reverse();
        Self(format!("{}'h{}", bits.len(), digits.concat()))
    }

    /// Rows of `width` bits side by side, the first one in the low bits. Many are a concatenation of lines.
    pub fn rows(bits: &BitSlice, width: usize) -> Self {
        const A_LINE: usize = 256;
        // Whole digits on a line.
        let rows = (A_LINE / width).max(4) / 4 * 4;
        if bits.len() <= rows * width {
            return Self::bits(bits);
        }
        let lines = bits.chunks(rows * width).rev();
        let lines: Vec<String> = lines.map(|line| Self::bits(line).0).collect();
        Self(format!("{{\n        {}\n    }}", lines.join(",\n        ")))
    }

    /// All zero.
    pub fn zero(bits: u32) -> Self {
        Self(format!("{bits}'d0"))
    }

    /// Bytes side by side, the first one in the low bits. Many are a concatenation of lines: no tool takes a number
    /// of any length.
    pub fn bytes(bytes: &[u8]) -> Self {
        const A_LINE: usize = 32;
        let number = |bytes: &[u8]| {
            let digits = bytes.iter().rev().map(|byte| format!("{byte:02x}"));
            format!("{}'h{}", 8 * bytes.len(), digits.collect::<String>())
        };
        if bytes.len() <= A_LINE {
            return Self(number(bytes));
        }
        let lines: Vec<String> = bytes.chunks(A_LINE).rev().map(number).collect();
        Self(format!("{{\n        {}\n    }}", lines.join(",\n        ")))
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
        let bits = bits![1, 0, 0, 0, 0, 1];
        assert_eq!(Literal::bits(bits).to_string(), "6'h21");
        assert_eq!(Literal::words(&[0x48, 0x60]).to_string(), "32'h0060_0048");
        assert_eq!(Literal::bytes(&[1, 2]).to_string(), "16'h0201");
        let many: Vec<u8> = (0..33).collect();
        let lines = Literal::bytes(&many).to_string();
        let lines: Vec<&str> = lines.lines().map(str::trim).collect();
        assert_eq!((lines[0], lines[1], lines.len()), ("{", "8'h20,", 4));
        assert!(lines[2].starts_with("256'h1f1e1d") && lines[2].ends_with("020100"));
    }

    #[test]
    fn rows_stand_on_lines_of_whole_digits() {
        let mut bits = bitvec![0; 3 * 100];
        (0..100).for_each(|row| bits.set(3 * row, true));
        let text = Literal::rows(&bits, 3).to_string();
        let lines: Vec<&str> = text.split(',').map(str::trim).collect();
        assert_eq!(lines.len(), 2);
        // 84 rows are 252 bits; 001 001 001 001 are 249.
        assert!(lines[0].ends_with("48'h249249249249"), "{text}");
        assert!(lines[1].starts_with("252'h249249"), "{text}");
        assert_eq!(Literal::rows(&bits[..6], 3).to_string(), "6'h09");
    }
}
