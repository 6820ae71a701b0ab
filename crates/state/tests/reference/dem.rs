//! Quake's state, and the effect of each message on it. Sources: the DEM document 1.0.9 (section numbers are
//! its), its errata, and for the client's behavior `cl_parse.c` and `cl_main.c` of id.

use super::bytes::Bytes;
use super::dem_messages::{Base, Client, Effect, Msg, Sound, Update};
use super::{Read, Stop};
use std::collections::HashMap;

/// An entity of the client.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ent {
    /// The model with which it is drawn; `None` if it was not in the last update.
    pub(crate) model: Option<i32>,
    /// The state after the last update, `modelindex` with it.
    pub now: Base,
    pub effects: i32,
    pub lerpfinish: Option<i32>,
    pub step: bool,
    pub forcelink: bool,
    pub msgtime: f32,
}

/// A level's result, by the rule of speedrunners: its time is the server's last before the scores or the
/// text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub map: Vec<u8>,
    pub frames: usize,
    pub ended: Option<f32>,
    /// Monsters and their total, secrets and their total: numbers 14, 12, 13 and 11.
    pub counts: [i32; 4],
    pub frags: Vec<(i32, Vec<u8>, i32)>,
}

/// The whole state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dem {
    pub protocol: i32,
    pub flags: u32,
    pub maxclients: i32,
    pub multi: i32,
    pub title: Vec<u8>,
    pub(crate) models: Vec<Vec<u8>>,
    pub sounds: Vec<Vec<u8>>,
    pub mtime: [f32; 2],
    pub signon: i32,
    pub paused: bool,
    pub disconnected: bool,
    pub viewentity: i32,
    pub angles: [u32; 3],
    pub setangle: Option<[f64; 3]>,
    pub client: Client,
    pub playerstate: HashMap<i32, i32>,
    pub names: HashMap<i32, Vec<u8>>,
    pub frags: HashMap<i32, i32>,
    pub colors: HashMap<i32, i32>,
    pub lights: HashMap<i32, Vec<u8>>,
    pub baselines: HashMap<i32, Base>,
    pub entities: HashMap<i32, Ent>,
    pub statics: Vec<Base>,
    pub static_sounds: Vec<(i32, [f64; 3], i32, i32)>,
    pub cd: Option<(i32, i32)>,
    pub intermission: i32,
    pub completed: f32,
    pub finale: Vec<u8>,
    pub center: Option<Vec<u8>>,
    pub damage: Option<(i32, i32, [f64; 3])>,
    pub sky: Vec<u8>,
    pub fog: Option<([i32; 4], i32)>,
    /// The version that the server printed, times 100.
    pub version: i32,
    /// The sounds started in the last block, in order.
    pub started: Vec<Sound>,
    pub effects: Vec<Effect>,
    pub particles: Vec<([f64; 3], [i32; 3], i32, i32)>,
    pub texts: Vec<(char, Vec<u8>)>,
    pub damages: usize,
    /// The levels so far; the counts of the last one are not final yet.
    pub tallies: Vec<Tally>,
    /// The entities that the last block updated.
    pub touched: Vec<i32>,
}

impl Dem {
    /// Applies a block.
    pub(crate) fn block(&mut self, head: &[u8], data: &[u8]) -> Read<()> {
        let long = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        self.angles = [long(0), long(4), long(8)];
        self.started.clear();
        self.effects.clear();
        self.particles.clear();
        self.texts.clear();
        self.touched.clear();
        self.damages = 0;
        // Section 7.16: whether items follow a clear bit is not on the wire. Errata 8: nor is a weapon byte that is missing.
        // The mission packs send a bit's number there, so 32 and more is the next message.
        let missing = self.is_mission_pack();
        let attempts = [[false, missing], [true, missing], [false, !missing], [true, !missing]];
        let read = |habits| self.read(data, habits);
        let first = read([false, missing]);
        let (messages, outcome) = match first.1 {
            Err(Stop::Illegible) => attempts.map(read).into_iter().find(|it| it.1.is_ok()).unwrap_or(first),
            _ => first,
        };
        for message in messages {
            self.apply(message);
        }
        self.relink();
        outcome
    }

