//! Traces as GOAL text, the format of the LogGOPSim tools (Hoefler, Schneider and Lumsdaine, *LogGOPSim: simulating
//! large-scale applications in the LogGOPS model*, LSAP 2010; README of github.com/spcl/LogGOPSim), which converters of
//! MPI traces write. `docs/reference/workloads.md` lists what is read of it.

use std::collections::{HashMap, HashSet};

use thiserror::Error;

use super::schedule::{Action, Operation, Schedule};

/// A line that is not understood.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {fact}")]
pub struct GoalError {
    /// From 1.
    pub line: usize,
    pub fact: String,
}

/// The operations of a GOAL text; whether messages match is [`Schedule::partners`]' business.
///
/// # Errors
/// The first line that is not understood.
pub fn parse_goal(text: &str) -> Result<Schedule, GoalError> {
    let mut reader = Reader::default();
    let mut in_comment = false;
    let mut last = 0;
    for (number, line) in text.lines().enumerate() {
        last = number + 1;
        let line = without_comments(line, &mut in_comment);
        let line = line.replace('{', " { ").replace('}', " } ");
        let words: Vec<&str> = line.split_whitespace().collect();
        reader
            .line(&words)
            .map_err(|fact| GoalError { line: last, fact })?;
    }
    reader.end().map_err(|fact| GoalError {
        line: last.max(1),
        fact,
    })
}

/// A line without `// …`, `# …` and `/* … */`, which may go over several lines.
fn without_comments(line: &str, in_comment: &mut bool) -> String {
    let mut rest = line;
    let mut kept = String::new();
    loop {
        if *in_comment {
            let Some((_, behind)) = rest.split_once("*/") else {
                return kept;
            };
            (rest, *in_comment) = (behind, false);
        }
        let Some((before, behind)) = rest.split_once("/*") else {
            kept += rest;
            let end = kept.find("//").into_iter().chain(kept.find('#')).min();
            kept.truncate(end.unwrap_or(kept.len()));
            return kept;
        };
        kept += before;
        (rest, *in_comment) = (behind, true);
    }
}

#[derive(Default)]
struct Reader {
    ranks: Option<u32>,
    /// The rank whose braces are open.
    rank: Option<u32>,
    seen: HashSet<u32>,
    /// Labels of the open rank.
    labels: HashMap<String, u32>,
    operations: Vec<Operation>,
}

impl Reader {
    fn line(&mut self, mut words: &[&str]) -> Result<(), String> {
        loop {
            words = match (words, self.rank) {
                ([], _) => return Ok(()),
                (["num_ranks", count], None) if self.ranks.is_none() => {
                    let count = number(count)?;
                    if count == 0 {
                        return Err("`num_ranks 0`, expected at least 1".to_owned());
                    }
                    self.ranks = Some(count);
                    return Ok(());
                }
                (["rank", rank, "{", rest @ ..], None) => {
                    self.open(number(rank)?)?;
                    rest
                }
                (["}", rest @ ..], Some(_)) => {
                    self.rank = None;
                    rest
                }
                (words, Some(rank)) => {
                    let end = words.iter().position(|word| *word == "}");
                    let (statement, rest) = words.split_at(end.unwrap_or(words.len()));
                    self.statement(statement, rank)?;
                    rest
                }
                (words, None) => {
                    return Err(format!(
                        "`{}`, expected `num_ranks N` and then `rank R {{`",
                        words.join(" ")
                    ));
                }
            }
        }
    }

    /// What stands between the braces of a rank.
    fn statement(&mut self, words: &[&str], rank: u32) -> Result<(), String> {
        match words {
            [first, kind @ ("requires" | "irequires"), second] => {
                let [first, second] = [self.place(first)?, self.place(second)?];
                let operation = &mut self.operations[first as usize];
                match *kind {
                    "requires" => operation.after_end.push(second),
                    _ => operation.after_start.push(second),
                }
                Ok(())
            }
            [label, action @ ..] if label.ends_with(':') => {
                self.operation(label.trim_end_matches(':'), action, rank)
            }
            action => self.operation("", action, rank),
        }
    }

    fn open(&mut self, rank: u32) -> Result<(), String> {
        let ranks = self.ranks.ok_or("`num_ranks N` is missing before it")?;
        if rank >= ranks {
            return Err(format!(
                "rank {rank} does not exist, ranks are 0 to {}",
                ranks - 1
            ));
        }
        if !self.seen.insert(rank) {
            return Err(format!("rank {rank} stands twice"));
        }
        self.rank = Some(rank);
        self.labels.clear();
        Ok(())
    }

    fn place(&self, label: &str) -> Result<u32, String> {
        let place = self.labels.get(label).copied();
        place.ok_or_else(|| format!("no operation `{label}` above in this rank"))
    }

