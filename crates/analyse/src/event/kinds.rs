//! **The** table of events: kinds with their fields. JSON, columns, documents and the command line read it.

// schema-once, all words: events, their fields and evidence have names of their own.

use super::field::{Field, Value, Who};
use crate::Said;

/// What the table says of a kind.
///
/// ```
/// use moviola_analyse::Kind;
/// let row = Kind::Pause { on: true }.row();
/// assert_eq!((row.name, row.note), ("pause", "The game stops or goes on."));
/// assert!(Kind::ROWS.contains(row));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KindRow {
    /// Its name; it does not change from one version to the next.
    pub name: &'static str,
    /// What it is.
    pub note: &'static str,
    /// Its fields.
    pub fields: &'static [FieldRow],
}

/// What the table says of a field.
///
/// ```
/// use moviola_analyse::{FieldRow, Kind};
/// let fields = Kind::Pause { on: true }.row().fields;
/// assert_eq!(fields, [FieldRow { name: "on", kind: "bool", note: "Whether it stops." }]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldRow {
    /// Its name.
    pub name: &'static str,
    /// Its type: `bool`, `int`, `float`, `word` (one of a few), `text`, `player` or `place`.
    pub kind: &'static str,
    /// What it is.
    pub note: &'static str,
}

macro_rules! kinds {
    ($(
        #[doc = $note:literal]
        $kind:ident = $name:literal { $(
            #[doc = $field_note:literal]
            $field:ident: $type:ty,
        )* }
    )*) => {
        /// What happened, with what there is to say about it.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Kind { $(
            #[doc = $note]
            $kind { $(
                #[doc = $field_note]
                $field: $type,
            )* },
        )* }

        impl Kind {
            /// The table: all kinds in its order.
            pub const ROWS: &[KindRow] = &[ $(
                KindRow {
                    name: $name,
                    note: moviola_format::note($note.trim_ascii()),
                    fields: &[ $(
                        FieldRow {
                            name: stringify!($field),
                            kind: <$type as Field>::TYPE,
                            note: moviola_format::note($field_note.trim_ascii()),
                        },
                    )* ],
                },
            )* ];

            /// Its place in the table.
            fn place(&self) -> usize {
                #[allow(clippy::upper_case_acronyms)]
                enum Place { $($kind),* }
                match self { $(Self::$kind { .. } => Place::$kind as usize,)* }
            }

            /// Shows its fields, in the table's order.
            pub fn fields<'k>(&'k self, show: &mut dyn FnMut(&'static str, Value<'k>)) {
                match self { $(
                    Self::$kind { $($field),* } => { $( show(stringify!($field), $field.value()); )* let _ = show; }
                )* }
            }
        }
    };
}

impl Kind {
    /// The recording player picks this up.
    pub(crate) fn pickup(item: Said, amount: Option<i32>) -> Self {
        Self::Pickup { item, amount, player: None, entity: None, respawn: None }
    }

    /// What the table says of it.
    pub fn row(&self) -> &'static KindRow {
        // Each kind has its row: the macro makes both.
        const NONE: KindRow = KindRow { name: "", note: "", fields: &[] };
        Self::ROWS.get(self.place()).unwrap_or(&NONE)
    }
}

