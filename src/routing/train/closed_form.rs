//! Trains of digraphs from the definition of the structure, by arithmetic on terminal numbers.
//!
//! Terminal numbers are (group, place) with m² places to a group; the copy that a stage leads to numbers
//! its ports (group, port) with m ports to a group. So every cascade turns a pair of terminals of R_k
//! into a pair of ports of R_{k−1}, until the group is gone.

/// A multi-ring (`docs/design/sources.md`, quasi-complete digraphs, a): (b − a) mod N = r + q·m leads over branch r to output q.
pub fn multi_ring(m: u32, cascades: u32, from: u32, to: u32) -> Vec<u32> {
    let n = m * m;
    digits(m, cascades, from, to, |a, b| {
        let distance = (b + n - a) % n;
        let (branch, output) = (distance % m, distance / m);
        (branch, branch, output)
    })
}

/// A hypercube (`docs/design/sources.md`, quasi-complete digraphs, b): the switch in the row of a and the column of b.
pub fn hypercube(m: u32, cascades: u32, from: u32, to: u32) -> Vec<u32> {
    digits(m, cascades, from, to, |a, b| (b % m, a % m, b / m))
}

/// Applies `step`, which gives branch, input and output for two places of a group, in every cascade.
fn digits(
    m: u32,
    cascades: u32,
    mut from: u32,
    mut to: u32,
    step: impl Fn(u32, u32) -> (u32, u32, u32),
) -> Vec<u32> {
    let n = m * m;
    let mut addresses = Vec::new();
    for _ in 0..cascades {
        let (branch, input, output) = step(from % n, to % n);
        addresses.push(branch);
        from = from / n * m + input;
        to = to / n * m + output;
    }
    // Of the last pair no group is left: `to` is an output of the spine switch.
    addresses.push(to);
    addresses
}
