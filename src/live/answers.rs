//! Commands at the control socket, and their answers.

use std::sync::atomic::Ordering;

use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::fd::OwnedFd;
use rustix::net::{RecvFlags, SendFlags, SocketFlags, accept_with, recv, send};
use serde_json::json;

use crate::clients::Client;
use crate::command::{self, LiveCommand};
use crate::control::Control;
use crate::socket_thread::SocketThread;
use crate::token::Token;
use mkns_topology::Faults;

impl SocketThread {
    pub fn accept_control(&mut self) {
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let Ok(socket) = accept_with(&self.folder.control, flags) else {
            return;
        };
        let free = self.controls.iter().position(Control::is_free);
        let number = free.unwrap_or(self.controls.len());
        let data = EventData::new_u64(Token::Control(number as u32).pack());
        if epoll::add(&self.epoll, &socket, data, EventFlags::IN).is_err() {
            return;
        }
        match self.controls.get_mut(number) {
            Some(place) => *place = Control::Idle(socket),
            None => self.controls.push(Control::Idle(socket)),
        }
    }

    /// Answers a command, or hands on what the network has to answer.
    pub fn obey(&mut self, number: u32) {
        let Some(socket) = self.controls[number as usize].take_idle() else {
            return;
        };
        let mut words = [0; command::LONGEST];
        let Ok((length, _)) = recv(&socket, &mut words[..], RecvFlags::DONTWAIT) else {
            return;
        };
        if length == 0 {
            return;
        }
        let words = String::from_utf8_lossy(&words[..length]);
        // Whoever asks once may ask again.
        self.controls[number as usize] = match (LiveCommand::of(&words), self.window) {
            (Some(LiveCommand::Access(access)), Some(_)) => {
                self.mailbox
                    .put(|incoming| incoming.accesses.push((number, access)));
                Control::Waiting(socket)
            }
            (command, _) => {
                tell(&socket, &self.answer(command, &words));
                Control::Idle(socket)
            }
        };
    }

    /// Tells what became of accesses.
    pub fn answer_accesses(&mut self) {
        for (number, value) in self.mailbox.take_answers() {
            let control = &mut self.controls[number as usize];
            if let Some(socket) = control.take_waiting() {
                let answer = match value {
                    Some(value) => json!({ "value": value }),
                    None => json!({ "refused": true }),
                };
                tell(&socket, &answer);
                *control = Control::Idle(socket);
            }
        }
    }

    fn answer(&self, command: Option<LiveCommand>, words: &str) -> serde_json::Value {
        match command {
            Some(LiveCommand::Fail(name)) => match Faults::named(&self.network, [name.as_str()]) {
                Ok(faults) => {
                    self.mailbox
                        .put(|incoming| incoming.failing.extend(faults.parts()));
                    json!({ "failing": name })
                }
                Err(error) => json!({ "error": error.fact, "remedy": error.remedy }),
            },
            Some(LiveCommand::Counters(host)) => self.counters_of(host),
            Some(LiveCommand::Status) => json!({
                "cycle": self.mailbox.cycle(),
                "connected": self.clients.iter().flatten().count(),
                "sockets": self.totals,
                "window": self.window.map(|id| &self.network.block(id).name),
            }),
            Some(LiveCommand::Access(_)) => json!({ "error": "no control port is offered",
                                                    "remedy": "start `mkns live` with `--in-band BLOCK`" }),
            Some(LiveCommand::Stop) => {
                self.stop.store(true, Ordering::Relaxed);
                json!({ "stopping": true })
            }
            None => json!({ "error": format!("`{}` is no command", words.trim()),
                            "remedy": "write fail PART, counters HOST, status, read ADDRESS, write ADDRESS VALUE or stop" }),
        }
    }

    fn counters_of(&self, host: u32) -> serde_json::Value {
        let place = host as usize;
        let Some(counters) = self.counters.get(place) else {
            let fact = format!("there is no host {host}");
            return json!({ "error": fact, "remedy": "write the number of a host" });
        };
        let client = self.clients[place].as_ref();
        let unread = client.map_or(0, Client::pending_packets);
        json!({ "counters": counters.answer(unread > 0) })
    }
}

/// Sends an answer to a command.
fn tell(socket: &OwnedFd, answer: &serde_json::Value) {
    let mut answer = answer.to_string();
    answer.truncate(command::LONGEST);
    let flags = SendFlags::NOSIGNAL | SendFlags::DONTWAIT;
    let _ = send(socket, answer.as_bytes(), flags);
}