kinds! {
    /// A level is announced.
    LevelStart = "level_start" {
        /// The level's file, without folder and ending.
        map: Option<Said>,
        /// Its title.
        title: Said,
        /// The protocol's number.
        protocol: i32,
        /// For how many players there is room.
        max_clients: u8,
    }
    /// A level is left: another one is announced, or the recording ends.
    LevelEnd = "level_end" {
        /// The level's file, without folder and ending.
        map: Option<Said>,
        /// How it ended: `intermission`, `finale`, `cutscene`, or `left`.
        how: &'static str,
        /// The time that it took, by the rule of speedrunners.
        seconds: Option<f64>,
        /// Monsters killed.
        kills: Option<i32>,
        /// Monsters in all.
        total_kills: Option<i32>,
        /// Secrets found.
        secrets: Option<i32>,
        /// Secrets in all.
        total_secrets: Option<i32>,
    }
    /// The level is over: the scores are shown.
    Intermission = "intermission" {
    }
    /// The episode is over: a text is shown.
    Finale = "finale" {
        /// The text.
        text: Said,
    }
    /// A text over a scene (mission packs).
    Cutscene = "cutscene" {
        /// The text.
        text: Said,
    }
    /// The game stops or goes on.
    Pause = "pause" {
        /// Whether it stops.
        on: bool,
    }
    /// A player comes.
    Join = "join" {
        /// Who.
        player: Who,
    }
    /// A player goes.
    Leave = "leave" {
        /// Who.
        player: Who,
        /// The score that he leaves with, where it is said.
        frags: Option<i32>,
    }
    /// A player takes another name.
    Rename = "rename" {
        /// Who, by the new name.
        player: Who,
        /// The old name.
        before: Said,
    }
    /// A player takes other colors or another skin.
    Recolor = "recolor" {
        /// Who.
        player: Who,
        /// The shirt's color (Quake).
        shirt: Option<u8>,
        /// The trousers' color (Quake).
        pants: Option<u8>,
        /// The model and skin (Quake II).
        skin: Option<Said>,
    }
    /// A player's score changes.
    Frags = "frags" {
        /// Who.
        player: Who,
        /// The new score.
        frags: i32,
        /// By how much it changed.
        change: i32,
    }
    /// Somebody says something.
    Chat = "chat" {
        /// Who, where he is known.
        player: Who,
        /// What.
        text: Said,
        /// Whether it is for his team.
        team: bool,
        /// Whether the talk sound is played.
        talk: bool,
    }
    /// A line on the console that is nothing of the others.
    Console = "console" {
        /// The line.
        text: Said,
    }
    /// Text in the middle of the screen.
    Centerprint = "centerprint" {
        /// The text.
        text: Said,
    }
    /// Somebody dies.
    Kill = "kill" {
        /// Who; a line that does not say it has none.
        victim: Option<Who>,
        /// By whom, where it was a player.
        attacker: Option<Who>,
        /// `kill`, `teamkill`, `suicide`, `monster` or `world`.
        class: &'static str,
        /// The weapon, the monster or the danger.
        weapon: &'static str,
        /// The line.
        text: Said,
    }
    /// The recording player picks something up; in an MVD any player.
    Pickup = "pickup" {
        /// What.
        item: Said,
        /// How much of it, where that is said.
        amount: Option<i32>,
        /// Who, in an MVD.
        player: Option<Who>,
        /// The number of the item's entity, where the game says it.
        entity: Option<u16>,
        /// After how many seconds it comes back, where the game says it.
        respawn: Option<f64>,
    }
    /// A player leaves a backpack with a weapon behind, as KTX says it.
    Drop = "drop" {
        /// Who.
        player: Who,
        /// The weapon that is in it.
        weapon: &'static str,
        /// The number of the backpack's entity.
        entity: u16,
    }
    /// A player does damage to another or to himself, as MVDSV says it in an MVD.
    Hit = "hit" {
        /// Who did it, where it was a player.
        attacker: Option<Who>,
        /// To whom.
        victim: Who,
        /// With what.
        weapon: &'static str,
        /// How many points, those of the armor included.
        damage: i32,
        /// Whether it was an explosion nearby.
        splash: bool,
    }
    /// A match begins, goes on or ends (QuakeWorld's KTX).
    Match = "match" {
        /// `start` behind the countdown, `overtime`, `break` when players ask for one, or `end`.
        what: &'static str,
    }
    /// The recording player takes another weapon in hand.
    Weapon = "weapon" {
        /// Which.
        weapon: Said,
        /// Which it was.
        before: Said,
    }
    /// Somebody shoots.
    Shot = "shot" {
        /// Who.
        player: Who,
        /// With what.
        weapon: &'static str,
        /// Whether it is the recording player.
        own: bool,
        /// How many pellets flew, where they can be followed.
        pellets: Option<u8>,
        /// How many of them hit somebody.
        hits: Option<u8>,
    }
    /// The recording player is hurt.
    Damage = "damage" {
        /// Points that health took.
        health: i32,
        /// Points that the armor took.
        armor: i32,
        /// The health after it.
        health_left: i32,
        /// The armor after it.
        armor_left: i32,
        /// From which side, in degrees from where the player looks, to the left.
        direction: Option<f64>,
        /// From where.
        origin: Option<[f64; 3]>,
        /// By whom or what, as far as can be told.
        attacker: Option<Said>,
    }
    /// A monster is killed.
    Monster = "monster" {
        /// How many there are now.
        kills: i32,
        /// Of how many.
        total: Option<i32>,
        /// What it was, where one was seen to die.
        name: Option<&'static str>,
        /// Where it died.
        origin: Option<[f64; 3]>,
    }
    /// A secret is found.
    Secret = "secret" {
        /// How many there are now.
        secrets: i32,
        /// Of how many.
        total: Option<i32>,
    }
    /// The recording player is teleported.
    Teleport = "teleport" {
        /// From where.
        from: [f64; 3],
        /// Whereto.
        to: [f64; 3],
    }
    /// The recording player gets a powerup.
    PowerupStart = "powerup_start" {
        /// Which.
        powerup: &'static str,
    }
    /// The recording player loses a powerup.
    PowerupEnd = "powerup_end" {
        /// Which.
        powerup: &'static str,
        /// For how many seconds he had it, where the beginning was seen.
        seconds: Option<f64>,
    }
    /// An item comes into sight for the first time.
    ItemSeen = "item_seen" {
        /// The entity's number.
        entity: u16,
        /// What it is.
        item: &'static str,
        /// Where it lies.
        origin: [f64; 3],
    }
    /// An item that lay in sight is taken.
    ItemTaken = "item_taken" {
        /// The entity's number.
        entity: u16,
        /// What it is.
        item: &'static str,
        /// Where it lay.
        origin: [f64; 3],
        /// Whether it was the recording player, as far as can be told.
        own: Option<bool>,
    }
    /// An item is back.
    ItemBack = "item_back" {
        /// The entity's number.
        entity: u16,
        /// What it is.
        item: &'static str,
        /// Where it lies.
        origin: [f64; 3],
        /// How many seconds after it was taken, where that was seen.
        seconds: Option<f64>,
    }
    /// A player enters the level, or comes back to life.
    Spawn = "spawn" {
        /// Who.
        player: Who,
        /// Where.
        origin: Option<[f64; 3]>,
        /// Whether it is the recording player.
        own: bool,
    }
    /// A player is seen to die.
    Death = "death" {
        /// Who.
        player: Who,
        /// Where.
        origin: Option<[f64; 3]>,
        /// Whether it is the recording player.
        own: bool,
    }
    /// What is left of a player stays behind as an entity of its own.
    Body = "body" {
        /// The entity's number.
        entity: u16,
        /// Whose it was.
        player: Who,
        /// Where it lies.
        origin: [f64; 3],
    }
    /// The flag of a team (capture the flag).
    Flag = "flag" {
        /// Who; a flag may come back by itself.
        player: Option<Who>,
        /// The flag's team, where it is said.
        team: Option<&'static str>,
        /// `taken`, `lost`, `captured`, `returned`, or another merit: `assist`, `defence`, `bonus`.
        what: &'static str,
        /// The line.
        text: Said,
    }
    /// The server sends a command for the client's console.
    Command = "command" {
        /// The command.
        text: Said,
        /// Why it should not be run from a stranger's recording, all reasons with commas between them; none is harmless.
        danger: Option<Said>,
    }
    /// The server ends the connection.
    Disconnect = "disconnect" {
    }
}
