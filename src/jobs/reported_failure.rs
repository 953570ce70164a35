//! What a run says of its failure: `mkns --format json` writes diagnostics for programs, and rows are for people.

use serde_json::Value;

/// The diagnostics on standard error as text, three lines each; none where there are none.
pub fn reported_failure(complaints: &str) -> Option<String> {
    let starts = complaints.match_indices('{').map(|(at, _)| at);
    let mut starts = starts.filter(|&at| at == 0 || complaints[..at].ends_with('\n'));
    let read = |at: usize| {
        let failure: Value = serde_json::from_str(&complaints[at..]).ok()?;
        failure["diagnostics"].as_array().cloned()
    };
    let texts: Vec<String> = starts.find_map(read)?.iter().map(text).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// A diagnostic of the document that a run ends with.
fn text(diagnostic: &Value) -> String {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let [code, fact, remedy] = ["code", "fact", "remedy"].map(|key| word(&diagnostic[key]));
    let place = &diagnostic["place"];
    let (source, excerpt) = (word(&place["source"]), &place["excerpt"]);
    let (line, column) = (&excerpt["line"], &excerpt["column"]);
    let source = match source.contains('\n') {
        _ if excerpt.is_null() => source,
        true => format!("line {line}"),
        false => format!("{source}:{line}:{column}"),
    };
    let mut lines = vec![format!("error[{code}]: {fact}")];
    let words = [source, word(&place["field"])].into_iter();
    let words: Vec<String> = words.filter(|words| !words.is_empty()).collect();
    if !words.is_empty() {
        lines.push(format!("  --> {}", words.join(", ")));
    }
    if !remedy.is_empty() {
        lines.push(format!("  = help: {remedy}"));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_7_diagnostics_of_a_run_are_three_lines() {
        let said = r#"a line before
{
  "exit_code": 2,
  "diagnostics": [
    {
      "code": "E205",
      "place": {
        "source": "bad.toml",
        "span": { "start": 25, "end": 40 },
        "field": "block.flit_bits",
        "excerpt": { "line": 2, "column": 1, "width": 9, "text": "flit_bits = 100" }
      },
      "fact": "flit_bits = 100 is not a power of two",
      "remedy": "give 64 or 128"
    }
  ]
}
"#;
        let text = "error[E205]: flit_bits = 100 is not a power of two\n  \
                    --> bad.toml:2:1, block.flit_bits\n  = help: give 64 or 128";
        assert_eq!(reported_failure(said).as_deref(), Some(text));
        assert_eq!(reported_failure("no JSON {\n{ }\n"), None);
        assert_eq!(
            reported_failure(r#"{"exit_code": 5, "diagnostics": []}"#),
            None
        );
    }
}
