//! The folder with the sockets: one for each host, and one for commands.

use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, SocketAddrUnix, SocketFlags, SocketType, bind, connect, listen, socket_with,
};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::LiveError;

/// Connections that wait to be accepted, per socket.
const BACKLOG: i32 = 4;
/// Files that a process has open beside its sockets.
const OTHER_FILES: u64 = 64;
/// Bytes of the longest name of a socket.
const LONGEST_NAME: usize = 107;

/// Sockets that listen. They and the folder, if it was made for them, vanish with this.
#[derive(Debug)]
pub struct SocketFolder {
    path: PathBuf,
    is_own: bool,
    /// One for each host.
    pub hosts: Vec<OwnedFd>,
    pub control: OwnedFd,
}

/// The socket of a host.
pub fn host_socket(folder: &Path, host: u32) -> PathBuf {
    folder.join(format!("host_{host}"))
}

/// The socket for commands.
pub fn control_socket(folder: &Path) -> PathBuf {
    folder.join(mkns_host::CONTROL)
}

/// A socket of packets.
pub fn new_socket() -> rustix::io::Result<OwnedFd> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    socket_with(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None)
}

impl SocketFolder {
    /// Makes the folder, for its owner alone, unless it is there, and the sockets in it.
    pub fn new(path: &Path, hosts: u32) -> Result<Self, LiveError> {
        allow_files(hosts)?;
        let longest = host_socket(path, hosts.saturating_sub(1)).as_os_str().len();
        if longest > LONGEST_NAME {
            return Err(LiveError::LongName {
                path: host_socket(path, hosts.saturating_sub(1)),
                length: longest,
            });
        }
        let is_own = !path.is_dir();
        if is_own {
            let made = DirBuilder::new().mode(0o700).create(path);
            made.map_err(LiveError::system(format!(
                "make the folder {}",
                path.display()
            )))?;
        }
        // The first one tells whether somebody else serves here.
        let control = listener(&control_socket(path))?;
        let mut folder = Self {
            path: path.to_owned(),
            is_own,
            hosts: Vec::new(),
            control,
        };
        for host in 0..hosts {
            folder.hosts.push(listener(&host_socket(path, host))?);
        }
        Ok(folder)
    }
}

impl Drop for SocketFolder {
    fn drop(&mut self) {
        for host in 0..self.hosts.len() as u32 {
            let _ = fs::remove_file(host_socket(&self.path, host));
        }
        let _ = fs::remove_file(control_socket(&self.path));
        if self.is_own {
            let _ = fs::remove_dir(&self.path);
        }
    }
}

/// A socket that listens; one that is left of a run that has ended is replaced.
fn listener(path: &Path) -> Result<OwnedFd, LiveError> {
    let failed = || LiveError::system(format!("listen at {}", path.display()));
    let address = SocketAddrUnix::new(path).map_err(failed())?;
    let socket = new_socket().map_err(failed())?;
    match bind(&socket, &address) {
        Err(Errno::ADDRINUSE) => {
            let probe = new_socket().map_err(failed())?;
            match connect(&probe, &address) {
                Err(Errno::CONNREFUSED) => {}
                _ => return Err(LiveError::InUse(path.to_owned())),
            }
            let gone = fs::remove_file(path);
            gone.map_err(LiveError::system(format!("replace {}", path.display())))?;
            bind(&socket, &address).map_err(failed())?;
        }
        bound => bound.map_err(failed())?,
    }
    listen(&socket, BACKLOG).map_err(failed())?;
    Ok(socket)
}

/// Every host needs two open files: the socket that listens, and its connection.
fn allow_files(hosts: u32) -> Result<(), LiveError> {
    let needed = 2 * u64::from(hosts) + OTHER_FILES;
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= needed) {
        return Ok(());
    }
    if let Some(most) = limit.maximum.filter(|&most| most < needed) {
        return Err(LiveError::TooManyHosts {
            hosts,
            needed,
            most,
        });
    }
    let raised = Rlimit {
        current: Some(needed),
        ..limit
    };
    setrlimit(Resource::Nofile, raised).map_err(LiveError::system(format!("open {needed} files")))
}
