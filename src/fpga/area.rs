//! Cells that Yosys counts, and how many units of the chip they take.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Cells by type, as Yosys' `stat -json` lists them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cells(pub BTreeMap<String, u64>);

/// What a design takes of an ECP5.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Area {
    /// Units of nextpnr's TRELLIS_COMB: LUT4 + 2·CCU2C + 4·DPR16X4.
    pub comb: u64,
    pub lut4: u64,
    /// Carry cells, two bits each.
    pub ccu2c: u64,
    /// LUT memories of 16 words × 4 bits.
    pub dpr16x4: u64,
    pub ff: u64,
    /// Block memories of 18 kbit (DP16KD).
    pub ebr: u64,
    pub dsp: u64,
}

/// One module of the hierarchy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModuleArea {
    pub module: String,
    pub instances: u64,
    /// Own cells of one instance, without the modules inside.
    pub each: Area,
}

impl Cells {
    pub fn count(&self, cell: &str) -> u64 {
        self.0.get(cell).copied().unwrap_or(0)
    }

    /// What the cells take of an ECP5.
    pub fn area(&self) -> Area {
        let lut4 = self.count("LUT4");
        let ccu2c = self.count("CCU2C");
        let dpr16x4 = self.count("TRELLIS_DPR16X4");
        Area {
            comb: lut4 + 2 * ccu2c + 4 * dpr16x4,
            lut4,
            ccu2c,
            dpr16x4,
            ff: self.count("TRELLIS_FF"),
            ebr: self.count("DP16KD"),
            dsp: self.count("MULT18X18D"),
        }
    }

    /// LUTs of a Xilinx device: every LUT1 to LUT6 counts one, LUT memories by the LUT6 they take.
    pub fn xilinx_luts(&self) -> u64 {
        let logic: u64 = (1..=6).map(|n| self.count(&format!("LUT{n}"))).sum();
        let memories = [
            ("RAM32X1D", 2),
            ("RAM32M", 4),
            ("RAM64X1D", 2),
            ("RAM64M", 4),
            ("RAM32M16", 8),
            ("RAM64M8", 8),
            ("RAM128X1D", 4),
            ("SRL16E", 1),
            ("SRLC32E", 1),
        ];
        let memory = memories.map(|(cell, luts)| luts * self.count(cell));
        logic + memory.iter().sum::<u64>()
    }

    /// Flip-flops of a Xilinx device.
    pub fn xilinx_ffs(&self) -> u64 {
        ["FDRE", "FDSE", "FDCE", "FDPE"]
            .map(|cell| self.count(cell))
            .iter()
            .sum()
    }

    /// Block memories of a Xilinx device in units of 36 kbit, halves counted as such.
    pub fn xilinx_brams(&self) -> f64 {
        let of = |prefix: &str| -> u64 {
            let cells = self.0.iter().filter(|(cell, _)| cell.starts_with(prefix));
            cells.map(|(_, count)| count).sum()
        };
        of("RAMB36") as f64 + of("RAMB18") as f64 / 2.0
    }
}

impl Area {
    /// `count` of this area.
    pub fn times(&self, count: u64) -> Self {
        self.with(self, |own, _| count * own)
    }

    /// This area and another one.
    pub fn plus(&self, other: &Self) -> Self {
        self.with(other, |own, other| own + other)
    }

    /// This area without another one that is part of it.
    pub fn without(&self, part: &Self) -> Self {
        self.with(part, u64::saturating_sub)
    }

    /// Each number made of this area's and another's.
    fn with(&self, other: &Self, number: impl Fn(u64, u64) -> u64) -> Self {
        Self {
            comb: number(self.comb, other.comb),
            lut4: number(self.lut4, other.lut4),
            ccu2c: number(self.ccu2c, other.ccu2c),
            dpr16x4: number(self.dpr16x4, other.dpr16x4),
            ff: number(self.ff, other.ff),
            ebr: number(self.ebr, other.ebr),
            dsp: number(self.dsp, other.dsp),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carry_cells_take_two_units_and_memories_four() {
        let cells = [("LUT4", 100), ("CCU2C", 10), ("TRELLIS_DPR16X4", 3)];
        let cells = Cells(cells.map(|(name, count)| (name.to_owned(), count)).into());
        assert_eq!(cells.area().comb, 100 + 20 + 12);
        let part = Cells([("LUT4".to_owned(), 40)].into()).area();
        assert_eq!(cells.area().without(&part).comb, 92);
    }

    #[test]
    fn xilinx_memories_count_by_the_luts_they_take() {
        let cells = [
            ("LUT6", 7),
            ("LUT2", 1),
            ("RAM32M", 2),
            ("RAMB18E2", 3),
            ("RAMB36E2", 1),
        ];
        let cells = Cells(cells.map(|(name, count)| (name.to_owned(), count)).into());
        assert_eq!(cells.xilinx_luts(), 16);
        assert_eq!(cells.xilinx_brams(), 2.5);
    }
}
