//! For any recording, each moment has a scene: finite, bounded, and the same after a seek.

use moviola_scene::{Moment, NoFiles, SceneOptions, Seeker};

/// Plays a recording forwards and backwards; every scene must be drawable.
pub fn scene(bytes: &[u8]) {
    let Ok(Some(mut seeker)) = Seeker::new(|| Ok(bytes)) else { return };
    let options = SceneOptions::default();
    let mut scenes = Vec::new();
    for time in [0.0, 0.1, 0.35, 1.0, 3.0, 9.0] {
        let goes_on = seeker.go(Moment::At(time)).expect("memory can be read");
        let scene = seeker.reel().scene(Moment::At(time), &options, &NoFiles);
        let places = scene.models.iter().map(|it| it.place).chain(scene.particles.iter().map(|it| it.place));
        assert!(places.flatten().all(f32::is_finite), "a place that is none");
        assert!(scene.camera.eye.iter().chain(&scene.camera.angles).all(|it| it.is_finite()));
        assert!(scene.particles.len() < 70_000 && scene.lights.len() <= 64, "a scene without bounds");
        if !goes_on {
            break;
        }
        scenes.push((time, scene));
    }
    for (time, scene) in scenes.iter().rev() {
        seeker.go(Moment::At(*time)).expect("memory can be read");
        assert!(
            *scene == seeker.reel().scene(Moment::At(*time), &options, &NoFiles),
            "another scene by a seek"
        );
    }
}
