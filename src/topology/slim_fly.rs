//! Slim Fly (McKay, Miller and Širáň graphs): 2q² adapter blocks, two hops between any two.
//!
//! A block has a label (s, a, b), s in {0, 1}, a and b in GF(q). Blocks (0, x, y) and (0, x, y') are joined when y − y'
//! is in X, (1, m, c) and (1, m, c') when c − c' is in X', (0, x, y) and (1, m, c) when y = m·x + c (`docs/design/sources.md`). Rack a
//! holds the groups (0, a, ·) and (1, a, ·). Ports within the group come first, in the order of X or X', then one port
//! for each group of the other half, in its order.

use super::drawing::Drawing;
use super::galois::Field;
use super::{BlockId, CableKind, Network, PortIndex};
use mkns_spec::SlimFlySpec;

/// Dimension indices of cables: within a group, within a rack, between racks.
const GROUP: usize = 0;
const RACK: usize = 1;
const BETWEEN: usize = 2;

/// The whole graph of a Slim Fly.
pub fn build(name: &str, spec: &SlimFlySpec) -> Network {
    let field = Field::new(spec.order);
    let labels = Labels { order: spec.order };
    let sets = generators(&field);
    let mut drawing = Drawing::with_adapters(labels.all(), spec.degree(), spec.vms_per_node);
    for (half, set) in (0..2).zip(&sets) {
        for a in 0..spec.order {
            for b in 0..spec.order {
                join_group(&mut drawing, &field, labels, set, [half, a, b]);
            }
        }
    }
    let first = sets[0].len() as u32;
    for x in 0..spec.order {
        for m in 0..spec.order {
            for c in 0..spec.order {
                let y = field.add(field.multiply(m, x), c);
                let ports = [first + m, first + x].map(|port| PortIndex(port as u8));
                let [a, b] = [[0, x, y], [1, m, c]].map(|label| labels.block(label));
                let dimension = if x == m { RACK } else { BETWEEN };
                drawing.cable((a, ports[0]), (b, ports[1]), dimension, CableKind::Mesh);
            }
        }
    }
    drawing.finish(name)
}

/// Cables from a block to the blocks of its group that come later.
fn join_group(
    drawing: &mut Drawing,
    field: &Field,
    labels: Labels,
    set: &[u32],
    [half, a, b]: [u32; 3],
) {
    for (port, &step) in set.iter().enumerate() {
        let other = field.add(b, step);
        if other < b {
            continue;
        }
        let back = field.subtract(0, step);
        let back = set.iter().position(|&element| element == back);
        let back = back.expect("both sets hold the negatives of their elements");
        let ends = [(b, port), (other, back)];
        let [one, two] = ends.map(|(b, port)| (labels.block([half, a, b]), PortIndex(port as u8)));
        drawing.cable(one, two, GROUP, CableKind::Mesh);
    }
}

/// X and X'.
fn generators(field: &Field) -> [Vec<u32>; 2] {
    let order = field.order();
    let powers = |exponents: Vec<u32>| -> Vec<u32> {
        exponents.into_iter().map(|n| field.power(n)).collect()
    };
    let [x, y] = match order % 4 {
        1 => [
            (0..order - 2).step_by(2).collect(),
            (1..order - 1).step_by(2).collect(),
        ],
        3 => {
            let w = order.div_ceil(4);
            let even = (0..2 * w - 1).step_by(2);
            let odd = (1..2 * w).step_by(2);
            [
                even.chain((2 * w - 1..4 * w - 2).step_by(2)).collect(),
                odd.chain((2 * w..4 * w - 1).step_by(2)).collect(),
            ]
        }
        _ => [
            (0..order - 1).step_by(2).collect(),
            (1..order).step_by(2).collect::<Vec<u32>>(),
        ],
    };
    [powers(x), powers(y)]
}

/// Labels (s, a, b) in the order of blocks.
#[derive(Clone, Copy)]
struct Labels {
    /// q
    order: u32,
}

impl Labels {
    fn block(self, [s, a, b]: [u32; 3]) -> BlockId {
        BlockId((s * self.order + a) * self.order + b)
    }

    fn all(self) -> impl Iterator<Item = Vec<u32>> {
        let order = self.order;
        (0..2 * order * order).map(move |block| {
            vec![
                block / (order * order),
                block / order % order,
                block % order,
            ]
        })
    }
}
