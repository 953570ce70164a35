//! 7.2 and 7.6: HELLO, sessions, and the time that decides on both.

use super::receiver::Events;
use super::state::{LinkPort, Session, State};
use super::words::Hello;

/// 15:8 and 7:0 of HELLO 0.
fn sessions_of(content: u16) -> (u8, u8) {
    ((content >> 8) as u8, content as u8)
}

impl LinkPort {
    pub(super) fn sessions(&mut self, at: &State, events: &Events) {
        self.time(at, events);
        if at.session.up {
            self.death(at, events);
        } else {
            if let Some(hello) = events.hello {
                self.hear(at, hello);
            }
            self.rise(at, events);
        }
        let session = &at.session;
        if !session.up && session.alive && !at.core_idle_seen.seen() {
            self.state.session.alive = false;
        }
    }

    /// 7.2: what this side says.
    pub(super) fn hello_content(&self, at: &State, index: usize) -> u16 {
        let parameters = &self.parameters;
        match index {
            0 => {
                let echo = match at.is_willing() {
                    true => at.session.peer_session,
                    false => 0,
                };
                u16::from(at.session.session) << 8 | u16::from(echo)
            }
            1 => 1 + u16::from(parameters.management),
            2 => 64,
            3 => parameters.channels as u16,
            4 => parameters.line_flits as u16,
            5 => parameters.network as u16,
            6 => (parameters.network >> 16) as u16,
            7 => parameters.block,
            8 => parameters.port,
            9 => parameters.kind,
            _ => 0,
        }
    }

    /// 7.2, *must be equal*.
    fn is_as_demanded(&self, at: &State, index: usize, content: u16) -> bool {
        let expected = at.registers.expected_peer;
        let is_checked = expected >> 31 == 1;
        match index {
            1..=6 => content == self.hello_content(at, index),
            7 => !is_checked || content == expected as u16,
            8 => !is_checked || content == (expected >> 16 & 0xff) as u16,
            _ => true,
        }
    }

    /// A good HELLO while not up.
    fn hear(&mut self, at: &State, hello: Hello) {
        let Hello {
            index: i,
            seen,
            content: x,
        } = hello;
        let session = &at.session;
        let is_demanded = self.is_as_demanded(at, i, x);
        let next = &mut self.state.session;
        next.peer[i] = x;
        next.silent = 0;
        if i == 0 {
            let (of_peer, echo) = sessions_of(x);
            next.heard = 1;
            next.fits = true;
            next.peer_session = of_peer;
            if of_peer != session.peer_session {
                next.full = false;
            }
            if session.full && session.accept && seen && echo != session.session {
                next.reason = 6;
            }
        } else if i == session.heard {
            next.heard = (session.heard + 1) % 16;
            next.fits = session.fits && is_demanded;
            if !is_demanded {
                next.reason = 8 + i as u32;
            }
            if i == 15 {
                next.full = true;
                next.accept = session.fits;
            }
        } else {
            next.heard = 0;
        }
    }

    /// *Rise.*
    fn rise(&mut self, at: &State, events: &Events) {
        let own = (at.session.peer_session, at.session.session);
        let is_called = events
            .hello
            .is_some_and(|hello| hello.index == 0 && sessions_of(hello.content) == own);
        if !at.is_willing() || !(is_called || events.status.is_some()) {
            return;
        }
        let (next, line_flits) = (&mut self.state, self.parameters.line_flits);
        next.session.up = true;
        next.session.alive = true;
        next.session.reason = 0;
        next.sender.send = 0;
        next.sender.ack = 0;
        next.sender.limit = [line_flits; 2];
        next.sender.served = false;
        next.sender.resume = false;
        next.sender.held = 0;
        next.sender.channel = 0;
        next.sender.due = true;
        next.receiver.rise();
        next.session.silent = 0;
        next.session.stuck = 0;
        next.session.tail = 0;
        next.session.asked = 0;
    }

    /// *Death.*
    fn death(&mut self, at: &State, events: &Events) {
        let session = &at.session;
        let own = (session.peer_session, session.session);
        let is_other = events
            .hello
            .is_some_and(|hello| hello.index == 0 && sessions_of(hello.content) != own);
        let causes = [
            (at.disabled_seen.seen(), 7),
            (is_other, 5),
            (session.silent == self.parameters.silent_ticks, 3),
            (session.stuck == self.parameters.stuck_ticks, 4),
        ];
        let Some((_, reason)) = causes.into_iter().find(|(applies, _)| *applies) else {
            return;
        };
        let next = &mut self.state.session;
        next.up = false;
        next.full = false;
        next.accept = false;
        next.heard = 0;
        next.silent = 0;
        next.reason = reason;
        next.deaths = session.deaths.wrapping_add(1);
        next.session = session.session.checked_add(1).unwrap_or(1);
    }

    /// *Time.*
    fn time(&mut self, at: &State, events: &Events) {
        let session = &at.session;
        let tick = u32::from(session.time == 63);
        let parameters = &self.parameters;
        let sends_resume = self.state.session.replays != session.replays;
        let next = &mut self.state;
        next.session.time = (session.time + 1) % 64;

        next.session.silent = (session.silent + tick).min(parameters.silent_ticks);
        if session.up && (events.status.is_some() || events.accepted.is_some()) {
            next.session.silent = 0;
        }
        if !session.up && session.silent == parameters.silent_ticks && events.hello.is_none() {
            next.session.full = false;
            next.session.heard = 0;
            next.session.reason = 2;
        }

        let nothing_waits = at.sender.ack == at.ring_write_seen.seen();
        let is_calm = !session.up || events.ack_advances || nothing_waits;
        next.session.stuck = match is_calm {
            true => 0,
            false => (session.stuck + tick).min(parameters.stuck_ticks),
        };
        next.session.tail = match is_calm || sends_resume {
            true => 0,
            false => session.tail + tick,
        };
        if session.tail == parameters.tail_ticks {
            next.session.tail = 0;
            next.sender.resume = true;
        }

        next.session.asked = session.asked + tick;
        if !session.up || !at.receiver.error {
            next.session.asked = 0;
        } else if session.asked == parameters.request_ticks {
            next.session.asked = 0;
            next.receiver.request = !at.receiver.request;
            next.sender.due = true;
        }
    }
}

impl State {
    /// *Willing.*
    fn is_willing(&self) -> bool {
        let Session {
            full,
            accept,
            alive,
            ..
        } = self.session;
        full && accept && !alive && self.core_idle_seen.seen() && !self.disabled_seen.seen()
    }
}
