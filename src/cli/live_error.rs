//! Why a run of the fast model in which parts fail has no result, in words.

use crate::CommandError;
use mkns_diag::Code;
use mkns_simulation::live::{LiveError, PATIENCE};

/// The failure of the run of a network with this title.
pub fn live_error(title: &str, error: LiveError) -> CommandError {
    match error {
        LiveError::NoRoutes(why) => CommandError::from(*why),
        LiveError::MissingTurn(fact) => {
            let remedy = "give the section `[block]` of the spec `turns = \"all\"`: blocks that are built for the routes of a file have only the turns of that file";
            CommandError::new(Code::RoutesUnproved, fact, remedy)
        }
        LiveError::OverCables(why) => {
            let fact = format!("{title}: the manager gives up: {why}");
            let remedy = "let fewer parts fail at a time, or choose a network with more cables";
            CommandError::new(Code::RoutesUnproved, fact, remedy)
        }
        LiveError::NoRest => {
            let fact = format!(
                "{}: packets are still in the network {PATIENCE} cycles after the last one was sent",
                title
            );
            let remedy = "look for a cycle with `mkns check`, with the same parts `--down`";
            CommandError::new(Code::RoutesUnproved, fact, remedy)
        }
    }
}
