//! The names of ports.

use std::path::PathBuf;

use crate::PortError;

/// Where a port is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PortUrl {
    /// The socket of a host of `mkns live`.
    Live(PathBuf),
    /// A channel of a card with Xilinx' XDMA driver: the path that its devices begin with.
    Xdma { path: PathBuf, channel: u32 },
    /// The device of a channel of a card with LitePCIe's driver, and which channel of the card it is, when that is given.
    LitePcie { path: PathBuf, channel: Option<u32> },
}

impl std::str::FromStr for PortUrl {
    type Err = PortError;

    /// `SCHEME:/PATH`, for cards with `?channel=N` after it.
    fn from_str(url: &str) -> Result<Self, PortError> {
        let refuse = |fact: &str| PortError::Url {
            url: url.to_owned(),
            fact: fact.to_owned(),
        };
        let (scheme, rest) = url
            .split_once(':')
            .ok_or_else(|| refuse("it has no scheme"))?;
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        if path.is_empty() {
            return Err(refuse("it has no path"));
        }
        let channel = match query.strip_prefix("channel=") {
            Some(number) => number.parse().ok().filter(|&channel: &u32| channel < 4),
            None => query.is_empty().then_some(0),
        };
        let channel = channel.ok_or_else(|| refuse("after `?` stands `channel=` with 0 to 3"))?;
        let path = PathBuf::from(path);
        match scheme {
            "live" if query.is_empty() => Ok(Self::Live(path)),
            "live" => Err(refuse("a host of a running model has no channels")),
            "xdma" => Ok(Self::Xdma { path, channel }),
            "litepcie" => Ok(Self::LitePcie {
                path,
                channel: (!query.is_empty()).then_some(channel),
            }),
            _ => Err(refuse("its scheme is unknown")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_port_has_a_url() {
        let read = |url: &str| url.parse::<PortUrl>();
        let path = PathBuf::from("/dev/xdma0");
        assert_eq!(
            read("live:/run/net/host_3").ok(),
            Some(PortUrl::Live("/run/net/host_3".into()))
        );
        let card = PortUrl::Xdma {
            path: path.clone(),
            channel: 2,
        };
        assert_eq!(read("xdma:/dev/xdma0?channel=2").ok(), Some(card));
        assert_eq!(
            read("xdma:/dev/xdma0").ok(),
            Some(PortUrl::Xdma { path, channel: 0 })
        );
        for (query, channel) in [("", None), ("?channel=0", Some(0))] {
            let path = PathBuf::from("/dev/litepcie1");
            let url = format!("litepcie:/dev/litepcie1{query}");
            assert_eq!(read(&url).ok(), Some(PortUrl::LitePcie { path, channel }));
        }
        for wrong in [
            "litepcie:/dev/litepcie0?channel=4",
            "",
            "/dev/xdma0",
            "xdma:",
            "usb:/dev/x",
            "xdma:/dev/xdma0?channel=4",
            "live:/x?channel=0",
        ] {
            let error = read(wrong).expect_err(wrong).to_string();
            assert!(error.contains("names no port"), "{error}");
        }
    }
}
