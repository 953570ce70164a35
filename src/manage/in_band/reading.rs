//! Reads of many registers: several are on their way at once, so that the time that a message takes is not waited for once
//! for each of them.

use std::collections::VecDeque;

use mkns_topology::BlockId;

use super::message::{LONGEST_ROUTE, Request, Verdict, Words};
use super::messenger::{InBandError, Messenger};
use super::window::Window;
use crate::Registers;

/// Requests that are on their way at once.
const AT_ONCE: usize = 4;
/// Looks at the window between two messages: the window holds one answer, and what comes before it is taken is lost. That
/// takes eight accesses, and two answers may come nearer to each other than their requests were.
const APART: u32 = 20;

/// A request that was sent or is to be sent, and what became of it.
struct Read {
    request: Request,
    is_sent: bool,
    verdict: Option<Verdict>,
}

impl Messenger {
    /// Reads registers of other blocks; none where a block does not answer or has no such register. Which of them are
    /// read first is not said.
    pub(super) fn read_many<R: Registers>(
        &mut self,
        port: &mut R,
        places: &[(BlockId, u32)],
    ) -> Result<Vec<Option<u32>>, InBandError<R::Error>> {
        let mut reads = self.reads_of(places);
        // While answers are slow or lost, more of them would only be in each other's way.
        if places.len() > 1 && self.patience.is_short() {
            self.read_together(port, &mut reads)?;
        }
        let mut values = Vec::new();
        for (&(block, _), read) in places.iter().zip(reads) {
            let verdict = match read.verdict {
                Some(verdict @ (Verdict::Done(_) | Verdict::Refused)) => {
                    self.counts.note(1, true);
                    Some(verdict)
                }
                // The others are asked one by one, over other routes where there are some.
                _ => self.ask(port, block, read.request, usize::from(read.is_sent))?,
            };
            values.push(verdict.and_then(Verdict::value));
        }
        Ok(values)
    }

    fn reads_of(&mut self, places: &[(BlockId, u32)]) -> Vec<Read> {
        let read = |&(block, address): &(BlockId, u32)| Read {
            request: Request {
                route: self.map.route(block, &[].into()).unwrap_or_default(),
                ..self.read_request(address)
            },
            is_sent: false,
            verdict: None,
        };
        places.iter().map(read).collect()
    }

    /// Sends each request once, and takes the answers that come.
    fn read_together<R: Registers>(
        &mut self,
        port: &mut R,
        reads: &mut [Read],
    ) -> Result<(), R::Error> {
        // Those far away come last, so that no answer overtakes one that was asked for before.
        let links = |number: &usize| reads[*number].request.route.len();
        let mut waiting: Vec<usize> = (0..reads.len()).collect();
        waiting.retain(|number| (1..=LONGEST_ROUTE).contains(&links(number)));
        waiting.sort_by_key(links);
        let patience = self.patience.looks(waiting.last().map_or(0, links) as u32);
        let mut waiting = VecDeque::from(waiting);
        let mut open = Vec::new();
        // Since the last message went out, and since something happened.
        let (mut apart, mut quiet) = (APART, 0);
        while !(waiting.is_empty() && open.is_empty()) {
            (apart, quiet) = (apart + 1, quiet + 1);
            let Some(state) = self.window.state(port)? else {
                break;
            };
            if Window::has_message(state) {
                if let Some(words) = self.window.take(port)?
                    && !is_answer(&words, reads, &mut open)
                {
                    self.note(&words);
                }
                quiet = 0;
            } else if Window::is_free(state)
                && (apart > APART && open.len() < AT_ONCE)
                && let Some(next) = waiting.pop_front()
            {
                let words = reads[next].request.words();
                reads[next].is_sent = self.window.send_another(port, &words)?;
                open.push(next);
                (apart, quiet) = (0, 0);
            } else if quiet == patience {
                if open.is_empty() {
                    // The window does not become free.
                    break;
                }
                // None of these comes any more.
                self.patience.grows();
                open.clear();
                quiet = 0;
            }
        }
        Ok(())
    }
}

/// Whether a message is the answer to one of the requests that are on their way, which is then on its way no more.
fn is_answer(words: &Words, reads: &mut [Read], open: &mut Vec<usize>) -> bool {
    let answered = open.iter().position(|&number| {
        let read = &mut reads[number];
        read.verdict = read.request.verdict(words);
        read.verdict.is_some()
    });
    if let Some(place) = answered {
        open.swap_remove(place);
    }
    answered.is_some()
}
