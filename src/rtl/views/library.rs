//! The block modules: Verilog that only the banner makes specific to a design.

use askama::Template;

/// Declares one view a template and the function that renders them all.
macro_rules! library {
    ($(#[$attribute:meta])* $function:ident: $($view:ident $path:tt),* $(,)?) => {
        $(
            #[derive(Template)]
            #[template(path = $path)]
            struct $view<'a> {
                banner: &'a str,
            }
        )*

        $(#[$attribute])*
        pub fn $function(banner: &str) -> Vec<(&'static str, Result<String, askama::Error>)> {
            vec![$(($path, $view { banner }.render())),*]
        }
    };
}

library! {
    /// What both blocks are made of: template path and text.
    common:
    LinkPipe "common/link_pipe.v",
}

library! {
    /// The adapter block and its PCIe side.
    adapter:
    HeaderCrc "adapter/header_crc.v",
    PcieEgress "adapter/pcie_egress.v",
    PcieIngress "adapter/pcie_ingress.v",
}
