//! Everything that can be found out about a recording: code, severity, wording and explanation in one table.
//!
//! Codes of M0 are about the file, M1 about bytes that could not be read, M2 about limits: these are reported
//! only where an engine of the game objects. `{}` in a title is the number that was found first.

use moviola_format::dem;
use serde::{Serialize, Serializer};

/// How bad a finding is.
///
/// ```
/// use moviola_check::{CheckCode, Severity};
/// assert_eq!(CheckCode::EmptyBlock.severity(), Severity::Warning);
/// assert_eq!(Severity::Warning.word(), "warning");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// A fact that is useful to know; it does no harm.
    Note,
    /// Some engine stops at it, or shows it wrong.
    Warning,
    /// Something is broken, or is not understood.
    Error,
}

impl Severity {
    /// The severity in one word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// The marks of a finding in the table, in the brackets after its title.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Property {
    /// The finding concerns a single message.
    Local,
    /// The cause can only be damage.
    Damage,
    /// Each number is a separate finding.
    ByNumber,
    /// The command that fixes the finding.
    Repair,
    Signon,
    View,
    Split,
}

macro_rules! findings { ($(
    $(#[doc = $explanation:literal])* $name:ident = $code:literal $severity:ident $title:literal
    $([$($property:ident)*])?
)*) => {
    moviola_format::codes! {
        /// The kind of a finding; the table describes each. `{}` in a title stands for the number found.
        ///
        /// ```
        /// use moviola_check::CheckCode;
        /// assert_eq!(CheckCode::find("m007"), Some(CheckCode::EmptyBlock));
        /// assert_eq!(CheckCode::EmptyBlock.number(), "M007");
        /// assert!(CheckCode::EmptyBlock.explanation().len() > CheckCode::EmptyBlock.title().len());
        /// ```
        pub enum CheckCode;
        $( $(#[doc = $explanation])* $name $code $title )*
    }

    impl CheckCode {
        /// How bad it is.
        pub fn severity(self) -> Severity {
            match self { $( Self::$name => Severity::$severity, )* }
        }

        fn properties(self) -> &'static [Property] {
            match self { $( Self::$name => &[$($( Property::$property, )*)?], )* }
        }
    }
} }

impl CheckCode {
    /// The title with its number.
    ///
    /// ```
    /// use moviola_check::CheckCode;
    /// assert_eq!(CheckCode::EmptyBlock.message(0), CheckCode::EmptyBlock.title());
    /// ```
    pub fn message(self, value: i64) -> String {
        self.title().replace("{}", &value.to_string())
    }

    /// The title for all further numbers, if there are too many for a finding each.
    pub(crate) fn message_of_others(self) -> String {
        self.title().replace("{}", "(others)")
    }

    /// Whether its number identifies something and is not an amount, so that each number is a separate finding.
    pub(crate) fn is_by_number(self) -> bool {
        self.has(Property::ByNumber)
    }

    fn has(self, property: Property) -> bool {
        self.properties().contains(&property)
    }

    /// Whether the finding concerns a single message, so that an engine that objects to it may play all the
    /// rest.
    ///
    /// ```
    /// use moviola_check::CheckCode;
    /// assert!(CheckCode::EntityNumber.is_local() && !CheckCode::ProtocolSpoken.is_local());
    /// ```
    pub fn is_local(self) -> bool {
        self.has(Property::Local)
    }

    /// Whether no engine and no editor causes this, so that it can only be damage.
    ///
    /// ```
    /// use moviola_check::CheckCode;
    /// assert!(CheckCode::LightStyles.is_always_damage() && !CheckCode::MessageKnown.is_always_damage());
    /// ```
    pub fn is_always_damage(self) -> bool {
        self.has(Property::Damage)
    }

    /// The command that fixes the finding, in a few words for a person.
    ///
    /// ```
    /// use moviola_check::CheckCode;
    /// assert_eq!(CheckCode::Direction.remedy(), Some("`repair` fixes that"));
    /// assert_eq!(CheckCode::HugeBlock.remedy(), None);
    /// ```
    pub fn remedy(self) -> Option<&'static str> {
        self.properties().iter().find_map(|property| match property {
            Property::Repair => Some("`repair` fixes that"),
            Property::Signon => {
                Some("`repair --signon` takes the beginning from another recording of the level")
            }
            Property::View => Some("`view` makes the recording of one of its players"),
            Property::Split => Some("`split` takes the levels apart"),
            Property::Local | Property::Damage | Property::ByNumber => None,
        })
    }

    /// Whether it is reported only where an engine objects.
    pub(crate) fn is_limit(self) -> bool {
        self.number().starts_with("M2")
    }

    /// Whether it is a sign of damage, which is reported even at places that no engine reaches.
    pub(crate) fn is_damage(self, value: i64) -> bool {
        match self {
            Self::UnterminatedString => true,
            Self::MessageKnown => value == i64::from(dem::Bad::OP),
            _ => false,
        }
    }
}

impl Serialize for CheckCode {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.number())
    }
}

