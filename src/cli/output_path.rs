//! Where results go, looked at before the work: an hour's run must not end at a folder that is not there.

use std::io;
use std::path::{Path, PathBuf};

use super::{CommandError, Context};
use mkns_diag::Code;
use mkns_report::{
    announce_output, ensure_writable, ensure_writable_folder, folder_of, write_whole,
};

/// Refuses files that cannot be written: options of the command line and their paths, where given.
/// Folders are made; files that are there stay as they are. `-` would become a file of that name.
pub fn files<'a>(
    given: impl IntoIterator<Item = (&'a str, Option<&'a PathBuf>)>,
) -> Result<(), CommandError> {
    let given = given.into_iter();
    given
        .filter_map(|(option, path)| Some((option, path?)))
        .try_for_each(|(option, path)| match path == Path::new("-") {
            true => Err(no_file(option)),
            false => {
                refused(option, path, ensure_writable(path))?;
                announce_output(path).map_err(|input| is_input(option, path, &input))
            }
        })
}

/// An output is never written over a file that the same command reads.
fn is_input(option: &str, path: &Path, input: &Path) -> CommandError {
    let (path, input) = (path.display(), input.display());
    let fact = format!("`{option} {path}` would replace {input}, which this command reads");
    let remedy = "write the result to another file";
    CommandError::new(Code::OutputIsInput, fact, remedy)
}

fn no_file(option: &str) -> CommandError {
    let fact = format!("`{option} -` names no file");
    let remedy = "give a path; /dev/stdout is standard output";
    CommandError::new(Code::OutputUnwritable, fact, remedy)
}

/// Writes a result.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), CommandError> {
    write_whole(path, bytes).map_err(CommandError::io(format!("write {}", path.display())))
}

/// Writes the result of a verb that prints nothing else, and says so.
pub fn write_and_say(
    path: &Path,
    bytes: impl AsRef<[u8]>,
    context: &Context,
) -> Result<(), CommandError> {
    write(path, bytes)?;
    context.summary(format_args!("wrote {}", path.display()));
    Ok(())
}

/// Refuses a folder that no file can be written in; it is made.
pub fn folder(option: &str, path: &Path) -> Result<(), CommandError> {
    refused(option, path, ensure_writable_folder(path))
}

/// Refuses a folder that could not be made beside its neighbours and renamed.
pub fn new_folder(option: &str, path: &Path) -> Result<(), CommandError> {
    let writable = match path.is_file() {
        true => Err(io::ErrorKind::NotADirectory.into()),
        false => ensure_writable_folder(folder_of(path)),
    };
    refused(option, path, writable)
}

fn refused(option: &str, path: &Path, outcome: io::Result<()>) -> Result<(), CommandError> {
    outcome.map_err(|error| {
        let fact = format!("`{option} {}` cannot be written: {error}", path.display());
        let remedy = "give a path in a folder that you may write in, on a disk with free space";
        CommandError::new(Code::OutputUnwritable, fact, remedy)
    })
}
