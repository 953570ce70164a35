//! The innermost stages: terminals on m×m switches as a multi-ring, a hypercube or a block design.
//!
//! The formulas are corrected, 0-based; the printed ones yield only half of the
//! paper's own tables 1 and 3.

use super::{Attachment, Stage};
use mkns_block_design::BlockDesign;

/// 2-D full multi-ring (tables 1 and 2). Terminal a sends on branch r to input r of switch a + r, and
/// receives on branch q from output q of switch a − q·m, modulo N = m².
pub fn multi_ring(m: u32) -> Stage {
    let n = m * m;
    digraph(m, |a, r| [(a + r) % n, r], |a, q| [(a + n - q * m) % n, q])
}

/// 2-D generalised m-ary hypercube (table 3). Terminal (x, y) of the m×m grid, number x·m + y, sends on
/// branch t to input y of switch (x, t) and receives on branch s from output x of switch (s, y).
pub fn hypercube(m: u32) -> Stage {
    digraph(
        m,
        |a, t| [a / m * m + t, a % m],
        |a, s| [s * m + a % m, a / m],
    )
}

/// m² terminals on as many switches; `up` and `down` give the switch and its port for a terminal and its branch.
fn digraph(
    m: u32,
    up: impl Fn(u32, u32) -> [u32; 2],
    down: impl Fn(u32, u32) -> [u32; 2],
) -> Stage {
    let n = m * m;
    let attached = |way: &dyn Fn(u32, u32) -> [u32; 2]| {
        let branch = |a, branch| {
            let [copy, port] = way(a, branch);
            Attachment { copy, port }
        };
        (0..n)
            .map(|a| (0..m).map(|at| branch(a, at)).collect())
            .collect()
    };
    Stage::new(n, m, attached(&up), attached(&down))
}

/// Elements are terminals, blocks are switches, both ways alike. Port p of a switch leads to the p-th
/// element of its block, branch t of a terminal to the t-th block that holds it, both ascending.
pub fn block_design(design: &BlockDesign) -> Stage {
    let parameters = design.parameters();
    let mut ways = vec![Vec::new(); parameters.elements as usize];
    for (copy, block) in design.blocks().iter().enumerate() {
        for (port, element) in block.iter().enumerate() {
            ways[*element as usize].push(Attachment {
                copy: copy as u32,
                port: port as u32,
            });
        }
    }
    Stage::new(
        parameters.elements,
        parameters.block_size,
        ways.clone(),
        ways,
    )
}
