//! The command line as users see it: every `tests/cli/*.trycmd` is a transcript that must repeat.
//! `TRYCMD=overwrite cargo test --test all cli::` writes the transcripts anew.

#[test]
fn transcripts_repeat() {
    trycmd::TestCases::new().case("tests/cli/*.trycmd");
}
