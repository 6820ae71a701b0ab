//! The page: WebAssembly, the site in `web/dist`, the player in one file, and browsers that try both.
//!
//! The player is kept in the repository, so that the program can be built without npm and WebAssembly. `--bless` renews
//! it; without `--bless` a note is printed if it differs from what the sources make.

use crate::args::Args;
use crate::{Outcome, engines, hour, repo, run};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the page; its exports are a workspace of their own.
const PAGE: &str = "web";

/// Its manifest.
pub(crate) const MANIFEST: &str = "crates/web/Cargo.toml";

const TARGET: &str = "wasm32-unknown-unknown";
const FOLDER: &str = "target/web";

/// npm's list of packages with their versions, a copy of the list from which the packages were installed, and the file
/// that is locked during the installation.
const WANTED: &str = "web/package-lock.json";
const INSTALLED: &str = "web/node_modules/.moviola-installed.json";
const INSTALLING: &str = "target/web/installing";

/// The player as it was built, and where the program has it.
const BUILT: &str = "web/dist/player.html";
const PLAYER: &str = "crates/cli/player.html";

/// The folder for the files that browsers open and save.
const TRIED: &str = "target/web/browsers";

/// The browsers, and the recordings that they edit.
const BROWSERS: [&str; 2] = ["chrome", "firefox"];
const SAMPLES: [&str; 3] =
    ["samples/qs_15_lq_e0m9.dem", "samples/ez_duo_lqdm2.qwd", "samples/mvdsv_bots_lqdm2.mvd"];

/// The report that the browsers open, and the game data for the player in it.
const REPORT: &str = "report.html";
const GAME: &str = "samples/librequake/lq_e0m9.pk3";

/// The recording of an hour in which the browsers seek.
const HOUR: &str = "hour.dem";

/// The part that a site loads first, which plays, and all of it, which the player has and a site loads after the first
/// picture.
const WASM: [Module; 2] = [
    Module { name: "moviola_web", out: "wasm", words: &[], profile: "release", place: "web" },
    Module {
        name: "moviola_web",
        out: "wasm-whole",
        words: &["--features", "whole"],
        profile: "release",
        place: "web",
    },
];

/// A WebAssembly file with its JavaScript.
pub(crate) struct Module {
    /// The name of the library.
    pub(crate) name: &'static str,
    /// The output folder of the WebAssembly, below the page's folder.
    pub(crate) out: &'static str,
    /// The words for cargo: the package and the features.
    pub(crate) words: &'static [&'static str],
    pub(crate) profile: &'static str,
    /// The place in which it runs: `web` or `node`.
    pub(crate) place: &'static str,
}

/// The file that a site does not load first.
const LATER: &str = "moviola_whole_bg.wasm";

/// The greatest size of the site as browsers load it, before a recording is opened. The aim is 600, and 900 would be
/// slow on phones; Q2PRO's protocols took 20.
const MOST_KB: u64 = 740;

pub(crate) fn task(mut args: Args) -> Outcome {
    let bless = args.flag("--bless");
    args.finish()?;
    if !bless {
        return check();
    }
    if built()? {
        fs::copy(BUILT, PLAYER).map_err(|why| format!("{PLAYER}: {why}"))?;
    }
    Ok(())
}

pub(crate) fn check() -> Outcome {
    if !built()? {
        return Ok(());
    }
    compare()?;
    tried()
}

/// Builds everything; returns `false` if a tool is missing.
fn built() -> Result<bool, String> {
    if !has_tools()? {
        return Ok(false);
    }
    for module in &WASM {
        module.build()?;
    }
    npm(&["run", "--silent", "check"])?;
    npm(&["run", "--silent", "build"])?;
    Ok(true)
}

/// Whether the tools for a build are installed, except those that npm installs. Prints a line if one is missing.
pub(crate) fn has_tools() -> Result<bool, String> {
    let missing = |what: &str, how: &str| {
        println!("NOT CHECKED: {what} is missing here: {how}");
        if std::env::var_os("CI").is_some_and(|it| it == "true") {
            Err(format!("{what} is missing"))
        } else {
            Ok(false)
        }
    };
    if !has_target() {
        return missing(TARGET, "rustup target add wasm32-unknown-unknown");
    }
    if !run::works(Command::new("npm").arg("--version")) {
        return missing("npm", "install Node.js 20 or later");
    }
    install()?;
    Ok(true)
}

/// Installs npm's packages, unless they are installed. Two stages of CI that run side by side may need this: the second
/// one waits, since `npm ci` begins by deleting what the first one is using.
fn install() -> Outcome {
    let trouble = |path: &str, why: std::io::Error| format!("{path}: {why}");
    fs::create_dir_all(FOLDER).map_err(|why| trouble(FOLDER, why))?;
    let lock = fs::File::create(INSTALLING).map_err(|why| trouble(INSTALLING, why))?;
    lock.lock().map_err(|why| trouble(INSTALLING, why))?;
    let wanted = fs::read(WANTED).map_err(|why| trouble(WANTED, why))?;
    if fs::read(INSTALLED).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    npm(&["ci", "--no-audit", "--no-fund", "--loglevel=error"])?;
    fs::write(INSTALLED, wanted).map_err(|why| trouble(INSTALLED, why))
}

