//! Verilated models behind a cxx bridge: verilate, compile, cache, load, step, trace. Knows nothing of MKNS.
