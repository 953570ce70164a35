//! A core's state in words, for reports: only what differs from reset.

use super::state::SwitchCore;

impl SwitchCore {
    /// Occupancies, locks and credits, a line a port.
    pub fn describe(&self) -> String {
        let mut text = String::new();
        for p in 0..self.shape.ports {
            let state = self.input_state(p) + &self.output_state(p);
            if !state.is_empty() {
                text += &format!("port {p}:{state}\n");
            }
        }
        text.trim_end().to_owned()
    }

    fn input_state(&self, i: usize) -> String {
        let stage1 = self.stage1[i].map(|(flit, fate)| (fate, flit.channel));
        let mut text = say("stage1", stage1);
        for v in 0..self.shape.channels {
            text += &say(&format!("open[{v}]"), self.open[i][v]);
            text += &say(&format!("closing[{v}] to"), self.closing[i][v]);
            text += &say(
                &format!("owed[{v}]"),
                Some(self.owed[i][v]).filter(|&n| n > 0),
            );
            text += &say(&format!("debt[{v}]"), Some(1).filter(|_| self.debt[i][v]));
            for o in 0..self.shape.ports {
                let flits = Some(self.queue[i][o][v].len()).filter(|&n| n > 0);
                text += &say(&format!("queue[{o}][{v}]"), flits);
            }
        }
        text
    }

    fn output_state(&self, o: usize) -> String {
        let name = |k: usize| (self.shape.input(k), self.shape.channel(k));
        let mut text = say("flow", self.flow[o].map(name));
        text += &say("grant", self.grant[o].map(name));
        text += &say("popped", self.popped[o].map(name));
        for w in 0..self.shape.channels {
            let (credit, overdue) = (self.credit[o][w], self.overdue[o][w]);
            let spent = Some(credit).filter(|&credit| credit != self.shape.credits[o]);
            text += &say(&format!("lock[{w}]"), self.lock[o][w].map(name));
            text += &say(
                &format!("discard[{w}]"),
                Some(1).filter(|_| self.discard[o][w]),
            );
            text += &say(&format!("credit[{w}]"), spent);
            let watched = Some(name(self.watched[o][w]));
            text += &say(&format!("overdue[{w}]"), watched.filter(|_| overdue));
        }
        text
    }
}

/// A name and its value; nothing without one.
fn say(name: &str, value: Option<impl std::fmt::Debug>) -> String {
    value.map_or(String::new(), |value| format!(" {name} {value:?},"))
}
