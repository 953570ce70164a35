//! Reads the waveform of a failure and its GTKWave save file back, with a reader that mkns does not use.

use std::fs;
use std::path::Path;

use mkns::cosim::{Failure, Recording};
use wellen::simple::{self, Waveform};

/// A signal of the view around the block.
struct Signal {
    /// Time units and values as bits, in order.
    changes: Vec<(u64, String)>,
}

impl Signal {
    fn read(waveform: &mut Waveform, name: &str) -> Self {
        let path = ["TOP", "lockstep_view"];
        let var = waveform.hierarchy().lookup_var(&path, name);
        let var = var.unwrap_or_else(|| panic!("no signal {name} in the waveform"));
        let reference = waveform.hierarchy()[var].signal_ref();
        waveform.load_signals(&[reference]);
        let times = waveform.time_table();
        let signal = waveform.get_signal(reference).expect("loaded");
        let change = |(at, value): (u32, wellen::SignalValueRef<'_>)| {
            (times[at as usize], value.to_bit_string().expect("bits"))
        };
        Self {
            changes: signal.iter_changes().map(change).collect(),
        }
    }

    fn at(&self, time: u64) -> &str {
        let before = self.changes.iter().rev().find(|(at, _)| *at <= time);
        &before.expect("a value from the start on").1
    }
}

/// The waveform covers the window around the failure; it shows no difference before and both values as
/// reported; every signal of the save file is in it, and the marker is at the failure.
pub fn shows(path: &Path, failure: &Failure) {
    let mut waveform = simple::read(path).expect("a waveform");
    let time = 2 * failure.cycle;
    let times = waveform.time_table();
    let (before, after) = Recording::WINDOW;
    assert_eq!(times[0], 2 * failure.cycle.saturating_sub(before));
    assert_eq!(times[times.len() - 1], 2 * (failure.cycle + after) + 1);

    // The outputs of a cycle are there from the clock edge before it on; cycle 0 knows no reset yet.
    let differs = Signal::read(&mut waveform, "differs");
    let mut changes = differs.changes.iter();
    let first = changes.find(|(at, bits)| *at > 0 && bits == "1");
    let (first, _) = first.expect("a difference");
    assert_eq!(*first, time - 1, "{failure}");
    for (name, reported) in [
        (format!("focus_{}", failure.signal), &failure.rtl),
        (format!("focus_golden_{}", failure.signal), &failure.golden),
    ] {
        let bits = Signal::read(&mut waveform, &name).at(time).to_owned();
        let value = u64::from_str_radix(&bits, 2).expect("64 bits at most");
        let said = match reported.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => reported.parse(),
        };
        assert_eq!(said, Ok(value), "{name}");
    }
    save_file_fits(path, &mut waveform, time);
}

/// The waveform of a module that holds many blocks: its RTL alone, from the window's start to the failing
/// cycle, where the run ends.
pub fn ends_at(path: &Path, failure: &Failure) {
    let waveform = simple::read(path).expect("a waveform");
    let times = waveform.time_table();
    let (before, _) = Recording::WINDOW;
    assert_eq!(times[0], 2 * failure.cycle.saturating_sub(before));
    assert_eq!(times[times.len() - 1], 2 * failure.cycle + 1);
    let hierarchy = waveform.hierarchy();
    let mut scopes: Vec<_> = hierarchy.scopes().collect();
    let mut links = 0;
    while let Some(scope) = scopes.pop() {
        let scope = &hierarchy[scope];
        scopes.extend(scope.scopes(hierarchy));
        let names = scope
            .vars(hierarchy)
            .map(|var| hierarchy[var].name(hierarchy));
        links += names.filter(|&name| name == "tx_data").count();
    }
    assert!(links > 2, "{links} blocks show what they send");
}

fn save_file_fits(path: &Path, waveform: &mut Waveform, marker: u64) {
    let save = fs::read_to_string(path.with_extension("gtkw")).expect("a save file");
    let name = path.file_name().expect("a file").to_string_lossy();
    assert!(save.contains(&format!("[dumpfile] \"{name}\"")), "{save}");
    assert!(save.contains(&format!("*-4.0 {marker} -1")), "{save}");
    let signals = (save.lines()).filter_map(|line| line.strip_prefix("TOP.lockstep_view."));
    let mut count = 0;
    for signal in signals {
        let name = signal.split('[').next().expect("a name");
        Signal::read(waveform, name);
        count += 1;
    }
    assert!(count > 10, "{save}");
}
