//! `--rtl DIR`: RTL as it is on disk, for the verbs that compare RTL with the golden model.

use std::path::PathBuf;

use clap::Args;

use super::simulator_error::simulator_error;
use super::{CommandError, Context};
use mkns_design::Plan;
use mkns_diag::{Code, Diagnostic, Place, shell_word};
use mkns_fpga::FlowError;
use mkns_rtl::{RtlSources, Scope};
use mkns_sim::Error;

/// Where the RTL comes from.
#[derive(Debug, Clone, Args)]
pub struct RtlFolder {
    /// Check the Verilog in this folder, edited by hand or not: a folder that `mkns generate` wrote, or the templates
    /// (`hdl-templates`), without rebuilding mkns
    #[arg(long = "rtl", value_name = "DIR")]
    folder: Option<PathBuf>,
    /// With --rtl: allow this system task or import (`$fopen`, `import "DPI-C"`), which reaches outside the simulation.
    /// RTL under test is a program: allow only what you have read
    #[arg(long, value_name = "NAME", requires = "folder")]
    allow_task: Vec<String>,
}

impl RtlFolder {
    /// The RTL under test, of which the modules `tops` are run; what a user should know of it goes to
    /// standard error.
    pub fn sources(
        &self,
        plan: &Plan,
        scope: Scope,
        tops: &[&str],
        context: &Context,
    ) -> Result<RtlSources, CommandError> {
        let sources = RtlSources::new(plan, scope, self.folder.as_deref())?;
        sources.refuse_outside(&self.allow_task)?;
        for line in sources.notice(tops) {
            context.summary(line);
        }
        Ok(sources)
    }

    /// Whether code beside the RTL runs in this process.
    pub fn runs_foreign_code(&self) -> bool {
        !self.allow_task.is_empty()
    }

    /// The folder as a word of a command line.
    pub fn path(&self) -> Option<String> {
        let folder = self.folder.as_ref();
        folder.map(|path| path.display().to_string())
    }

    /// The option as it stands in a command, with a space before it.
    pub fn option(&self) -> String {
        let folder = self.folder.iter();
        let option =
            folder.map(|path| format!(" --rtl {}", shell_word(&path.display().to_string())));
        let allowed = self.allow_task.iter();
        let allowed = allowed.map(|name| format!(" --allow-task {}", shell_word(name)));
        option.chain(allowed).collect()
    }

    /// Names of the files that differ from what would be generated; none without a folder.
    pub fn changed(&self, sources: &RtlSources) -> Option<Vec<String>> {
        self.folder.is_some().then(|| sources.changed.clone())
    }
}

/// The diagnostic and exit code of a build that failed; what people changed is told where they changed it.
pub fn build_error(sources: &RtlSources, error: &Error) -> CommandError {
    let (top, said) = match error {
        _ if !sources.is_on_disk() => return simulator_error(error),
        Error::ToolFailed { program, said, .. } => {
            let refused = refused(sources, program.trim_end_matches("_bin"), said);
            return refused.unwrap_or_else(|| simulator_error(error));
        }
        Error::PortMismatch { top, .. } | Error::ParameterMissing { top, .. } => {
            (top, error.to_string())
        }
        _ => return simulator_error(error),
    };
    let remedy = "give the module its generated ports and parameters (`mkns generate` shows them): the golden \
                  model has these, and they change only with a rebuild";
    let place = sources.place_of(top).unwrap_or_default();
    Diagnostic::new(Code::RtlDoesNotFit, said, remedy)
        .at(place)
        .into()
}

/// The failure of a flow that makes a netlist; what it refuses in changed RTL is told at its place.
pub fn flow_error(sources: &RtlSources, error: FlowError) -> CommandError {
    let told = match &error {
        FlowError::Failed {
            program, summary, ..
        } => refused(sources, program.name(), summary),
        _ => None,
    };
    told.unwrap_or_else(|| error.into())
}

/// What a tool said about a file of the folder, at its place there.
pub fn refused(sources: &RtlSources, program: &str, said: &str) -> Option<CommandError> {
    let (place, complaint): (Place, String) = sources.complaint(said)?;
    let fact = format!("{program} refuses the RTL: {complaint}");
    let remedy = "correct the file; `mkns lint DIR` has more to say about a generated folder";
    let found = Diagnostic::new(Code::ModelBuildFailed, fact, remedy).at(place);
    Some(found.into())
}
