//! Makes a picture and five seconds of film of a recording: `shot RECORDING GAME SECONDS OUT`.

use moviola_assets::GameFiles;
use moviola_film::{Film, FilmOptions, FilmPart, Mp4Film, shoot, write_png};
use moviola_render::{LookOptions, Renderer};
use moviola_scene::{Moment, SceneOptions, Seeker};
use std::fs::File;
use std::io::{self, BufReader};
use std::sync::Arc;

fn main() -> io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [recording, game, at, out] = words.as_slice() else {
        return Err(io::Error::other("shot RECORDING GAME SECONDS OUT"));
    };
    let renderer = Renderer::new(Arc::new(GameFiles::open(&[game])?));
    let seeker = Seeker::new(|| File::open(recording).map(BufReader::new))?;
    let mut seeker = seeker.ok_or_else(|| io::Error::other("no recording"))?;
    let moment = match at.strip_prefix('#').map(str::parse) {
        Some(Ok(block)) => Moment::AfterBlock(block),
        _ => Moment::At(at.parse().map_err(io::Error::other)?),
    };
    seeker.go(moment)?;
    let look = LookOptions { size: [640, 480], ..LookOptions::default() };
    let options = SceneOptions::default();
    let scene = seeker.reel().scene(moment, &options, &**renderer.files());
    let picture = renderer.render(&scene, &look);
    write_png(File::create(format!("{out}.png"))?, picture.size, &picture.rgba)?;
    let now = seeker.reel().seconds();
    let how = FilmOptions { look, options, threads: 2, ..FilmOptions::default() };
    let mut film = Mp4Film::new(File::create(format!("{out}.mp4"))?, how.look.size, how.rate, 24)?;
    let parts = [FilmPart { from: (now - 2.5).max(0.0), to: now + 2.5, ..FilmPart::default() }];
    let frames = shoot(&mut seeker, &renderer, &parts, &how, 0, &mut film, &mut |_| true)?;
    film.finish()?;
    println!("{frames} frames");
    for trouble in renderer.files().troubles() {
        println!("{}: {}", trouble.name, trouble.problem);
    }
    Ok(())
}
