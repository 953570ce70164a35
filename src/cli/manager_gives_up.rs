//! Why a manager of a running machine cannot go on, and what its user does then.

use std::fmt;

use super::CommandError;
use mkns_diag::Code;
use mkns_manage::ManagerError;

pub fn given_up<E: fmt::Display>(error: ManagerError<E>) -> CommandError {
    let fact = format!("the manager gives up: {error}");
    let remedy = match error {
        ManagerError::Registers(_) => {
            "check the connection to the blocks: the device, its cable, and the speed of a serial line (`stty -F DEVICE`)"
        }
        ManagerError::NobodyAnswers => {
            "check that the board is powered, that its link is up, and that the file or device is that of its registers"
        }
        ManagerError::Foreign { .. } | ManagerError::Refused { .. } => {
            "check that the SPEC, with its settings, is that of the running network"
        }
        ManagerError::Overwritten { .. } => {
            "end the other manager, or bring the machine up again with `--bring-up`"
        }
        ManagerError::MissingTurn { .. } => {
            "load blocks that were generated from this SPEC, or from one with `turns = \"all\"` in its section `[block]`"
        }
        ManagerError::NoRoutes(_) => {
            "repair some of what has failed, or choose an engine that has routes around it"
        }
    };
    CommandError::new(Code::InputOutput, fact, remedy)
}
