//! How one kind of network is read.

use super::arguments::Arguments;
use super::table::Table;
use crate::data::NetworkKind;
use crate::findings::Findings;

/// How one kind is read.
pub struct Reader {
    /// `kind` in a file; the notation takes any letter case.
    pub name: &'static str,
    /// The name as messages print it.
    pub title: &'static str,
    /// How to write the notation.
    pub form: &'static str,
    /// Limits numbers of arguments, and what they are.
    pub counts: &'static [usize],
    pub arguments: &'static str,
    /// The arguments of a notation; `None` when its numbers cannot be told.
    pub notation: fn(&Arguments, &mut Findings) -> Option<NetworkKind>,
    /// The table of a file, `kind` already read; `None` when something is missing or of a wrong type.
    pub table: fn(&mut Table, &mut Findings) -> Option<NetworkKind>,
}
