//! From what a template prints to the text of a file: the frame that all Verilog has, the end of any file.

/// The text of a Verilog file. Implicit nets are errors in it, from the blank line behind its banner on, and in no file
/// that a tool reads after it; no line changes its number. Text without banner and blank line stays as it is.
///
/// # Panics
/// When the template failed: templates call nothing that does.
pub fn verilog(text: Result<String, askama::Error>, banner: &str) -> String {
    let text = finished(text);
    match text.split_once(&format!("{banner}\n\n")) {
        Some((purpose, module)) => {
            format!("{purpose}{banner}\n`default_nettype none\n{module}\n`default_nettype wire\n")
        }
        None => text,
    }
}

/// Ends the text with exactly one newline, which askama strips.
///
/// # Panics
/// When the template failed: templates call nothing that does.
pub fn finished(text: Result<String, askama::Error>) -> String {
    let mut text = text.expect("templates call nothing that fails");
    text.truncate(text.trim_end_matches('\n').len());
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn implicit_nets_are_errors_in_a_file_and_in_none_behind_it() {
        let text = "// m: nothing.\n// by mkns\n\nmodule m;\nendmodule".to_owned();
        assert_eq!(
            verilog(Ok(text), "// by mkns"),
            "// m: nothing.\n// by mkns\n`default_nettype none\nmodule m;\nendmodule\n\n`default_nettype wire\n"
        );
    }

    #[test]
    fn text_without_a_banner_line_stays_as_it_is() {
        for text in [
            "module m;\nendmodule\n",
            "// by mkns\n`default_nettype none\n\nmodule m;\n",
        ] {
            assert_eq!(verilog(Ok(text.to_owned()), "// by mkns"), text);
        }
    }
}
