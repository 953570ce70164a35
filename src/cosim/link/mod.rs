//! `link_port`: lockstep with the reference on equal clocks, and a scoreboard behind it.

mod lockstep;
mod run;
mod top;

pub use run::{LinkParts, LinkRun, check_link, link_model};
