//! Routing tables as constants: one name for all tables with the same contents.

use std::collections::BTreeMap;

use super::literal::Literal;
use mkns_design::{BlockInstance, Plan};
use mkns_routing::DimensionTable;
use mkns_topology::BlockRole;

/// A table's contents under the name that instances refer to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableConstant {
    pub name: String,
    /// User, field, first use.
    order: (&'static str, usize, u32),
    pub bits: usize,
    pub value: Literal,
}

/// All distinct tables of a plan.
#[derive(Debug, Clone)]
pub struct TableConstants {
    /// In order of first use.
    constants: Vec<TableConstant>,
    /// Of each block, in block order: the constant of each of its tables.
    used: Vec<Vec<u32>>,
}

impl TableConstants {
    /// Gathers the tables of a plan. Names say who uses the table and which address field indexes
    /// it, numbered by first use: `TABLE_AB_X_3`, `TABLE_LEAF_Y_0`.
    pub fn new(plan: &Plan) -> Self {
        let mut by_contents = BTreeMap::new();
        let mut counts = BTreeMap::new();
        let mut constants = Vec::new();
        let mut index = |instance: &BlockInstance, table: &DimensionTable| {
            let words: Vec<u16> = table.entries.iter().map(|entry| entry.pack()).collect();
            let role = &plan.network.block(instance.block).role;
            let user = (user(role), table.field);
            *by_contents
                .entry((user, words))
                .or_insert_with_key(|(_, words)| {
                    let count: &mut u32 = counts.entry(user).or_default();
                    let field = plan.layout.fields[table.field].name.to_uppercase();
                    constants.push(TableConstant {
                        name: format!("TABLE_{}_{field}_{count}", user.0),
                        order: (user.0, user.1, *count),
                        bits: 16 * words.len(),
                        value: Literal::words(words),
                    });
                    *count += 1;
                    constants.len() as u32 - 1
                })
        };
        let mut indices = |instance: &BlockInstance| {
            let tables = instance.tables.tables.iter();
            tables.map(|table| index(instance, table)).collect()
        };
        let used = plan.instances.iter().map(&mut indices).collect();
        Self { constants, used }
    }

    /// The constants ordered by user and field, then by first use.
    pub fn sorted(&self) -> Vec<&TableConstant> {
        let mut sorted: Vec<_> = self.constants.iter().collect();
        sorted.sort_by_key(|constant| constant.order);
        sorted
    }

    /// Names of a block's tables, in the order in which they are consulted.
    pub fn names(&self, block: usize) -> impl Iterator<Item = &str> {
        let indices = self.used[block].iter();
        indices.map(|index| self.constants[*index as usize].name.as_str())
    }
}

/// Who uses a constant, as its name says.
pub fn user(role: &BlockRole) -> &'static str {
    match role {
        BlockRole::Adapter => "AB",
        BlockRole::Switch { .. } => "KB",
        BlockRole::AssemblyLeaf { .. } => "LEAF",
        BlockRole::AssemblySpine { .. } => "SPINE",
        BlockRole::Stage { .. } | BlockRole::Spine => "SW",
        BlockRole::Terminal => "TERMINAL",
        BlockRole::Pok { .. } => "ROK",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mkns_design as design;
    use mkns_spec as spec;

    #[test]
    fn blocks_with_the_same_table_share_its_constant() {
        let spec = spec::parse("MKNS(2,4,2,1)").expect("the notation is valid");
        let plan = design::build(&spec).expect("the network can be built");
        let tables = TableConstants::new(&plan);
        let names: Vec<_> = tables.constants.iter().map(|table| &table.name).collect();
        // 4 own x, 4 own y, one PCIe table and one switch block table serve 20 blocks
        assert_eq!(names.len(), 4 + 4 + 1 + 1);
        let block = plan.network.block_named("ab_3_2_0_0").expect("it exists");
        let own: Vec<_> = tables.names(block.0 as usize).collect();
        assert_eq!(own, ["TABLE_AB_X_3", "TABLE_AB_Y_2", "TABLE_AB_PCIE_0"]);
    }
}
