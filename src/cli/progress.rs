//! Progress for whoever watches a terminal; hidden from everybody else.

use std::io::{IsTerminal, stderr};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Context;

/// A bar of so many steps: `  verb [=====     ] 5/10 steps`.
pub fn bar(context: &Context, verb: &str, steps: &str, length: u64) -> ProgressBar {
    let template = format!("  {verb} [{{bar:40}}] {{pos}}/{{len}} {steps} {{eta}}");
    styled(context, Some(length), &template)
}

/// Steps of unknown length: the time so far and the name of the present one; gone when it is dropped.
pub struct Spinner(ProgressBar);

pub fn spinner(context: &Context, step: &'static str) -> Spinner {
    let bar = styled(context, None, "{spinner} {elapsed} {msg}").with_message(step);
    bar.enable_steady_tick(Duration::from_millis(200));
    Spinner(bar)
}

impl Spinner {
    pub fn step(&self, step: &'static str) {
        self.0.set_message(step);
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// A bar of another form; `length`: steps, if they are known.
pub fn styled(context: &Context, length: Option<u64>, template: &str) -> ProgressBar {
    let target = if context.is_quiet() || !stderr().is_terminal() {
        ProgressDrawTarget::hidden()
    } else {
        ProgressDrawTarget::stderr()
    };
    let style = ProgressStyle::with_template(template).expect("the template is well-formed");
    ProgressBar::with_draw_target(length, target).with_style(style)
}
