//! Why `mkns explore` finds no network.

use crate::CommandError;
use mkns_diag::Code;
use mkns_explore::{SearchLimits, candidates};

/// Why nothing fits: the first condition without which something does.
pub fn nothing_fits(wanted: &SearchLimits) -> CommandError {
    let (least, most) = wanted.vms_per_node;
    let modules = SearchLimits {
        vms_per_node: (1, 8),
        ..wanted.clone()
    };
    let ports = SearchLimits {
        ports: 16,
        ..wanted.clone()
    };
    let (hosts, kinds) = (span(wanted.hosts), wanted.kinds.join(", "));
    let (fact, remedy) = if !candidates(&modules).is_empty() {
        let per_node = if least == most {
            least.to_string()
        } else {
            format!("{least} to {most}")
        };
        (
            format!(
                "no network of {hosts} has {per_node} hosts per adapter block, of the kinds {kinds}"
            ),
            "leave `--hosts-per-block` out, or give more kinds; distributed switches have one host per terminal",
        )
    } else if !candidates(&ports).is_empty() {
        (
            format!(
                "no network of {hosts} has blocks of at most {} ports, of the kinds {kinds}",
                wanted.ports
            ),
            "give more `--ports`, at most 16, or more kinds",
        )
    } else {
        (
            format!("no network of the kinds {kinds} has {hosts}"),
            "give a range of hosts, such as `--hosts 128..160`, or more kinds",
        )
    };
    CommandError::new(Code::NothingFits, fact, remedy)
}

/// A range of hosts, in words.
pub fn span((least, most): (u32, u32)) -> String {
    match least == most {
        true => format!("{least} hosts"),
        false => format!("{least} to {most} hosts"),
    }
}
