//! "Send a packet" of the generated `docs/ports.md`, played in Icarus Verilog: the bench knows the page and the
//! file list, nothing else. What comes out of the network is what the page says, and a page with a fault is
//! found out. Needs `iverilog`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A generated network, compiled together with a bench for any packets.
struct Network {
    folder: TempDir,
    page: String,
}

/// One beat on a stream: host, tdata, tkeep, tlast, as printed.
type Beat = [String; 4];

/// What the bench saw.
struct Seen {
    /// Cycle in which the first beat was taken.
    taken: u64,
    /// Beats that came out, with cycle and tuser.
    beats: Vec<(u64, Beat, String)>,
}

/// Cells of the table below the line that begins with `heading`, without its head.
fn rows(page: &str, heading: &str) -> Vec<Vec<String>> {
    let lines = page.lines().skip_while(|line| !line.starts_with(heading));
    let table = lines.skip(1).skip_while(|line| !line.starts_with('|'));
    let rows = table.take_while(|line| line.starts_with('|')).skip(2);
    rows.map(|row| {
        let cells = row.trim_matches('|').split('|');
        cells.map(|cell| cell.trim().replace('`', "")).collect()
    })
    .collect()
}

/// The beats of a table `length, host, beat, tdata, tkeep, tlast`.
fn beats(page: &str, heading: &str) -> Vec<Beat> {
    let rows = rows(page, heading).into_iter();
    rows.map(|row| [1, 3, 4, 5].map(|cell| row[cell].clone()))
        .collect()
}

/// The number behind `words` in the page.
fn number(page: &str, words: &str) -> u64 {
    let (_, rest) = page
        .split_once(words)
        .unwrap_or_else(|| panic!("`{words}` in the page"));
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().expect("a number")
}

/// The bench around the ports of the page.
fn bench(page: &str) -> String {
    let heading = page
        .lines()
        .find(|line| line.starts_with("## `"))
        .expect("the top's name");
    let top = heading.trim_start_matches("## ").replace('`', "");
    let ports = rows(page, heading);
    let declared: String = (ports.iter())
        .map(|port| {
            let kind = if port[1] == "in" { "reg " } else { "wire" };
            format!("    {kind} [{}-1:0] {};\n", port[2], port[0])
        })
        .collect();
    let idle: String = (ports.iter())
        .filter(|port| port[1] == "in")
        .map(|port| format!("        {} = 0;\n", port[0]))
        .collect();
    let joined: Vec<String> = ports
        .iter()
        .map(|port| format!(".{0}({0})", port[0]))
        .collect();
    let hosts = &ports
        .iter()
        .find(|port| port[0] == "s_axis_pcie_tvalid")
        .expect("streams")[2];
    let [data, keep] = [0, 1].map(|cell| {
        let digits = beats(page, "Host ")[0][cell + 1].len();
        format!("{}", 4 * digits)
    });
    // Serial links take their time.
    let has_links = page.contains("**Links.**");
    let (resets, start) = match has_links {
        true => (
            number(page, "`rst` = 1 for at least "),
            number(page, "come up by themselves within "),
        ),
        false => (1, 10),
    };
    let words = [
        ("RESETS", resets.to_string()),
        ("START", start.to_string()),
        ("HOST_COUNT", hosts.clone()),
        ("DATA_BITS", data),
        ("KEEP_BITS", keep),
        ("// DECLARATIONS", declared),
        ("TOP", top),
        ("CONNECTIONS", joined.join(", ")),
        ("// IDLE", idle),
    ];
    let bench = include_str!("data/send_packet_tb.v").to_owned();
    (words.iter()).fold(bench, |text, (word, value)| text.replace(word, value))
}

