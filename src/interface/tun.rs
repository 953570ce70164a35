//! A TUN device: the system writes datagrams to it and reads them from it.
#![expect(
    unsafe_code,
    reason = "the system takes the settings of an interface by ioctl alone"
)]

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;
use rustix::ioctl::{Opcode, Updater, ioctl};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socket_with};

use crate::InterfaceError;
use crate::addresses::IPV6_PREFIX_BITS;

const DEVICE: &str = "/dev/net/tun";
/// Bytes of an interface's name, with the 0 at its end.
const NAME_BYTES: usize = 16;

// The numbers of <linux/if_tun.h> and <linux/sockios.h>.
const TUNSETIFF: Opcode = 0x4004_54ca;
const TUNSETCARRIER: Opcode = 0x4004_54e2;
const SIOCGIFFLAGS: Opcode = 0x8913;
const SIOCSIFFLAGS: Opcode = 0x8914;
const SIOCSIFADDR: Opcode = 0x8916;
const SIOCSIFNETMASK: Opcode = 0x891c;
const SIOCSIFMTU: Opcode = 0x8922;
const SIOCGIFINDEX: Opcode = 0x8933;
const IFF_TUN: u16 = 0x0001;
const IFF_NO_PI: u16 = 0x1000;
const IFF_UP: u16 = 0x1;
const AF_INET: u16 = 2;

/// `struct ifreq`: a name, and 24 bytes that depend on the request.
#[repr(C)]
#[derive(Clone, Copy)]
struct Request {
    name: [u8; NAME_BYTES],
    value: [u8; 24],
}

/// `struct in6_ifreq`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Ipv6Request {
    address: [u8; 16],
    prefix_bits: u32,
    index: i32,
}

/// A TUN device, which vanishes with this.
#[derive(Debug)]
pub struct Tun {
    device: OwnedFd,
    name: [u8; NAME_BYTES],
}

impl Tun {
    /// Makes the device; `name` may end with `%d`, for which the system puts a number.
    ///
    /// # Errors
    /// When the name is too long or in use, or the caller lacks CAP_NET_ADMIN.
    pub fn new(name: &str) -> Result<Self, InterfaceError> {
        let what = format!("make the interface {name}");
        let mut bytes = [0; NAME_BYTES];
        if name.is_empty() || name.len() >= NAME_BYTES {
            let most = NAME_BYTES - 1;
            let long = io::Error::other(format!("the name of an interface has 1 to {most} bytes"));
            return Err(InterfaceError::system(what)(long));
        }
        bytes[..name.len()].copy_from_slice(name.as_bytes());
        let flags = OFlags::RDWR | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let device = open(DEVICE, flags, Mode::empty());
        let device = device.map_err(InterfaceError::system(format!("open {DEVICE}")))?;
        let mut request = Request::of(bytes);
        request.value[..2].copy_from_slice(&(IFF_TUN | IFF_NO_PI).to_ne_bytes());
        let made = request.send::<TUNSETIFF>(&device);
        made.map_err(InterfaceError::system(what))?;
        Ok(Self {
            device,
            name: request.name,
        })
    }

    /// As the system calls it.
    pub fn name(&self) -> String {
        let name = self.name.split(|&byte| byte == 0).next();
        String::from_utf8_lossy(name.unwrap_or_default()).into_owned()
    }

