//! A run as text that any simulator can play: one line per cycle, inputs and expected outputs.
//!
//! All ports of a direction are one hexadecimal number, the first of the port table in the low bits
//! (`docs/reference/verification.md`). Knows the port table and nothing of what the signals mean.

use crate::block::UNKNOWN;
use mkns_design::{Port, PortTable, get_bits, set_bits};

/// The line of a cycle.
pub fn line(table: &PortTable, cycle: u64, inputs: &[u64], outputs: &[u64]) -> String {
    let stimulus = digits(&table.inputs, inputs);
    let mut expected = digits(&table.outputs, outputs);
    if cycle < UNKNOWN {
        expected = "x".repeat(expected.len());
    }
    format!("{stimulus} {expected}\n")
}

/// Packed words of all ports as one hexadecimal number.
fn digits(ports: &[Port], words: &[u64]) -> String {
    let bits = total_bits(ports);
    // One word more: `set_bits` may look beyond the last.
    let mut joined = vec![0; bits.div_ceil(64) + 1];
    let mut at = 0;
    let mut words = words.iter();
    for port in ports {
        let mut left = port.bits as usize;
        while left > 0 {
            let width = left.min(64);
            let word = words.next().expect("the words hold all ports");
            set_bits(&mut joined, at, width, *word);
            at += width;
            left -= width;
        }
    }
    let nibble = |place| get_bits(&joined, 4 * place, 4);
    let places = (0..bits.div_ceil(4)).rev();
    places
        .map(|place| char::from_digit(nibble(place) as u32, 16).expect("four bits"))
        .collect()
}

/// Bits of all ports of a direction.
pub fn total_bits(ports: &[Port]) -> usize {
    ports.iter().map(|port| port.bits as usize).sum()
}

/// The first port whose bits differ: its name, what was expected and what came. Both sides are binary
/// digits, highest first, in which `x` and `z` may stand.
pub fn first_difference(
    ports: &[Port],
    expected: &str,
    actual: &str,
) -> Option<(&'static str, String, String)> {
    let mut end = total_bits(ports);
    for port in ports {
        let start = end - port.bits as usize;
        let (expected, actual) = (expected.get(start..end)?, actual.get(start..end)?);
        if expected != actual {
            return Some((port.name, show(expected), show(actual)));
        }
        end = start;
    }
    None
}

/// The expected outputs of a line as binary digits, as many as there are bits.
pub fn expected_bits(line: &str, bits: usize) -> Option<String> {
    let (_, expected) = line.split_once(' ')?;
    let digit = |digit: char| {
        digit
            .to_digit(16)
            .map_or("xxxx".to_owned(), |value| format!("{value:04b}"))
    };
    let all: String = expected.chars().map(digit).collect();
    Some(all.get(all.len().checked_sub(bits)?..)?.to_owned())
}

/// Binary digits as hexadecimal ones; `x` where any of the four is unknown.
fn show(bits: &str) -> String {
    let bits = format!("{}{bits}", "0".repeat((4 - bits.len() % 4) % 4));
    let digit = |place: usize| match u32::from_str_radix(&bits[place..place + 4], 2) {
        Ok(value) => char::from_digit(value, 16).expect("four bits"),
        Err(_) => 'x',
    };
    format!(
        "0x{}",
        (0..bits.len()).step_by(4).map(digit).collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ports() -> Vec<Port> {
        let port = |name, bits| Port { name, bits };
        vec![port("rst", 1), port("rx_data", 70), port("link_up", 3)]
    }

    #[test]
    fn ports_are_joined_from_the_low_bits_up() {
        let words = [1, 0x8000_0000_0000_0001, 0x2a, 0b101];
        // 101 101010 1000…0001 1, from link_up down to rst
        assert_eq!(digits(&ports(), &words), "2d50000000000000003");
        let line = format!("0 {}", digits(&ports(), &words));
        let bits = expected_bits(&line, 74).expect("a line");
        assert!(
            bits.starts_with("10110101010000") && bits.ends_with("00011"),
            "{bits}"
        );
    }

    #[test]
    fn the_first_port_that_differs_is_named_and_unknown_bits_show() {
        let expected = format!("101{}1", "0".repeat(70));
        let actual = format!("1x1{}x0{}1", "0".repeat(8), "0".repeat(60));
        let found = first_difference(&ports(), &expected, &actual).expect("a difference");
        assert_eq!(found.0, "rx_data");
        assert_eq!(found.2, "0x00x000000000000000");
        assert_eq!(first_difference(&ports(), &expected, &expected), None);
        assert_eq!(show("1z1"), "0xx");
    }
}