impl Network {
    fn new(spec: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let out = folder.path().join("out");
        let path = |path: &Path| path.to_str().expect("a plain path").to_owned();
        let made = Command::new(env!("CARGO_BIN_EXE_mkns"))
            .args(["generate", spec, "-o", &path(&out)])
            .output()
            .expect("mkns runs");
        assert!(
            made.status.success(),
            "{}",
            String::from_utf8_lossy(&made.stderr)
        );
        let page = fs::read_to_string(out.join("docs/ports.md")).expect("a page");
        let file = folder.path().join("bench.v");
        fs::write(&file, bench(&page)).expect("writable");
        let rtl = path(&out.join("rtl"));
        let built = Command::new("iverilog")
            .args(["-g2005", "-s", "bench", "-y", &rtl, "-o"])
            .args([path(&folder.path().join("bench")), path(&file)])
            .output()
            .expect("iverilog runs");
        assert!(
            built.status.success(),
            "{}",
            String::from_utf8_lossy(&built.stderr)
        );
        Self { folder, page }
    }

    fn play(&self, beats: &[Beat]) -> Seen {
        let lines: Vec<String> = beats.iter().map(|beat| beat.join(" ")).collect();
        let beats: PathBuf = self.folder.path().join("beats.txt");
        fs::write(beats, lines.join("\n") + "\n").expect("writable");
        let mut simulation = Command::new("vvp");
        simulation
            .args(["-N", "bench"])
            .current_dir(self.folder.path());
        let run = simulation.output().expect("vvp runs");
        let said = String::from_utf8_lossy(&run.stdout).into_owned();
        let words = said.lines().map(|line| line.split(' ').collect::<Vec<_>>());
        let mut seen = Seen {
            taken: 0,
            beats: Vec::new(),
        };
        for line in words {
            match line[..] {
                ["taken", cycle] => seen.taken = cycle.parse().expect("a cycle"),
                ["out", cycle, host, data, keep, last, user] => {
                    let beat = [host, data, keep, last].map(str::to_owned);
                    let cycle = cycle.parse().expect("a cycle");
                    seen.beats.push((cycle, beat, user.to_owned()));
                }
                _ => {}
            }
        }
        seen
    }

    /// Plays what `page` says, and compares what comes out with what it says.
    fn agrees_with(&self, page: &str) -> Result<(), String> {
        let seen = self.play(&beats(page, "Host 1 offers"));
        let expected = beats(page, &received_heading(page));
        let came: Vec<&Beat> = seen.beats.iter().map(|(_, beat, _)| beat).collect();
        if came != expected.iter().collect::<Vec<_>>() {
            return Err(format!("came out: {came:#?}, not {expected:#?}"));
        }
        if let Some((cycle, ..)) = seen.beats.iter().find(|(.., user)| user != "0") {
            return Err(format!("tuser in cycle {cycle}"));
        }
        let (took, says) = (seen.beats[0].0 - seen.taken, number(page, "in cycle t + "));
        if took != says {
            return Err(format!("{took} cycles, not {says}"));
        }
        self.reaches(page)
    }

    /// Plays a packet without payload to every host of the page's list, the sender among them.
    fn reaches(&self, page: &str) -> Result<(), String> {
        let (first, rows) = (
            &beats(page, "Host 1 offers")[0],
            rows(page, "**Destination.**"),
        );
        let digits = first[1].len();
        let packets = rows.iter().map(|row| {
            let address = u64::from_str_radix(row[2].trim_start_matches("0x"), 16);
            let header = format!("{:0digits$x}", address.expect("a number"));
            [first[0].clone(), header, first[2].clone(), first[3].clone()]
        });
        let mut hosts: Vec<String> = rows.iter().map(|row| row[0].clone()).collect();
        let seen = self.play(&packets.collect::<Vec<_>>());
        let mut reached: Vec<String> = seen
            .beats
            .into_iter()
            .map(|(_, [host, ..], _)| host)
            .collect();
        hosts.sort();
        reached.sort();
        match hosts == reached {
            true => Ok(()),
            false => Err(format!("packets to hosts {hosts:?} reach {reached:?}")),
        }
    }
}

