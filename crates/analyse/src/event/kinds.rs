//! **The** table of events: kinds with their fields. JSON, columns, documents and the command line read it.

// not from SCHEMA, all words: events, their fields and evidence have names of their own.

use super::field::{EventField, EventPlayer, FieldValue};
use crate::GameText;

/// A row of the table: a kind of event.
///
/// ```
/// use moviola_analyse::EventKind;
/// let row = EventKind::Pause { on: true }.row();
/// assert_eq!((row.name, row.note), ("pause", "The game stops or goes on."));
/// assert!(EventKind::ROWS.contains(row));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KindRow {
    /// Its name, which stays the same in all versions.
    pub name: &'static str,
    /// Its explanation.
    pub note: &'static str,
    /// Its fields.
    pub fields: &'static [FieldRow],
    /// Where lists for people show it.
    pub listed: Listed,
}

/// Whether lists for people show a kind of event, since frequent kinds would hide the others.
///
/// ```
/// use moviola_analyse::{EventKind, Listed};
/// assert_eq!(EventKind::Intermission {}.row().listed, Listed::Always);
/// assert!(EventKind::ROWS.iter().any(|row| row.name == "shot" && row.listed == Listed::OnRequest));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// In all lists.
    Always,
    /// In lists of one recording's events, but not in the log of a page until the reader asks for it.
    InLists,
    /// Only if the user asks for this kind by name, or for all events.
    OnRequest,
}

/// A row of the table: a field of an event.
///
/// ```
/// use moviola_analyse::{FieldRow, EventKind};
/// let fields = EventKind::Pause { on: true }.row().fields;
/// assert_eq!(fields, [FieldRow { name: "on", kind: "bool", note: "Whether it stops." }]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldRow {
    /// Its name.
    pub name: &'static str,
    /// Its type: `bool`, `int`, `float`, `word` (one of a few), `text`, `player` or `place`.
    pub kind: &'static str,
    /// Its explanation.
    pub note: &'static str,
}

macro_rules! kinds {
    (@listed) => { Listed::Always };
    (@listed $listed:ident) => { Listed::$listed };
    ($(
        #[doc = $note:literal]
        $kind:ident = $name:literal $(, $listed:ident)? { $(
            #[doc = $field_note:literal]
            $field:ident: $type:ty,
        )* }
    )*) => {
        /// The kind of an event, with its data.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum EventKind { $(
            #[doc = $note]
            $kind { $(
                #[doc = $field_note]
                $field: $type,
            )* },
        )* }

        impl EventKind {
            /// The table: all kinds in its order.
            pub const ROWS: &[KindRow] = &[ $(
                KindRow {
                    name: $name,
                    note: moviola_format::note($note.trim_ascii()),
                    fields: &[ $(
                        FieldRow {
                            name: stringify!($field),
                            kind: <$type as EventField>::TYPE,
                            note: moviola_format::note($field_note.trim_ascii()),
                        },
                    )* ],
                    listed: kinds!(@listed $($listed)?),
                },
            )* ];

            /// Its place in the table.
            fn place(&self) -> usize {
                #[allow(clippy::upper_case_acronyms)]
                enum Place { $($kind),* }
                match self { $(Self::$kind { .. } => Place::$kind as usize,)* }
            }

            /// Shows its fields, in the table's order.
            pub fn fields<'k>(&'k self, show: &mut dyn FnMut(&'static str, FieldValue<'k>)) {
                match self { $(
                    Self::$kind { $($field),* } => { $( show(stringify!($field), $field.value()); )* let _ = show; }
                )* }
            }
        }
    };
}

impl EventKind {
    /// The event of an item that the recorder picks up.
    pub(crate) fn pickup(item: GameText, amount: Option<i32>) -> Self {
        Self::Pickup { item, amount, player: None, entity: None, respawn: None }
    }

    /// Its row in the table.
    pub fn row(&self) -> &'static KindRow {
        // Each kind has a row, since one macro makes both, so this is never returned.
        const NONE: KindRow = KindRow { name: "", note: "", fields: &[], listed: Listed::Always };
        Self::ROWS.get(self.place()).unwrap_or(&NONE)
    }
}

