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
                $crate::parts::finished(askama::Template::render(&$template { banner })),
            )),*]
        }
    };
}

pub(super) use parts;

pub(super) fn file_name(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).to_owned()
}

/// Ends the text with exactly one newline, which askama strips.
pub(super) fn finished(text: Result<String, askama::Error>) -> String {
    let text = text.expect("templates call nothing that fails");
    format!("{}\n", text.trim_end_matches('\n'))
}