/// The line before the beats that arrive.
fn received_heading(page: &str) -> String {
    let line = page
        .lines()
        .find(|line| line.contains("gets, with `tuser` = 0"));
    line.expect("the beats that arrive").to_owned()
}

/// A spec of two small nodes; written into `folder`.
fn small(folder: &Path, block: &str) -> String {
    let path = folder.join("small.toml");
    let network =
        "name = \"small\"\n[network]\nvms_per_node = 2\nports = 4\ndimensions = [{ size = 2 }]\n";
    fs::write(&path, format!("{network}[block]\n{block}\n")).expect("writable");
    path.to_str().expect("a plain path").to_owned()
}

fn plays(spec: &str) {
    let network = Network::new(spec);
    let verdict = network.agrees_with(&network.page);
    assert_eq!(verdict, Ok(()), "{spec}");
}

#[test]
fn the_page_of_a_network_comes_true() {
    plays("MKNS(2,2,2,1)");
}

#[test]
fn the_page_of_a_distributed_switch_comes_true() {
    plays("hypercube(2)");
}

#[test]
fn pages_of_hosts_wider_and_narrower_than_flits_come_true() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for block in [
        "pcie_bits = 256",
        "flit_bits = 256\nhost_timeout = 0",
        "pcie_bits = 512\nmax_packet_flits = 2",
        "layers = 3\nlink_latency = 2",
    ] {
        plays(&small(folder.path(), block));
    }
}

/// The links are up when the page says so, not later, and the latency is that of the cables.
#[test]
fn users_2_the_page_of_a_network_with_serial_links_comes_true() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for flight in [1, 40] {
        let link = format!("link_latency = 1\n[link]\nflight_words = {flight}");
        plays(&small(folder.path(), &link));
    }
}

/// What `fusesoc run --target=sim` runs.
#[test]
fn users_2_the_bench_of_a_network_with_serial_links_passes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let made = Command::new(env!("CARGO_BIN_EXE_mkns"))
        .args([
            "generate",
            "MKNS(1,2,1,1)",
            "--set",
            "link=serial",
            "-o",
            "out",
        ])
        .current_dir(folder.path())
        .output()
        .expect("mkns runs");
    assert!(
        made.status.success(),
        "{}",
        String::from_utf8_lossy(&made.stderr)
    );
    let bench = "out/sim/mkns_1_2_1_1_network_bench.v";
    let built = Command::new("iverilog")
        .args([
            "-g2005",
            "-y",
            "out/rtl",
            "-s",
            "mkns_1_2_1_1_network_bench",
            "-o",
            "bench",
            bench,
        ])
        .current_dir(folder.path())
        .output()
        .expect("iverilog runs");
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    let run = Command::new("vvp")
        .args(["-N", "bench"])
        .current_dir(folder.path())
        .output()
        .expect("vvp runs");
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(
        run.status.success() && said.contains("64 packets of 2 hosts"),
        "{said}"
    );
}

#[test]
fn a_page_with_a_fault_is_found_out() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let network = Network::new(&small(folder.path(), "pcie_bits = 128"));
    let page = &network.page;
    assert_eq!(network.agrees_with(page), Ok(()));
    let latency = format!("in cycle t + {}", number(page, "in cycle t + "));
    let arriving = &beats(page, &received_heading(page))[0];
    let wrong_crc = format!("f{}", &arriving[1][1..]);
    for (right, wrong) in [
        (latency.as_str(), "in cycle t + 3"),
        (&arriving[1], &wrong_crc),
        ("| 001f |", "| 003f |"),
        ("| 21 | 3 | 2 |", "| 21 | 2 | 2 |"),
        (
            "| 3 | pcie = 1, x = 1 | 0x00003 |",
            "| 3 | pcie = 1, x = 1 | 0x00002 |",
        ),
    ] {
        assert!(page.contains(right), "{right} in {page}");
        let faulty = page.replace(right, wrong);
        assert!(network.agrees_with(&faulty).is_err(), "{right} -> {wrong}");
    }
}
