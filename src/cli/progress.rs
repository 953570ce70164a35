//! Progress for whoever waits: a bar on a terminal; elsewhere, with `-v`, a line for each step on standard error, so
//! that a log shows what goes on. Every verb that takes long gets both from here.

use std::io::{IsTerminal, stderr};
use std::ops::Deref;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Context;

/// How long a line of a share stands at least before the next.
const PAUSE: Duration = Duration::from_secs(2);

/// A bar of this many steps: `  verb [=====     ] 5/10 steps`.
pub fn bar(context: &Context, verb: &str, steps: &str, length: u64) -> Progress {
    let template = format!("  {verb} [{{bar:40}}] {{pos}}/{{len}} {steps} {{eta}}");
    Progress {
        shares: Some((verb.to_owned(), steps.to_owned())),
        ..styled(context, Some(length), &template)
    }
}

/// A bar of another form; `length`: steps, if they are known.
pub fn styled(context: &Context, length: Option<u64>, template: &str) -> Progress {
    let is_hidden = context.is_quiet() || !stderr().is_terminal();
    let target = match is_hidden {
        true => ProgressDrawTarget::hidden(),
        false => ProgressDrawTarget::stderr(),
    };
    let style = ProgressStyle::with_template(template).expect("the template is well-formed");
    Progress {
        bar: ProgressBar::with_draw_target(length, target).with_style(style),
        has_lines: is_hidden && context.is_verbose(),
        shares: None,
        told: Mutex::new(Told {
            step: None,
            tenths: 0,
            last: Instant::now(),
        }),
        start: Instant::now(),
    }
}

/// A bar, and the lines that stand for it where there is none. What it does not say itself it leaves to the bar.
pub struct Progress {
    bar: ProgressBar,
    /// Whether lines are written.
    has_lines: bool,
    /// The verb and the steps of a bar whose tenths are told.
    shares: Option<(String, String)>,
    told: Mutex<Told>,
    start: Instant,
}

/// What lines have told.
struct Told {
    /// The step under way and its beginning.
    step: Option<(String, Instant)>,
    tenths: u64,
    last: Instant,
}

impl Deref for Progress {
    type Target = ProgressBar;

    fn deref(&self) -> &ProgressBar {
        &self.bar
    }
}

impl Progress {
    /// This many more steps are done.
    pub fn inc(&self, steps: u64) {
        self.bar.inc(steps);
        self.tell_share();
    }

    /// This many steps are done.
    pub fn set_position(&self, steps: u64) {
        self.bar.set_position(steps);
        self.tell_share();
    }

    /// A step of unknown length begins, and ends the one before it.
    pub fn begin(&self, step: &str) {
        self.end();
        *self.told() = Told {
            step: Some((step.to_owned(), Instant::now())),
            tenths: 0,
            last: Instant::now(),
        };
    }

    /// The step under way has ended; its line says how long it took.
    pub fn end(&self) {
        let ended = self.told().step.take();
        if let Some((step, since)) = ended {
            self.step(&format!("{step}: {:.1} s", since.elapsed().as_secs_f64()));
        }
    }

    /// The line of a step that has ended.
    pub fn step(&self, line: &str) {
        if self.has_lines {
            eprintln!("{line}");
        }
    }

    /// A line that stands above the bar, too.
    pub fn report(&self, line: &str) {
        self.bar.println(line);
        self.step(line);
    }

    /// It is over.
    pub fn finish(&self) {
        self.end();
        self.bar.finish_and_clear();
    }

    /// Of many small steps each tenth has a line, unless they come thick and fast.
    fn tell_share(&self) {
        let (true, Some((verb, steps))) = (self.has_lines, &self.shares) else {
            return;
        };
        let (position, length) = (self.bar.position(), self.bar.length().unwrap_or(0));
        let tenths = (position.saturating_mul(10) / length.max(1)).min(10);
        let mut told = self.told();
        let is_last = tenths == 10 && (1..10).contains(&told.tenths);
        if tenths > told.tenths && (is_last || told.last.elapsed() >= PAUSE) {
            told.tenths = tenths;
            told.last = Instant::now();
            let seconds = self.start.elapsed().as_secs_f64();
            eprintln!("{verb} {position} of {length} {steps}, {seconds:.1} s");
        }
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Steps of unknown length: the time so far and the name of the present one; gone when it is dropped.
pub struct Spinner(Progress);

pub fn spinner(context: &Context, step: &'static str) -> Spinner {
    let bar = styled(context, None, "{spinner} {elapsed} {msg}");
    bar.enable_steady_tick(Duration::from_millis(200));
    let spinner = Spinner(bar);
    spinner.step(step);
    spinner
}

impl Spinner {
    pub fn step(&self, step: &'static str) {
        self.0.set_message(step);
        self.0.begin(step);
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.0.finish();
    }
}