kinds! {
    /// A level is announced.
    LevelStart = "level_start", InLists {
        /// The level's file, without folder and extension.
        map: Option<GameText>,
        /// Its title.
        title: GameText,
        /// The protocol's number.
        protocol: i32,
        /// The greatest number of players.
        max_clients: u8,
    }
    /// A level ends: another one is announced, or the recording ends.
    LevelEnd = "level_end", InLists {
        /// The level's file, without folder and extension.
        map: Option<GameText>,
        /// The kind of end: `intermission`, `finale`, `cutscene`, or `left`.
        how: &'static str,
        /// The time that it took, by the rule of speedrunners.
        seconds: Option<f64>,
        /// Monsters killed.
        kills: Option<i32>,
        /// The total of monsters.
        total_kills: Option<i32>,
        /// Secrets found.
        secrets: Option<i32>,
        /// The total of secrets.
        total_secrets: Option<i32>,
    }
    /// The level is over: the scores are shown.
    Intermission = "intermission" {
    }
    /// The episode is over: a text is shown.
    Finale = "finale" {
        /// The text.
        text: GameText,
    }
    /// A text over a scene (mission packs).
    Cutscene = "cutscene" {
        /// The text.
        text: GameText,
    }
    /// The game stops or goes on.
    Pause = "pause" {
        /// Whether it stops.
        on: bool,
    }
    /// A player enters the game.
    Join = "join" {
        /// The player.
        player: EventPlayer,
    }
    /// A player leaves the game.
    Leave = "leave" {
        /// The player.
        player: EventPlayer,
        /// The player's last score, if the game prints it.
        frags: Option<i32>,
    }
    /// A player takes another name.
    Rename = "rename" {
        /// The player, with the new name.
        player: EventPlayer,
        /// The old name.
        before: GameText,
    }
    /// A player takes other colors or another skin.
    Recolor = "recolor" {
        /// The player.
        player: EventPlayer,
        /// The shirt's color (Quake).
        shirt: Option<u8>,
        /// The trousers' color (Quake).
        pants: Option<u8>,
        /// The model and skin (Quake II).
        skin: Option<GameText>,
    }
    /// A player's score changes.
    Frags = "frags", InLists {
        /// The player.
        player: EventPlayer,
        /// The new score.
        frags: i32,
        /// The difference from the old score.
        change: i32,
    }
    /// A chat message.
    Chat = "chat" {
        /// The player who sent it, if known.
        player: EventPlayer,
        /// The message.
        text: GameText,
        /// Whether it is for the player's team only.
        team: bool,
        /// Whether the talk sound is played.
        talk: bool,
    }
    /// A line on the console that makes no other event.
    Console = "console" {
        /// The line.
        text: GameText,
    }
    /// Text in the middle of the screen.
    Centerprint = "centerprint" {
        /// The text.
        text: GameText,
    }
    /// A player dies.
    Kill = "kill" {
        /// The player who died, if the line names one.
        victim: Option<EventPlayer>,
        /// The killer, if it was a player.
        attacker: Option<EventPlayer>,
        /// `kill`, `teamkill`, `suicide`, `monster` or `world`.
        class: &'static str,
        /// The weapon, the monster or the danger.
        weapon: &'static str,
        /// The line that the game prints.
        text: GameText,
    }
    /// The recorder picks something up; in an MVD any player.
    Pickup = "pickup" {
        /// The item.
        item: GameText,
        /// The amount, if the game prints it.
        amount: Option<i32>,
        /// The player, in an MVD.
        player: Option<EventPlayer>,
        /// The number of the item's entity, if the recording contains it.
        entity: Option<u16>,
        /// The number of seconds until the item comes back, if the recording contains it.
        respawn: Option<f64>,
    }
    /// A dying player leaves a backpack with a weapon, from KTX's data in an MVD.
    Drop = "drop" {
        /// The player.
        player: EventPlayer,
        /// The weapon in the backpack.
        weapon: &'static str,
        /// The number of the backpack's entity.
        entity: u16,
    }
    /// A player damages a player, perhaps the same one, from MVDSV's data in an MVD.
    Hit = "hit", InLists {
        /// The attacker, if it was a player.
        attacker: Option<EventPlayer>,
        /// The player who was hurt.
        victim: EventPlayer,
        /// The weapon or other cause.
        weapon: &'static str,
        /// The points of damage, those of the armor included.
        damage: i32,
        /// Whether it was splash damage.
        splash: bool,
    }
    /// A match begins, is extended, is interrupted or ends (QuakeWorld's KTX).
    Match = "match" {
        /// `countdown`, `start` after it, `round` of Clan Arena, `overtime` if the time is over and nobody leads, `break` if players stop it, or `end`.
        what: &'static str,
    }
    /// A player marks the moment, to find it again, or the game does at the end of a round of `HoonyMode` (`//demomark`).
    Bookmark = "bookmark" {
        /// The player, if the recording says who.
        player: Option<EventPlayer>,
        /// The mark's words, if it has any.
        text: GameText,
    }
    /// A player's use of a weapon so far in a match, from KTX's line at each change.
    Accuracy = "accuracy", OnRequest {
        /// The player.
        player: EventPlayer,
        /// The weapon.
        weapon: &'static str,
        /// Shots; of shotguns pellets, of the Thunderbolt cells.
        attacks: i32,
        /// How many of them hit a player; of rockets and grenades those that hit directly.
        hits: i32,
    }
    /// An item that was taken begins to come back, as KTX says it: the megahealth has worn off.
    Timer = "timer", InLists {
        /// The item.
        item: GameText,
        /// The number of its entity.
        entity: u16,
        /// The number of seconds until it is back.
        seconds: f64,
    }
    /// A backpack vanishes that nobody took, as KTX says it.
    Expire = "expire", InLists {
        /// The number of its entity.
        entity: u16,
    }
    /// The recorder changes to another weapon.
    Weapon = "weapon", InLists {
        /// The new weapon.
        weapon: GameText,
        /// The old weapon.
        before: GameText,
    }
    /// A player shoots.
    Shot = "shot", OnRequest {
        /// The player.
        player: EventPlayer,
        /// The weapon.
        weapon: &'static str,
        /// Whether it is the recorder.
        own: bool,
        /// The number of pellets, if they can be traced.
        pellets: Option<u8>,
        /// The number of pellets that hit a player or a monster.
        hits: Option<u8>,
    }
    /// The recorder is hurt.
    Damage = "damage" {
        /// The points that the health lost.
        health: i32,
        /// The points that the armor lost.
        armor: i32,
        /// The health after it.
        health_left: i32,
        /// The armor after it.
        armor_left: i32,
        /// The direction that it came from, in degrees to the left of the player's view.
        direction: Option<f64>,
        /// The position that it came from.
        origin: Option<[f64; 3]>,
        /// The cause or attacker, if it can be inferred.
        attacker: Option<GameText>,
    }
    /// A monster is killed.
    Monster = "monster" {
        /// The number of monsters killed so far.
        kills: i32,
        /// The total of monsters.
        total: Option<i32>,
        /// The kind of monster, if one was seen to die.
        name: Option<&'static str>,
        /// The position where it died.
        origin: Option<[f64; 3]>,
    }
    /// A boss awakes, is hurt or dies, by the sounds that only bosses make.
    Boss = "boss" {
        /// The boss.
        name: &'static str,
        /// `awake`, `hurt` or `dead`.
        state: &'static str,
        /// How often it was heard to be hurt so far.
        hits: i32,
        /// The number of seconds since it was first heard.
        seconds: Option<f64>,
        /// The position of the sound.
        origin: Option<[f64; 3]>,
    }
    /// A secret is found.
    Secret = "secret" {
        /// The number of secrets found so far.
        secrets: i32,
        /// The total of secrets.
        total: Option<i32>,
    }
    /// The recorder is teleported.
    Teleport = "teleport" {
        /// The position before.
        from: [f64; 3],
        /// The position after.
        to: [f64; 3],
    }
    /// The recorder gets a powerup.
    PowerupStart = "powerup_start" {
        /// The powerup.
        powerup: &'static str,
    }
    /// The recorder loses a powerup.
    PowerupEnd = "powerup_end" {
        /// The powerup.
        powerup: &'static str,
        /// The duration in seconds, if the start was seen.
        seconds: Option<f64>,
    }
    /// An item comes into sight for the first time.
    ItemSeen = "item_seen", OnRequest {
        /// The entity's number.
        entity: u16,
        /// The item.
        item: &'static str,
        /// The item's position.
        origin: [f64; 3],
    }
    /// An item that was in sight is taken.
    ItemTaken = "item_taken", OnRequest {
        /// The entity's number.
        entity: u16,
        /// The item.
        item: &'static str,
        /// The item's position.
        origin: [f64; 3],
        /// Whether the recorder took it, if it can be inferred.
        own: Option<bool>,
        /// The player who took it, if the game says so (MVD).
        player: Option<EventPlayer>,
    }
    /// A taken item is back.
    ItemBack = "item_back", OnRequest {
        /// The entity's number.
        entity: u16,
        /// The item.
        item: &'static str,
        /// The item's position.
        origin: [f64; 3],
        /// The number of seconds since it was taken, if that was seen.
        seconds: Option<f64>,
    }
    /// A player enters the level, or comes back to life.
    Spawn = "spawn", InLists {
        /// The player.
        player: EventPlayer,
        /// The player's position.
        origin: Option<[f64; 3]>,
        /// Whether it is the recorder.
        own: bool,
    }
    /// A player is seen to die.
    Death = "death" {
        /// The player.
        player: EventPlayer,
        /// The player's position.
        origin: Option<[f64; 3]>,
        /// Whether it is the recorder.
        own: bool,
    }
    /// A dead player's body stays behind as an entity of its own.
    Body = "body", InLists {
        /// The entity's number.
        entity: u16,
        /// The dead player.
        player: EventPlayer,
        /// The body's position.
        origin: [f64; 3],
    }
    /// The flag of a team (capture the flag).
    Flag = "flag" {
        /// The player; empty if a flag returns on its own.
        player: Option<EventPlayer>,
        /// The flag's team, if the line names it.
        team: Option<&'static str>,
        /// `taken`, `lost`, `tossed`, `captured`, `returned`, or another achievement: `assist`, `defense`, `bonus`.
        what: &'static str,
        /// The line that the game prints.
        text: GameText,
    }
    /// The server sends a command for the client's console.
    Command = "command", InLists {
        /// The command.
        text: GameText,
        /// The dangers of running the command, separated by commas; empty if it is harmless.
        danger: Option<GameText>,
    }
    /// The server ends the connection.
    Disconnect = "disconnect" {
    }
}
