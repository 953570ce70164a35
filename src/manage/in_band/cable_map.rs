//! What a manager knows of cables: who is at the other end, and which ends see their link up; and the shortest routes
//! over those that work.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use mkns_topology::{BlockId, End, PortIndex};

/// Cables that were compared with the plan, from the block of the host outwards.
#[derive(Debug, Clone)]
pub struct CableMap {
    own: BlockId,
    /// By the end nearer to the host, in both directions.
    peers: BTreeMap<End, End>,
    /// Ends that see their link down.
    down: BTreeSet<End>,
    /// The last end on the way to each block; kept until something changes.
    tree: Option<BTreeMap<BlockId, End>>,
}

impl CableMap {
    /// Only the host's own block is known.
    pub fn new(own: BlockId) -> Self {
        Self {
            own,
            peers: BTreeMap::new(),
            down: BTreeSet::new(),
            tree: None,
        }
    }

    /// What leaves at `end` arrives at `peer`.
    pub fn join(&mut self, end: End, peer: End) {
        self.peers.insert(end, peer);
        let is_shorter = |tree| self.is_shorter(tree, end, peer);
        if !self.tree.as_ref().is_some_and(is_shorter) {
            return;
        }
        let Some(mut tree) = self.tree.take() else {
            return;
        };
        // A block that was not yet known is the end of its route: nothing else changes, and the tree is kept.
        if !tree.contains_key(&peer.block) && self.ends_of(peer.block).next().is_none() {
            tree.insert(peer.block, end);
            self.tree = Some(tree);
        }
    }

    /// Whether a new cable makes the route to its far block shorter.
    fn is_shorter(&self, tree: &BTreeMap<BlockId, End>, end: End, peer: End) -> bool {
        if self.down.contains(&end) {
            return false;
        }
        let length = |to| self.along(tree, to).map(|route| route.len());
        match (length(end.block), length(peer.block)) {
            (Some(near), Some(far)) => near + 1 < far,
            (near, _) => near.is_some(),
        }
    }

    pub fn separate(&mut self, end: End) {
        self.peers.remove(&end);
        self.tree = None;
    }

    /// Separates a block to which no other cable leads, and which leads to none.
    pub fn separate_leaf(&mut self, end: End) {
        let leaf = self.peers.remove(&end);
        if let (Some(leaf), Some(tree)) = (leaf, &mut self.tree) {
            tree.remove(&leaf.block);
        }
    }

    pub fn peer(&self, end: End) -> Option<End> {
        self.peers.get(&end).copied()
    }

    pub fn set_up(&mut self, end: End, is_up: bool) {
        let is_changed = match is_up {
            true => self.down.remove(&end),
            false => self.down.insert(end),
        };
        // No route leads over what has no known peer.
        if is_changed && self.peers.contains_key(&end) {
            self.tree = None;
        }
    }

    /// The LINK_UP word of a block.
    pub fn note_links(&mut self, block: BlockId, word: u32) {
        for port in (0..16).map(PortIndex) {
            self.set_up(End { block, port }, word >> port.0 & 1 == 1);
        }
    }

    /// The shortest route to a block, one that avoids these ends where there is one.
    pub fn route(&mut self, to: BlockId, avoided: &BTreeSet<End>) -> Option<Vec<End>> {
        if !avoided.is_empty()
            && let Some(route) = self.along(&self.tree_without(avoided), to)
        {
            return Some(route);
        }
        let tree = match self.tree.take() {
            Some(tree) => tree,
            None => self.tree_without(&BTreeSet::new()),
        };
        let route = self.along(&tree, to);
        self.tree = Some(tree);
        route
    }

    /// Whether all blocks that routes lead to are still reached without a cable.
    pub fn is_spared(&self, end: End) -> bool {
        let ends = [Some(end), self.peer(end)];
        let ends: BTreeSet<End> = ends.into_iter().flatten().collect();
        let all = self.tree_without(&BTreeSet::new());
        self.tree_without(&ends).len() == all.len()
    }

    /// Blocks at the other ends of the known cables of a block.
    pub fn neighbours(&self, block: BlockId) -> impl Iterator<Item = BlockId> {
        self.ends_of(block).map(|(_, peer)| peer.block)
    }

    fn tree_without(&self, avoided: &BTreeSet<End>) -> BTreeMap<BlockId, End> {
        let mut tree = BTreeMap::new();
        let mut waiting = VecDeque::from([self.own]);
        while let Some(block) = waiting.pop_front() {
            for (end, peer) in self.ends_of(block) {
                let is_new = peer.block != self.own && !tree.contains_key(&peer.block);
                if is_new && !self.down.contains(end) && !avoided.contains(end) {
                    tree.insert(peer.block, *end);
                    waiting.push_back(peer.block);
                }
            }
        }
        tree
    }

    /// Known cables of a block.
    fn ends_of(&self, block: BlockId) -> impl Iterator<Item = (&End, &End)> {
        let port = PortIndex(0);
        let from_here = self.peers.range(End { block, port }..);
        from_here.take_while(move |(end, _)| end.block == block)
    }

    fn along(&self, tree: &BTreeMap<BlockId, End>, to: BlockId) -> Option<Vec<End>> {
        let mut route = Vec::new();
        let mut block = to;
        while block != self.own {
            let end = *tree.get(&block)?;
            route.push(end);
            block = end.block;
        }
        route.reverse();
        Some(route)
    }
}
