//! Masks of layers as constants: one name for all blocks with the same masks.

use std::collections::BTreeMap;

use super::literal::Literal;
use mkns_design::Plan;

/// The masks of some blocks under the name that instances refer to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MaskConstant {
    pub name: String,
    pub bits: usize,
    pub value: Literal,
}

/// All distinct masks of a plan; none where hosts choose layers.
#[derive(Debug, Clone)]
pub struct MaskConstants {
    /// In order of first use.
    pub constants: Vec<MaskConstant>,
    /// Of each block, in block order: its constant.
    used: Vec<Option<usize>>,
}

impl MaskConstants {
    /// Gathers the masks of a plan: `MASKS_AB_0`, `MASKS_AB_1`, numbered by first use.
    pub fn new(plan: &Plan) -> Self {
        let mut by_contents = BTreeMap::new();
        let mut constants: Vec<MaskConstant> = Vec::new();
        let used = plan.instances.iter().map(|instance| {
            let masks = &instance.layer_choice.as_ref()?.masks;
            Some(*by_contents.entry(masks).or_insert_with(|| {
                constants.push(MaskConstant {
                    name: format!("MASKS_AB_{}", constants.len()),
                    bits: 8 * masks.len(),
                    value: Literal::bytes(masks),
                });
                constants.len() - 1
            }))
        });
        let used = used.collect();
        Self { constants, used }
    }

    /// Name of a block's masks.
    pub fn name(&self, block: usize) -> Option<&str> {
        self.used[block].map(|index| self.constants[index].name.as_str())
    }
}
