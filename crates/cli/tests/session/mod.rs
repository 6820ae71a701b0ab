//! Runs commands in a shell and compares their output: for the sessions and for the papers.

use libtest_mimic::Failed;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One command of a session.
pub(crate) struct Step {
    /// The lines before it and its own lines, exactly as in the file.
    pub(crate) text: String,
    pub(crate) command: String,
    pub(crate) expected: String,
}

/// The commands of a session, and the text after the last one's output.
pub(crate) fn steps(session: &str) -> (Vec<Step>, String) {
    let mut steps: Vec<Step> = Vec::new();
    let mut before = String::new();
    let mut in_command = false;
    // The line that ends a here-document, while one is open.
    let mut end: Option<&str> = None;
    for line in session.split_inclusive('\n') {
        if let Some(command) = line.strip_prefix("$ ") {
            let text = std::mem::take(&mut before) + line;
            steps.push(Step { text, command: command.into(), expected: String::new() });
            in_command = true;
            end = here_document(command);
        } else if let (true, Some(more), Some(step)) = (in_command, continued(line), steps.last_mut()) {
            step.text.push_str(line);
            step.command.push_str(more);
            end = None;
        } else if let (Some(word), Some(step)) = (end, steps.last_mut()) {
            step.text.push_str(line);
            step.command.push_str(line);
            end = Some(word).filter(|word| line.trim_end() != *word);
        } else if line.starts_with("# ") || !before.is_empty() || steps.is_empty() {
            before.push_str(line);
            in_command = false;
        } else if let Some(step) = steps.last_mut() {
            step.expected.push_str(line);
            in_command = false;
        }
    }
    (steps, before)
}

/// The word that ends the here-document which a command begins. Papers have its lines as they are, to be pasted.
fn here_document(command: &str) -> Option<&str> {
    let (_, word) = command.split_once("<<")?;
    word.split_whitespace().next().map(|word| word.trim_matches(['\'', '"']))
}

/// The part that a line `> more` adds to a command; a blank one may be a `>` alone.
fn continued(line: &str) -> Option<&str> {
    line.strip_prefix("> ").or_else(|| line.strip_prefix('>').filter(|rest| *rest == "\n"))
}

/// A folder of its own for a session, with the program on its path.
pub(crate) struct Stage {
    folder: PathBuf,
    path: std::ffi::OsString,
}

impl Stage {
    /// A stage of this name, with the samples in this folder of it; without a folder they are in the working
    /// folder.
    pub(crate) fn new(name: &str, place: &str) -> std::io::Result<Self> {
        let root = std::env::temp_dir().join(format!("moviola-{}-{name}", std::process::id()));
        let (folder, programs) = (root.join("here"), root.join("bin"));
        fs::create_dir_all(folder.join(place))?;
        fs::create_dir_all(&programs)?;
        fs::create_dir_all(root.join("tmp"))?;
        for name in ["moviola", "lmpc"] {
            std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_moviola"), programs.join(name))?;
        }
        let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
        // As in a clone, with the files that describe them; or beside the working folder, so that they are in
        // it only if they are copied.
        let is_clone = !place.is_empty();
        let beside = if is_clone { folder.join(place) } else { root.clone() };
        for inner in ["archives", "freedoom", "librequake", "scribe"] {
            fs::create_dir_all(beside.join(inner))?;
            for sample in fs::read_dir(samples.join(inner))? {
                let sample = sample?;
                fs::copy(sample.path(), beside.join(inner).join(sample.file_name()))?;
            }
        }
        for sample in fs::read_dir(samples)? {
            let sample = sample?.path();
            let wanted = sample.extension().is_some_and(|it| is_clone || it != "md");
            if let Some(name) = sample.file_name().filter(|_| wanted) {
                fs::copy(&sample, folder.join(place).join(name))?;
            }
        }
        let mut path = programs.into_os_string();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        Ok(Self { folder, path })
    }

    /// Runs a command; returns its output and its exit code.
    pub(crate) fn run(&self, command: &str) -> Result<String, Failed> {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("exec 2>&1\n{command}")).current_dir(&self.folder);
        shell
            .env("PATH", &self.path)
            .env("LC_ALL", "C")
            .env("COLUMNS", "100")
            .env("TERM", "dumb")
            .env("TMPDIR", self.folder.with_file_name("tmp"));
        // `CI` too requests color, even on a terminal without it.
        for unwanted in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI", "RAYON_NUM_THREADS"] {
            shell.env_remove(unwanted);
        }
        let output = shell.stdin(std::process::Stdio::null()).output()?;
        let mut printed = String::from_utf8_lossy(&output.stdout).into_owned();
        if !printed.is_empty() && !printed.ends_with('\n') {
            printed.push_str("[no newline]\n");
        }
        match output.status.code() {
            Some(0) => {}
            Some(code) => writeln!(printed, "[exit {code}]")?,
            None => printed.push_str("[killed]\n"),
        }
        Ok(printed)
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if let Some(root) = self.folder.parent() {
            let _ = fs::remove_dir_all(root);
        }
    }
}

/// Whether a pattern of lines matches the output; blank lines after it belong to the file.
pub(crate) fn matches(expected: &str, printed: &str) -> bool {
    fn lines(expected: &[&str], printed: &[&str]) -> bool {
        match (expected, printed) {
            ([], []) => true,
            (["...", rest @ ..], _) => {
                (0..=printed.len()).any(|skip| lines(rest, printed.get(skip..).unwrap_or_default()))
            }
            ([first, rest @ ..], [line, more @ ..]) => fits(first, line) && lines(rest, more),
            _ => false,
        }
    }
    let expected: Vec<&str> = expected.trim_end().lines().collect();
    let printed: Vec<&str> = printed.trim_end().lines().collect();
    lines(&expected, &printed)
}

/// Whether a line matches, where `[..]` stands for anything.
fn fits(pattern: &str, line: &str) -> bool {
    let Some((before, after)) = pattern.split_once("[..]") else { return pattern == line };
    let Some(rest) = line.strip_prefix(before) else { return false };
    (0..=rest.len()).any(|skip| rest.get(skip..).is_some_and(|rest| fits(after, rest)))
}
