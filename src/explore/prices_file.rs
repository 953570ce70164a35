//! Reads a price list: TOML with an amount for each kind of block, for a port, and for cables by their length.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

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
    cable: Spanned<Vec<WrittenCable>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    cost: Spanned<f64>,
    watts: Spanned<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCable {
    up_to: Spanned<f64>,
    cost: Spanned<f64>,
    watts: Spanned<f64>,
}

/// Greatest cost or power of one part.
const MOST: f64 = 1e9;

/// Reads a price list; `source` is its path.
pub fn read_prices(source: &str, text: &str) -> Result<Prices, Box<Diagnostic>> {
    let document: Document = toml::from_str(text).map_err(|error| {
        let place = Place::in_text(source, text, error.span().unwrap_or(0..0), "");
        refusal(error.message().to_owned()).at(place)
    })?;
    match document.fault() {
        Some((fact, span)) => {
            let place = Place::in_text(source, text, span, "");
            Err(Box::new(refusal(fact).at(place)))
        }
        None => Ok(document.prices()),
    }
}

fn refusal(fact: String) -> Diagnostic {
    let remedy = "see the commented list that `mkns explore --example-prices` prints";
    Diagnostic::new(Code::NotPriceList, fact, remedy)
}

impl Document {
    /// What is wrong with the numbers, field by field, and where it stands.
    fn fault(&self) -> Option<(String, Range<usize>)> {
        let blocks = [
            ("adapter_block", &self.adapter_block),
            ("switch_block", &self.switch_block),
            ("port", &self.port),
        ];
        let blocks = blocks.map(|(field, written)| (field, &written.cost, &written.watts));
        let cables = self.cable.get_ref();
        let of_cables = cables.iter();
        let of_cables = of_cables.map(|cable| ("cable", &cable.cost, &cable.watts));
        let mut numbers = blocks
            .into_iter()
            .chain(of_cables)
            .flat_map(|(field, cost, watts)| [(field, "cost", cost), (field, "watts", watts)]);
        let outside = numbers.find(|(.., value)| !(0.0..=MOST).contains(value.get_ref()));
        if let Some((field, part, value)) = outside {
            let fact = format!(
                "`{field}` has {part} = {}, but it must be 0 to {MOST}",
                value.get_ref()
            );
            return Some((fact, value.span()));
        }
        if cables.is_empty() {
            let fact = "`cable` is empty, but at least one length is needed".to_owned();
            return Some((fact, self.cable.span()));
        }
        let lengths: Vec<f64> = cables.iter().map(|cable| *cable.up_to.get_ref()).collect();
        let least = [0.0].into_iter().chain(lengths.iter().copied());
        let falling = cables.iter().zip(least).find(|(cable, least)| {
            cable.up_to.get_ref() <= least || cable.up_to.get_ref().is_nan()
        });
        falling.map(|(cable, _)| {
            let fact =
                format!("`cable` has up_to = {lengths:?}, but lengths must rise from above 0");
            (fact, cable.up_to.span())
        })
    }

    fn prices(self) -> Prices {
        let amount = |cost: Spanned<f64>, watts: Spanned<f64>| Amount {
            cost: cost.into_inner(),
            watts: watts.into_inner(),
        };
        let of_block = |written: Written| amount(written.cost, written.watts);
        let cables = self.cable.into_inner().into_iter();
        let cables = cables.map(|cable| CablePrice {
            up_to_metres: cable.up_to.into_inner(),
            amount: amount(cable.cost, cable.watts),
        });
        Prices {
            adapter_block: of_block(self.adapter_block),
            switch_block: of_block(self.switch_block),
            port: of_block(self.port),
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
    fn numbers_b10_a_wrong_price_is_shown_where_it_stands() {
        let line_of = |text: &str| {
            let refusal = read_prices("list", text).expect_err("a wrong list");
            refusal.place.excerpt.expect("a line").line
        };
        let line = |part: &str| {
            let at = EXAMPLE.lines().position(|line| line.contains(part));
            at.expect("the example has it") + 1
        };
        let negative = EXAMPLE.replacen("watts = 10 }", "watts = -1 }", 1);
        assert_eq!(line_of(&negative), line("switch_block = "));
        let falling = EXAMPLE.replacen("up_to = 10,", "up_to = 2,", 1);
        assert_eq!(line_of(&falling), line("up_to = 10,"));
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
