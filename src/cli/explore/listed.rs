//! Networks of `mkns explore` as they are listed: in order of cost, with their standings, and which are simulated.

use serde::Serialize;

use crate::{Context, progress};
use mkns_explore::{Figures, ParetoStanding, standings};

#[derive(Debug, Serialize)]
pub struct Listed {
    /// No other network is as good in cost, way and throughput.
    pub unbeaten: bool,
    /// It would be unbeaten if its bound on throughput were 15 % higher.
    pub close: bool,
    /// Drawn graphs of other sizes that would be unbeaten, too, and differ by less than 2 % in every number.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alike: Vec<String>,
    /// Where it is not compared with others: it has no mean path.
    #[serde(skip)]
    pub is_compared: bool,
    #[serde(flatten)]
    pub figures: Figures,
}

/// Half of `count` unbeaten networks, half close ones, each half spread over the costs; more of one where the other has
/// too few. Cheapest first.
pub fn chosen(networks: &[Listed], count: usize) -> Vec<&Listed> {
    let places = |wanted: fn(&Listed) -> bool| -> Vec<usize> {
        let all = 0..networks.len();
        all.filter(|&at| wanted(&networks[at])).collect()
    };
    let unbeaten = places(|listed| listed.unbeaten);
    let close = places(|listed| listed.close);
    let left = count.saturating_sub(unbeaten.len());
    let of_close = close.len().min(left.max(count / 2));
    let mut chosen = spread(&unbeaten, count - of_close);
    chosen.extend(spread(&close, of_close));
    chosen.sort_unstable();
    chosen.into_iter().map(|at| &networks[at]).collect()
}

/// At most `count` of a list, the first and the last among them.
fn spread(list: &[usize], count: usize) -> Vec<usize> {
    let count = count.min(list.len());
    let last = list.len().saturating_sub(1);
    let at = |number: usize| list[number * last / (count - 1).max(1)];
    (0..count).map(at).collect()
}

/// Cheapest first, with their standings; drawn graphs that are like another stand there.
pub fn ranked(mut found: Vec<Figures>) -> Vec<Listed> {
    found.sort_by(|a, b| a.cost_per_host().total_cmp(&b.cost_per_host()));
    let standings = standings(&found.iter().collect::<Vec<_>>());
    let mut listed: Vec<Listed> = found
        .into_iter()
        .zip(&standings)
        .map(|(figures, standing)| Listed {
            unbeaten: *standing == ParetoStanding::Unbeaten,
            close: *standing == ParetoStanding::Close,
            alike: Vec::new(),
            is_compared: *standing != ParetoStanding::NotCompared,
            figures,
        })
        .collect();
    for (at, standing) in standings.into_iter().enumerate() {
        if let ParetoStanding::Like(other) = standing {
            let name = listed[at].figures.notation.clone();
            listed[other].alike.push(name);
        }
    }
    listed
}

/// Networks with their cuts measured.
pub fn with_cuts(mut networks: Vec<Listed>, context: &Context) -> Vec<Listed> {
    let bar = progress::bar(context, "measuring cuts", "networks", networks.len() as u64);
    let figures = networks.iter_mut().map(|listed| &mut listed.figures);
    Figures::measure_cuts(figures.collect(), || bar.inc(1));
    bar.finish_and_clear();
    networks
}

/// Of the networks that stand for others, and of those that are left out.
pub fn remarks(networks: &[Listed], not_compared: usize) -> String {
    let groups = networks.iter();
    let groups = groups.filter(|listed| !listed.alike.is_empty());
    let lines = groups.map(|listed| {
        let (name, count) = (&listed.figures.network, listed.alike.len());
        format!(
            "{name}: {count} more such graphs differ by less than 2 %: {}\n",
            listed.alike.join(", ")
        )
    });
    let mut text: String = lines.collect();
    if not_compared > 0 {
        text += &format!(
            "{not_compared} distributed switches have no mean path to compare; `--all` lists them\n"
        );
    }
    match text.is_empty() {
        true => text,
        false => format!("\n{text}"),
    }
}
