//! Whether a block is the one of the plan: what it is made of, and the turns that routes need.

use mkns_contract::{BlockModule, VERSIONS, address, register_map};
use mkns_design::Plan;
use mkns_topology::BlockId;

use super::{ManagerError, Registers};

/// Compares a block with the plan; false when it does not answer.
pub(super) fn is_of_plan<R: Registers>(
    plan: &Plan,
    block: BlockId,
    registers: &mut R,
) -> Result<bool, ManagerError<R::Error>> {
    let module = module_of(plan, block);
    for (register, address, expected) in identification(module) {
        let fits = |found: u32| found == expected || is_later_version(register, expected, found);
        // A value that is not as expected is read once more: a digit may have been garbled.
        let mut found = registers.read(block, address)?;
        if found.is_some_and(|found| !fits(found)) {
            found = registers.read(block, address)?;
        }
        match found {
            None => return Ok(false),
            Some(found) if !fits(found) => {
                return Err(ManagerError::Foreign {
                    block: plan.network.block(block).name.clone(),
                    register,
                    expected,
                    found,
                });
            }
            Some(_) => {}
        }
    }
    has_turns_of_plan(plan, block, registers)
}

/// Makes sure that a block has the turns of the plan; false when it does not answer.
fn has_turns_of_plan<R: Registers>(
    plan: &Plan,
    block: BlockId,
    registers: &mut R,
) -> Result<bool, ManagerError<R::Error>> {
    for (from, &row) in module_of(plan, block).turns.rows().iter().enumerate() {
        let address = address::turns(from as u32);
        let mut found = registers.read(block, address)?;
        if found.is_some_and(|found| row & !found != 0) {
            found = registers.read(block, address)?;
        }
        match found {
            None => return Ok(false),
            Some(found) => ensure_turns(plan, block, from, row & !found)?,
        }
    }
    Ok(true)
}

/// An error for the first of the outputs that an input has no turn to.
pub(super) fn ensure_turns<E>(
    plan: &Plan,
    block: BlockId,
    from: usize,
    missing: u32,
) -> Result<(), ManagerError<E>> {
    match missing {
        0 => Ok(()),
        _ => Err(ManagerError::MissingTurn {
            block: plan.network.block(block).name.clone(),
            from,
            to: missing.trailing_zeros() as usize,
        }),
    }
}

/// Whether a register map has more registers than the one that is known, and those in the same places (4).
fn is_later_version(register: &str, expected: u32, found: u32) -> bool {
    register == "VERSION" && (expected..=*VERSIONS.end()).contains(&found)
}

fn module_of(plan: &Plan, block: BlockId) -> &BlockModule {
    &plan.modules[plan.instances[block.0 as usize].module]
}

/// Name, address and value of the registers that say what a block is.
fn identification(module: &BlockModule) -> impl Iterator<Item = (&'static str, u32, u32)> {
    let fixed = ["ID", "VERSION", "BLOCK", "SIZES"];
    let registers = register_map(module).registers.into_iter();
    let registers = registers.filter(move |register| fixed.contains(&register.name));
    registers.map(|register| (register.name, register.address, register.reset()))
}
