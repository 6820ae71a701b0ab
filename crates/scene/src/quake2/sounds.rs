//! The sounds of Quake II.

use super::effects::{self, EffectPart, NORMAL, STATIC};
use super::flashes::{SILENCED, SILENCED_VOLUME, monster_sound, shot_sounds};
use super::{FRAME, Maker, point};
use crate::dice::Dice;
use crate::{FileName, Loop, Scene, SoundStart, Voice};
use moviola_format::names::{quake2, value};
use moviola_state::quake2::{Entity, MomentKind, Sound};

const fn event(name: &str) -> u8 {
    value(quake2::EVENT, name) as u8
}

/// The share of a sound's volume, with attenuation 1, that is lost per unit of distance.
const VOLUME_LOSS: f32 = 0.0005;

/// The same for the sounds of items that respawn and of teleports.
const ITEM_VOLUME_LOSS: f32 = 2.0 * VOLUME_LOSS;

/// The channels of weapons and bodies.
const WEAPON: i32 = value(quake2::SOUND_CHANNEL, "CHAN_WEAPON") as i32;
const BODY: i32 = value(quake2::SOUND_CHANNEL, "CHAN_BODY") as i32;

/// Seconds that a sound stays in the scenes.
const SOUND_SECONDS: f64 = 3.5;

impl Maker<'_> {
    pub(super) fn add_sounds(&self, scene: &mut Scene) {
        for (_, beat) in self.window.since(self.place, self.now, SOUND_SECONDS) {
            let mut number = 0;
            let clock = f64::from(beat.seen.frame.number) * FRAME;
            let mut start = |after: f64, it: SoundStart| {
                let id = (beat.block, number);
                number += 1;
                scene.sounds.push(SoundStart { id, start: beat.from + after, clock: clock + after, ..it });
            };
            for (happening, place) in beat.seen.moment.iter().zip(0u64..) {
                let dice = &mut Dice::of(beat.block, place | 1 << 50);
                match &happening.what {
                    MomentKind::Sound(it) => {
                        if let Some(sound) = self.sound(it, beat) {
                            start(it.delay.value(), sound);
                        }
                    }
                    MomentKind::Effect(it) => {
                        for part in effects::parts(it.kind) {
                            let end = matches!(part, EffectPart::Heard(..))
                                && it.end.iter().any(|part| part.0 != 0);
                            let at = point(if end { it.end } else { it.origin });
                            if let Some((file, reach)) = sound_of_part(part, dice) {
                                let voice = Voice { entity: 0, channel: 0 };
                                let sample = format!("sound/{file}").into();
                                start(
                                    0.0,
                                    SoundStart {
                                        sample,
                                        voice,
                                        reach,
                                        place: Some(at),
                                        ..SoundStart::default()
                                    },
                                );
                            }
                        }
                    }
                    MomentKind::PlayerFlash(entity, weapon) => {
                        let volume = if weapon & SILENCED == 0 { 1.0 } else { SILENCED_VOLUME };
                        for (file, after, reach) in shot_sounds(*weapon, dice) {
                            let channel = if after > 0.0 { 0 } else { WEAPON };
                            let it = beat.seen.entity(*entity as u16);
                            let sound = spoken(&file, i32::from(*entity), channel, reach, it);
                            start(after, SoundStart { volume, ..sound });
                        }
                    }
                    MomentKind::MonsterFlash(entity, weapon) => {
                        if let Some(file) = monster_sound(*weapon, dice) {
                            let it = beat.seen.entity(*entity as u16);
                            start(0.0, spoken(&file, i32::from(*entity), WEAPON, NORMAL, it));
                        }
                    }
                    MomentKind::Print(level, _) if *level == CHAT => {
                        start(
                            0.0,
                            SoundStart { sample: "sound/misc/talk1.wav".into(), ..SoundStart::default() },
                        );
                    }
                    _ => {}
                }
            }
            for it in beat.seen.frame.entities.iter().filter(|it| it.event != 0) {
                let dice = &mut Dice::of(beat.block, u64::from(it.number) | 1 << 51);
                if let Some((file, channel, reach)) = event_sound(it, dice) {
                    let file = self.of_player(&file, it.number);
                    start(0.0, spoken(&file, i32::from(it.number), channel, reach, Some(it)));
                }
            }
        }
        for it in self.beat.seen.frame.entities.iter().filter(|it| it.sound != 0) {
            let name = self.sample(it.sound, Some(it.number));
            if !name.is_empty() {
                let place = point(it.origin);
                scene.loops.push(Loop { sample: name, volume: 1.0, reach: STATIC, place, repeats_all: true });
            }
        }
    }

    fn sample(&self, number: u8, entity: Option<u16>) -> FileName {
        let name = String::from_utf8_lossy(self.config().sound(number)).into_owned();
        if name.is_empty() {
            return "".into();
        }
        let name = entity.map_or(name.clone(), |entity| self.of_player(&name, entity));
        name.strip_prefix('#').map_or_else(|| format!("sound/{name}"), ToOwned::to_owned).into()
    }

    /// The file of a sound; a name that begins with `*` is a sound in the player's own voice.
    fn of_player(&self, name: &str, entity: u16) -> String {
        let Some(own) = name.strip_prefix('*') else { return name.to_owned() };
        let player = entity.checked_sub(1).and_then(|player| u8::try_from(player).ok()).unwrap_or_default();
        let (model, _) = self.player_model(player);
        let file = format!("players/{model}/{own}");
        if self.files.exists(&file) { format!("#{file}") } else { format!("#players/male/{own}") }
    }

    fn sound(&self, it: &Sound, beat: &super::Beat<super::BlockState>) -> Option<SoundStart> {
        let entity = it.source.entity();
        let sample = self.sample(it.number, Some(entity));
        let stands = beat.seen.entity(entity).map(|entity| point(entity.origin));
        let place = it.origin.map(point).or(stands);
        (!sample.is_empty()).then(|| SoundStart {
            sample,
            voice: Voice { entity: i32::from(entity), channel: i32::from(it.source.channel() & CHANNELS) },
            volume: it.volume.value() as f32,
            reach: attenuated(it.attenuation.value() as f32),
            place,
            ..SoundStart::default()
        })
    }
}

