//! The overlay of Quake: console lines, centered texts, the screens at the end of a level.

use super::Maker;
use crate::text::CHARACTER;
use crate::{Hud, PictureFile, Rect, Scene};
use moviola_state::quake::{FinalScreen, Happening, Stat};

/// Seconds that a console line stays.
const NOTIFY: f64 = 3.0;

/// Characters per second in which the text of an ending appears.
const PRINT_SPEED: f64 = 8.0;

/// Rows of the screen that the status bar covers.
pub(super) const BAR_LINES: i32 = 48;

impl Maker<'_> {
    /// Sets the size of the screen, and the part of it in which the level is seen.
    pub(super) fn lay_out(&self, scene: &mut Scene) {
        let screen = self.options.screen.map(|it| it.clamp(8, 16_384));
        scene.overlay.screen = screen;
        let bar = self.options.hud == Hud::On
            && self.options.is_own()
            && self.world().ending.scene == FinalScreen::Play
            && screen[1] >= BAR_LINES * 4;
        let lines = if bar { self.bar_lines() } else { 0 };
        scene.view = Rect::new(0, 0, screen[0], screen[1] - lines);
    }

    /// Rows of the screen that the status bar covers: fewer in a larger view.
    pub(super) fn bar_lines(&self) -> i32 {
        match self.setting("viewsize") {
            Some(size) if size >= 120.0 => 0,
            Some(size) if size >= 110.0 => BAR_LINES / 2,
            _ => BAR_LINES,
        }
    }

    pub(super) fn write_over(&self, scene: &mut Scene) {
        if self.options.hud == Hud::Off || !self.options.is_own() {
            return;
        }
        match self.world().ending.scene {
            FinalScreen::Play => {
                self.draw_bar(scene);
                if self.options.texts {
                    self.center(scene);
                    self.console(scene);
                }
            }
            FinalScreen::Intermission => self.tally(scene),
            FinalScreen::Finale => self.finale(true, scene),
            FinalScreen::Cutscene => self.finale(false, scene),
        }
        if self.world().paused {
            self.middle("gfx/pause.lmp", scene);
        }
        for picture in self.world().pictures.values() {
            let [x, y] = picture.at.map(i32::from);
            let file = String::from_utf8_lossy(picture.file.bytes()).into_owned();
            scene.overlay.picture(PictureFile::File(file.into()), x, y);
        }
    }

    fn console(&self, scene: &mut Scene) {
        let beats = self.window.since(self.place, self.now, NOTIFY);
        let texts = beats.flat_map(|(_, beat)| &beat.seen.world.moment).filter_map(|it| match it {
            Happening::Print(text) => Some(text.bytes()),
            _ => None,
        });
        scene.overlay.notify(texts);
    }

    fn center(&self, scene: &mut Scene) {
        let world = self.world();
        let Some((when, text)) = &world.center else { return };
        let age = self.clock - f64::from(when.value());
        if age <= world.console.center_time() {
            scene.overlay.centered(text.bytes(), usize::MAX);
        }
    }

    fn middle(&self, file: &str, scene: &mut Scene) {
        let picture = PictureFile::File(file.into());
        let [width, height] = self.files.picture_size(&picture).unwrap_or([128, 24]);
        let overlay = &mut scene.overlay;
        let (x, y) = ((overlay.width() - width) / 2, (overlay.height() - BAR_LINES - height) / 2);
        overlay.picture(picture, x, y);
    }

    /// The left upper corner of the small screen on which the endings are laid out.
    fn canvas(scene: &Scene) -> [i32; 2] {
        [(scene.overlay.width() - 320) / 2, (scene.overlay.height() - 200) / 2]
    }

    fn tally(&self, scene: &mut Scene) {
        let world = self.world();
        if world.level.game_type != 0 {
            self.rankings(scene);
            return;
        }
        let [x, y] = Self::canvas(scene);
        let seconds = f64::from(world.ending.time.value());
        let seconds = if seconds.is_finite() { seconds.clamp(0.0, 1e6) as i32 } else { 0 };
        let (minutes, rest) = (seconds / 60, seconds % 60);
        let stat = |stat| world.stats.get(stat);
        let overlay = &mut scene.overlay;
        overlay.picture(PictureFile::File("gfx/complete.lmp".into()), x + 64, y + 24);
        overlay.picture(PictureFile::File("gfx/inter.lmp".into()), x, y + 56);
        Self::number(minutes, 3, false, x + 160, y + 64, scene);
        Self::lump("num_colon", x + 234, y + 64, scene);
        Self::number(rest / 10, 1, false, x + 246, y + 64, scene);
        Self::number(rest % 10, 1, false, x + 266, y + 64, scene);
        for (done, all, row) in
            [(Stat::Secrets, Stat::TotalSecrets, 104), (Stat::Monsters, Stat::TotalMonsters, 144)]
        {
            Self::number(stat(done), 3, false, x + 160, y + row, scene);
            Self::lump("num_slash", x + 232, y + row, scene);
            Self::number(stat(all), 3, false, x + 240, y + row, scene);
        }
    }

    fn finale(&self, titled: bool, scene: &mut Scene) {
        if titled {
            let picture = PictureFile::File("gfx/finale.lmp".into());
            let [width, _] = self.files.picture_size(&picture).unwrap_or([288, 24]);
            let x = (scene.overlay.width() - width) / 2;
            scene.overlay.picture(picture, x, 2 * CHARACTER);
        }
        let world = self.world();
        let since = world.center.as_ref().map_or(world.ending.time, |(when, _)| *when);
        let shown = (self.clock - f64::from(since.value())).max(0.0) * PRINT_SPEED;
        if let Some(text) = world.caption() {
            scene.overlay.centered(text.bytes(), shown as usize);
        }
    }
}
