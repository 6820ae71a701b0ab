//! The book in `docs`, and its pictures: every page must be in the table of contents, and mdBook must build it.

use crate::args::Args;
use crate::{Outcome, repo, run, terminal};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const FOLDER: &str = "docs";
const CONTENTS: &str = "docs/SUMMARY.md";
const PICTURES: &str = "docs/pictures";

/// The charts of the book: the file, and the arguments of `moviola plot`. They are the same on all machines.
#[rustfmt::skip]
const CHARTS: &[(&str, &[&str])] = &[
    ("path.svg", &["samples/yq_sp.dm2"]),
    ("heat.svg", &["samples/yq_sp.dm2", "--kind", "heat"]),
    ("vitals.svg", &["samples/yq_sp.dm2", "--kind", "vitals"]),
    ("speed.svg", &["samples/yq_sp.dm2", "--kind", "speed"]),
    ("timeline.svg", &["samples/yq_sp.dm2", "--kind", "timeline"]),
];

/// The pictures of a terminal: the file, and the commands, which run in a folder with the samples and
/// `slip.txt`.
const SCREENS: &[(&str, &[&str])] = &[
    ("check.svg", &["moviola check samples/scribe/dem-15-nehahra.dem samples/yq_sp.dm2"]),
    ("mistake.svg", &["moviola compile slip.txt -o slip.dem"]),
    (
        "diff.svg",
        &[
            "moviola set samples/qs_15_lq_e0m9.dem player.1.name=Ranger -o run.dem --in-texts --force",
            "moviola diff samples/qs_15_lq_e0m9.dem run.dem",
        ],
    ),
    ("audit.svg", &["moviola audit samples/yq_sp.dm2"]),
];

/// A text with two slips of the hand.
const SLIP: &str =
    "track \"-1\\n\";\nblock {\n camera 0.0 90.0 0.0;\n setangel 0.0 90.0 0.0;\n print \"hi there;\n}\n";

/// A screenshot of a page in a browser, made by the task `pictures`. It differs between browsers, so it is not checked.
const PHOTOGRAPH: (&str, &str) = ("report.png", "samples/yq_sp.dm2");

pub(crate) fn check() -> Outcome {
    let contents = repo::text(Path::new(CONTENTS))?;
    let mut papers = repo::tracked()?;
    papers.retain(|path| path.starts_with(FOLDER) && repo::has_extension(path, &["md"]));
    papers.retain(|path| path != Path::new(CONTENTS));
    let missing = papers.iter().filter_map(|path| {
        let name = path.strip_prefix(FOLDER).unwrap_or(path).display().to_string();
        let listed = contents.contains(&format!("]({name})"));
        (!listed).then(|| format!("{CONTENTS}: {name} is not in it"))
    });
    let mut findings: Vec<String> = missing.collect();
    for (name, words) in CHARTS {
        if draw(name, words)? != repo::bytes(&Path::new(PICTURES).join(name)).unwrap_or_default() {
            findings.push(format!("{PICTURES}/{name}: out of date; `cargo xtask pictures` draws it"));
        }
    }
    for (name, commands) in SCREENS {
        if screen(commands)?.as_bytes() != repo::bytes(&Path::new(PICTURES).join(name)).unwrap_or_default() {
            findings.push(format!("{PICTURES}/{name}: out of date; `cargo xtask pictures` draws it"));
        }
    }
    if run::works(Command::new("mdbook").arg("--version")) {
        run::command(Command::new("mdbook").args(["build", FOLDER]))?;
    } else {
        println!("NOT CHECKED: the pages of the book: mdbook is not there");
    }
    let pictures = CHARTS.len() + SCREENS.len();
    repo::verdict(&findings, &format!("{} papers and {pictures} pictures of the book", papers.len()))
}

/// The task `pictures`: draws the charts again, and takes the screenshot if there is a browser.
pub(crate) fn pictures(args: Args) -> Outcome {
    args.finish()?;
    std::fs::create_dir_all(PICTURES).map_err(|why| format!("{PICTURES}: {why}"))?;
    for (name, words) in CHARTS {
        let path = Path::new(PICTURES).join(name);
        std::fs::write(&path, draw(name, words)?).map_err(|why| format!("{}: {why}", path.display()))?;
    }
    for (name, commands) in SCREENS {
        let path = Path::new(PICTURES).join(name);
        std::fs::write(&path, screen(commands)?).map_err(|why| format!("{}: {why}", path.display()))?;
    }
    photograph()
}

/// A picture of the commands and their colored output.
fn screen(commands: &[&str]) -> Result<String, String> {
    let folder = target_path("screen")?;
    std::fs::create_dir_all(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    std::fs::write(folder.join("slip.txt"), SLIP).map_err(|why| why.to_string())?;
    let samples = std::env::current_dir().map_err(|why| why.to_string())?.join("samples");
    let mut shown = String::new();
    for command in commands {
        let words = command.strip_prefix("moviola ").unwrap_or(command);
        let mut moviola = run::ours("moviola")?;
        moviola.current_dir(&folder).env("CLICOLOR_FORCE", "1").env_remove("NO_COLOR");
        // The arguments are real paths, but the picture shows them as if they were in the current folder.
        let here = |word: &str| match word.strip_prefix("samples") {
            Some(rest) => format!("{}{rest}", samples.display()),
            None => word.to_owned(),
        };
        let output = moviola.args(words.split(' ').map(here)).output().map_err(|why| why.to_string())?;
        let output = [output.stdout, output.stderr].concat();
        let output = String::from_utf8_lossy(&output).replace(&samples.display().to_string(), "samples");
        let command = command.replace(" --force", "");
        shown.extend(["$ \u{1b}[1m", &command, "\u{1b}[0m\n", &output, "\n"]);
    }
    Ok(terminal::picture(&shown))
}

fn draw(name: &str, words: &[&str]) -> Result<Vec<u8>, String> {
    let path = target_path(name)?;
    let mut moviola = run::ours("moviola")?;
    moviola.args(["plot", "-q", "--force", "-o"]).arg(&path).args(words);
    run::output(&mut moviola)?;
    repo::bytes(&path)
}

fn photograph() -> Outcome {
    let Some(browser) = run::browser() else {
        println!("there is no Chromium: {PICTURES}/{} stays as it is", PHOTOGRAPH.0);
        return Ok(());
    };
    let (page, profile) = (target_path("report.html")?, target_path("profile")?);
    let mut moviola = run::ours("moviola")?;
    moviola.args(["report", "--force", "--no-player", "--html"]).arg(&page).arg(PHOTOGRAPH.1);
    run::output(&mut moviola)?;
    let root = std::env::current_dir().map_err(|why| why.to_string())?;
    let mut shot = run::headless(browser, &profile);
    shot.args(["--hide-scrollbars", "--window-size=1200,830"]).stderr(Stdio::null());
    shot.arg(format!("--screenshot={}", root.join(PICTURES).join(PHOTOGRAPH.0).display()));
    run::command(shot.arg(format!("file://{}#level=1&t=0:37", page.display())))
}

/// A path below `target` for intermediate files.
fn target_path(name: &str) -> Result<PathBuf, String> {
    let folder = std::env::current_dir().map_err(|why| why.to_string())?.join("target/pictures");
    std::fs::create_dir_all(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    Ok(folder.join(name))
}