/// The print level of chat.
const CHAT: u8 = value(quake2::PRINT_LEVEL, "PRINT_CHAT") as u8;

/// The bits of a channel's number.
const CHANNELS: u8 = 7;

/// The share of a sound's volume that is lost per unit of distance; static sounds are audible only nearby.
fn attenuated(attenuation: f32) -> f32 {
    const CHANNEL_STAYS: f32 = 3.0;
    if (attenuation - CHANNEL_STAYS).abs() < 0.01 { STATIC } else { attenuation * VOLUME_LOSS }
}

fn spoken(file: &str, entity: i32, channel: i32, reach: f32, it: Option<&Entity>) -> SoundStart {
    let sample = file.strip_prefix('#').map_or_else(|| format!("sound/{file}"), ToOwned::to_owned).into();
    let place = it.map(|it| point(it.origin));
    SoundStart { sample, voice: Voice { entity, channel }, reach, place, ..SoundStart::default() }
}

fn sound_of_part(part: &EffectPart, dice: &mut Dice) -> Option<(String, f32)> {
    match part {
        EffectPart::Heard(file, reach) => Some(((*file).to_owned(), *reach)),
        EffectPart::Ricochet => match dice.below(16) {
            number @ 1..=3 => Some((format!("world/ric{number}.wav"), NORMAL)),
            _ => None,
        },
        _ => None,
    }
}

fn event_sound(it: &Entity, dice: &mut Dice) -> Option<(String, i32, f32)> {
    let step = format!("player/step{}.wav", dice.below(4) + 1);
    Some(match it.event {
        what if what == event("EV_ITEM_RESPAWN") => {
            ("items/respawn1.wav".to_owned(), WEAPON, ITEM_VOLUME_LOSS)
        }
        what if what == event("EV_PLAYER_TELEPORT") => {
            ("misc/tele1.wav".to_owned(), WEAPON, ITEM_VOLUME_LOSS)
        }
        what if what == event("EV_FOOTSTEP") => (step, BODY, NORMAL),
        what if what == event("EV_FALLSHORT") => ("player/land1.wav".to_owned(), 0, NORMAL),
        what if what == event("EV_FALL") => ("*fall2.wav".to_owned(), 0, NORMAL),
        what if what == event("EV_FALLFAR") => ("*fall1.wav".to_owned(), 0, NORMAL),
        _ => return None,
    })
}
