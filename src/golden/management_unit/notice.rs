//! 8.5: when the manager is told that a link came up or went down.

/// The values of `pause`.
const PERIOD: u32 = 4095;

/// What a cycle does to a notice.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NoticeEvents {
    pub link_up: u32,
    /// MANAGEMENT is written with bit 2, and this is bit 3.
    pub acknowledged: Option<bool>,
    /// The message is sent or dropped.
    pub leaves: bool,
}

/// The registers, apart from the words.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Notice {
    link_up_seen: u32,
    armed: bool,
    pub due: bool,
    told: bool,
    pause: u32,
}

impl Notice {
    /// The place is full.
    pub fn is_full(&self) -> bool {
        self.due && !self.told
    }

    /// The state after a cycle.
    pub fn after(self, events: NoticeEvents) -> Self {
        let mut next = Self {
            link_up_seen: events.link_up,
            pause: (self.pause + 1) % PERIOD,
            ..self
        };
        if let Some(armed) = events.acknowledged {
            next.armed = armed;
            next.due = false;
            next.told = false;
        }
        if self.pause == PERIOD - 1 {
            next.told = false;
        }
        if events.leaves {
            next.told = true;
        }
        if self.armed && events.link_up != self.link_up_seen {
            next.due = true;
        }
        next
    }
}
