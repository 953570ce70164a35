//! The list of verbs in `mkns --help`, under headings that say what they are for.

use std::fmt::Write;

/// Headings and their verbs, in the order of the list.
const GROUPS: [(&str, &[&str]); 5] = [
    (
        "Design a network",
        &["info", "generate", "export", "schema", "explain"],
    ),
    (
        "Verify it",
        &[
            "check",
            "lint",
            "cosim",
            "regress",
            "mutate",
            "coverage",
            "verify-nonblocking",
        ],
    ),
    (
        "Route and reroute",
        &["route", "reroute", "manage", "diversity", "faults"],
    ),
    (
        "Simulate and plan",
        &[
            "sim", "study", "workload", "bench", "explore", "compare", "cabling", "plot", "report",
        ],
    ),
    (
        "Build and run",
        &[
            "fpga",
            "live",
            "interface",
            "setup",
            "completions",
            "man",
            "help",
        ],
    ),
];

/// What `mkns --help` consists of.
pub fn template(command: &clap::Command) -> String {
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}Options:\n{{options}}{{after-help}}",
        list(command)
    )
}

fn list(command: &clap::Command) -> String {
    let mut text = String::new();
    for (heading, verbs) in GROUPS {
        let _ = writeln!(text, "{heading}:");
        for verb in verbs {
            let about = match *verb {
                "help" => Some("Print this message or the help of a verb".to_owned()),
                verb => command.find_subcommand(verb).and_then(|verb| {
                    let about = verb.get_about()?;
                    Some(about.to_string())
                }),
            };
            // A program without the feature `cosim` has fewer verbs.
            if let Some(about) = about {
                let _ = writeln!(text, "  {verb:18}  {about}");
            }
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_verb_has_one_heading_and_one_line() {
        let command = crate::command();
        let visible = command.get_subcommands().filter(|verb| !verb.is_hide_set());
        let visible: BTreeSet<&str> = visible.map(clap::Command::get_name).collect();
        let listed = || GROUPS.iter().flat_map(|(_, verbs)| verbs.iter().copied());
        let names: BTreeSet<&str> = listed().filter(|verb| *verb != "help").collect();
        assert_eq!(listed().count(), names.len() + 1, "a verb is listed twice");
        #[cfg(feature = "cosim")]
        assert_eq!(names, visible);
        #[cfg(not(feature = "cosim"))]
        assert!(names.is_superset(&visible));
        for line in list(&command).lines() {
            assert!(line.chars().count() <= 100, "too long: {line}");
        }
    }
}
