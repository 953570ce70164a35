//! Names that are legal in Verilog.

use std::fmt;

use mkns_diag::{Code, Diagnostic};

/// A simple Verilog identifier: a letter or `_`, then letters, digits, `_`; no keyword.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Identifier(String);

impl Identifier {
    /// Checks a name that comes from a spec or is made from one.
    pub fn new(text: impl Into<String>) -> Result<Self, Vec<Diagnostic>> {
        let text = text.into();
        let fact = if KEYWORDS.binary_search(&text.as_str()).is_ok() {
            format!("`{text}` is a Verilog keyword and cannot name a module or net")
        } else if !is_simple(&text) {
            format!("`{text}` is not a Verilog identifier")
        } else {
            return Ok(Self(text));
        };
        let remedy = "choose a name of letters, digits and `_` that starts with a letter";
        Err(vec![Diagnostic::new(Code::NotVerilogName, fact, remedy)])
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn is_simple(text: &str) -> bool {
    let mut letters = text.bytes();
    letters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == b'_')
}

/// Reserved words of IEEE 1364-2005 (annex B), sorted, and the SystemVerilog words that tools
/// reserve even in Verilog files.
#[rustfmt::skip]
const KEYWORDS: [&str; 143] = [
    "always", "and", "assign", "automatic", "begin", "bit", "buf", "bufif0", "bufif1", "byte",
    "case", "casex", "casez", "cell", "checker", "class", "cmos", "config", "deassign", "default",
    "defparam", "design", "disable", "do", "edge", "else", "end", "endcase", "endconfig",
    "endfunction", "endgenerate", "endmodule", "endprimitive", "endspecify", "endtable", "endtask",
    "enum", "event", "for", "force", "forever", "fork", "function", "generate", "genvar", "highz0",
    "highz1", "if", "ifnone", "incdir", "include", "initial", "inout", "input", "instance", "int",
    "integer", "interface", "join", "large", "liblist", "library", "localparam", "logic",
    "macromodule", "medium", "module", "nand", "negedge", "nmos", "nor", "noshowcancelled", "not",
    "notif0", "notif1", "or", "output", "package", "parameter", "pmos", "posedge", "primitive",
    "priority", "program", "pull0", "pull1", "pulldown", "pullup", "pulsestyle_ondetect",
    "pulsestyle_onevent", "rcmos", "real", "realtime", "reg", "release", "repeat", "rnmos", "rpmos",
    "rtran", "rtranif0", "rtranif1", "scalared", "showcancelled", "signed", "small", "specify",
    "specparam", "strong0", "strong1", "struct", "supply0", "supply1", "table", "task", "time",
    "tran", "tranif0", "tranif1", "tri", "tri0", "tri1", "triand", "trior", "trireg", "type",
    "typedef", "union", "unique", "unsigned", "use", "uwire", "var", "vectored", "void", "wait",
    "wand", "weak0", "weak1", "while", "wire", "wor", "xnor", "xor",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_sorted_so_that_all_are_found() {
        assert!(KEYWORDS.is_sorted());
        for word in ["always", "module", "weak0", "table"] {
            let refusal = Identifier::new(word).expect_err("a keyword");
            assert!(refusal[0].fact.contains("keyword"), "{word}");
        }
    }

    #[test]
    fn only_simple_names_pass() {
        for name in ["ab_0_3_0_0", "_x", "Top9"] {
            assert_eq!(Identifier::new(name).expect("legal").as_str(), name);
        }
        for name in ["", "9a", "a-b", "a b", "\u{430}", "\\esc "] {
            assert!(Identifier::new(name).is_err(), "{name}");
        }
    }
}
