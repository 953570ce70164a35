//! The switch assembly: a two-level fat tree of four leaf and two spine switch blocks.
//!
//! States the wiring rule once, as arithmetic on port numbers; `mkns` draws the cables from it.
//!
//! With d-port blocks (d even) a leaf has h = d/2 external ports 0…h−1 and h uplinks h…d−1, so an
//! assembly offers 4h external ports; external port e is port e mod h of leaf e div h. The uplinks of a leaf split as evenly as h allows: an odd h gives the greater half
//! to spine 0 on leaves 0 and 2 and to spine 1 on leaves 1 and 3, so that each spine uses all its d ports.
//! The first uplinks of a leaf go to spine 0, the others to spine 1; a spine numbers its links by
//! leaf, then by uplink.

use super::PortIndex;

/// Leaf switch blocks of an assembly.
pub const LEAVES: u8 = 4;
/// Spine switch blocks of an assembly.
pub const SPINES: u8 = 2;

/// The wiring of one assembly of switch blocks with `d` ports.
#[derive(Debug, Clone, Copy)]
pub struct AssemblyShape {
    /// h: external ports, and uplinks, of a leaf.
    half: u8,
}

impl AssemblyShape {
    /// Shape for switch blocks with `ports` (d) ports.
    pub fn new(ports: u32) -> Self {
        Self {
            half: (ports / 2) as u8,
        }
    }

    /// h: external ports, and as many uplinks, of each leaf.
    pub fn leaf_externals(self) -> u32 {
        u32::from(self.half)
    }

    /// External ports of the whole assembly, 4h.
    pub fn externals(self) -> u32 {
        u32::from(LEAVES) * self.leaf_externals()
    }

    /// Leaf and its port behind external port `external`.
    pub fn external(self, external: u32) -> (u8, PortIndex) {
        let half = self.leaf_externals();
        ((external / half) as u8, PortIndex((external % half) as u8))
    }

    /// Number of parallel links between a leaf and a spine.
    pub fn links(self, leaf: u8, spine: u8) -> u8 {
        if leaf % 2 == spine {
            self.half.div_ceil(2)
        } else {
            self.half / 2
        }
    }

    /// Leaf port of link `link` of a leaf to a spine.
    pub fn leaf_port(self, leaf: u8, spine: u8, link: u8) -> PortIndex {
        let before: u8 = (0..spine).map(|other| self.links(leaf, other)).sum();
        PortIndex(self.half + before + link)
    }

    /// Spine port of link `link` of a leaf to a spine.
    pub fn spine_port(self, leaf: u8, spine: u8, link: u8) -> PortIndex {
        let before: u8 = (0..leaf).map(|other| self.links(other, spine)).sum();
        PortIndex(before + link)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_port_blocks_give_twenty_externals_with_uplinks_split_three_and_two() {
        let shape = AssemblyShape::new(10);
        assert_eq!(shape.externals(), 20);
        let split = [0, 1, 2, 3].map(|leaf| (shape.links(leaf, 0), shape.links(leaf, 1)));
        assert_eq!(split, [(3, 2), (2, 3), (3, 2), (2, 3)]);
        assert_eq!(shape.spine_port(3, 0, 1), PortIndex(9));
        assert_eq!(shape.leaf_port(1, 1, 2), PortIndex(9));
        assert_eq!(shape.external(13), (2, PortIndex(3)));
    }

    #[test]
    fn every_port_is_used_once_for_every_legal_size() {
        for ports in (4..=16).step_by(2) {
            let shape = AssemblyShape::new(ports);
            for spine in 0..SPINES {
                let mut used = Vec::new();
                for leaf in 0..LEAVES {
                    for link in 0..shape.links(leaf, spine) {
                        used.push(shape.spine_port(leaf, spine, link).0);
                    }
                }
                assert_eq!(used, (0..ports as u8).collect::<Vec<_>>());
            }
            for leaf in 0..LEAVES {
                assert_eq!(shape.links(leaf, 0) + shape.links(leaf, 1), ports as u8 / 2);
            }
        }
    }
}
