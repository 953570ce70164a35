//! The sockets as the network sees them.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::LiveError;
use crate::directory::HostDirectory;
use crate::folder::SocketFolder;
use crate::mailbox::Mailbox;
use crate::socket_thread::SocketThread;
use crate::totals::SocketTotals;
use mkns_design::Plan;
use mkns_topology::BlockId;
use mkns_traffic::{NetworkSide, OutsideHosts, OutsidePacket, Requests};

/// How long a network with nothing to do waits for packets before it goes on.
const IDLE: Duration = Duration::from_millis(2);

/// The sockets of all hosts.
#[derive(Debug)]
pub struct LiveServer {
    mailbox: Arc<Mailbox>,
    has_ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<SocketTotals>>,
    /// Packets of each host that had not begun after the last exchange.
    waiting: Vec<u32>,
    /// The block whose control port is offered.
    window: Option<BlockId>,
    /// Connections whose access is not answered, oldest first.
    asking: VecDeque<u32>,
}

impl LiveServer {
    /// Makes the sockets in a folder and serves them, until `stop` is set or a command says so. A manager outside may use
    /// the control port of the block `window`.
    ///
    /// # Errors
    /// When the folder or a socket cannot be made, or somebody serves there already.
    pub fn start(
        folder: &Path,
        plan: &Plan,
        window: Option<BlockId>,
        stop: Arc<AtomicBool>,
    ) -> Result<Self, LiveError> {
        let directory = HostDirectory::new(plan);
        let hosts = directory.hosts();
        let folder = SocketFolder::new(folder, hosts)?;
        let mailbox = Mailbox::new(hosts).map_err(LiveError::system("make an event"))?;
        let mailbox = Arc::new(mailbox);
        let has_ended = Arc::new(AtomicBool::new(false));
        let serving = SocketThread::new(
            (folder, directory),
            (plan.network.clone(), window),
            Arc::clone(&mailbox),
            (stop, Arc::clone(&has_ended)),
        )?;
        let thread = thread::Builder::new()
            .name("sockets".to_owned())
            .spawn(move || serving.run())
            .map_err(LiveError::system("start the thread of the sockets"))?;
        Ok(Self {
            waiting: vec![0; hosts as usize],
            window,
            asking: VecDeque::new(),
            mailbox,
            has_ended,
            thread: Some(thread),
        })
    }

    /// Closes the sockets; what became of the packets there.
    pub fn finish(mut self) -> SocketTotals {
        self.end()
    }

    fn end(&mut self) -> SocketTotals {
        self.has_ended.store(true, Ordering::Release);
        self.mailbox.wake();
        let totals = self.thread.take().map(JoinHandle::join);
        totals.and_then(Result::ok).unwrap_or_default()
    }
}

impl Drop for LiveServer {
    fn drop(&mut self) {
        self.end();
    }
}

impl OutsideHosts for LiveServer {
    fn exchange(&mut self, network: &mut dyn NetworkSide) -> Requests {
        let arrived = network.take_arrived();
        let patience = match arrived.is_empty() && network.is_idle() {
            true => IDLE,
            false => Duration::ZERO,
        };
        if !arrived.is_empty() {
            self.mailbox.deliver(arrived);
        }
        let incoming = self.mailbox.take_incoming(patience);
        for packet in incoming.packets {
            self.waiting[packet.source as usize] += 1;
            network.send(packet);
        }
        let mut has_room_again = false;
        for (host, before) in (0..).zip(&mut self.waiting) {
            let waiting = network.waiting(host) as u32;
            let begun = *before - waiting;
            if begun > 0 {
                has_room_again |= self.mailbox.have_begun(host, begun);
                *before = waiting;
            }
        }
        if has_room_again {
            self.mailbox.wake();
        }
        self.mailbox.set_cycle(network.cycle());
        let (asking, accesses): (Vec<u32>, _) = incoming.accesses.into_iter().unzip();
        self.asking.extend(asking);
        Requests {
            failing: incoming.failing,
            stop: incoming.stop,
            accesses,
        }
    }

    fn conclude(&mut self, arrived: Vec<OutsidePacket>) {
        if !arrived.is_empty() {
            self.mailbox.deliver(arrived);
        }
    }

    fn window(&self) -> Option<BlockId> {
        self.window
    }

    fn answer(&mut self, value: Option<u32>) {
        if let Some(number) = self.asking.pop_front() {
            self.mailbox.answer(number, value);
        }
    }
}
