//! What is put on a board: a self-test, or a node of a network.

use super::board::{Board, ConstraintFile};
use super::vendor::VendorCore;
use super::{Node, Program, SelfTest, node_cores, node_files};

/// The design of a bitstream.
pub enum Project<'a> {
    SelfTest(SelfTest<'a>),
    Node(Node<'a>),
}

impl Project<'_> {
    /// The board with this project's top.
    pub fn on(&self, board: &Board) -> Board {
        let node = match self {
            Self::SelfTest(_) => None,
            Self::Node(node) => Some((node.name.to_owned(), node.place.clock_hz)),
        };
        let (node, clock_hz) = node.unzip();
        Board {
            node,
            made_clock_hz: clock_hz,
            ..board.clone()
        }
    }

    /// File names and texts of everything: the block, what is around it, its top for `board`.
    pub fn sources(&self, board: &Board, banner: &str) -> Vec<(String, String)> {
        match self {
            Self::SelfTest(test) => test.sources(board, banner),
            Self::Node(node) => node_files::sources(node, board, banner),
        }
    }

    /// File names and texts of pins and clocks.
    pub fn constraints(&self, board: &Board) -> Vec<(String, String)> {
        match self {
            Self::SelfTest(_) => {
                let owned = |&(name, text): &ConstraintFile| (name.to_owned(), text.to_owned());
                board.constraints.iter().map(owned).collect()
            }
            Self::Node(node) => node_files::constraints(node, board),
        }
    }

    /// Programs that make cores before the board's flow, with their arguments.
    pub(super) fn generators(&self) -> Vec<(Program, Vec<String>)> {
        match self {
            Self::SelfTest(_) => Vec::new(),
            Self::Node(node) => node_cores::generators(node),
        }
    }

    /// Clocks that meet in crossings, of which each needs a constraint; none where there is one clock.
    pub(super) fn clocks(&self) -> usize {
        match self {
            Self::Node(node) if !node.place.lanes.is_empty() => node_cores::clocks(node),
            _ => 0,
        }
    }

    /// Cores that the maker's program makes.
    pub(super) fn cores(&self) -> Vec<VendorCore> {
        match self {
            Self::SelfTest(_) => Vec::new(),
            Self::Node(node) => node_cores::cores(node),
        }
    }
}
