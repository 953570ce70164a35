//! The cycle-accurate reference model of every block, written from `docs/microarchitecture.md`.
