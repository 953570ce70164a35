//! RTL against the golden model in lockstep: stimulus, comparison, mismatch report.
