//! Progress of a co-simulation: builds of models and runs; and the time of the comparison alone.

use std::cell::Cell;
use std::time::{Duration, Instant};

use indicatif::ProgressStyle;

use crate::Context;
use crate::progress::{self, Progress};
use mkns_cosim::RunListener;

/// Watches builds and runs.
pub struct Bar {
    bar: Progress,
    /// Time of the runs so far, without building models.
    compared: Cell<Duration>,
    since: Cell<Option<Instant>>,
}

impl Bar {
    pub fn new(context: &Context) -> Self {
        Self {
            bar: {
                let bar = progress::bar(context, "compared", "cycles", 0);
                bar.set_style(style("{spinner} {msg}"));
                bar
            },
            compared: Cell::default(),
            since: Cell::default(),
        }
    }

    /// The runs are over; returns the time that they took.
    pub fn finish(&self) -> Duration {
        self.bar.finish();
        self.pause();
        self.compared.get()
    }

    /// No run goes on.
    fn pause(&self) {
        let run = self.since.take().map(|start| start.elapsed());
        self.compared
            .set(self.compared.get() + run.unwrap_or_default());
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is well-formed")
}

impl RunListener for Bar {
    fn building(&self, progress: mkns_sim::Progress) {
        use mkns_sim::Progress::{Compiling, CompilingRuntime, Finished, Waiting};
        let message = match progress {
            Waiting { top } => format!("waiting for another build of {top}"),
            CompilingRuntime => "compiling Verilator's runtime (once)".to_owned(),
            Compiling { top } => format!("compiling {top}"),
            Finished { .. } => String::new(),
        };
        match message.is_empty() {
            true => self.bar.end(),
            false => self.bar.begin(&message),
        }
        self.pause();
        self.bar.set_message(message);
        self.bar.tick();
    }

    fn synthesising(&self, what: &str) {
        self.bar.begin(&format!("synthesising {what}"));
        self.bar.set_message(format!("synthesising {what}"));
        self.bar.tick();
    }

    fn begins(&self, what: &str, cycles: u64) {
        let template = "{msg} {bar:30} {pos}/{len} cycles {eta}";
        self.bar.set_style(style(template));
        self.bar.begin(what);
        self.pause();
        self.since.set(Some(Instant::now()));
        self.bar.set_message(what.to_owned());
        self.bar.set_length(cycles);
        // The time of builds says nothing of the cycles.
        self.bar.reset();
    }

    fn reached(&self, cycle: u64) {
        self.bar.set_position(cycle);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Format;
    use std::thread::sleep;

    /// Half of the cycles took a moment: the other half takes no longer, however long the build was.
    #[test]
    fn the_time_left_counts_no_building() {
        let bar = Bar::new(&Context::new(Format::Text, true, false));
        bar.building(mkns_sim::Progress::CompilingRuntime);
        sleep(Duration::from_millis(2_000));
        bar.begins("a run", 1_000);
        for cycle in 1..=50 {
            sleep(Duration::from_millis(1));
            bar.reached(10 * cycle);
        }
        assert!(
            bar.bar.eta() < Duration::from_millis(900),
            "{:?}",
            bar.bar.eta()
        );
    }
}
