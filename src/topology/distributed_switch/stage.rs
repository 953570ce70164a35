//! One stage: how terminals are attached to the ports of equal copies of a smaller switch.
//!
//! In the innermost stage the copies are the m×m spine switches themselves. Every further cascade takes
//! as many copies of the switch built so far and attaches terminals to them, group by group, in the
//! pattern of the innermost stage (`docs/design/sources.md`, cascades, with the corrected index ranges).

/// A port of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Attachment {
    pub copy: u32,
    pub port: u32,
}

/// Attachments of all terminals of one stage, 0-based throughout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    copies: u32,
    copy_ports: u32,
    /// Of each terminal, by branch: the input port it sends to.
    up: Vec<Vec<Attachment>>,
    /// Of each terminal, by branch: the output port it receives from.
    down: Vec<Vec<Attachment>>,
}

impl Stage {
    /// A stage of `copies` copies with `copy_ports` inputs and outputs each.
    pub fn new(
        copies: u32,
        copy_ports: u32,
        up: Vec<Vec<Attachment>>,
        down: Vec<Vec<Attachment>>,
    ) -> Self {
        debug_assert_eq!(up.len(), down.len());
        Self {
            copies,
            copy_ports,
            up,
            down,
        }
    }

    /// N: copies that are joined.
    pub fn copies(&self) -> u32 {
        self.copies
    }

    /// Inputs, and outputs, of a copy.
    pub fn copy_ports(&self) -> u32 {
        self.copy_ports
    }

    /// Terminals of the joined switch.
    pub fn terminals(&self) -> u32 {
        self.up.len() as u32
    }

    /// Where `terminal` sends, by branch.
    pub fn up(&self, terminal: u32) -> &[Attachment] {
        &self.up[terminal as usize]
    }

    /// From where `terminal` receives, by branch.
    pub fn down(&self, terminal: u32) -> &[Attachment] {
        &self.down[terminal as usize]
    }

    /// The terminal at each input of `copy`; `None` where nothing is attached.
    pub fn inputs(&self, copy: u32) -> Vec<Option<u32>> {
        self.attached(&self.up, copy)
    }

    /// The terminal at each output of `copy`.
    pub fn outputs(&self, copy: u32) -> Vec<Option<u32>> {
        self.attached(&self.down, copy)
    }

    fn attached(&self, ways: &[Vec<Attachment>], copy: u32) -> Vec<Option<u32>> {
        let mut row = vec![None; self.copy_ports as usize];
        for (terminal, attachments) in ways.iter().enumerate() {
            for attachment in attachments.iter().filter(|at| at.copy == copy) {
                row[attachment.port as usize] = Some(terminal as u32);
            }
        }
        row
    }

    /// The stage that joins N switches of `copy_ports` ports in the pattern of this innermost stage:
    /// full groups of m ports take all N terminals of the pattern, the rest takes those of
    /// the placement of `elements`, which must have been made for `copy_ports` mod m columns.
    pub fn extended(&self, copy_ports: u32, elements: &[u32]) -> Self {
        let groups = copy_ports / self.copy_ports;
        let spread = |ways: &[Vec<Attachment>]| {
            let mut all = Vec::new();
            for group in 0..groups {
                let moved = |at: &Attachment| Attachment {
                    copy: at.copy,
                    port: group * self.copy_ports + at.port,
                };
                all.extend(ways.iter().map(|way| way.iter().map(moved).collect()));
            }
            all.extend(self.partial_group(ways, groups * self.copy_ports, copy_ports, elements));
            all
        };
        Self::new(
            self.copies,
            copy_ports,
            spread(&self.up),
            spread(&self.down),
        )
    }

    /// Attachments in the columns `first`…`end` − 1. Terminals that surely fit fill a copy from the
    /// left, those added by hand from the right, which is how tables 8 and 9 print them.
    fn partial_group(
        &self,
        ways: &[Vec<Attachment>],
        first: u32,
        end: u32,
        elements: &[u32],
    ) -> Vec<Vec<Attachment>> {
        let mut left = vec![first; self.copies as usize];
        let mut right = vec![end; self.copies as usize];
        let mut group = Vec::new();
        for (at, element) in elements.iter().enumerate() {
            let is_added = *element != at as u32 || *element >= end - first;
            let column = |attachment: &Attachment| {
                let copy = attachment.copy as usize;
                let port = if is_added {
                    right[copy] -= 1;
                    right[copy]
                } else {
                    left[copy] += 1;
                    left[copy] - 1
                };
                debug_assert!(left[copy] <= right[copy], "the placement fits the columns");
                Attachment {
                    copy: attachment.copy,
                    port,
                }
            };
            group.push(ways[*element as usize].iter().map(column).collect());
        }
        group
    }
}