findings! {
    /// The file is not a recording that Moviola reads: it is of another kind, of an unknown kind, or empty.
    /// All of its bytes are kept unchanged.
    NoRecording = "M001" Note "the file is not a recording of Quake or Quake II"

    /// Quake ends a recording with a block that holds only a disconnect. It is missing where the game crashed, was
    /// killed, or the file was cut. Every engine plays such a file to its last block.
    MissingEnd = "M002" Note "the recording does not end with a disconnect"

    /// Quake II's client ends a recording with the block length -1. A server's recording never has it, and it is
    /// missing where the game crashed. Q2PRO says "Unexpected end of file" when it gets there.
    MissingMark = "M003" Note "the recording has no end mark"

    /// After the end of the recording there are bytes that belong to no block. Engines stop before them.
    BytesAfterEnd = "M004" Warning "{} bytes follow the end of the recording"

    /// More blocks follow the end of the recording: recordings were joined, or the end was put in the wrong
    /// place. Engines stop at the first end.
    EarlyEnd = "M005" Warning "the recording goes on after its end" [Repair]

    /// The file ends inside a block: it was cut, or not all of it was copied. Most engines stop quietly before that
    /// block; Q2PRO stops with an error.
    TruncatedBlock = "M006" Warning "the file ends inside a block, of which {} bytes are there" [Repair]

    /// A block without messages. Engines never record one in Quake, but a level change of Quake II can leave one.
    /// id's engines and QuakeSpasm take it for the end of the file and stop there without a word.
    EmptyBlock = "M007" Warning "a block without messages"

    /// The length of a block is negative. In Quake, DarkPlaces gives such lengths to blocks that a client
    /// sent to its server, and skips them in a playback, even past the end of the file; other engines take
    /// them for that end. In QuakeWorld nothing shows where the next block begins.
    NegativeBlock = "M008" Warning "a block with a negative length"

    /// A block claims more bytes than any engine writes. The claim is not believed, and the bytes are kept
    /// raw.
    HugeBlock = "M009" Error "a block claims to have {} bytes"

    /// The bytes before the first block are not a number and a newline, which every engine writes there.
    /// Engines read this line in three ways, by age; `info --json` shows what each of them reads.
    OddHeader = "M010" Note "the CD track line is not a number and a newline"

    /// Engines read this line in three ways, by age. In one of these ways an engine looks for the first block of
    /// this recording in the wrong place, or finds no number at all.
    HeaderUnreadable = "M011" Warning "some engines cannot read the CD track line"

    /// No message announces a level, so an engine has no world to show. Editors that cut a recording must keep
    /// the blocks before the first frame. The protocol is then unknown: blocks are read as those of protocol
    /// 15 or 34, and most of a recording with another protocol is kept raw.
    NoLevel = "M012" Warning "no level is announced" [Signon]

    /// A level is announced, but its client never begins to play: signon stage 3 is missing, or no entity
    /// follows it; in Quake II no frame follows. Engines read such a level to its end behind their console,
    /// and show nothing of it.
    NoSignon = "M013" Warning "a level that never begins to be played"

    /// The recording makes the console of the person who plays it run a harmful command: one that binds keys,
    /// runs or writes files, connects to other servers or ends the game. Engines obey, no matter who put it
    /// there. `moviola events --kind command` lists the commands, and `moviola strip commands` removes them.
    DangerousCommand = "M014" Warning "a dangerous command for the console"

    /// The recording makes the console of the person who plays it change a setting, such as a color, a name
    /// or a volume, and the change stays after the playback. Mods do so for their own games.
    /// `moviola events --kind command` lists such commands.
    SettingCommand = "M015" Note "a command for the console that changes the player's settings"

    /// QuakeWorld has no blocks of this type. Nothing shows where the next block begins, so everything up to the end of the
    /// file is kept as raw bytes. ezQuake stops there with "Corrupted demo".
    UnknownBlock = "M016" Error "a block of the unknown type {}" [ByNumber]

    /// The block holds a message with an id that its protocol does not have. It and everything after it in the
    /// block is kept as raw bytes; the next block is read as usual.
    UnknownMessage = "M101" Error "a message with the unknown id {}" [ByNumber]

    /// The block ends inside its last message. The message is kept as raw bytes.
    ShortMessage = "M102" Error "the block ends inside a message"

    /// Each kind of temporary entity has its own fields, so one of unknown kind cannot be read. It and everything
    /// after it in the block is kept as raw bytes.
    UnknownTempEntity = "M103" Error "a temporary entity of the unknown kind {}" [ByNumber]

    /// Moviola does not read the messages of this protocol, whether it knows its name or not: its blocks come
    /// back exactly, as raw bytes.
    RawProtocol = "M104" Note "protocol {} is kept raw" [ByNumber]

    /// Frames of Quake II have one of three forms: a client's, a server's and Relay's. This one has none of them.
    FrameShape = "M105" Error "a frame in none of the three known forms"

    /// A byte holds a value that is not possible at its place.
    ImpossibleValue = "M106" Error "the value {} is not possible there" [ByNumber]

    /// The message can be read in more than one way, and the bytes of the block do not show which is right.
    Undecided = "M107" Error "the bytes do not show how to read the message"

    /// The block ends inside a message with the game's time. Engines that do not check the block's end use
    /// bytes that an earlier block left there, and play on with a wrong time.
    ShortTime = "M108" Warning "the block ends inside the game's time"

    /// The level is announced with FTE's extensions of its protocol, which QuakeSpasm-Spiked and FTE record. Where an
    /// extension is not known, the messages are not read: the blocks come back exactly, as raw bytes.
    Extended = "M109" Note "protocol {} with FTE's extensions"

    /// A DarkPlaces server adds bytes to an entity update of protocol 15 and marks it with bit 15, which
    /// other servers leave clear or, like Nehahra, use for something else. The block can be read to its end
    /// in no other way. The update and everything after it in the block is kept as raw bytes.
    DarkPlacesUpdate = "M110" Note "an update with extensions of DarkPlaces"

    /// A game can bring code for the client, and this message is read by that code alone. Nobody else knows its
    /// length, so the message and everything after it in the block is kept as raw bytes.
    GameCode = "M111" Note "message {} is for the game's own code" [ByNumber]

    /// An MVD2 has all players of a game, and Q2PRO is the engine that records and plays it. Other engines play the
    /// recording of one of its players.
    Mvd2Recording = "M112" Note "a recording of all players, for Q2PRO" [View]

    /// A server adds hidden messages to an MVD for those who study a match. This type is not known, so the message's
    /// bytes are kept as they are. Engines skip it.
    UnknownHidden = "M113" Note "a hidden message of the unknown type {}" [ByNumber]

    /// A hidden message of an MVD has a size that its type does not have: its bytes are kept as they are. If the size
    /// leads out of the block, everything after it in the block is kept as raw bytes too. Engines skip it.
    OddHidden = "M114" Note "a hidden message of an odd size"

    /// A server of QuakeWorld announced extensions that are not known; the number has a bit for each. Messages are read as
    /// if these changed none. Where one cannot be read so, it and everything after it in the block is kept as raw bytes. Two
    /// known ones, several players at one screen and more than 32 players, change the announcement itself: then all messages
    /// of the level are kept as raw bytes.
    UnknownExtension = "M115" Note "unknown extensions of QuakeWorld, as a number {}" [ByNumber]

    /// Engines read a block into a buffer of fixed size. A larger block stops them with an error; Quake II's
    /// engines silently drop one that is a few bytes too large, and its messages are lost.
    BlockSize = "M201" Warning "a block of {} bytes"

    /// The engine does not support the protocol.
    ProtocolSpoken = "M202" Warning "protocol {}" [ByNumber]

    /// The engine does not know the message and stops with "Illegible server message"; or its own message of this id
    /// has other fields, so that it loses its place in the block.
    MessageKnown = "M203" Warning "a message with the id {}" [Local ByNumber]

    /// The engine does not know the kind of temporary entity and stops with "bad type".
    TempEntityKnown = "M204" Warning "a temporary entity of kind {}, which the engine does not know" [Local ByNumber]

    /// Engines have room for a limited number of entities. A larger number stops them with an error.
    EntityNumber = "M205" Warning "entity {}" [Local Damage]

    /// Engines have room for a limited number of models; one more stops them.
    Models = "M206" Warning "a level with {} models, more than fit"

    /// Engines have room for a limited number of sounds; one more stops them.
    Sounds = "M207" Warning "a level with {} sounds, more than fit"

    /// Engines have room for a limited number of static entities; one more stops them with "Too many static
    /// entities".
    StaticEntities = "M208" Warning "{} static entities in a level, more than fit"

    /// Engines have room for a limited number of players, and need at least one.
    MaxClients = "M209" Warning "a game for {} players"

    /// A name, score or color for a player for whom there is no room: the number must be below the `serverinfo`'s
    /// number of players, and in QuakeWorld below 32. Engines stop with an error.
    PlayerSlot = "M210" Warning "player {}, for whom there is no room" [Damage ByNumber]

    /// Engines have room for a limited number of light styles.
    LightStyles = "M211" Warning "light style {}" [Local Damage]

    /// An entity has the colors of a player for whom there is no room. Engines stop with an error.
    Colormap = "M212" Warning "the colors of player {}, for whom there is no room" [Local Damage]

    /// Engines have room for a limited number of stats, such as the player's health or ammunition.
    StatIndex = "M213" Warning "stat {} of the player" [Local Damage]

    /// A sound comes from an entity for which there is no room.
    SoundEntity = "M214" Warning "a sound of entity {}" [Local Damage]

    /// id's engines read a string with signed characters and take the byte 0xFF for its end. What follows in the
    /// string is then read as messages. Later engines read it as a letter.
    HighByteInString = "M215" Warning "the byte 0xFF in a string" [Local]

    /// Most engines read at most 2047 bytes of a string, its NUL among them, and read the rest of it as
    /// messages.
    LongString = "M216" Warning "a string of {} bytes" [Local]

    /// The last string of a block has no NUL at its end. Engines read past the block and stop with an error.
    UnterminatedString = "M217" Warning "a string without its NUL" [Damage]

    /// The stages of joining a level must come in rising order, each once after every `serverinfo`. Otherwise engines
    /// stop with "Received signon ... when at ...".
    SignonOrder = "M218" Warning "signon stage {}, which had been passed" [Damage ByNumber Repair]

    /// Quake 1.07 and later send the player's items always, and 1.07 and 1.08 leave their bit clear. Quake up to 1.06
    /// reads the items only if the bit is set, and loses its place in the block here.
    ItemsUnmarked = "M219" Warning "items whose bit is clear" [Local]

    /// Quake up to 1.06 sends the player's items only if their bit is set. Later engines read them always and lose
    /// their place in the block here.
    ItemsAbsent = "M220" Warning "a player's state without items" [Local]

    /// The game code of the mission packs leaves out the byte for the weapon in hand where there is none. Engines
    /// read it all the same and lose their place in the block.
    WeaponAbsent = "M221" Warning "a player's state without the weapon byte" [Local]

    /// Nehahra's engines send transparency after an entity update, under the number of Quake's own protocol.
    /// DarkPlaces reads it in protocol 250 alone.
    NehahraUpdate = "M222" Warning "Nehahra's transparency in an entity update" [Local]

    /// Bit 15 of an entity update means nothing in protocol 15, but later engines read more bytes where it is set.
    SpareUpdateBit = "M223" Warning "bit 15 of an entity update, which means nothing in this protocol" [Local Damage]

    /// Bit 15 of the player's state means nothing in protocol 15, but later engines read more bytes where it is set.
    SpareClientBit = "M224" Warning "bit 15 of a player's state, which means nothing in this protocol" [Local Damage]

    /// Bits 3 and 4 of a sound mean nothing in protocol 15, but later engines read wider numbers where they are set.
    SpareSoundBits = "M225" Warning "bits of a sound that mean nothing in this protocol" [Local Damage]

    /// The 2021 release announces a level as protocol 666 with the name of the game's folder, which no other
    /// engine expects: another engine takes the folder for the kind of game and the title, and the title for
    /// the level. Only that release plays it.
    Rerelease = "M226" Warning "a level as the 2021 release announces it"

    /// Joining a level has four stages, and a client plays in the last. A number above it puts the client
    /// behind its console, where it shows nothing any more; in DarkPlaces stage 1 does so as well.
    SignonStage = "M227" Warning "signon stage {}, in which nothing is shown" [Damage Repair]

    /// The view is put into an entity for which there is no room. One engine crashes, one stops with an
    /// error, and the behavior of the oldest is not known.
    View = "M228" Warning "the view of entity {}" [Local Damage]

    /// Messages name entities before a level is announced. Some engines have no room for entities then, and
    /// stop.
    TooEarly = "M229" Warning "entities before any level is announced" [Damage]

    /// Engines divide by the number of an explosion's colors. Without colors they divide by zero and crash.
    NoColors = "M230" Warning "an explosion of no colors" [Damage]

    /// QuakeSpasm has room for 1023 bytes of text in the middle of the screen, and crashes at more.
    CenterText = "M231" Warning "a text of {} bytes in the middle of the screen" [Damage]

    /// The first model that a level loads is the level itself. Without one there is no world, and engines crash.
    NoModels = "M232" Warning "a level without models"

    /// The clock of a level goes back to before the moment when a weapon was picked up. The status bar
    /// chooses a new weapon's picture by the time since then, which is now negative: there is no such
    /// picture, and engines crash. Recordings of a level that were joined without a change of their clocks
    /// have such places.
    ClockBack = "M233" Warning "the clock goes back to {} tenths of a second before a weapon was picked up" [Damage Repair]

    /// Within a level the clock goes back by more than 12 seconds, goes on by more than an hour, or is set to
    /// a value that is not a time. The cause is damage, or parts of a level that were joined unchanged. Engines
    /// move everything by the clock: things stand still or jump; shots and explosions of a time that is over
    /// may crash them; and QuakeSpasm waits forever for an infinite time.
    ClockLeap = "M234" Warning "the clock leaps to a time that the level cannot have" [Damage Repair]

    /// The clock of a level goes back while the sparks of an explosion are still in the air. Engines choose
    /// the color of a spark by how long it has been flying, which is now negative: there is no such color,
    /// and engines crash.
    ClockSparks = "M235" Warning "the clock goes back to {} tenths of a second before an explosion" [Damage Repair]

    /// There are 2080 config strings, numbered from 0. Another number stops the engines with an error.
    ConfigIndex = "M240" Warning "config string {}" [Damage]

    /// A weapon is fired by an entity from 1 to 1023; another number stops the engines with an error.
    FlashEntity = "M241" Warning "a muzzle flash of entity {}" [Damage]

    /// A direction is the number of a row in a table with 162 rows. A larger one stops the engines with an
    /// error.
    Direction = "M242" Warning "direction {}, beyond the table of 162" [Damage Repair]

    /// A frame, the player's state and the entities must follow each other without anything between them.
    /// Otherwise engines stop with "not playerinfo", "not packetentities" or "Out of place frame data".
    OutOfPlace = "M243" Warning "the parts of a frame are out of place" [Repair]

    /// A server's recording has frames without a player's view. No engine plays them: they are made for tools.
    ServerFrame = "M244" Warning "a frame as servers record it" [View]

    /// A recording of the Relay modification has messages for single players. Only that modification plays it.
    RelayFrame = "M245" Warning "a message as Relay records it" [View]

    /// A client recorded more than one level. Yamagi plays them all if it has each level's map (a timedemo
    /// counts the frames of the last one alone), and stops with an error at a level whose map is missing.
    /// Blocks that a client records between levels stop engines more often: blocks without messages (M007),
    /// pieces of a download (M247). `moviola split` separates the levels.
    SecondLevel = "M246" Warning "a second level" [Split]

    /// The recording holds pieces of a file that the player downloaded. Q2PRO stops with "no download requested".
    Download = "M247" Warning "a piece of a download"

    /// The kinds 26 and 27 of temporary entities changed their meaning with protocol 32. Today's engines read
    /// the new form, and lose their place in the block.
    OldTempEntity = "M248" Warning "a temporary entity of kind {}, from before protocol 32" [ByNumber]

    /// Before protocol 32 the message of a download did not contain its bytes. Today's engines expect them
    /// there.
    OldDownload = "M249" Warning "a download without its bytes, from before protocol 32"

    /// The command `precache` makes the client load the level; without it nothing is shown.
    NoPrecache = "M250" Warning "frames begin without the command to load the level" [Repair]

    /// A frame builds on another that is missing or too old: Quake II's engines print "Delta frame too old" and show
    /// a frozen picture up to the next full frame. In a QWD a packet builds on one that the client did not ask for or
    /// does not have: its entities stand still. Recordings that were cut between frames have such places.
    DeltaMissing = "M251" Warning "a frame builds on frame {}, which is not there" [Repair]

    /// Protocol 26 has no byte for the number of packets that were held back, but the byte is there: the
    /// recording's protocol number was changed. Engines do not expect that byte, and lose their place in the
    /// block.
    OddFrame = "M252" Warning "a frame of protocol 26 with the byte of later ones"

    /// The server tells its clients to reconnect, and frames follow without a new level. Some engines
    /// reconnect in the middle of the playback: they lose frames, and entities that build on these stand still.
    /// Q2PRO stops.
    Reconnect = "M253" Warning "the client is asked to reconnect"

    /// Engines draw a field of view from 1 to 179 degrees. Any other stops them with "Bad fov"; so does a
    /// full frame without a field of view, which is then 0.
    FieldOfView = "M254" Warning "a field of view of {} degrees" [Damage]

    /// A config string has 64 bytes, and a longer one runs into the next ones. The last ones have no next:
    /// one engine stops with "oversize configstring", another overwrites its own memory.
    ConfigRoom = "M255" Warning "a config string that runs {} bytes over the end of the list" [Damage]

    /// Frames begin, but no config string names the level. Nothing is shown.
    NoMap = "M256" Warning "frames begin without a level's name"

    /// The size of a piece of a download is at least -1, which stands for a missing file. With a smaller size
    /// the engines go back in the block, and read bytes of it again as messages.
    DownloadSize = "M257" Warning "a piece of a download of {} bytes"

    /// A config string precedes the message that announces the level. At that message engines forget all
    /// config strings: a model, a skin or a name is missing.
    EarlyConfig = "M258" Warning "a config string before the level is announced"

    /// With a console command the server makes its client disconnect, or go on to the next level, but no
    /// other level follows. Engines obey: they stop, or show nothing of the rest.
    SentAway = "M259" Warning "a command that sends the player away" [Repair]

    /// A server of QuakeWorld multiplies the color of an entity, an extension of FTE (COLOURMOD). ezQuake up to 3.6
    /// does not read the three bytes of it and takes them for the next entity: it stops with "Illegible server
    /// message" or shows nonsense. Newer builds play it.
    ColorMod = "M260" Warning "an entity with FTE's COLOURMOD" [Local]

    /// A packet of a QWD has a number that is not above that of the packet before. Clients drop it without a word:
    /// its messages are never seen. Where one number is damaged and too large, all packets after it are dropped up
    /// to that number.
    PacketOrder = "M261" Warning "packet {} follows one with a higher number" [Repair]

    /// Clients have room for a limited number of entities in a packet; more of them stop ezQuake with an error.
    PacketRoom = "M262" Warning "{} entities in a packet"

    /// A block reuses the recipients of a hidden block before it. ezQuake takes it for hidden too and skips it.
    HiddenAudience = "M263" Warning "a block reuses the recipients of a hidden block"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_in_order_and_explained() {
        assert!(CheckCode::ALL.windows(2).all(|pair| pair[0].number() < pair[1].number()));
        assert!(
            CheckCode::ALL.iter().all(|code| code.explanation().len() > 40 && !code.title().ends_with('.'))
        );
    }
}
