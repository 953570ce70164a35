//! A block with link ports at its serial network ports, as the network has it on a board: in RTL with its pins as
//! packed words, and judged by a block's model with the reference of link ports around it.

mod judge;
mod top;

pub(super) use judge::BoardModel;
pub(super) use top::top_name;
pub use top::with_board_tops;
