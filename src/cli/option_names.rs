//! Each option name has one meaning in all verbs: a test over the tables of clap.
//!
//! An option that two verbs describe in the same words, with the same value name, has one meaning. Where the words
//! differ, [`SHARED`] states the meaning that both have; `docs/design/names.md` holds the same table for people.

use std::collections::{BTreeMap, BTreeSet};

/// Options whose help differs between verbs: the meaning that they share, and the value names that they use.
#[rustfmt::skip] // one line per option
const SHARED: &[(&str, &str, &[&str])] = &[
    ("block", "one kind of block, or one block by its name", &["BLOCK"]),
    ("cycles", "cycles of traffic that are simulated or measured", &["N"]),
    ("load", "flits that each host offers per cycle", &["LOAD", "LOADS"]),
    ("mmap", "the memory-mapped registers of all blocks", &["FILE"]),
    ("output", "the file or folder that is written", &["DIR", "FILE", "FILE.html", "FILE.svg|png"]),
    ("packet-flits", "flits of a packet with its header", &["FLITS"]),
    ("samples", "how many random samples are drawn", &["N"]),
    ("seed", "the first seed, or the only one", &["S"]),
    ("seeds", "how many runs are made, each with its own seed", &["N"]),
    ("serial", "the serial line to a register bridge", &["DEVICE"]),
    ("synthesis", "run Yosys on the whole network, too", &[]),
];

/// What a verb says of an option: the name of its value and the first sentence of its help.
type Said = BTreeSet<(String, String)>;

fn said(argument: &clap::Arg) -> (String, String) {
    let takes = argument.get_action().takes_values();
    let value = argument.get_value_names().filter(|_| takes);
    let value = value.map_or_else(
        || match takes {
            true => argument.get_id().as_str().to_uppercase(),
            false => String::new(),
        },
        |names| names.join(" "),
    );
    let help = argument.get_help().map(ToString::to_string);
    let help = help.unwrap_or_default();
    let ends = ["; ", ": ", ". ", " ["];
    let end = ends.iter().filter_map(|end| help.find(end)).min();
    (value, help[..end.unwrap_or(help.len())].to_owned())
}

#[test]
fn each_option_name_has_one_meaning() {
    let command = crate::command();
    let mut shown: BTreeMap<String, Said> = BTreeMap::new();
    let mut aliases: BTreeSet<String> = BTreeSet::new();
    for verb in command.get_subcommands() {
        for argument in verb.get_arguments() {
            let Some(name) = argument.get_long() else {
                continue;
            };
            let old = argument.get_all_aliases().unwrap_or_default();
            aliases.extend(old.into_iter().map(str::to_owned));
            if !argument.is_hide_set() {
                shown
                    .entry(name.to_owned())
                    .or_default()
                    .insert(said(argument));
            }
        }
    }
    let mut wrong = Vec::new();
    for (name, said) in &shown {
        let shared = SHARED.iter().find(|(shared, ..)| shared == name);
        let values: BTreeSet<&str> = said.iter().map(|(value, _)| value.as_str()).collect();
        match shared {
            None if said.len() > 1 => {
                wrong.push(format!("--{name} has several meanings: {said:?}"))
            }
            Some((_, _, allowed)) => {
                let values = values.into_iter().filter(|value| !value.is_empty());
                let other: Vec<&str> = values.filter(|value| !allowed.contains(value)).collect();
                if !other.is_empty() {
                    wrong.push(format!("--{name} takes {other:?}, not only {allowed:?}"));
                }
            }
            None => {}
        }
    }
    let is_needed = |name: &str| shown.get(name).is_some_and(|said| said.len() > 1);
    let idle = SHARED.iter().filter(|(name, ..)| !is_needed(name));
    wrong.extend(idle.map(|(name, ..)| format!("--{name} is said in the same words everywhere")));
    let taken = aliases.iter().filter(|alias| shown.contains_key(*alias));
    wrong.extend(taken.map(|alias| format!("--{alias} is an older spelling and a name in use")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The page lists what the test holds.
#[test]
fn the_page_of_names_has_every_older_spelling() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/design/names.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    for verb in crate::command().get_subcommands() {
        for argument in verb.get_arguments() {
            let mut old: Vec<&str> = argument.get_all_aliases().unwrap_or_default();
            let is_refused = argument.get_id().as_str().starts_with("old_");
            old.extend(argument.get_long().filter(|_| is_refused));
            for name in old {
                assert!(
                    page.contains(&format!("`--{name}`")),
                    "{}: --{name} is not on the page",
                    verb.get_name()
                );
            }
        }
    }
}
