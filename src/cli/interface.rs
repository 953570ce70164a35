//! `mkns interface`: a Linux network interface on a port of a network.

use clap::Args;
use serde::Serialize;

use super::spec_arguments::SpecArguments;
use super::{Command, CommandError, Context, interrupt};
use mkns_design::{Addressing, Plan};
use mkns_diag::Code;
use mkns_host::{Port, PortUrl};
use mkns_interface::{
    CounterValues, HEADER_BYTES, InterfaceError, IpAddresses, Ipv4Network, LEAST_MTU, MOST_MTU,
    Relay, Settings,
};

/// Make a Linux network interface on a port of a card or of `mkns live`
#[derive(Debug, Args)]
pub struct Interface {
    #[command(flatten)]
    spec: SpecArguments,
    /// The port: live:/FOLDER/host_N of `mkns live`, xdma:/dev/xdma0 or litepcie:/dev/litepcie0 of a card
    #[arg(long, value_name = "URL")]
    port: PortUrl,
    /// Number of this host in the network [default: what `mkns live` says]
    #[arg(long, value_name = "N")]
    host: Option<u32>,
    /// Name of the interface; %d becomes a number
    #[arg(long, value_name = "NAME", default_value = "mkns%d")]
    name: String,
    /// Bytes of the longest datagram
    #[arg(long, value_name = "BYTES", default_value_t = 1500,
          value_parser = clap::value_parser!(u32).range(i64::from(LEAST_MTU)..=i64::from(MOST_MTU)))]
    mtu: u32,
    /// The IPv4 network of all hosts; host 0 has the address after its first one
    #[arg(long, value_name = "NETWORK", default_value = "10.77.0.0/16")]
    ipv4: Ipv4Network,
}

/// What an interface did.
#[derive(Debug, Serialize)]
struct Outcome {
    interface: String,
    host: u32,
    #[serde(flatten)]
    counters: CounterValues,
}

impl Command for Interface {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let plan = mkns_design::build(&self.spec.parse()?);
        let plan = plan.map_err(CommandError::from)?;
        let port = self.open()?;
        let host = self.host(port.information().map(|told| told.host), &plan)?;
        let settings = self.settings(&plan, host)?;
        let addresses = settings.addresses;
        let (relay, has_ipv6) = Relay::new(port, settings, &self.name).map_err(refused)?;
        let interface = relay.name();
        let ipv6 = match has_ipv6 {
            true => format!(" and {}", addresses.ipv6_of(host)),
            false => ", no IPv6 on this system".to_owned(),
        };
        context.summary(format!(
            "{interface}: host {host} with {}/{}{ipv6}, MTU {}; Ctrl-C removes it",
            addresses.ipv4_of(host),
            addresses.ipv4.bits,
            self.mtu
        ));
        let counters = relay.run(&interrupt::stop()).map_err(refused)?;
        let outcome = Outcome {
            interface,
            host,
            counters,
        };
        context.result(outcome.text(), &outcome)
    }
}

impl Interface {
    fn open(&self) -> Result<Port, CommandError> {
        Port::at(&self.port).map_err(|error| refused(error.into()))
    }

    /// The number that was given, which has to be the one that the port tells, if it tells one.
    fn host(&self, told: Option<u32>, plan: &Plan) -> Result<u32, CommandError> {
        if let (Some(host), Some(told)) = (self.host, told)
            && host != told
        {
            let fact = format!("`--host {host}`: the port is that of host {told}");
            let remedy = "leave `--host` out, or give the socket of that host";
            return Err(CommandError::new(Code::OutOfRange, fact, remedy));
        }
        let last = plan.hosts() - 1;
        match self.host.or(told) {
            Some(host) if host <= last => Ok(host),
            Some(host) => {
                let fact = format!(
                    "`--host {host}`: {} has the hosts 0 to {last}",
                    self.spec.title()
                );
                let remedy = "give the number of the host at this port";
                Err(CommandError::new(Code::OutOfRange, fact, remedy))
            }
            None => {
                let fact = "a card does not say which host it is";
                let remedy = "give `--host N`, as the cabling plan says";
                Err(CommandError::new(Code::CommandLine, fact, remedy))
            }
        }
    }

    fn settings(&self, plan: &Plan, host: u32) -> Result<Settings, CommandError> {
        let block = &plan.spec.block;
        let longest_payload = block.longest_payload() as usize;
        if longest_payload <= HEADER_BYTES {
            let fact = format!(
                "`max_packet_flits` is {}: a packet holds {longest_payload} bytes, and {HEADER_BYTES} of them say what \
                 it is a part of",
                block.max_packet_flits
            );
            let remedy = "give the network longer packets";
            return Err(CommandError::new(Code::OutOfRange, fact, remedy));
        }
        let hosts = plan.hosts();
        if hosts > self.ipv4.hosts() {
            let fact = format!(
                "`--ipv4`: the network has {hosts} hosts, and a mask of {} bits leaves {} addresses",
                self.ipv4.bits,
                self.ipv4.hosts()
            );
            let remedy = "give a network with a shorter mask, such as 10.0.0.0/8";
            return Err(CommandError::new(Code::OutOfRange, fact, remedy));
        }
        let addressing = Addressing::new(plan);
        let destinations = (0..hosts).map(|to| addressing.destination(host, to));
        Ok(Settings {
            port: self.port.clone(),
            host,
            addresses: IpAddresses {
                ipv4: self.ipv4,
                hosts,
            },
            destinations: destinations.collect(),
            longest_payload,
            layers: block.host_layers(),
            mtu: self.mtu,
        })
    }
}

impl Outcome {
    fn text(&self) -> String {
        let counters = &self.counters;
        format!(
            "{}: {} datagrams sent, {} received\n  \
             not sent: {} to no host of the network, {} without a route\n  \
             not received: {} incomplete, {} packets that fit no datagram\n  \
             the port was opened again {} times",
            self.interface,
            counters.sent,
            counters.received,
            counters.not_carried,
            counters.without_route,
            counters.incomplete,
            counters.refused,
            counters.reopened,
        )
    }
}

/// Why there is no interface.
fn refused(error: InterfaceError) -> CommandError {
    let remedy = match error {
        InterfaceError::System { .. } => {
            "run it as root or with CAP_NET_ADMIN, on a system with /dev/net/tun, under a name that is free"
        }
        InterfaceError::Port(_) => {
            "start the network with `mkns live`, or load the driver of the card"
        }
    };
    CommandError::new(Code::PortUnusable, error.to_string(), remedy)
}
