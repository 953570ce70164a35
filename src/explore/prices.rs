//! What parts cost and how much power they draw: a price list, and a network's sum by it.

use serde::Serialize;

/// Money, in whatever unit the price list has, and watts.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Amount {
    pub cost: f64,
    pub watts: f64,
}

/// One cable of at most some length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CablePrice {
    pub up_to_metres: f64,
    pub amount: Amount,
}

/// A price list.
#[derive(Debug, Clone, PartialEq)]
pub struct Prices {
    pub adapter_block: Amount,
    pub switch_block: Amount,
    /// Each port of a block, network or PCIe side, used or not.
    pub port: Amount,
    /// Rising lengths; longer cables than the last have its price.
    pub cables: Vec<CablePrice>,
}

impl Amount {
    /// How many of it.
    pub fn times(self, count: u64) -> Self {
        Self {
            cost: self.cost * count as f64,
            watts: self.watts * count as f64,
        }
    }

    pub fn plus(self, other: Self) -> Self {
        Self {
            cost: self.cost + other.cost,
            watts: self.watts + other.watts,
        }
    }
}

impl Prices {
    /// Of a cable.
    pub fn cable(&self, metres: f64) -> Amount {
        let suffices = |price: &&CablePrice| price.up_to_metres >= metres;
        let price = self.cables.iter().find(suffices).or(self.cables.last());
        price.map_or(Amount::default(), |price| price.amount)
    }
}
