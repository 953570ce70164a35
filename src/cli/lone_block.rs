//! The blocks that verbs check alone, by their names on the command line.

use clap::ValueEnum;

use mkns_design::ModuleKind;

/// A block module of its own; an assembly is made of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LoneBlock {
    Switch,
    Adapter,
    /// The splitter and combiner (POK) of a distributed switch
    #[value(name = "rok")]
    Pok,
    /// The terminal of a distributed switch
    Terminal,
}

impl LoneBlock {
    /// The kind of block module.
    pub fn kind(self) -> ModuleKind {
        match self {
            Self::Switch => ModuleKind::Switch,
            Self::Adapter => ModuleKind::Adapter,
            Self::Pok => ModuleKind::Pok,
            Self::Terminal => ModuleKind::Terminal,
        }
    }
}
