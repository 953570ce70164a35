//! The greatest flow through a graph, by shortest augmenting paths.

/// No arc leads here yet.
const UNSEEN: u32 = u32::MAX;

/// A graph whose arcs have room for units. An arc and its way back have numbers that differ in the lowest bit.
pub struct Flow {
    /// By node: arcs that begin there.
    leaving: Vec<Vec<u32>>,
    /// By arc: where it ends.
    ends: Vec<u32>,
    /// By arc: units that still fit.
    room: Vec<u32>,
    /// By node: the arc by which the search came; between searches, none.
    reached_by: Vec<u32>,
}

impl Flow {
    /// A graph without arcs.
    pub fn new(nodes: usize) -> Self {
        Self {
            leaving: vec![Vec::new(); nodes],
            ends: Vec::new(),
            room: Vec::new(),
            reached_by: vec![UNSEEN; nodes],
        }
    }

    /// Makes room for `there` units from one node to another and for `back` units the other way.
    pub fn join(&mut self, from: u32, to: u32, there: u32, back: u32) {
        let arc = self.ends.len() as u32;
        self.leaving[from as usize].push(arc);
        self.leaving[to as usize].push(arc + 1);
        self.ends.extend([to, from]);
        self.room.extend([there, back]);
    }

    /// Number of times that a node was joined.
    pub fn degree(&self, node: u32) -> u32 {
        self.leaving[node as usize].len() as u32
    }

    /// Units that get from a node to nodes at which ways end, at most `limit`; the room is afterwards as before.
    pub fn most(&mut self, source: u32, is_end: impl Fn(u32) -> bool, limit: u32) -> u32 {
        let (mut found, mut sent) = (0, Vec::new());
        while found < limit {
            match self.augment(source, &is_end, limit - found, &mut sent) {
                0 => break,
                units => found += units,
            }
        }
        // Backwards, as later ways may have sent units back over the arcs of earlier ones.
        for (arc, units) in sent.into_iter().rev() {
            self.room[arc as usize] += units;
            self.room[(arc ^ 1) as usize] -= units;
        }
        found
    }

    /// Sends what fits along a shortest way, at most `limit`, and notes what was sent along its arcs.
    fn augment(
        &mut self,
        source: u32,
        is_end: impl Fn(u32) -> bool,
        limit: u32,
        sent: &mut Vec<(u32, u32)>,
    ) -> u32 {
        let (seen, end) = self.search(source, is_end);
        let (mut at, mut way) = (end.unwrap_or(source), Vec::new());
        while at != source {
            way.push(self.reached_by[at as usize]);
            at = self.ends[(self.reached_by[at as usize] ^ 1) as usize];
        }
        let room = way.iter().map(|&arc| self.room[arc as usize]).min();
        let units = room.map_or(0, |room| room.min(limit));
        for arc in way {
            self.room[arc as usize] -= units;
            self.room[(arc ^ 1) as usize] += units;
            sent.push((arc, units));
        }
        for node in seen {
            self.reached_by[node as usize] = UNSEEN;
        }
        units
    }

    /// Breadth-first up to a node at which ways end: the nodes that it saw, and that one.
    fn search(&mut self, source: u32, is_end: impl Fn(u32) -> bool) -> (Vec<u32>, Option<u32>) {
        let mut seen = vec![source];
        let mut next = 0;
        while next < seen.len() {
            for &arc in &self.leaving[seen[next] as usize] {
                let to = self.ends[arc as usize];
                let is_new = to != source && self.reached_by[to as usize] == UNSEEN;
                if is_new && self.room[arc as usize] > 0 {
                    self.reached_by[to as usize] = arc;
                    seen.push(to);
                    if is_end(to) {
                        return (seen, Some(to));
                    }
                }
            }
            next += 1;
        }
        (seen, None)
    }
}
