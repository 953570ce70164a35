//! From the self-test or node of a board to its bitstream.

use std::fs;

use serde::Serialize;

use super::board::{Board, Flow};
use super::open::OpenFigures;
use super::project::Project;
use super::tool_runner::{ToolRunner, io_error};
use super::{FlowError, Program, crossings, fusesoc, open, vendor};

/// A bitstream and what is known of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Built {
    pub board: &'static str,
    pub part: &'static str,
    pub flow: Flow,
    /// Path inside the build folder.
    pub bitstream: String,
    /// What the tools of the open flow say; a vendor's program writes reports of its own.
    pub open: Option<OpenFigures>,
}

/// What is to be built.
pub struct Build<'a> {
    pub project: Project<'a>,
    /// With the project's top ([`Project::on`]).
    pub board: &'a Board,
    pub seed: u64,
    /// Comment that tells where the files come from, without comment marks.
    pub banner: &'a str,
}

impl Build<'_> {
    /// Writes sources, constraints and script; old results go away. Returns the commands that make
    /// the bitstream in the folder.
    pub fn prepare(&self, runner: &ToolRunner) -> Result<Vec<String>, FlowError> {
        let stale = runner.folder.join(vendor::bitstream(self.board));
        if stale.exists() {
            fs::remove_file(&stale).map_err(io_error("remove", &stale))?;
        }
        let comment = format!("// {}", self.banner);
        for (name, text) in self.project.sources(self.board, &comment) {
            runner.write(&format!("rtl/{name}"), &text)?;
        }
        let constraints = self.project.constraints(self.board);
        for (name, text) in &constraints {
            runner.write(name, text)?;
        }
        let sources = self.source_paths();
        let generators = self.project.generators();
        let has_litepcie = (generators.iter()).any(|one| one.0 == Program::LitepcieGen);
        let inputs = vendor::Inputs {
            sources: &sources,
            cores: &self.project.cores(),
            has_litepcie,
            crossings: &crossings::scoped(&constraints),
            clocks: self.project.clocks(),
        };
        if let Some(script) = vendor::script(self.board, &inputs, self.banner) {
            runner.write(vendor::SCRIPT, &script)?;
        }
        if matches!(self.project, Project::SelfTest(_)) {
            let files = fusesoc::files(self.board, &sources, self.banner);
            for (name, text) in files.iter().flatten() {
                runner.write(name, text)?;
            }
        }
        Ok(self.commands())
    }

    /// Runs the flow in a prepared folder.
    pub fn run(&self, runner: &ToolRunner) -> Result<Built, FlowError> {
        for (program, arguments) in self.project.generators() {
            runner.listener.begins(program.name());
            runner.run(program, &arguments, &format!("{}.log", program.name()))?;
        }
        let open = match vendor::command(self.board.flow) {
            Some((program, arguments)) => {
                runner.listener.begins(program.name());
                runner.run(program, &arguments, "build.log")?;
                None
            }
            None => Some(open::run(
                self.board,
                &self.source_paths(),
                self.seed,
                runner,
            )?),
        };
        let bitstream = vendor::bitstream(self.board);
        if !runner.folder.join(&bitstream).is_file() {
            let what = format!("there is no {bitstream}");
            let program = vendor::command(self.board.flow).map_or(Program::Ecppack, |one| one.0);
            return Err(FlowError::Unreadable { program, what });
        }
        Ok(Built {
            board: self.board.name,
            part: self.board.part,
            flow: self.board.flow,
            bitstream,
            open,
        })
    }

    fn commands(&self) -> Vec<String> {
        let Some(flow) = vendor::command(self.board.flow) else {
            return open::commands(self.board);
        };
        let programs = self.project.generators().into_iter().chain([flow]);
        programs
            .map(|(program, arguments)| format!("{} {}", program.name(), arguments.join(" ")))
            .collect()
    }

    fn source_paths(&self) -> Vec<String> {
        let sources = self.project.sources(self.board, "");
        let names = sources.into_iter().map(|(name, _)| format!("rtl/{name}"));
        names.collect()
    }
}
