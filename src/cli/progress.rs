//! A bar that counts steps, for whoever watches a terminal; hidden from everybody else.

use std::io::{IsTerminal, stderr};

use indicatif::{ProgressBar, ProgressStyle};

use super::Context;

/// A bar of so many steps: `  verb [=====     ] 5/10 steps`.
pub fn bar(context: &Context, verb: &str, steps: &str, length: u64) -> ProgressBar {
    if context.is_quiet() || !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let template = format!("  {verb} [{{bar:40}}] {{pos}}/{{len}} {steps} {{eta}}");
    let style = ProgressStyle::with_template(&template).expect("the template is well-formed");
    ProgressBar::new(length).with_style(style)
}
