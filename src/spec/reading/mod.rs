//! Text to values and places: the notation, the TOML file, settings of the command line; and back.

mod arguments;
mod distributed_switch;
mod fat_tree;
mod file;
mod grid;
mod kinds;
mod mkns;
mod notation;
mod reader;
mod schema;
mod settings;
mod shortcut;
mod slim_fly;
mod table;

pub use file::{Document, read};
pub use schema::json_schema;
pub use settings::SpecText;
