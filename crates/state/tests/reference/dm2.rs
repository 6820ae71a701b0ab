//! Quake II's state, and the effect of each message on it. Sources: the DM2 document 1.0.4, its errata, and
//! for frames `CL_ParseFrame` of id's `cl_ents.c`.

use super::bytes::Bytes;
use super::dm2_messages::{Delta, Form, Head, Info, Msg, Sound};
use super::{Read, Stop};
use std::collections::{BTreeMap, HashMap};

/// A player's state: its parts by name and index; a missing part is 0.
pub(crate) type Player = HashMap<(&'static str, usize), i64>;

/// A frame that is not over: its head, the players' states by client (2.5), and the entities.
type Open = (Head, Vec<(Option<u8>, Info)>, Option<Vec<Delta>>);

/// An entity: its fields by name; a missing one is 0.
pub(crate) type Ent = HashMap<&'static str, i64>;

/// A frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    pub seq1: i32,
    pub seq2: i32,
    pub valid: bool,
    pub why: &'static str,
    pub areas: Vec<u8>,
    pub connected: Vec<u8>,
    pub players: BTreeMap<Option<u8>, Player>,
    /// The entities in the order of an engine's list.
    pub entities: Vec<(i32, Ent)>,
    /// The number of entities counted before it.
    pub first: usize,
}

/// The whole state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dm2 {
    pub protocol: i32,
    pub key: i32,
    pub isdemo: i32,
    pub game: Vec<u8>,
    pub client: i32,
    pub title: Vec<u8>,
    pub config: HashMap<i32, Vec<u8>>,
    pub baselines: HashMap<i32, Ent>,
    pub frames: HashMap<i32, Frame>,
    pub frame: Frame,
    /// The last frame that a client would draw.
    pub drawn: Frame,
    pub counted: usize,
    /// The number of frames that the level had.
    pub frame_count: usize,
    pub layout: Vec<u8>,
    pub inventory: Vec<i32>,
    pub center: Vec<u8>,
    pub disconnected: bool,
    /// The sounds started in the last block, in order.
    pub sounds: Vec<Sound>,
    pub flashes: Vec<(bool, i32, i32)>,
    pub effects: Vec<(i32, Option<[i32; 3]>)>,
    pub texts: Vec<(char, i32, Vec<u8>)>,
}

fn get(entity: &Ent, name: &str) -> i64 {
    entity.get(name).copied().unwrap_or_default()
}

