//! Dimension order on a torus: the first coordinate that differs decides, round the ring the shorter
//! way; half-way round, even coordinates go up and odd ones down.

use mkns_spec::GridSpec;
use mkns_topology::PortIndex;

/// As [`super::Arithmetic::next_port`]: port 2i of a block leads up in dimension index i, port 2i + 1
/// down.
pub fn next_port(spec: &GridSpec, own: &[u32], destination: &[u32]) -> Option<PortIndex> {
    let i = (0..spec.sizes.len()).find(|&i| own[i] != destination[i])?;
    let (size, from, to) = (spec.sizes[i], own[i], destination[i]);
    let hops_up = if to > from {
        to - from
    } else {
        to + size - from
    };
    let hops_down = size - hops_up;
    let goes_up = hops_up < hops_down || hops_up == hops_down && from.is_multiple_of(2);
    Some(PortIndex(2 * i as u8 + u8::from(!goes_up)))
}