    fn operation(&mut self, label: &str, words: &[&str], rank: u32) -> Result<(), String> {
        let action = match words {
            ["send", bytes, "to", peer, options @ ..] => Action::Send {
                to: self.peer(peer)?,
                bytes: size(bytes)?,
                tag: Options::of(options)?.tag,
            },
            ["recv", bytes, "from", peer, options @ ..] => Action::Receive {
                from: self.peer(peer)?,
                bytes: size(bytes)?,
                tag: Options::of(options)?.tag,
            },
            ["calc", time, options @ ..] => Action::Compute {
                nanoseconds: number(time)?,
                processor: Options::of(options)?.processor,
            },
            words => {
                return Err(format!(
                    "`{}`, expected `send Nb to R`, `recv Nb from R`, `calc N` or `A requires B`",
                    words.join(" ")
                ));
            }
        };
        let place = self.operations.len() as u32;
        if !label.is_empty() && self.labels.insert(label.to_owned(), place).is_some() {
            return Err(format!("label `{label}` stands twice in this rank"));
        }
        self.operations.push(Operation {
            rank,
            action,
            after_end: Vec::new(),
            after_start: Vec::new(),
        });
        Ok(())
    }

    fn peer(&self, text: &str) -> Result<u32, String> {
        let (peer, ranks) = (number(text)?, self.ranks.unwrap_or(0));
        match peer < ranks {
            true => Ok(peer),
            false => Err(format!(
                "rank {peer} does not exist, ranks are 0 to {}",
                ranks - 1
            )),
        }
    }

    fn end(self) -> Result<Schedule, String> {
        if let Some(rank) = self.rank {
            return Err(format!("the braces of rank {rank} are not closed"));
        }
        Ok(Schedule {
            ranks: self.ranks.ok_or("`num_ranks N` is missing")?,
            operations: self.operations,
        })
    }
}

/// What follows an operation; `nic` is read and has no effect, as a host has one port.
#[derive(Default)]
struct Options {
    tag: u32,
    processor: u32,
}

impl Options {
    fn of(words: &[&str]) -> Result<Self, String> {
        let mut options = Self::default();
        for pair in words.chunks(2) {
            match pair {
                ["tag", value] => options.tag = number(value)?,
                ["cpu", value] => options.processor = number(value)?,
                ["nic", value] => _ = number::<u32>(value)?,
                other => return Err(format!("`{}` behind an operation", other.join(" "))),
            }
        }
        Ok(options)
    }
}

fn size(text: &str) -> Result<u64, String> {
    number(text.strip_suffix('b').unwrap_or(text))
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N, String> {
    text.parse()
        .map_err(|_| format!("`{text}` is not a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "num_ranks 2 // two\n/* a\nb */ rank 0 {\nl1: calc 100 cpu 1\n\
                        l2: send 10b to 1 tag 7 nic 0\nl2 requires l1\n}\n\
                        rank 1 {\nl1: recv 10b from 0 tag 7\nl2: calc 5\nl2 irequires l1 }\n";

    #[test]
    fn goal_text_is_read() {
        let schedule = parse_goal(TEXT).expect("good text");
        assert_eq!(schedule.ranks, 2);
        let actions: Vec<Action> = schedule.operations.iter().map(|o| o.action).collect();
        let compute = |nanoseconds, processor| Action::Compute {
            nanoseconds,
            processor,
        };
        assert_eq!(
            actions,
            [
                compute(100, 1),
                Action::Send {
                    to: 1,
                    bytes: 10,
                    tag: 7
                },
                Action::Receive {
                    from: 0,
                    bytes: 10,
                    tag: 7
                },
                compute(5, 0),
            ]
        );
        assert_eq!(schedule.operations[1].after_end, [0]);
        assert_eq!(schedule.operations[3].after_start, [2]);
        assert_eq!(schedule.partners(), Ok(vec![0, 2, 1, 3]));
    }

    #[test]
    fn every_fault_names_its_line() {
        let cases = [
            ("", 1, "`num_ranks N` is missing"),
            ("rank 0 {\n}", 1, "missing before it"),
            ("num_ranks 1\nrank 1 {\n}", 2, "rank 1 does not exist"),
            ("num_ranks 1\nrank 0 {\n", 2, "not closed"),
            ("num_ranks 1\nrank 0 {\na: send 1b to 3\n}", 3, "rank 3"),
            (
                "num_ranks 1\nrank 0 {\na: fly 1b\n}",
                3,
                "`fly 1b`, expected",
            ),
            (
                "num_ranks 1\nrank 0 {\na requires b\n}",
                3,
                "no operation `a`",
            ),
            (
                "num_ranks 1\nrank 0 {\na: calc x\n}",
                3,
                "`x` is not a number",
            ),
            ("num_ranks 1\nrank 0 {\na: calc 1\na: calc 1\n}", 4, "twice"),
            ("num_ranks 1\nrank 0 {\na: calc 1 fast 2\n}", 3, "`fast 2`"),
        ];
        for (text, line, fact) in cases {
            let error = parse_goal(text).expect_err(text);
            assert_eq!(error.line, line, "{text}: {error}");
            assert!(error.fact.contains(fact), "{text}: {error}");
        }
    }

    #[test]
    fn abuse_17_a_line_of_any_length_is_read_without_depth() {
        let ranks = 200_000;
        let mut text = format!("num_ranks {ranks}\n");
        text.extend((0..ranks).map(|rank| format!("rank {rank} {{ calc 1 }} ")));
        let schedule = parse_goal(&text).expect("one long line");
        assert_eq!(schedule.operations.len(), ranks);
        let open = format!("num_ranks 1\nrank 0 {{ calc 1 {}", "} ".repeat(ranks));
        assert!(parse_goal(&open).is_err());
    }
}