    /// Addresses, longest datagram, and up. Without IPv6 in the system there is no IPv6 address: false.
    pub fn configure(
        &self,
        (ipv4, bits): (Ipv4Addr, u32),
        ipv6: Ipv6Addr,
        mtu: u32,
    ) -> Result<bool, InterfaceError> {
        let failed = || InterfaceError::system(format!("configure the interface {}", self.name()));
        let any = socket(AddressFamily::INET).map_err(failed())?;
        let mut request = Request::of(self.name);
        request.value[..4].copy_from_slice(&mtu.to_ne_bytes());
        request.send::<SIOCSIFMTU>(&any).map_err(failed())?;
        let mut request = Request::of_ipv4(self.name, ipv4);
        request.send::<SIOCSIFADDR>(&any).map_err(failed())?;
        let mask = Ipv4Addr::from(u32::MAX << (32 - bits));
        let mut request = Request::of_ipv4(self.name, mask);
        request.send::<SIOCSIFNETMASK>(&any).map_err(failed())?;
        let mut request = Request::of(self.name);
        request.send::<SIOCGIFFLAGS>(&any).map_err(failed())?;
        request.value[0] |= IFF_UP as u8;
        request.send::<SIOCSIFFLAGS>(&any).map_err(failed())?;
        let mut request = Request::of(self.name);
        request.send::<SIOCGIFINDEX>(&any).map_err(failed())?;
        let [a, b, c, d, ..] = request.value;
        let mut request = Ipv6Request {
            address: ipv6.octets(),
            prefix_bits: IPV6_PREFIX_BITS,
            index: i32::from_ne_bytes([a, b, c, d]),
        };
        let Ok(socket) = socket(AddressFamily::INET6) else {
            return Ok(false);
        };
        // SAFETY: the request is a `struct in6_ifreq`, as the socket of this family takes it.
        let told = unsafe {
            ioctl(
                &socket,
                Updater::<SIOCSIFADDR, Ipv6Request>::new(&mut request),
            )
        };
        Ok(told.is_ok())
    }

    /// Tells the system whether there is a network behind the interface.
    pub fn set_carrier(&self, is_there: bool) -> Result<(), InterfaceError> {
        let mut carrier = u32::from(is_there);
        // SAFETY: the request takes the address of an int.
        let told = unsafe {
            ioctl(
                &self.device,
                Updater::<TUNSETCARRIER, u32>::new(&mut carrier),
            )
        };
        told.map_err(InterfaceError::system(format!(
            "change the carrier of {}",
            self.name()
        )))
    }

    /// The next datagram that the system sends, in the buffer; none when it sends none in time.
    pub fn read(
        &self,
        buffer: &mut [u8],
        patience: Duration,
    ) -> Result<Option<usize>, InterfaceError> {
        let failed = || InterfaceError::system(format!("read from the interface {}", self.name()));
        match rustix::io::read(&self.device, &mut *buffer) {
            Ok(length) => return Ok(Some(length)),
            Err(Errno::AGAIN) => {}
            Err(error) => return Err(failed()(error)),
        }
        let patience = Timespec::try_from(patience).ok();
        let mut devices = [PollFd::new(&self.device, PollFlags::IN)];
        match poll(&mut devices, patience.as_ref()) {
            Ok(0) | Err(Errno::INTR) => return Ok(None),
            Ok(_) => {}
            Err(error) => return Err(failed()(error)),
        }
        match rustix::io::read(&self.device, buffer) {
            Ok(length) => Ok(Some(length)),
            Err(Errno::AGAIN | Errno::INTR) => Ok(None),
            Err(error) => Err(failed()(error)),
        }
    }

    /// Hands a datagram to the system, which may throw it away.
    pub fn write(&self, datagram: &[u8]) {
        // What the system refuses, because the interface is down or the datagram no good, is lost as on any wire.
        let _ = rustix::io::write(&self.device, datagram);
    }
}

fn socket(family: AddressFamily) -> rustix::io::Result<OwnedFd> {
    socket_with(family, SocketType::DGRAM, SocketFlags::CLOEXEC, None)
}

impl Request {
    fn of(name: [u8; NAME_BYTES]) -> Self {
        Self {
            name,
            value: [0; 24],
        }
    }

    /// With a `struct sockaddr_in`.
    fn of_ipv4(name: [u8; NAME_BYTES], address: Ipv4Addr) -> Self {
        let mut request = Self::of(name);
        request.value[..2].copy_from_slice(&AF_INET.to_ne_bytes());
        request.value[4..8].copy_from_slice(&address.octets());
        request
    }

    fn send<const OPCODE: Opcode>(&mut self, device: &impl AsFd) -> rustix::io::Result<()> {
        // SAFETY: all requests of this file take a `struct ifreq`, which this is.
        unsafe { ioctl(device, Updater::<OPCODE, Self>::new(self)) }
    }
}
