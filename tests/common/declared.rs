//! Registers that Verilog declares, and whether they are vectors: a netlist does not tell a vector of one bit from a
//! register that is none, but programs of FPGA makers call the two differently.

use std::collections::HashMap;

/// By module and name.
#[derive(Default)]
pub struct Declared(HashMap<(String, String), bool>);

impl Declared {
    pub fn of(sources: &[(String, String)]) -> Self {
        let mut found = HashMap::new();
        for (_, text) in sources {
            let words = words(text);
            let mut module = String::new();
            let mut words = words.iter().map(String::as_str).peekable();
            while let Some(word) = words.next() {
                match word {
                    "module" => module = words.next().unwrap_or_default().to_owned(),
                    "reg" => {
                        let is_vector = words.peek() == Some(&"[");
                        let mut depth = 0;
                        while let Some(&word) = words.peek() {
                            match word {
                                "[" | "{" | "(" => depth += 1,
                                "]" | "}" => depth -= 1,
                                ")" if depth > 0 => depth -= 1,
                                _ if depth > 0 => {}
                                ";" | ")" | "input" | "output" | "inout" | "reg" | "wire" => break,
                                name if is_name(name) => {
                                    found.insert((module.clone(), name.to_owned()), is_vector);
                                }
                                _ => {}
                            }
                            words.next();
                        }
                    }
                    _ => {}
                }
            }
        }
        Self(found)
    }

    /// Whether this name of a module is a register, and then whether it is a vector.
    pub fn register(&self, module: &str, name: &str) -> Option<bool> {
        self.0.get(&(module.to_owned(), name.to_owned())).copied()
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
}

/// Names, numbers and marks of a text without comments.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default();
        let mut word = String::new();
        for letter in line.chars().chain([' ']) {
            if letter.is_ascii_alphanumeric() || "_$'".contains(letter) {
                word.push(letter);
                continue;
            }
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            if !letter.is_whitespace() {
                words.push(letter.to_string());
            }
        }
    }
    words
}
