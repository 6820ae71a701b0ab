//! For any scene and any game files, rendering gives a picture of the requested size.

use moviola_assets::GameFiles;
use moviola_format::Game;
use moviola_render::{LookKind, LookOptions, Renderer};
use moviola_scene::*;
use std::sync::Arc;

/// Reads numbers of all kinds from bytes; zeros follow the last byte.
struct Numbers<'b>(&'b [u8]);

impl Numbers<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// Usually a number within a level's size, sometimes arbitrary bits.
    fn float(&mut self) -> f32 {
        match self.byte() {
            0xFF => f32::from_bits(u32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()])),
            0xFE => f32::NAN,
            byte => f32::from(byte as i8),
        }
    }

    fn place(&mut self) -> [f32; 3] {
        [self.float(), self.float(), self.float()]
    }

    fn number(&mut self) -> u32 {
        match self.byte() {
            0xFF => u32::MAX,
            byte => u32::from(byte),
        }
    }
}

/// Renders a scene from the first bytes, with the rest as a level, a model and a sprite.
pub fn render(bytes: &[u8]) {
    let (start, file) = bytes.split_at(bytes.len().min(160));
    let mut it = Numbers(start);
    let mut files = GameFiles::default();
    for name in ["maps/a.bsp", "progs/a.mdl", "progs/a.spr", "pics/a.pcx", "sound/a.wav"] {
        files.add_file(name, file.to_vec());
    }
    let kind = if it.byte() & 1 == 0 { LookKind::Gl } else { LookKind::Software };
    let game = if it.byte() & 1 == 0 { Game::Quake } else { Game::Quake2 };
    let size = [u32::from(it.byte()) % 48, u32::from(it.byte()) % 48];
    let look = LookOptions { kind, size, samples: it.number() % 3, threads: 1, ..LookOptions::default() };
    let model = |it: &mut Numbers<'_>| Model {
        file: if it.byte() & 1 == 0 { "progs/a.mdl" } else { "progs/missing.mdl" }.into(),
        pose: Pose { frame: it.number(), before: it.number(), blend: it.float(), time: it.float().into() },
        skin: ModelSkin::Number(it.number()),
        colors: Some([it.byte(), it.byte()]),
        alpha: it.float(),
        scale: it.float(),
        place: it.place(),
        angles: it.place(),
        lit_at: it.place(),
        swell: it.float(),
        ..Model::default()
    };
    let scene = Scene {
        game,
        time: it.float().into(),
        camera: Eye { eye: it.place(), angles: it.place(), fov: [it.float(), it.float()] },
        view: Rect::new(it.float() as i32, it.float() as i32, it.float() as i32, it.float() as i32),
        level: Some(LevelView {
            file: "maps/a.bsp".into(),
            styles: vec![it.float(), it.float()],
            areas: None,
        }),
        brushes: vec![Brush { file: "*0".into(), place: it.place(), angles: it.place(), ..Brush::default() }],
        models: vec![model(&mut it), model(&mut it)],
        sprites: vec![Sprite { file: "progs/a.spr".into(), place: it.place(), ..Sprite::default() }],
        beams: vec![Beam {
            from: it.place(),
            to: it.place(),
            radius: it.float(),
            color: 1,
            alpha: it.float(),
        }],
        particles: vec![Particle { place: it.place(), color: it.byte(), alpha: it.float() }],
        lights: vec![DynamicLight {
            place: it.place(),
            radius: it.float(),
            least: it.float(),
            color: it.place(),
        }],
        sky: Sky { name: None, turned: it.float(), axis: it.place() },
        underwater: it.byte() & 1 == 1,
        fog: Some(FogAt { density: it.float(), color: it.place(), sky: it.float() }),
        weapon: Some(model(&mut it)),
        tints: vec![Tint { color: it.place(), alpha: it.float() }],
        ..Scene::default()
    };
    let renderer = Renderer::new(Arc::new(files));
    let frame = renderer.render(&scene, &look);
    let [width, height] = frame.size;
    assert_eq!(frame.rgba.len(), width as usize * height as usize * 4);
    let again = renderer.render(&scene, &LookOptions { threads: 3, ..look });
    assert!(frame == again, "another picture by more threads");
}
