//! Verilog files below `hdl-templates/fpga/` that only the banner changes.

/// Declares templates and `parts(banner)`, which renders them all: file names and texts.
macro_rules! parts {
    ($($template:ident $file:literal),* $(,)?) => {
        $(
            #[derive(askama::Template)]
            #[template(path = $file)]
            struct $template<'a> {
                banner: &'a str,
            }
        )*

        fn parts(banner: &str) -> Vec<(String, String)> {
            vec![$((
                $crate::parts::file_name($file),
                mkns_rtl::verilog(askama::Template::render(&$template { banner }), banner),
            )),*]
        }
    };
}

pub(super) use parts;

pub(super) fn file_name(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).to_owned()
}
