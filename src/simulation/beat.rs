//! What a host offers in a cycle.

/// One beat of the host's stream.
#[derive(Debug, Clone, Copy)]
pub struct Beat<'a> {
    pub data: &'a [u64],
    pub keep: u64,
    pub last: bool,
    pub user: bool,
}
