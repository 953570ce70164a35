//! Which blocks hang together over a part of the cables.

/// For every block one block of those that the pairs join it to, the same for all of them.
pub fn leaders(blocks: usize, pairs: impl Iterator<Item = (usize, usize)>) -> Vec<usize> {
    let mut leaders: Vec<usize> = (0..blocks).collect();
    for (a, b) in pairs {
        let (a, b) = (find(&mut leaders, a), find(&mut leaders, b));
        leaders[a.max(b)] = a.min(b);
    }
    (0..blocks).map(|block| find(&mut leaders, block)).collect()
}

fn find(leaders: &mut [usize], mut block: usize) -> usize {
    while leaders[block] != block {
        leaders[block] = leaders[leaders[block]];
        block = leaders[block];
    }
    block
}
