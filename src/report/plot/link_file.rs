//! Reads the loads of links that `mkns sim --links` wrote.

use std::collections::{BTreeMap, BTreeSet};

use super::csv::{Csv, CsvRow};
use super::link_loads::LinkLoads;
use mkns_diag::{Code, Diagnostic, Place};
use mkns_topology::{End, Network};

/// Columns that the file must have.
const NEEDED: [&str; 4] = ["load", "from", "from_port", "link_load"];

/// The links of a network from the text of a file, means over its seeds; `title` heads the picture and
/// `source` is the file's path. The file has one load of the network.
pub fn read_links(
    source: &str,
    text: &str,
    title: &str,
    network: &Network,
) -> Result<LinkLoads, Box<Diagnostic>> {
    from_csv(text, title, network).map_err(|fact| {
        let fact = format!("not the loads of links: {fact}");
        let remedy = "make one with `mkns sim SPEC --load 0.3 --links FILE.csv`, for the network that is drawn";
        Box::new(Diagnostic::new(Code::NotLinkLoads, fact, remedy).at(Place::file(source)))
    })
}

fn from_csv(text: &str, title: &str, network: &Network) -> Result<LinkLoads, String> {
    let table = Csv::read(text, &NEEDED)?;
    let ends = sending_ends(network);
    let mut loads = BTreeSet::new();
    let mut sums: BTreeMap<End, (f64, f64)> = BTreeMap::new();
    for row in table.rows() {
        loads.insert(row.cell("load").unwrap_or(""));
        let end = end_of(row, &ends)?;
        let load: f64 = row.number("link_load")?;
        if !(load.is_finite() && load >= 0.0) {
            return Err(format!("{load} is not a load"));
        }
        let (sum, count) = sums.entry(end).or_default();
        (*sum, *count) = (*sum + load, *count + 1.0);
    }
    let mut loads = loads.into_iter();
    let (Some(load), None) = (loads.next(), loads.next()) else {
        return Err("it holds links under no or several loads".to_owned());
    };
    let mean = |(end, (sum, count)): (End, (f64, f64))| (end, sum / count);
    Ok(LinkLoads {
        title: format!("{title}, load {load}"),
        loads: sums.into_iter().map(mean).collect(),
    })
}

/// By block name and port.
fn sending_ends(network: &Network) -> BTreeMap<(&str, u8), End> {
    let directions = network.cables.iter().flat_map(|cable| cable.directions());
    directions
        .map(|(from, _)| ((&*network.block(from.block).name, from.port.0), from))
        .collect()
}

fn end_of(row: CsvRow<'_>, ends: &BTreeMap<(&str, u8), End>) -> Result<End, String> {
    let (name, port) = (row.cell("from").unwrap_or(""), row.number("from_port")?);
    let end = ends.get(&(name, port)).copied();
    end.ok_or_else(|| format!("the network has no cable at port {port} of `{name}`"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mkns_spec as spec;
    use mkns_topology as topology;

    fn read(text: &str) -> Result<LinkLoads, String> {
        let network = topology::build(&spec::parse("MKNS(2,4,2,1)").expect("a valid spec"));
        from_csv(text, "links", &network)
    }

    #[test]
    fn links_are_means_over_the_seeds() {
        let text = "load,seed,from,from_port,link_load\n0.3,1,ab_0_0_0_0,0,0.2\n0.3,2,ab_0_0_0_0,0,0.4\n\
                    0.3,1,ab_1_0_0_0,2,0.1\n";
        let links = read(text).expect("links");
        assert_eq!(links.title, "links, load 0.3");
        let loads: Vec<f64> = links.loads.values().copied().collect();
        assert_eq!(loads.len(), 2);
        assert!(
            (loads[0] - 0.3).abs() < 1e-12 && loads[1] == 0.1,
            "{loads:?}"
        );
    }

    #[test]
    fn files_of_something_else_say_why() {
        let head = "load,from,from_port,link_load\n";
        for (text, fact) in [
            (String::new(), "no column `load`"),
            (head.to_owned(), "no or several loads"),
            (
                format!("{head}0.1,ab_0_0_0_0,0,0\n0.2,ab_0_0_0_0,0,0\n"),
                "no or several",
            ),
            (
                format!("{head}0.1,ab_9_9_0_0,0,0\n"),
                "port 0 of `ab_9_9_0_0`",
            ),
            (format!("{head}0.1,ab_0_0_0_0,200,0\n"), "port 200"),
            (format!("{head}0.1,ab_0_0_0_0,0,-1\n"), "-1 is not a load"),
            (format!("{head}0.1,ab_0_0_0_0,0\n"), "column `link_load`"),
        ] {
            let said = read(&text).expect_err("no links");
            assert!(said.contains(fact), "{text:?}: {said}");
        }
    }
}
