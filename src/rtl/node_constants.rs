//! What blocks know of every node address as constants, masks of layers or candidates: one name for all blocks with the
//! same contents.

use std::collections::BTreeMap;

use super::literal::Literal;
use super::parameters::{OfNodes, candidates, masks};
use super::tables::user;
use mkns_design::{BlockInstance, Plan};

/// Contents of some blocks under the name that instances refer to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeConstant {
    pub name: String,
    pub bits: usize,
    pub value: Literal,
}

/// All distinct contents of a parameter.
#[derive(Debug, Clone)]
pub struct NodeConstants {
    /// The parameter that takes them.
    parameter: &'static str,
    /// In order of first use.
    pub constants: Vec<NodeConstant>,
    /// Of each block, in block order: its constant.
    used: Vec<Option<usize>>,
}

impl NodeConstants {
    /// The masks of a plan: `MASKS_AB_0`, `MASKS_AB_1`, numbered by first use; none where hosts choose layers.
    pub fn masks(plan: &Plan) -> Self {
        Self::gather(plan, "MASKS", |_, instance| masks(instance))
    }

    /// The candidates of a plan: `CANDIDATES_AB_0`, `CANDIDATES_KB_1`; none of blocks that are not adaptive.
    pub fn candidates(plan: &Plan) -> Self {
        Self::gather(plan, "CANDIDATES", candidates)
    }

    fn gather(
        plan: &Plan,
        name: &'static str,
        contents: fn(&Plan, &BlockInstance) -> Option<OfNodes>,
    ) -> Self {
        let mut gathered = Self {
            parameter: "",
            constants: Vec::new(),
            used: Vec::new(),
        };
        let mut by_contents = BTreeMap::new();
        for instance in &plan.instances {
            let constant = contents(plan, instance).map(|(parameter, bits, value)| {
                gathered.parameter = parameter;
                let user = user(&plan.network.block(instance.block).role);
                *by_contents
                    .entry((user, value))
                    .or_insert_with_key(|(user, value)| {
                        gathered.constants.push(NodeConstant {
                            name: format!("{name}_{user}_{}", gathered.constants.len()),
                            bits,
                            value: value.clone(),
                        });
                        gathered.constants.len() - 1
                    })
            });
            gathered.used.push(constant);
        }
        gathered
    }

    /// The parameter of a block and the name of its contents.
    pub fn of(&self, block: usize) -> Option<(&'static str, &str)> {
        let name = self.used[block].map(|index| self.constants[index].name.as_str());
        name.map(|name| (self.parameter, name))
    }
}
