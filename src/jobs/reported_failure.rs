//! What a run says of its failure: `mkns --format json` writes diagnostics for programs, and rows are for people.

use serde::Deserialize;

/// The document that a run ends with.
#[derive(Deserialize)]
struct Failure {
    diagnostics: Vec<ReportedDiagnostic>,
}

#[derive(Deserialize)]
struct ReportedDiagnostic {
    code: String,
    fact: String,
    remedy: String,
    place: Location,
}

#[derive(Deserialize)]
struct Location {
    source: String,
    field: String,
    excerpt: Option<Excerpt>,
}

#[derive(Deserialize)]
struct Excerpt {
    line: usize,
    column: usize,
}

/// The diagnostics on standard error as text, three lines each; none where there are none.
pub fn reported_failure(complaints: &str) -> Option<String> {
    let starts = complaints.match_indices('{').map(|(at, _)| at);
    let mut starts = starts.filter(|&at| at == 0 || complaints[..at].ends_with('\n'));
    let read = |at: usize| serde_json::from_str::<Failure>(&complaints[at..]).ok();
    let failure = starts.find_map(read)?;
    let texts: Vec<String> = failure
        .diagnostics
        .iter()
        .map(ReportedDiagnostic::text)
        .collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

impl ReportedDiagnostic {
    fn text(&self) -> String {
        let mut lines = vec![format!("error[{}]: {}", self.code, self.fact)];
        let place = &self.place;
        let source = match &place.excerpt {
            Some(excerpt) if place.source.contains('\n') => format!("line {}", excerpt.line),
            Some(excerpt) => format!("{}:{}:{}", place.source, excerpt.line, excerpt.column),
            None => place.source.clone(),
        };
        let words = [source.as_str(), &place.field].into_iter();
        let words: Vec<&str> = words.filter(|words| !words.is_empty()).collect();
        if !words.is_empty() {
            lines.push(format!("  --> {}", words.join(", ")));
        }
        if !self.remedy.is_empty() {
            lines.push(format!("  = help: {}", self.remedy));
        }
        lines.join("\n")
    }
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
