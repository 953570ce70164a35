//! Runs of verilated models against the golden model, for tests.

use mkns::cosim::{
    Backend, BlockSummary, Models, NetworkSummary, Request, SessionError, Silent, Subject, run,
};

/// What runs of blocks did.
pub fn run_blocks(
    subject: Subject<'_>,
    models: &Models,
    request: &Request,
) -> Result<Vec<BlockSummary>, SessionError> {
    let ended = run(subject, Backend::Verilator(models), request, &Silent);
    ended.map(|checked| checked.blocks)
}

/// What runs of a network did.
pub fn run_networks(
    subject: Subject<'_>,
    models: &Models,
    request: &Request,
) -> Result<Vec<NetworkSummary>, SessionError> {
    let ended = run(subject, Backend::Verilator(models), request, &Silent);
    ended.map(|checked| checked.networks)
}
