//! For any bytes as a game file, the reader ends, and its result is at most a multiple of the file's size.

use moviola_assets::*;

/// Gives the bytes to every reader, each of which recognizes its own format by the first bytes.
pub fn assets(bytes: &[u8]) {
    if let Ok(mut level) = Bsp::read(bytes) {
        use_level(&mut level, bytes);
    }
    if let Ok(model) = AliasModel::read(bytes) {
        for frame in 0..=model.frames.len() {
            if let Some(pose) = model.pose_at(frame, 0.35).and_then(|pose| model.poses.get(pose)) {
                let _ = pose.place(0);
            }
        }
        let skins: usize = model.skins.iter().flat_map(|skin| &skin.items).map(|it| it.pixels.len()).sum();
        let points: usize = model.poses.iter().map(|pose| pose.points.len() * 4).sum();
        assert!(skins + points <= bytes.len(), "a model larger than its file");
    }
    if let Ok(sprite) = SpriteModel::read(bytes) {
        let _ = sprite.picture_at(0, f64::NAN);
    }
    let pictures = [Picture::read(bytes).ok(), Picture::read_pcx(bytes).ok().map(|it| it.0)];
    for picture in pictures.into_iter().flatten() {
        assert!(picture.pixels.len() <= 64 * bytes.len(), "a picture larger than its file can hold");
        let _ = picture.pixel(picture.width, picture.height);
    }
    if let Ok(picture) = ColorPicture::read_tga(bytes) {
        assert!(picture.pixels.len() <= 128 * bytes.len(), "a picture larger than its file can hold");
    }
    if let Ok(texture) = MipTexture::read_wal(bytes) {
        assert!(texture.mips.iter().map(|mip| mip.pixels.len()).sum::<usize>() <= bytes.len());
    }
    if let Ok(wad) = Wad::read(bytes.to_vec()) {
        for name in wad.names().map(str::to_owned).collect::<Vec<_>>() {
            let _ = wad.picture(&name);
        }
    }
    if let Ok(wave) = Wave::read(bytes) {
        assert!(wave.loop_start.is_none_or(|at| at < wave.samples.len()), "a loop beyond the end");
        assert!(wave.samples.len() <= bytes.len());
    }
    let _ = (Palette::read(bytes), Colormap::read(bytes));
    let mut level = Bsp { lighting: vec![0; bytes.len() / 3], ..Bsp::default() };
    let _ = level.add_color_light(bytes);
    // The bytes as an archive, and the files in it.
    let mut files = GameFiles::default();
    if files.add_archive("archive", std::io::Cursor::new(bytes.to_vec())).is_ok() {
        let _ = (files.exists("maps/a.bsp"), files.bsp("maps/a.bsp"), files.palette(false));
    }
}

fn use_level(level: &mut Bsp, bytes: &[u8]) {
    let _ = level.add_color_light(bytes);
    for face in 0..level.faces.len().min(64) {
        let _ = (level.corners(face).take(1024).count(), level.plane_of(face));
        let _ = level.light_of(face, true).map(|light| light.maps().count());
    }
    for place in [[0.0; 3], [1.0, 1.0, 9.0], [f64::NAN, 0.0, 0.0], [1e30, -1e30, 1e300]] {
        let _ = level.visible(&around(place));
        let _ = level.reach(place, [100.0, 0.0, 0.0]);
        let _ = level.light_below(place.map(|part| part as f32), true, &|_| 1.0);
    }
    let _ = FloorPlan::of(level, &[[0.0; 3], [1.0, 1.0, 9.0], [f32::NAN, 1e30, 0.0]], 100)
        .map(|plan| plan.shapes());
    let _ = level.hidden([1.0, 1.0, 9.0], [1.0, 0.0, 0.0], [2.0, 2.0, 9.0]);
    let _ = level.entities().take(1000).count();
    let textures = level.textures.iter().flatten().flat_map(|it| &it.mips);
    assert!(textures.map(|mip| mip.pixels.len()).sum::<usize>() <= bytes.len(), "larger than the file");
}
