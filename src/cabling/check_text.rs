//! The outcome of a check in words, for the person who stands before the racks.

use std::fmt;

use super::Image;
use super::check::{Action, Check, DeadView, EndView, StepView, WrongCable};
use super::plan_text::bill_text;
use super::renaming::BlockRenaming;

/// Blocks whose parts are listed before the rest is only counted.
const PARTS_LISTED: usize = 100;

/// `rack/slot block port 3`.
impl fmt::Display for EndView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            block,
            port,
            rack,
            slot,
            half,
        } = self;
        write!(f, "{rack}/{slot} {block} port {port}")?;
        half.map_or(Ok(()), |half| write!(f, " ({half})"))
    }
}

impl Check {
    /// Counts, faults by name, moves.
    pub fn to_text(&self) -> String {
        let mut out = format!(
            "{}: {} of {} planned cables as planned, {} wrong, {} missing, {} dead\n",
            self.network,
            self.as_planned,
            self.planned_cables,
            self.wrong.len(),
            self.missing.len(),
            self.dead.len(),
        );
        for wrong in &self.wrong {
            out += &wrong_text(wrong);
        }
        for missing in &self.missing {
            out += &format!("missing: {} — {}\n", missing.a, missing.b);
        }
        for dead in &self.dead {
            out += &dead_text(dead);
        }
        out += &self.image_text();
        if !self.passed {
            out += &self.moves_text();
        }
        out
    }

    fn image_text(&self) -> String {
        match &self.image {
            Image::Plan if self.passed => "the cabling is the plan\n".to_owned(),
            Image::Plan => {
                "the cabling is the plan, but for what is plugged in besides\n".to_owned()
            }
            Image::Different => "no renaming of blocks makes this cabling the plan\n".to_owned(),
            Image::Undecided => {
                "whether a renaming of blocks makes this cabling the plan: search given up\n"
                    .to_owned()
            }
            Image::Automorphic {
                parts,
                ports_as_planned,
            } => {
                let tables = match ports_as_planned {
                    true => "each block needs the tables and address of the one it plays",
                    false => "tables have to be made for the ports as they are",
                };
                let mut out =
                    format!("the cabling is an image of the plan and needs no move; {tables}:\n");
                for part in parts.iter().take(PARTS_LISTED) {
                    out += &part_text(part);
                }
                if let Some(more @ 1..) = parts.len().checked_sub(PARTS_LISTED) {
                    out += &format!("  and {more} more blocks (--format json lists all)\n");
                }
                out
            }
        }
    }

    fn moves_text(&self) -> String {
        let choice = match self.image {
            Image::Automorphic { .. } => "or, to have it as planned",
            _ => "to repair it",
        };
        let mut out = format!("{choice}, move {} ends of cables:\n", self.moves);
        for step in &self.steps {
            out += &step_text(step);
        }
        if !self.new_cables.is_empty() {
            out += &format!("new cables:\n{}", bill_text(&self.new_cables));
        }
        out
    }
}

fn wrong_text(wrong: &WrongCable) -> String {
    let [a, b] = [&wrong.a_should_see, &wrong.b_should_see].map(|end| expected(end.as_ref()));
    let cable = &wrong.cable;
    format!(
        "wrong: {} — {}; they should see {a} and {b}\n",
        cable.a, cable.b
    )
}

fn expected(end: Option<&EndView>) -> String {
    end.map_or("nothing".to_owned(), |end| end.to_string())
}

fn dead_text(dead: &DeadView) -> String {
    let should_see: Vec<String> = dead
        .should_see
        .iter()
        .map(|end| expected(end.as_ref()))
        .collect();
    let ends = list(&dead.ends);
    match &dead.ends[..] {
        [_] => format!(
            "dead: {ends} has a plug and sees nobody; it should see {}\n",
            should_see[0]
        ),
        [a, b] if dead.should_see == [Some(b.clone()), Some(a.clone())] => {
            format!("dead: {ends}\n")
        }
        _ => format!(
            "dead: {ends}; they should see {}\n",
            should_see.join(" and ")
        ),
    }
}

fn list(ends: &[EndView]) -> String {
    let ends: Vec<String> = ends.iter().map(EndView::to_string).collect();
    ends.join(" — ")
}

fn part_text(part: &BlockRenaming) -> String {
    let mut out = format!("  {} plays {}", part.block, part.plays);
    if !part.ports.is_empty() {
        let ports = part.ports.iter();
        let ports: Vec<String> = ports
            .map(|change| format!("{} is in {}", change.planned, change.is))
            .collect();
        out += &format!("; of its ports {}", ports.join(", "));
    }
    out + "\n"
}

fn step_text(step: &StepView) -> String {
    let number = step.r#move;
    let (from, to) = (step.from.as_ref(), step.to.as_ref());
    let words = match (step.action, from, to) {
        (Action::Unplug, Some(from), _) => format!("unplug {from} and hold it"),
        (Action::Plug, _, Some(to)) => format!("plug what you hold of move {number} into {to}"),
        (_, Some(from), Some(to)) => format!("{from} → {to}"),
        (_, Some(from), None) => format!("{from} → away"),
        (_, None, Some(to)) => format!("new → {to}"),
        (_, None, None) => String::new(),
    };
    let kind = match step.cable.is {
        "found" => String::new(),
        other => format!("{other} "),
    };
    let ends = list(&step.cable.ends);
    let warning = match step.may_be_short {
        true => "; may be too short",
        false => "",
    };
    format!("  {number:>3}  {words}  [{kind}cable {ends}{warning}]\n")
}
