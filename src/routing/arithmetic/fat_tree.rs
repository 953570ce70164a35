//! Up and down a fat tree by the digits of the destination.

use mkns_spec::FatTreeSpec;
use mkns_topology::{Block, BlockRole, PortIndex};

/// As [`super::Arithmetic::next_port`]: the node number is the adapter block's digits, the first level's
/// fastest. A switch block of level l sends down by digit l when all higher digits are its own, else up by the
/// same digit, modulo the ways up.
pub fn next_port(spec: &FatTreeSpec, block: &Block, node: u32) -> Option<PortIndex> {
    let mut rest = node;
    let digits = spec.down.iter().map(|&size| {
        let digit = rest % size;
        rest /= size;
        digit
    });
    let digits: Vec<u32> = digits.collect();
    let BlockRole::Stage { stage } = block.role else {
        return (digits != block.coordinates).then_some(PortIndex(0));
    };
    let level = usize::from(stage);
    let digit = digits[level - 1];
    if digits[level..] == block.coordinates[level..] {
        return Some(PortIndex(digit as u8));
    }
    let way = digit % spec.up_cables(level);
    Some(PortIndex((spec.down[level - 1] + way) as u8))
}
