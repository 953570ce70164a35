//! Progress for whoever watches a terminal; hidden from everybody else.

use std::io::{IsTerminal, stderr};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Context;

/// A bar of so many steps: `  verb [=====     ] 5/10 steps`.
pub fn bar(context: &Context, verb: &str, steps: &str, length: u64) -> ProgressBar {
    let template = format!("  {verb} [{{bar:40}}] {{pos}}/{{len}} {steps} {{eta}}");
    styled(context, Some(length), &template)
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
