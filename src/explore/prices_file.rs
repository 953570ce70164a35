//! Reads a price list: TOML with an amount for each kind of block, for a port, and for cables by their length.

use serde::Deserialize;

use super::prices::{Amount, CablePrice, Prices};
use mkns_diag::{Code, Diagnostic, Place};

/// A commented price list, which holds where none is given.
pub const EXAMPLE: &str = include_str!("prices.toml");

/// Fields as they are written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    adapter_block: Written,
    switch_block: Written,
    port: Written,
    cable: Vec<WrittenCable>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    cost: f64,
    watts: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCable {
    up_to: f64,
    cost: f64,
    watts: f64,
}

/// Greatest cost or power of one part.
const MOST: f64 = 1e9;

/// Reads a price list; `source` is its path.
pub fn read_prices(source: &str, text: &str) -> Result<Prices, Box<Diagnostic>> {
    let document: Document = toml::from_str(text).map_err(|error| {
        let place = Place::in_text(source, text, error.span().unwrap_or(0..0), "");
        refusal(error.message().to_owned()).at(place)
    })?;
    let prices = document.prices();
    match fault(&prices) {
        Some(fact) => {
            let place = Place::in_text(source, text, 0..0, "");
            Err(Box::new(refusal(fact).at(place)))
        }
        None => Ok(prices),
    }
}

fn refusal(fact: String) -> Diagnostic {
    let remedy = "see the commented list that `mkns explore --example-prices` prints";
    Diagnostic::new(Code::NotPriceList, fact, remedy)
}

/// What is wrong with the numbers, field by field.
fn fault(prices: &Prices) -> Option<String> {
    let blocks = [
        ("adapter_block", prices.adapter_block),
        ("switch_block", prices.switch_block),
        ("port", prices.port),
    ];
    let cables = prices.cables.iter().map(|cable| ("cable", cable.amount));
    let numbers = blocks
        .into_iter()
        .chain(cables)
        .flat_map(|(field, amount)| [(field, "cost", amount.cost), (field, "watts", amount.watts)]);
    let mut outside = numbers.filter(|(.., value)| !(0.0..=MOST).contains(value));
    if let Some((field, part, value)) = outside.next() {
        return Some(format!(
            "`{field}` has {part} = {value}, but it must be 0 to {MOST}"
        ));
    }
    let lengths: Vec<f64> = prices
        .cables
        .iter()
        .map(|cable| cable.up_to_metres)
        .collect();
    let rises = lengths.is_sorted_by(|a, b| a < b) && lengths.iter().all(|length| *length > 0.0);
    match lengths.is_empty() {
        true => Some("`cable` is empty, but at least one length is needed".to_owned()),
        false if !rises => Some(format!(
            "`cable` has up_to = {lengths:?}, but lengths must rise from above 0"
        )),
        false => None,
    }
}

impl Document {
    fn prices(self) -> Prices {
        let amount = |written: Written| Amount {
            cost: written.cost,
            watts: written.watts,
        };
        let cables = self.cable.into_iter().map(|cable| CablePrice {
            up_to_metres: cable.up_to,
            amount: Amount {
                cost: cable.cost,
                watts: cable.watts,
            },
        });
        Prices {
            adapter_block: amount(self.adapter_block),
            switch_block: amount(self.switch_block),
            port: amount(self.port),
            cables: cables.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_is_a_price_list() {
        let prices = read_prices("example", EXAMPLE).expect("it can be read");
        assert_eq!(prices.cable(2.0).cost, 45.0);
        assert_eq!(prices.cable(80.0).cost, 320.0);
    }

    #[test]
    fn a_wrong_list_is_refused_by_its_field() {
        let negative = EXAMPLE.replacen("cost = 300", "cost = -1", 1);
        let refusal = read_prices("list", &negative).expect_err("a negative cost");
        assert_eq!(
            refusal.fact,
            "`adapter_block` has cost = -1, but it must be 0 to 1000000000"
        );
        let falling = EXAMPLE.replacen("up_to = 3", "up_to = 1", 1);
        let refusal = read_prices("list", &falling).expect_err("lengths that do not rise");
        assert!(
            refusal.fact.starts_with("`cable` has up_to"),
            "{}",
            refusal.fact
        );
        let unknown = format!("{EXAMPLE}\ncables = 3\n");
        let refusal = read_prices("list", &unknown).expect_err("an unknown key");
        assert!(refusal.fact.contains("cables"), "{}", refusal.fact);
    }
}
