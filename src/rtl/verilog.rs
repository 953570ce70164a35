//! Pieces of Verilog text that several templates share: declarations, slices, concatenations of links.

use super::literal::Literal;

/// Direction of a module port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Input,
    Output,
}

impl Direction {
    /// `in` or `out`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Input => "in",
            Self::Output => "out",
        }
    }
}

/// One port of a module header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    pub direction: Direction,
    pub bits: u64,
    pub name: String,
}

impl Declaration {
    pub fn new(direction: Direction, bits: u64, name: impl Into<String>) -> Self {
        let name = name.into();
        Self {
            direction,
            bits,
            name,
        }
    }
}

/// The ports of a module header, names in one column, commas between them.
pub fn port_list(declarations: &[Declaration]) -> String {
    let ranges: Vec<String> = declarations.iter().map(|port| range(port.bits)).collect();
    let width = ranges.iter().map(String::len).max().unwrap_or(0);
    let lines = declarations.iter().zip(ranges).map(|(port, range)| {
        let direction = match port.direction {
            Direction::Input => "input ",
            Direction::Output => "output",
        };
        format!("    {direction} wire {range:width$} {}", port.name)
    });
    lines.collect::<Vec<_>>().join(",\n")
}

/// `[7:0]`, nothing for a single bit.
fn range(bits: u64) -> String {
    match bits {
        1 => String::new(),
        _ => format!("[{}:0]", bits - 1),
    }
}

/// Element `index` of a vector of `count` elements of `bits` bits each: the whole vector when there
/// is one element.
pub fn element(name: &str, index: u64, bits: u64, count: u64) -> String {
    elements(name, index, 1, bits, count)
}

/// `number` elements of such a vector from element `first` on.
pub fn elements(name: &str, first: u64, number: u64, bits: u64, count: u64) -> String {
    match number * bits {
        _ if number == count => name.to_owned(),
        1 => format!("{name}[{first}]"),
        width => format!("{name}[{}:{}]", first * bits + width - 1, first * bits),
    }
}

/// A bit of a named vector of `count` bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BitOf {
    pub vector: &'static str,
    pub index: u32,
    pub count: u64,
}

/// Bits picked one by one, highest first; `None` is a constant 0. Neighbours are gathered: `2'd0`,
/// `cable_up[5:3]`.
pub fn picked_bits(picks: &[Option<BitOf>]) -> Vec<String> {
    let falling = |a: &Option<BitOf>, b: &Option<BitOf>| match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => a.vector == b.vector && a.index == b.index + 1,
        _ => false,
    };
    let text = |run: &[Option<BitOf>]| match (run[0], run[run.len() - 1]) {
        (Some(only), _) if run.len() == 1 => {
            element(only.vector, u64::from(only.index), 1, only.count)
        }
        (Some(high), Some(low)) => format!("{}[{}:{}]", high.vector, high.index, low.index),
        _ => Literal::zero(run.len() as u32).to_string(),
    };
    picks.chunk_by(falling).map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_say_no_more_than_they_must() {
        assert_eq!(element("a", 3, 1, 8), "a[3]");
        assert_eq!(element("a", 3, 4, 8), "a[15:12]");
        assert_eq!(element("a", 0, 4, 1), "a");
        assert_eq!(element("a", 0, 1, 1), "a");
    }

    #[test]
    fn neighbouring_bits_are_gathered() {
        let bit = |index| {
            Some(BitOf {
                vector: "up",
                index,
                count: 9,
            })
        };
        let picks = [None, None, bit(7), bit(6), bit(2), None];
        assert_eq!(picked_bits(&picks), ["2'd0", "up[7:6]", "up[2]", "1'd0"]);
    }

    #[test]
    fn ports_stand_in_columns() {
        let ports = [
            Declaration::new(Direction::Input, 1, "clk"),
            Declaration::new(Direction::Output, 12, "data"),
        ];
        assert_eq!(
            port_list(&ports),
            "    input  wire        clk,\n    output wire [11:0] data"
        );
    }
}
