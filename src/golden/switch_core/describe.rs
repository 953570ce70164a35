//! A core's state for reports, in the words of table 1.1: only what differs from reset.

use super::shape::Request;
use super::state::{FlitDecision, Path, SwitchCore};
use crate::note::{PageText, note};

impl PageText for Path {
    fn page_text(&self) -> String {
        match self {
            Self::To(o) => format!("to({o})"),
            Self::Dropping => "dropping".to_owned(),
        }
    }
}

impl PageText for FlitDecision {
    fn page_text(&self) -> String {
        match self {
            Self::To(o) => format!("to({o})"),
            Self::MadeUpTo(o) => format!("made_up to({o})"),
            Self::Dropped(None) => "dropped".to_owned(),
            Self::Dropped(Some(cause)) => format!("dropped, a header ({})", cause.name()),
            Self::Lost => "lost".to_owned(),
        }
    }
}

/// A request, as the pair that it stands for.
#[derive(PartialEq)]
struct Pair(usize, usize);

impl PageText for Pair {
    fn page_text(&self) -> String {
        format!("(input {}, channel {})", self.0, self.1)
    }
}

impl SwitchCore {
    pub(super) fn input_state(&self, i: usize, text: &mut String) {
        if let Some((word, fate)) = &self.stage1[i] {
            let name = format!("stage1[{i}] (channel {})", word.flit.channel);
            note(text, &name, Some(*fate), None);
        }
        if let Some(arrival) = self.adaptive.as_ref().and_then(|it| it.arrived[i].as_ref()) {
            let is_header = arrival.lookup.is_some();
            let name = format!("arrived[{i}] (channel {})", arrival.flit.channel);
            note(
                text,
                &name,
                if is_header { "a header" } else { "a flit" },
                "",
            );
        }
        if let Some(adaptive) = &self.adaptive
            && let Some(q) = adaptive.host(i)
        {
            note(text, &format!("waited[{q}]"), adaptive.waited[q], 0);
            let granted = adaptive.granted[q].map(Path::To);
            note(text, &format!("granted[{q}]"), granted, None);
        }
        for v in 0..self.shape.channels {
            note(text, &format!("open[{i}][{v}]"), self.open[i][v], None);
            let closing = self.closing[i][v].map(Path::To);
            note(text, &format!("closing[{i}][{v}]"), closing, None);
            note(text, &format!("owed[{i}][{v}]"), self.owed[i][v], 0);
            note(text, &format!("debt[{i}][{v}]"), self.debt[i][v], false);
            if let Some(adaptive) = &self.adaptive {
                let in_progress = self.open[i][v].is_some() || self.closing[i][v].is_some();
                let is_adaptive = in_progress && adaptive.adaptive[i][v];
                note(text, &format!("adaptive[{i}][{v}]"), is_adaptive, false);
                note(text, &format!("left[{i}][{v}]"), adaptive.left[i][v], 0);
            }
            for o in 0..self.shape.ports {
                let flits = self.queue[i][o][v].len();
                note(text, &format!("flits in queue[{i}][{o}][{v}]"), flits, 0);
            }
        }
    }

    pub(super) fn output_state(&self, o: usize, text: &mut String) {
        let pair = |k: Request| Pair(self.shape.input(k), self.shape.channel(k));
        for (name, request) in [
            ("flow", self.flow[o]),
            ("grant", self.grant[o]),
            ("popped", self.popped[o]),
        ] {
            note(text, &format!("{name}[{o}]"), request.map(pair), None);
        }
        if let Some(adaptive) = &self.adaptive
            && let Some(&room) = adaptive.room.get(o)
        {
            note(text, &format!("room[{o}]"), room, adaptive.buffer_flits);
        }
        for w in 0..self.shape.channels {
            note(
                text,
                &format!("lock[{o}][{w}]"),
                self.lock[o][w].map(pair),
                None,
            );
            note(
                text,
                &format!("discard[{o}][{w}]"),
                self.discard[o][w],
                false,
            );
            let credits = self.shape.credits[o];
            note(
                text,
                &format!("credit[{o}][{w}]"),
                self.credit[o][w],
                credits,
            );
            if self.overdue[o][w] {
                note(text, &format!("overdue[{o}][{w}]"), true, false);
                let watched = Some(pair(self.watched[o][w]));
                note(text, &format!("watched[{o}][{w}]"), watched, None);
            }
        }
    }
}
