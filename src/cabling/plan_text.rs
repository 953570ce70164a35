//! A plan for the person with the cables, and as lines for other tools.

use std::fmt::Write as _;

use super::plan::{CableOrder, Rack};
use super::{Millimetres, Plan, PlannedCable};

/// First line of the plan as CSV. `mkns cabling --read-back` reads the first four columns.
const HEADER: &str = "a,port_a,b,port_b,rack_a,slot_a,rack_b,slot_b,length_mm,class_mm";

impl Plan {
    /// Totals, bill, and the cables of every rack.
    pub fn to_text(&self) -> String {
        let mut out = self.totals_text();
        out += &format!("bill of cables:\n{}", bill_text(&self.bill));
        let width = self.racks.iter().flat_map(|rack| &rack.blocks);
        let width = width.map(|label| label.chars().count()).max().unwrap_or(0);
        for rack in &self.racks {
            out += &rack_text(rack);
            out += &self.cables_text(rack, width);
        }
        out
    }

    /// A line for each cable. Of a simplex cable `a` sends to `b`.
    pub fn to_csv(&self) -> String {
        let mut out = format!("{HEADER}\n");
        for cable in &self.cables {
            let class = cable
                .class_mm
                .map_or(String::new(), |class| class.0.to_string());
            let _ = writeln!(
                out,
                "{},{},{},{},{},{},{},{},{},{class}",
                cable.a,
                cable.port_a,
                cable.b,
                cable.port_b,
                cable.rack_a,
                cable.slot_a,
                cable.rack_b,
                cable.slot_b,
                cable.length_mm.0
            );
        }
        out
    }

    fn totals_text(&self) -> String {
        let totals = &self.totals;
        let within: Vec<u32> = self.racks.iter().map(|rack| rack.cables_within).collect();
        let mut between: Vec<u32> = self.rack_pairs.iter().map(|pair| pair.cables).collect();
        let pairs = self.racks.len() * self.racks.len().saturating_sub(1) / 2;
        between.resize(pairs, 0);
        format!(
            "{}: blocks: {}, racks: {}, rows: {}, cables: {}, {} in all\n\
             {} cables within racks{}, {} between racks{}\n",
            self.network,
            totals.blocks,
            totals.racks,
            totals.rows,
            totals.cables,
            totals.length_mm,
            totals.cables_within_racks,
            range(&within, "in each"),
            totals.cables_between_racks,
            range(&between, "between any two"),
        )
    }

    fn cables_text(&self, rack: &Rack, width: usize) -> String {
        let mut out = String::new();
        // Of a pair of racks the cables stand with the lower one.
        let own = self
            .cables
            .iter()
            .filter(|cable| cable.racks()[0] == rack.rack);
        let own: Vec<&PlannedCable> = own.collect();
        for group in own.chunk_by(|a, b| a.racks() == b.racks()) {
            let count = group.len();
            let to = group[0].racks()[1];
            let title = match to == rack.rack {
                true => format!("within rack {to}: {count}"),
                false => format!("from rack {} to rack {to}: {count}", rack.rack),
            };
            let _ = writeln!(out, "  {title}");
            for cable in group {
                let _ = writeln!(out, "    {}", cable.to_line(width));
            }
        }
        out
    }
}

impl PlannedCable {
    fn to_line(&self, width: usize) -> String {
        let arrow = if self.simplex { "→" } else { "—" };
        let end = |rack, slot, label: &str, port| {
            let place = format!("{rack}/{slot}");
            format!("{place:>6} {label:<width$} port {port:<2}")
        };
        format!(
            "{} {arrow} {} {:>9} {}",
            end(self.rack_a, self.slot_a, &self.a, self.port_a),
            end(self.rack_b, self.slot_b, &self.b, self.port_b),
            self.length_mm.to_string(),
            class_text(self.class_mm),
        )
    }
}

fn class_text(class: Option<Millimetres>) -> String {
    class.map_or("too long".to_owned(), |class| format!("of {class}"))
}

fn rack_text(rack: &Rack) -> String {
    let mut out = format!(
        "\nrack {} (row {}, place {}): {} blocks, {} cables within, {} to other racks\n",
        rack.rack,
        rack.row,
        rack.column,
        rack.blocks.len(),
        rack.cables_within,
        rack.cables_leaving,
    );
    let slots = rack.blocks.iter().enumerate();
    let slots: Vec<String> = slots
        .map(|(slot, label)| format!("{slot} {label}"))
        .collect();
    let _ = writeln!(out, "  slots: {}", slots.join(", "));
    out
}

/// What has to be bought.
pub(crate) fn bill_text(bill: &[CableOrder]) -> String {
    let mut out = String::new();
    for item in bill {
        let class = match item.class_mm {
            Some(class) => class.to_string(),
            None => "longer".to_owned(),
        };
        let longest = item.longest_mm;
        let count = item.cables;
        let _ = writeln!(
            out,
            "  {class:>8} {count:>6}  (longest way with slack {longest})"
        );
    }
    out
}

/// `(15 in each)`, or the range where the numbers differ; empty where there are none.
fn range(counts: &[u32], words: &str) -> String {
    match (counts.iter().min(), counts.iter().max()) {
        (Some(least), Some(most)) if least == most => format!(" ({least} {words})"),
        (Some(least), Some(most)) => format!(" ({least} to {most} {words})"),
        _ => String::new(),
    }
}