    /// Whether the level is a mission pack's, by its files ("wire" A1.3).
    fn is_mission_pack(&self) -> bool {
        let starts: [&[u8]; 3] = [b"maps/hip", b"maps/r1m", b"maps/r2m"];
        let weapons: [&[u8]; 4] =
            [b"progs/v_hammer.mdl", b"progs/v_laserg.mdl", b"progs/v_lava.mdl", b"progs/v_multi.mdl"];
        let level = self.models.get(1).map_or(&[][..], Vec::as_slice);
        starts.iter().any(|start| level.starts_with(start))
            || self.models.iter().any(|model| weapons.contains(&model.as_slice()))
    }

    fn read(&self, data: &[u8], [by_bit, no_weapon]: [bool; 2]) -> (Vec<Msg>, Read<()>) {
        let (mut protocol, mut flags, mut version) = (self.protocol, self.flags, self.version);
        let (mut bytes, mut messages) = (Bytes::new(data), Vec::new());
        while !bytes.is_done() {
            let by_bit = by_bit || (1..107).contains(&version);
            match Msg::read(&mut bytes, protocol, flags, [by_bit, no_weapon]) {
                Err(stop) => return (messages, Err(stop)),
                Ok(message) => {
                    match &message {
                        Msg::ServerInfo { protocol: new, flags: bits, .. } => {
                            (protocol, flags) = (*new, *bits);
                        }
                        Msg::Version(new) if *new != protocol => return (messages, Err(Stop::Foreign)),
                        Msg::Print(text) => version = printed_version(text).unwrap_or(version),
                        _ => {}
                    }
                    messages.push(message);
                }
            }
        }
        (messages, Ok(()))
    }

    /// Ends the level: the current counts are final.
    pub(crate) fn close(&mut self) {
        let count = |index: i32| self.playerstate.get(&index).copied().unwrap_or_default();
        let counts = [14, 12, 13, 11].map(count);
        let players = (0..self.maxclients.max(256)).filter_map(|player| {
            let name = self.names.get(&player).filter(|name| !name.is_empty())?;
            Some((player, name.clone(), self.frags.get(&player).copied().unwrap_or_default()))
        });
        let frags = players.collect();
        if let Some(tally) = self.tallies.last_mut() {
            tally.counts = counts;
            tally.frags = frags;
        }
    }

    /// Stops drawing the entities that are not in the last update (`CL_RelinkEntities`).
    fn relink(&mut self) {
        for entity in self.entities.values_mut() {
            if entity.msgtime != self.mtime[0] {
                entity.model = None;
            }
        }
    }

