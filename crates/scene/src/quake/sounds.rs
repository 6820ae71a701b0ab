//! The sounds of Quake.

use super::{Maker, point};
use crate::dice::Dice;
use crate::{Ambience, FileName, Loop, Scene, SoundStart, Voice};
use moviola_format::Coord;
use moviola_format::names::{quake, value};
use moviola_state::quake::Happening;

const fn kind(name: &str) -> u8 {
    value(quake::TEMP_ENTITY, name) as u8
}

/// Effects with a sound; an empty name stands for a nail's tink or, more rarely, one of its ricochets.
const HEARD: &[(u8, &str)] = &[
    (kind("TE_SPIKE"), ""),
    (kind("TE_SUPERSPIKE"), ""),
    (kind("TE_WIZSPIKE"), "wizard/hit.wav"),
    (kind("TE_KNIGHTSPIKE"), "hknight/hit.wav"),
    (kind("TE_EXPLOSION"), EXPLOSION),
    (kind("TE_TAREXPLOSION"), EXPLOSION),
    (kind("TE_EXPLOSION2"), EXPLOSION),
    (kind("TE_EXPLOSION3"), EXPLOSION),
    (kind("TE_SPIKEQUAD"), ""),
    (kind("TE_SUPERSPIKEQUAD"), ""),
    (kind("TE_TEI_BIGEXPLOSION"), EXPLOSION),
    (kind("TE_EXPLOSIONQUAD"), EXPLOSION),
    (kind("TE_EXPLOSIONRGB"), EXPLOSION),
];

const EXPLOSION: &str = "weapons/r_exp3.wav";
const TINK: &str = "weapons/tink1.wav";
const RICOCHETS: [&str; 4] = ["weapons/ric3.wav", "weapons/ric1.wav", "weapons/ric2.wav", "weapons/ric3.wav"];

/// A line that begins with this byte is from a player; a sound is played with it.
const CHAT: u8 = value(quake::PRINT_MARK, "chat sound, colored") as u8;

/// At an attenuation of 1 a sound is inaudible from 1000 units on.
const VOLUME_LOSS: f32 = 1.0 / 1000.0;

/// Seconds that a sound stays in the scenes.
const SOUND_SECONDS: f64 = 3.5;

impl Maker<'_> {
    pub(super) fn add_sounds(&self, scene: &mut Scene) {
        for (_, beat) in self.window.since(self.place, self.now, SOUND_SECONDS) {
            for (happening, number) in beat.seen.world.moment.iter().zip(0u32..) {
                let heard = self.sound_of(happening, beat.block, number);
                scene.sounds.extend(heard.map(|it| SoundStart {
                    id: (beat.block, number),
                    start: beat.from,
                    clock: f64::from(beat.seen.world.clock.now.value()),
                    ..it
                }));
            }
        }
        self.add_static_sounds(scene);
    }

    fn sample(&self, number: u16) -> FileName {
        let name = String::from_utf8_lossy(self.world().level.sounds.get(usize::from(number)));
        if name.is_empty() { "".into() } else { format!("sound/{name}").into() }
    }

    fn sound_of(&self, happening: &Happening, block: u64, number: u32) -> Option<SoundStart> {
        let view_voice = Voice { entity: i32::from(self.world().view.entity), channel: -1 };
        match happening {
            Happening::Sound(it) => Some(SoundStart {
                sample: Some(self.sample(it.number)).filter(|name| !name.is_empty())?,
                voice: Voice { entity: i32::from(it.source.entity), channel: i32::from(it.source.channel) },
                volume: it.volume.value() as f32,
                reach: it.attenuation.value() as f32 * VOLUME_LOSS,
                place: Some(point(&it.origin)),
                ..SoundStart::default()
            }),
            Happening::StopSound(it) => Some(SoundStart {
                voice: Voice { entity: i32::from(it.entity), channel: i32::from(it.channel) },
                ..SoundStart::default()
            }),
            Happening::LocalSound(it) => {
                Some(SoundStart { sample: self.sample(*it), voice: view_voice, ..SoundStart::default() })
            }
            Happening::Print(text) if text.bytes().first() == Some(&CHAT) => Some(SoundStart {
                sample: "sound/misc/talk.wav".into(),
                voice: view_voice,
                ..SoundStart::default()
            }),
            Happening::Effect(it) => hit(it.kind, &it.origin, Dice::of(block, u64::from(number) | 1 << 50)),
            Happening::DarkPlacesEffect(it) => {
                hit(it.kind, &it.origin, Dice::of(block, u64::from(number) | 1 << 50))
            }
            _ => None,
        }
    }

    fn add_static_sounds(&self, scene: &mut Scene) {
        for it in self.world().static_sounds.iter() {
            let sample = self.sample(it.number);
            if !sample.is_empty() {
                scene.loops.push(Loop {
                    sample,
                    volume: it.volume.value() as f32,
                    reach: it.attenuation.value() as f32 * VOLUME_LOSS,
                    place: point(&it.origin),
                    repeats_all: false,
                });
            }
        }
        let [water, wind, ..] = self.files.surroundings(&self.level, scene.listener.place).ambient;
        let level = |byte: u8| if f32::from(byte) * 0.3 < 8.0 { 0.0 } else { f32::from(byte) * 0.3 / 255.0 };
        scene.ambience = Ambience { water: level(water), wind: level(wind) };
    }
}

/// The sound of an effect.
fn hit(effect: u8, origin: &[Coord; 3], mut dice: Dice) -> Option<SoundStart> {
    let (_, file) = HEARD.iter().find(|(kind, _)| *kind == effect)?;
    let nail = if dice.below(5) != 0 { TINK } else { *RICOCHETS.get(dice.below(4) as usize)? };
    let file = if file.is_empty() { nail } else { file };
    Some(SoundStart {
        sample: format!("sound/{file}").into(),
        voice: Voice { entity: -1, channel: 0 },
        place: Some(point(origin)),
        ..SoundStart::default()
    })
}
