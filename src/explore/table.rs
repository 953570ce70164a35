//! Networks as lines of text: columns for people, or comma-separated values.

use std::fmt::Write as _;

use super::Figures;

const HEAD: [&str; 13] = [
    "network",
    "hosts",
    "blocks",
    "ports",
    "cables",
    "diameter",
    "mean path",
    "bisection",
    "survives",
    "of blocks",
    "bound",
    "cost/host",
    "W/host",
];

/// A line a network, below a head.
pub fn table(networks: &[&Figures]) -> String {
    let names = networks
        .iter()
        .map(|figures| figures.network.chars().count());
    let width = names.max().unwrap_or(0).max(HEAD[0].len());
    let mut out = line(width, &HEAD.map(str::to_owned));
    for figures in networks {
        out += &line(width, &cells(figures));
    }
    out
}

fn line(first: usize, cells: &[String; 13]) -> String {
    let mut out = format!("  {:<first$}", cells[0]);
    for cell in &cells[1..] {
        write!(out, "{cell:>10}").expect("writing to a string does not fail");
    }
    out + "\n"
}

fn cells(figures: &Figures) -> [String; 13] {
    let cuts = &figures.cuts;
    let at_most = if cuts.bisection_is_bound { "≤ " } else { "" };
    let dash = || "–".to_owned();
    [
        figures.network.clone(),
        figures.hosts.to_string(),
        (figures.adapter_blocks + figures.switch_blocks).to_string(),
        figures.ports.to_string(),
        figures.cables.to_string(),
        figures
            .diameter
            .map_or_else(dash, |cables| cables.to_string()),
        figures
            .mean_cables
            .map_or_else(dash, |mean| format!("{mean:.2}")),
        cuts.bisection
            .map_or_else(dash, |cables| format!("{at_most}{cables}")),
        cuts.cable_faults_survived
            .map_or_else(dash, |count| count.to_string()),
        cuts.block_faults_survived
            .map_or_else(dash, |count| count.to_string()),
        figures
            .throughput_bound
            .map_or_else(dash, |bound| format!("{bound:.3}")),
        format!("{:.0}", figures.cost_per_host()),
        format!("{:.1}", figures.watts_per_host()),
    ]
}

/// Cables by length, one network a line.
pub fn bills(networks: &[&Figures]) -> String {
    let mut out = String::new();
    for figures in networks {
        let classes = figures.bill.iter().map(|bill| {
            let class = bill
                .class_mm
                .map_or("longer".to_owned(), |class| class.to_string());
            format!("{} × {class}", bill.cables)
        });
        let classes: Vec<String> = classes.collect();
        writeln!(out, "  {}: {}", figures.network, classes.join(", "))
            .expect("writing to a string does not fail");
    }
    out
}

/// Comma-separated values, with a head.
pub fn csv(networks: &[&Figures], front: &[bool]) -> String {
    let mut out = "network,kind,hosts,adapter_blocks,switch_blocks,ports,cables,diameter,mean_cables,bisection,\
                   bisection_is_bound,cable_faults_survived,block_faults_survived,throughput_bound,cost,watts,unbeaten\n"
        .to_owned();
    for (figures, unbeaten) in networks.iter().zip(front) {
        let optional = |value: Option<String>| value.unwrap_or_default();
        let cuts = &figures.cuts;
        let cells = [
            format!("\"{}\"", figures.network),
            figures.kind.to_owned(),
            figures.hosts.to_string(),
            figures.adapter_blocks.to_string(),
            figures.switch_blocks.to_string(),
            figures.ports.to_string(),
            figures.cables.to_string(),
            optional(figures.diameter.map(|cables| cables.to_string())),
            optional(figures.mean_cables.map(|mean| format!("{mean:.4}"))),
            optional(cuts.bisection.map(|cables| cables.to_string())),
            cuts.bisection_is_bound.to_string(),
            optional(cuts.cable_faults_survived.map(|count| count.to_string())),
            optional(cuts.block_faults_survived.map(|count| count.to_string())),
            optional(figures.throughput_bound.map(|bound| format!("{bound:.4}"))),
            format!("{:.2}", figures.amount.cost),
            format!("{:.2}", figures.amount.watts),
            unbeaten.to_string(),
        ];
        out += &(cells.join(",") + "\n");
    }
    out
}