/// `CL_ParseDelta`.
fn changed(from: &Ent, delta: &[(&'static str, i64)]) -> Ent {
    let mut to = from.clone();
    for (old, new) in [("old_x", "x"), ("old_y", "y"), ("old_z", "z")] {
        to.insert(old, get(from, new));
    }
    to.insert("event", 0);
    to.extend(delta.iter().copied());
    to
}

impl Dm2 {
    /// Applies a block.
    pub(crate) fn block(&mut self, data: &[u8]) -> Read<()> {
        self.sounds.clear();
        self.flashes.clear();
        self.effects.clear();
        self.texts.clear();
        let mut bytes = Bytes::new(data);
        let mut open: Option<Open> = None;
        while !bytes.is_done() {
            let mut id = bytes.byte()?;
            let mut client = None;
            if id & 0x80 != 0 && self.isdemo == 0x80 {
                id &= 0x7F;
                client = Some(bytes.byte()? as u8);
            }
            let protocol = if self.protocol == 0 { 34 } else { self.protocol };
            match Msg::read(&mut bytes, id, protocol, self.isdemo)? {
                Msg::Frame(head) => {
                    self.close(open.take());
                    self.frame_count += 1;
                    open = Some((head, Vec::new(), None));
                }
                Msg::Info(info) => open.as_mut().ok_or(Stop::Illegible)?.1.push((client, info)),
                Msg::Entities(list) => open.as_mut().ok_or(Stop::Illegible)?.2 = Some(list),
                // A message for one client changes only that client's own screen, which this reader does not have.
                Msg::Layout(_) | Msg::Inventory(_) | Msg::ConfigString(..) if client.is_some() => {}
                Msg::CenterPrint(text) if client.is_some() => self.texts.push(('c', 0, text)),
                other => self.apply(other),
            }
        }
        self.close(open);
        Ok(())
    }

    fn close(&mut self, open: Option<Open>) {
        if let Some((head, infos, Some(list))) = open {
            self.frame(head, &infos, &list);
        }
    }

    fn frame(&mut self, head: Head, infos: &[(Option<u8>, Info)], list: &[Delta]) {
        let mut new = Frame {
            seq1: head.seq1,
            seq2: head.seq2,
            areas: head.areas,
            connected: head.connected,
            ..Frame::default()
        };
        new.first = self.counted;
        let mut old = None;
        let server = head.form == Form::Server;
        if server || head.seq2 <= 0 {
            new.valid = true;
            new.why = "full";
        } else {
            let base = self.frames.get(&(head.seq2 & 15)).cloned().unwrap_or_default();
            new.why = if base.seq1 != head.seq2 {
                "too old"
            } else if self.counted - base.first > 1024 - 128 {
                "entities too old"
            } else if base.valid {
                "delta"
            } else {
                "from invalid"
            };
            new.valid = !new.why.ends_with("old");
            old = Some(base);
        }
        for (client, info) in infos {
            let mut player =
                old.as_ref().and_then(|old| old.players.get(client).cloned()).unwrap_or_default();
            player.extend(info.fields.iter().map(|(name, at, value)| ((*name, *at), *value)));
            new.players.insert(*client, player);
        }
        let old_entities = old.map(|old| old.entities).unwrap_or_default();
        new.entities = self.merged(&old_entities, list, server);
        self.counted += new.entities.len();
        self.frames.insert(new.seq1 & 15, new.clone());
        if new.valid {
            self.drawn = new.clone();
        }
        self.frame = new;
    }

    /// `CL_ParsePacketEntities`, step by step. Its oddities in damaged recordings matter too, because the
    /// frame after one that could not be built counts as good again.
    fn merged(&self, old: &[(i32, Ent)], list: &[Delta], server: bool) -> Vec<(i32, Ent)> {
        const NONE: i32 = 99_999;
        let mut new = Vec::new();
        let mut oldindex = 0;
        let oldnum = |oldindex: usize| old.get(oldindex).map_or(NONE, |(number, _)| *number);
        let nothing = Ent::new();
        for delta in list {
            while oldnum(oldindex) < delta.entity {
                new.push((oldnum(oldindex), changed(&old[oldindex].1, &[])));
                oldindex += 1;
            }
            if delta.remove {
                oldindex += 1;
            } else if oldnum(oldindex) == delta.entity {
                new.push((delta.entity, changed(&old[oldindex].1, &delta.fields)));
                oldindex += 1;
            } else {
                let base = if server { None } else { self.baselines.get(&delta.entity) };
                new.push((delta.entity, changed(base.unwrap_or(&nothing), &delta.fields)));
            }
        }
        while oldnum(oldindex) != NONE {
            new.push((oldnum(oldindex), changed(&old[oldindex].1, &[])));
            oldindex += 1;
        }
        new
    }

    fn apply(&mut self, message: Msg) {
        match message {
            Msg::Flash(monster, entity, value) => self.flashes.push((monster, entity, value)),
            Msg::Effect(kind, origin) => self.effects.push((kind, origin)),
            Msg::Layout(text) => self.layout = text,
            Msg::Inventory(counts) => self.inventory = counts,
            Msg::Disconnect => self.disconnected = true,
            Msg::Sound(sound) => self.sounds.push(sound),
            Msg::Print(level, text) => self.texts.push(('p', level, text)),
            Msg::StuffText(text) => self.texts.push(('s', 0, text)),
            Msg::CenterPrint(text) => {
                self.center.clone_from(&text);
                self.texts.push(('c', 0, text));
            }
            Msg::ServerData { protocol, key, isdemo, game, client, title } => {
                *self = Self {
                    protocol,
                    key,
                    isdemo,
                    game,
                    client,
                    title,
                    sounds: std::mem::take(&mut self.sounds),
                    flashes: std::mem::take(&mut self.flashes),
                    effects: std::mem::take(&mut self.effects),
                    texts: std::mem::take(&mut self.texts),
                    ..Self::default()
                };
            }
            // Errata 32: the number 2080 is one too high.
            Msg::ConfigString(index, text) if (0..2080).contains(&index) => {
                self.config.insert(index, text);
            }
            Msg::Baseline(delta) => {
                self.baselines.insert(delta.entity, changed(&Ent::new(), &delta.fields));
            }
            Msg::Nothing | Msg::ConfigString(..) | Msg::Info(_) | Msg::Entities(_) | Msg::Frame(_) => {}
        }
    }
}
