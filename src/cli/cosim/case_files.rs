//! `mkns cosim --case` and `--shrink`: failing runs as files that can be kept and run again.

use std::path::{Component, Path, PathBuf};

use super::Cosim;
use crate::CommandError;
use crate::spec_arguments::Settings;
use mkns_cosim::{
    CaseFile, Failure, Models, Request, RunListener, SessionError, Silent, Subject, shrink_block,
    shrink_network,
};
use mkns_design::Plan;
use mkns_diag::{Code, TextFile, TextKind, shell_word};
use mkns_report as report;
use mkns_report::{TestedPart, folder_of};
use mkns_spec::is_file;

impl Cosim {
    /// The case that `--case` names, its spec as the command line would have it.
    pub(super) fn case_file(&self) -> Result<Option<CaseFile>, CommandError> {
        let Some(path) = &self.case else {
            return Ok(None);
        };
        let source = path.display().to_string();
        let remedy = "give the path of a case that `--shrink` has written";
        let file = TextFile::new(path, TextKind::Toml).missing(Code::NotCaseFile, remedy);
        let text = file.read()?;
        let mut case = CaseFile::read(&source, &text)?;
        if is_file(&case.spec, folder_of(path)) {
            let beside = folder_of(path).join(&case.spec);
            case.spec = beside.display().to_string();
        }
        Ok(Some(case))
    }

    /// The command line that asks for the run of a case.
    pub(super) fn asking_for(&self, case: &CaseFile) -> Self {
        Self {
            spec: Some(case.spec.clone()),
            settings: Settings {
                set: case.set.clone(),
            },
            block: case.block.map(TestedPart::from),
            traffic: Some(vec![case.traffic]),
            link_faults: case.link_faults,
            control_traffic: case.control_traffic,
            cycles: Some(case.cycles),
            seed: case.seed,
            ..self.clone()
        }
    }

    /// Saves the smallest case of a failure if that is wanted; the failure then says how to run it.
    pub(super) fn keep(
        &self,
        plan: &Plan,
        models: &Models,
        request: &Request,
        mut failure: Box<Failure>,
        listener: &dyn RunListener,
    ) -> Box<Failure> {
        if let Some(path) = &self.case {
            failure.replay = replay(path);
        }
        let Some(path) = &self.shrink else {
            return failure;
        };
        let request = Request {
            spec: spec_from(folder_of(path), &request.spec),
            trace: None,
            ..request.clone()
        };
        let written = match self.shrunk(plan, models, &request, &failure, listener) {
            Ok(Some((case, again))) => save(path, &self.rtl.option(), &case, &again),
            Ok(None) => {
                "not shrunk: packets alone do not reproduce it".clone_into(&mut failure.small_case);
                return failure;
            }
            Err(error) => Err(error),
        };
        match written {
            Ok(title) => {
                failure.small_case = format!("shrunk to {}, which shows: {title}", path.display());
                failure.replay = replay(path);
            }
            Err(error) => failure.lacks("small case", Err(error)),
        }
        failure
    }

    /// The smallest case, and the failure that it runs into.
    fn shrunk(
        &self,
        plan: &Plan,
        models: &Models,
        request: &Request,
        failure: &Failure,
        listener: &dyn RunListener,
    ) -> mkns_sim::Result<Option<(CaseFile, Box<Failure>)>> {
        let case = match self.block.map(TestedPart::kind) {
            Some(Some(kind)) => shrink_block(plan, models, request, kind, failure, listener),
            Some(None) => Ok(None),
            None => shrink_network(plan, models, request, failure, listener),
        };
        let backend = mkns_cosim::Backend::Verilator(models);
        let run_case =
            |case: &CaseFile| mkns_cosim::run(Subject::Case(plan, case), backend, request, &Silent);
        let again = |case: CaseFile| match run_case(&case) {
            Err(SessionError::Failed(again)) => Ok(Some((case, again))),
            Err(SessionError::Simulator(error)) => Err(error),
            Ok(_) => Ok(None),
        };
        match case {
            Ok(case) => case.map_or(Ok(None), again),
            Err(SessionError::Simulator(error)) => Err(error),
            Err(SessionError::Failed(_)) => Ok(None),
        }
    }
}

/// Writes a case; its head says what its replay (with `option`) finds, and is returned without the command.
fn save(path: &Path, option: &str, case: &CaseFile, again: &Failure) -> mkns_sim::Result<String> {
    let found = again.to_string();
    let title = first_line(&found);
    let head = format!("{}{option}\n{title}", run(path));
    report::write_whole(path, case.text(&head)).map_err(mkns_sim::Error::io("write", path))?;
    Ok(title.to_owned())
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// The command that runs a case.
fn run(path: &Path) -> String {
    let path = path.display().to_string();
    format!("mkns cosim --case {}", shell_word(&path))
}

/// The command that runs a case again, with a waveform.
fn replay(path: &Path) -> String {
    run(path) + " --trace failure.fst"
}

/// A spec as a file in `folder` names it: the path of a spec file counts from there.
fn spec_from(folder: &Path, spec: &str) -> String {
    let absolute = |path: &Path| std::path::absolute(path).and_then(|path| path.canonicalize());
    let ends = (
        absolute(&Path::new(".").join(folder)),
        absolute(Path::new(spec)),
    );
    let (true, (Ok(from), Ok(to))) = (is_file(spec, Path::new("")), ends) else {
        return spec.to_owned();
    };
    let shared = from
        .components()
        .zip(to.components())
        .take_while(|(a, b)| a == b)
        .count();
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(to.components().skip(shared)).collect();
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_are_named_from_the_folder_of_the_case() {
        let tests = Path::new("../../tests");
        let there = tests.join("regressions/specs/small.toml");
        let there = there.to_str().expect("ASCII");
        let from = |folder: &str| spec_from(&tests.join(folder), there);
        assert_eq!(from(""), "regressions/specs/small.toml");
        assert_eq!(from("regressions"), "specs/small.toml");
        assert_eq!(from("cli"), "../regressions/specs/small.toml");
        assert_eq!(spec_from(tests, "MKNS(2,4,2,1)"), "MKNS(2,4,2,1)");
    }
}
