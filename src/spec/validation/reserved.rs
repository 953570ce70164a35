//! Words that cannot be the name of a design.
//!
//! The address map in `registers.rdl` has the name as it stands, so a word of SystemRDL is refused. Everything else that
//! is generated (modules, macros, files) has a name of more than this one word, which no language reserves; a test tries
//! the words of each.

/// Keywords and reserved words of SystemRDL 2.0, sorted.
#[rustfmt::skip]
const SYSTEM_RDL: [&str; 74] = [
    "abstract", "accesstype", "addressingtype", "addrmap", "alias", "all", "alternate", "bit", "boolean",
    "bothedge", "byte", "compact", "component", "componentwidth", "constraint", "default", "encode", "enum",
    "external", "false", "field", "fullalign", "hw", "inside", "int", "internal", "level", "longint", "mem",
    "na", "negedge", "nonsticky", "number", "onreadtype", "onwritetype", "posedge", "precedencetype",
    "property", "r", "rclr", "real", "ref", "reg", "regalign", "regfile", "rset", "ruser", "rw", "rw1",
    "shortint", "shortreal", "signal", "signed", "string", "struct", "sw", "this", "true", "type", "unsigned",
    "w", "w1", "wclr", "with", "within", "woclr", "woset", "wot", "wr", "wset", "wuser", "wzc", "wzs", "wzt",
];

/// Whether SystemRDL has this word for itself.
pub fn is_reserved(name: &str) -> bool {
    SYSTEM_RDL.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_sorted_so_that_all_are_found() {
        assert!(SYSTEM_RDL.is_sorted());
        assert!(is_reserved("addrmap") && is_reserved("wzt") && !is_reserved("module"));
    }
}