    fn apply(&mut self, message: Msg) {
        match message {
            Msg::Disconnect => self.disconnected = true,
            Msg::UpdateStat(index, value) if index <= 0x1F => {
                self.playerstate.insert(index, value);
            }
            Msg::Nothing | Msg::UpdateStat(..) => {}
            Msg::Version(protocol) => self.protocol = protocol,
            Msg::SetView(entity) => self.viewentity = entity,
            Msg::Sound(sound) => self.started.push(sound),
            Msg::Time(time) => {
                self.mtime = [time, self.mtime[0]];
                if let Some(tally) = self.tallies.last_mut() {
                    tally.frames += 1;
                }
            }
            Msg::Print(text) => {
                self.version = printed_version(&text).unwrap_or(self.version);
                self.texts.push(('p', text));
            }
            Msg::StuffText(text) => self.texts.push(('s', text)),
            Msg::SetAngle(angles) => self.setangle = Some(angles),
            Msg::ServerInfo { protocol, flags, maxclients, multi, title, models, sounds } => {
                self.close();
                let map = models.get(1).cloned().unwrap_or_default();
                self.tallies.push(Tally { map, ..Tally::default() });
                *self = Self {
                    protocol,
                    flags,
                    maxclients,
                    multi,
                    title,
                    models,
                    sounds,
                    angles: self.angles,
                    version: self.version,
                    started: std::mem::take(&mut self.started),
                    effects: std::mem::take(&mut self.effects),
                    particles: std::mem::take(&mut self.particles),
                    texts: std::mem::take(&mut self.texts),
                    damages: self.damages,
                    tallies: std::mem::take(&mut self.tallies),
                    ..Self::default()
                };
            }
            Msg::LightStyle(style, text) => {
                self.lights.insert(style, text);
            }
            Msg::UpdateName(player, name) => {
                self.names.insert(player, name);
            }
            Msg::UpdateFrags(player, frags) => {
                self.frags.insert(player, frags);
            }
            Msg::UpdateColors(player, colors) => {
                self.colors.insert(player, colors);
            }
            Msg::Client(client, playerstate) => {
                self.client = client;
                self.playerstate.extend(playerstate);
            }
            Msg::Particle(origin, vel, count, color) => self.particles.push((origin, vel, count, color)),
            Msg::Damage(save, take, origin) => {
                self.damage = Some((save, take, origin));
                self.damages += 1;
            }
            Msg::Static(base) => self.statics.push(base),
            Msg::Baseline(number, base) => {
                self.baselines.insert(number, base);
            }
            Msg::Effect(effect) => self.effects.push(effect),
            Msg::SetPause(state) => self.paused = state != 0,
            Msg::Signon(signon) => self.signon = signon,
            Msg::CenterPrint(text) => {
                self.center = Some(text.clone());
                self.texts.push(('c', text));
            }
            Msg::Killed => *self.playerstate.entry(14).or_default() += 1,
            Msg::Secret => *self.playerstate.entry(13).or_default() += 1,
            Msg::StaticSound(sound) => self.static_sounds.push(sound),
            Msg::Ending(kind, text) => {
                let ends = [&b"maps/hipend.bsp"[..], b"maps/mexx8.bsp", b"maps/r2m8.bsp"];
                if let Some(tally) = self.tallies.last_mut()
                    && (kind != 3 || ends.contains(&&tally.map[..]))
                    && self.multi == 0
                {
                    tally.ended.get_or_insert(self.mtime[0]);
                }
                self.intermission = kind;
                self.completed = self.mtime[0];
                self.finale = text;
                if kind > 1 {
                    // SCR_CenterPrint: the text replaces the one before.
                    self.center = None;
                }
            }
            Msg::CdTrack(from, to) => self.cd = Some((from, to)),
            Msg::SkyBox(sky) => self.sky = sky,
            Msg::Fog(colors, time) => self.fog = Some((colors, time)),
            Msg::Update(update) => self.update(&update),
        }
    }

    /// Section 7.36 of the document, and `CL_ParseUpdate` of id's client.
    fn update(&mut self, it: &Update) {
        if self.signon == 3 {
            self.signon = 4;
        }
        let base = self.baselines.get(&it.entity).cloned().unwrap_or_default();
        let entity = self.entities.entry(it.entity).or_default();
        let mut forcelink = entity.msgtime != self.mtime[1] || it.step;
        entity.msgtime = self.mtime[0];
        let index = it.model.unwrap_or(base.model & 0xFF);
        let high = it.model_high.unwrap_or(if it.model.is_none() { base.model >> 8 } else { 0 });
        let index = index | high << 8;
        let model = (index != 0).then_some(index);
        forcelink |= model.is_none() && entity.model.is_some();
        entity.model = model;
        let frame = it.frame.unwrap_or(base.frame & 0xFF);
        let high = it.frame_high.unwrap_or(if it.frame.is_none() { base.frame >> 8 } else { 0 });
        entity.now = Base {
            model: index,
            frame: frame | high << 8,
            colormap: it.colormap.unwrap_or(base.colormap),
            skin: it.skin.unwrap_or(base.skin),
            alpha: it.alpha.unwrap_or(base.alpha),
            scale: it.scale.unwrap_or(base.scale),
            origin: [0, 1, 2].map(|axis| it.origin[axis].unwrap_or(base.origin[axis])),
            angles: [0, 1, 2].map(|axis| it.angles[axis].unwrap_or(base.angles[axis])),
        };
        entity.effects = it.effects.unwrap_or(0);
        entity.lerpfinish = it.lerpfinish;
        entity.step = it.step;
        entity.forcelink = forcelink;
        self.touched.push(it.entity);
    }
}

/// The version that a server prints before any other text, times 100.
fn printed_version(text: &[u8]) -> Option<i32> {
    let rest = text.strip_prefix(b"\x02\nVERSION ")?;
    let digit = |at: usize| rest.get(at).map(|byte| i32::from(*byte) - 48);
    (rest.get(1) == Some(&b'.')).then_some(digit(0)? * 100 + digit(2)? * 10 + digit(3)?)
}
