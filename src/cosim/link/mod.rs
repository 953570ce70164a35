//! `link_port`: lockstep with the reference on equal clocks, a scoreboard at any clocks, goodput.

mod fault_source;
mod goodput;
mod lockstep;
mod run;
mod scores;
mod top;

pub use fault_source::LinkFaultSource;
pub use goodput::{expected_goodput, link_goodput};
pub use mkns_golden::link_port::LinkParameters;
pub(crate) use run::run_links;
pub use run::{LinkJudge, LinkParts, LinkRun, link_model, link_parameters};
pub(crate) use scores::score_links;
pub use scores::{LinkScenario, score_link, uncertain_link_model};
pub use top::{EDGES as LINK_EDGES, INPUT_WORDS as LINK_INPUT_WORDS, one_clock_link};