impl Module {
    /// Compiles it into its folder.
    pub(crate) fn build(&self) -> Outcome {
        let root = std::env::current_dir().map_err(|why| why.to_string())?;
        let folder = root.join(FOLDER);
        let mut build = run::cargo();
        build.args(["build", "-q", "--locked", "--lib", "--target", TARGET, "--profile", self.profile]);
        build.args(["--manifest-path", MANIFEST]).args(self.words);
        // Paths of this machine must not be shipped, and would make the file differ from machine to machine.
        let home = std::env::var("CARGO_HOME").map(PathBuf::from).ok();
        let home = home
            .or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")))
            .unwrap_or_default();
        let remap = |from: &Path, to: &str| format!("--remap-path-prefix={}={to}", from.display());
        let flags = ["-Ctarget-feature=+simd128".to_owned(), remap(&root, "moviola"), remap(&home, "cargo")];
        build.env("CARGO_TARGET_DIR", &folder).env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"));
        run::command(&mut build)?;
        let mut bind = run::cargo();
        bind.args(["run", "-q", "--locked", "-p", "moviola-web-bind", "--manifest-path", MANIFEST, "--"]);
        let made = folder.join(TARGET).join(self.profile).join(self.name).with_extension("wasm");
        bind.arg(self.place).arg(made).arg(root.join(PAGE).join(self.out));
        run::command(bind.env("CARGO_TARGET_DIR", &folder))?;
        // Functions that were made from the same source are then side by side, so that gzip saves a fourteenth more.
        let file = format!("{}/{}_bg.wasm", self.out, self.name);
        npm(&["run", "--silent", "shrink", "--", &file, "-o", &file])
    }
}

fn has_target() -> bool {
    let found = run::output(Command::new("rustc").args(["--target", TARGET, "--print", "target-libdir"]));
    found.is_ok_and(|path| Path::new(String::from_utf8_lossy(&path).trim()).is_dir())
}

pub(crate) fn npm(words: &[&str]) -> Outcome {
    run::command(Command::new("npm").args(words).current_dir(PAGE))
}

/// Checks the site's weight, and whether the program's player is up to date.
fn compare() -> Outcome {
    let mut weight = 0;
    for file in fs::read_dir("web/dist").map_err(|why| format!("web/dist: {why}"))?.flatten() {
        if ["player.html", LATER].iter().any(|name| file.path().ends_with(name)) || !file.path().is_file() {
            continue;
        }
        let packed = run::output(Command::new("gzip").args(["-9", "-c"]).arg(file.path()))?;
        weight += packed.len() as u64;
    }
    let weight = weight / 1000;
    println!("the site: {weight} kB gzip, of {MOST_KB}");
    if weight > MOST_KB {
        return Err(format!("the site weighs {weight} kB, more than {MOST_KB}"));
    }
    let read = |path: &str| fs::read(path).map_err(|why| format!("{path}: {why}"));
    if read(BUILT)? == read(PLAYER)? {
        return Ok(());
    }
    // Another version of the compiler or npm makes a different file from the same sources.
    println!("NOTE: {PLAYER} differs from what these sources make here; `cargo xtask web --bless` renews it");
    Ok(())
}

/// Tries the page in browsers; they must save the same recording as the command line makes by the same script.
fn tried() -> Outcome {
    let root = std::env::current_dir().map_err(|why| why.to_string())?;
    let folder = root.join(TRIED);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    if run::browser().is_none() {
        println!("NOT CHECKED: there is no Chromium for the page");
        return Ok(());
    }
    let [sample, ..] = SAMPLES;
    let mut report = run::ours("moviola")?;
    report.args(["report", "-q", sample, "--maps", "--game", GAME, "--html"]).arg(folder.join(REPORT));
    run::output(&mut report)?;
    let text = folder.join("hour.txt");
    fs::write(&text, hour::text()).map_err(|why| format!("{}: {why}", text.display()))?;
    let mut compile = run::ours("moviola")?;
    run::output(compile.args(["compile", "-q"]).arg(&text).arg("-o").arg(folder.join(HOUR)))?;
    let mut tried = Command::new("npm");
    tried.arg("test").current_dir(PAGE).env("MOVIOLA_WEB_OUT", &folder);
    run::command(tried.env("MOVIOLA_PROGRAM", run::ours("moviola")?.get_program()))?;
    run::command(run::ours("examples/hashes")?.arg(folder.join("hashes.json")))?;
    let (mut wrong, mut compared, mut saved) = (Vec::new(), 0, Vec::new());
    for browser in BROWSERS {
        if !folder.join(format!("{browser}-edited.dem")).is_file() {
            println!("NOT CHECKED: there is no {browser} here");
            continue;
        }
        for sample in SAMPLES {
            let ending = Path::new(sample).extension().unwrap_or_default().to_string_lossy();
            let file = |what: &str| folder.join(format!("{browser}-{what}.{ending}"));
            let (theirs, ours) = (file("edited"), file("ours"));
            let script = folder.join(format!("{browser}-{ending}.edit"));
            let mut edit = run::ours("moviola")?;
            run::output(edit.args(["edit", "-q", sample, "--script"]).arg(script).arg("-o").arg(&ours))?;
            let read = |path: &Path| fs::read(path).map_err(|why| format!("{}: {why}", path.display()));
            compared += 1;
            if read(&theirs)? != read(&ours)? {
                wrong.push(format!("{browser} saved another {ending} than `moviola edit` makes"));
            }
            saved.push(theirs);
        }
    }
    repo::verdict(
        &wrong,
        &format!("the page in browsers: {compared} saved recordings are those of `moviola edit`"),
    )?;
    saved.retain(|it| it.extension().is_some_and(|it| it == "dem"));
    engines::check_saved(&saved)
}
