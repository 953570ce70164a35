//! A core's state in words, for reports: only what differs from reset.

use super::state::SwitchCore;

impl SwitchCore {
    /// Occupancies, locks and credits, a line a port.
    pub fn describe(&self) -> String {
        let ports = 0..self.shape.ports;
        let lines = ports.flat_map(|p| [self.describe_input(p), self.describe_output(p)]);
        let lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
        lines.join("\n")
    }

    fn describe_input(&self, i: usize) -> String {
        let mut words = Vec::new();
        if let Some(stage1) = self.stage1[i] {
            words.push(format!(
                "stage1 {:?} channel {}",
                stage1.fate, stage1.flit.channel
            ));
        }
        for v in 0..self.shape.channels {
            if let Some(path) = self.open[i][v] {
                words.push(format!("open[{v}] {path:?}"));
            }
            if let Some(o) = self.closing[i][v] {
                words.push(format!("closing[{v}] to({o})"));
            }
            for o in 0..self.shape.ports {
                match self.queue[i][o][v].len() {
                    0 => {}
                    flits => words.push(format!("queue[{o}][{v}] {flits}")),
                }
            }
            if self.owed[i][v] > 0 || self.debt[i][v] {
                let debt = if self.debt[i][v] { " and a debt" } else { "" };
                words.push(format!("owed[{v}] {}{debt}", self.owed[i][v]));
            }
        }
        line(&format!("input {i}"), &words)
    }

    fn describe_output(&self, o: usize) -> String {
        let mut words = Vec::new();
        let requests = [
            ("flow", self.flow[o]),
            ("grant", self.grant[o]),
            ("popped", self.popped[o]),
        ];
        for (name, k) in requests {
            if let Some(k) = k {
                words.push(format!("{name} ({},{})", k.input, k.channel));
            }
        }
        for w in 0..self.shape.channels {
            if let Some(k) = self.lock[o][w] {
                let discard = if self.discard[o][w] { " discarded" } else { "" };
                words.push(format!("lock[{w}] ({},{}){discard}", k.input, k.channel));
            }
            if self.credit[o][w] != self.shape.credits[o] {
                words.push(format!("credit[{w}] {}", self.credit[o][w]));
            }
            if self.overdue[o][w] {
                let k = self.watched[o][w];
                words.push(format!("overdue[{w}] ({},{})", k.input, k.channel));
            }
        }
        line(&format!("output {o}"), &words)
    }
}

fn line(port: &str, words: &[String]) -> String {
    match words.is_empty() {
        true => String::new(),
        false => format!("{port}: {}", words.join(", ")),
    }
}
