//! What a program says on its two streams, read as it comes, so that no full pipe holds it up.

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::process::Child;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

#[derive(Default)]
pub struct Streams {
    /// Those that have not ended, and which they are.
    open: Vec<(File, usize)>,
    /// Output, complaints.
    pub said: [Vec<u8>; 2],
    /// Bytes of them that were told as lines.
    told: [usize; 2],
}

impl Streams {
    pub fn of(child: &mut Child) -> Self {
        let output = child.stdout.take().map(OwnedFd::from);
        let complaints = child.stderr.take().map(OwnedFd::from);
        let pipes = [output, complaints].into_iter().flatten();
        Self {
            open: pipes.map(File::from).zip(0..).collect(),
            ..Self::default()
        }
    }

    /// Waits a little for more, and tells its lines; false after the end of both.
    pub fn read(&mut self, line: &mut dyn FnMut(&str)) -> bool {
        // Most programs end with their streams.
        let milliseconds = if self.open.is_empty() { 1 } else { 20 };
        let (tv_sec, tv_nsec) = (0, milliseconds * 1_000_000);
        let pipes = self.open.iter().map(|(pipe, _)| pipe);
        let mut polled: Vec<PollFd> = pipes.map(|pipe| PollFd::new(pipe, PollFlags::IN)).collect();
        // One that is interrupted has seen nothing.
        let _ = poll(&mut polled, Some(&Timespec { tv_sec, tv_nsec }));
        let quiet: Vec<bool> = polled.iter().map(|fd| fd.revents().is_empty()).collect();
        let mut quiet = quiet.into_iter();
        self.open.retain_mut(|(pipe, which)| {
            let (said, told) = (&mut self.said[*which], &mut self.told[*which]);
            quiet.next() == Some(true) || take(pipe, said, told, line)
        });
        !self.open.is_empty()
    }
}

/// Takes what a pipe has; false when that is its end, which ends a line, too.
fn take(pipe: &mut File, said: &mut Vec<u8>, told: &mut usize, line: &mut dyn FnMut(&str)) -> bool {
    let mut bytes = [0; 1 << 16];
    // What was read before an error is still worth reporting.
    let length = pipe.read(&mut bytes).unwrap_or(0);
    let new = &bytes[..length];
    let whole = match new.iter().rposition(|byte| *byte == b'\n') {
        Some(newline) => said.len() + newline + 1,
        None if length == 0 => said.len(),
        None => *told,
    };
    said.extend_from_slice(new);
    for text in said[*told..whole].split_inclusive(|byte| *byte == b'\n') {
        line(String::from_utf8_lossy(text).trim_end());
    }
    *told = whole;
    length > 0
}
