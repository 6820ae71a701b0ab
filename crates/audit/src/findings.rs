//! Everything that an audit can find: code, subject, strength, wording, explanation and limits in one table.
//!
//! Codes of C1 are lines of the game, C2 numbers of the player, C3 movement, C4 clocks, C5 aim, C6 Quake II's own; those of F1,
//! F2 and F3 are marks of editing in Quake, in Quake II and in QuakeWorld. Sources: id's game code and engines, DEM 1.0.9 sections 3.4
//! and 4.2.

use moviola_analyse::AuditSeverity;
use serde::{Serialize, Serializer};

/// The subject of a finding.
///
/// ```
/// use moviola_audit::{FindingSubject, AuditCode};
/// assert_eq!(AuditCode::GodSaid.about(), FindingSubject::Player);
/// assert_eq!(AuditCode::TextsGone.about(), FindingSubject::File);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FindingSubject {
    /// The player: cheating.
    Player,
    /// The file: editing.
    File,
}

macro_rules! findings { ($(
    $(#[doc = $explanation:literal])*
    $name:ident = $code:literal $about:ident $severity:ident $title:literal
    but $limit:literal
)*) => {
    moviola_format::codes! {
        /// The kind of a finding; the table describes each.
        ///
        /// ```
        /// use moviola_audit::{AuditCode, AuditSeverity};
        /// let code = AuditCode::AllWeapons;
        /// assert_eq!((code.number(), code.severity()), ("C207", AuditSeverity::Strong));
        /// assert_eq!(code.title(), "all weapons at once, without items");
        /// assert_eq!(code.limit(), "whether a modified game arms its players in the middle of a level");
        /// assert!(code.explanation().contains("impulse 9"));
        /// assert_eq!(AuditCode::find("c201"), Some(AuditCode::BlowsWithoutLoss));
        /// ```
        pub enum AuditCode;
        $( $(#[doc = $explanation])* $name $code $title )*
    }

    impl AuditCode {
        /// Whether the evidence is a line of the game or a command of the player. The numbers of these codes begin with 1.
        pub(crate) fn is_of_words(self) -> bool {
            self.number().starts_with("C1")
        }

        /// Whether it is about the player or about the file.
        pub fn about(self) -> FindingSubject {
            match self { $( Self::$name => FindingSubject::$about, )* }
        }
        /// How much it weighs where the rules of the game are known.
        pub fn severity(self) -> AuditSeverity {
            match self { $( Self::$name => AuditSeverity::$severity, )* }
        }
        /// The open question that limits the finding.
        pub fn limit(self) -> &'static str {
            match self { $( Self::$name => $limit, )* }
        }
    }
} }

impl Serialize for AuditCode {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.number())
    }
}

findings! {
    /// The server printed for the player that god mode was switched, as one whole line. Nothing else prints this
    /// line, except game code that prints the name of a player with this name: then it is a note.
    GodSaid = "C101" Player Strong "the game says that god mode was switched"
    but "whether it was of any use"

    /// The server printed for the player that noclip was switched: the player passes through walls.
    NoclipSaid = "C102" Player Strong "the game says that noclip was switched"
    but "whether it was of any use"

    /// The server printed for the player that flying was switched: gravity does not act on the player.
    FlySaid = "C103" Player Strong "the game says that flying was switched"
    but "whether it was of any use"

    /// The server printed for the player that notarget was switched: monsters do not wake at the sight of the player.
    NotargetSaid = "C104" Player Strong "the game says that notarget was switched"
    but "whether it was of any use"

    /// The game code announced a cheat of its own, as the mission packs and many modified games do.
    CheatSaid = "C105" Player Strong "the game says that a cheat was used"
    but "what the cheat does in a modified game"

    /// The recording contains the packets of the client to its server, and one has a cheat command. The server may have
    /// refused it: in deathmatch, where engines do, it is a note, and so is an impulse in game code that is not id's,
    /// where it may choose a weapon.
    CheatCommand = "C106" Player Strong "a cheat command was sent to the server"
    but "whether the server obeyed"

    /// The server sends each hit twice: its message has the points that health loses, and the state in the same block
    /// has them taken off. Here they are never taken off, hit after hit, without a pentagram: that is god mode. In
    /// games of several players only hits by the world count (lava, slime, drowning, falls), since with `teamplay 1`
    /// neither team-mates nor one's own rockets hurt.
    BlowsWithoutLoss = "C201" Player Strong "hits took nothing from health: god mode"
    but "whether a modified game protects the player in a way of its own"

    /// One hit was announced and not taken from health, without a pentagram. A single one does not show god mode.
    BlowWithoutLoss = "C202" Player Suspicious "a hit took nothing from health"
    but "whether the very same points were restored in the same frame, or a modified game protects the player"

    /// Health rose and neither an item nor a respawn explains it: a cheat gave it.
    HealthSet = "C203" Player Strong "health without an item"
    but "whether a modified game heals without any sign"

    /// Armor rose without an item: no sound, no text, no flash.
    ArmorGiven = "C204" Player Strong "armor without an item"
    but "whether a modified game gives armor without any sign"

    /// Ammunition rose without an item: no sound, no text, no flash.
    AmmoGiven = "C205" Player Strong "ammunition without an item"
    but "whether a modified game gives ammunition without any sign"

    /// A weapon, a key or a powerup appeared without an item: no sound, no text, no flash.
    ItemGiven = "C206" Player Strong "a weapon, key or powerup without an item"
    but "whether a modified game gives items without any sign"

    /// Several weapons at once, with full ammunition, and no item anywhere: `impulse 9` does this.
    AllWeapons = "C207" Player Strong "all weapons at once, without items"
    but "whether a modified game arms its players in the middle of a level"

    /// More than the game ever lets a player carry: no item goes beyond 100 shells, 200 nails, 100 rockets, 100 cells,
    /// 200 armor and 250 health.
    BeyondLimits = "C208" Player Strong "more than can be carried"
    but "whether a modified game has higher limits"

    /// In single player a dead player stays dead until the level restarts. This player came back to life on
    /// the spot.
    Resurrection = "C209" Player Strong "the dead player comes back to life"
    but "whether a modified game revives its players"

    /// The points that a hit announced and those that were taken differ without a known cause. Numbers
    /// were changed in the recording, or the game calculates in another way.
    BlowDisagrees = "C210" Player Suspicious "hits and losses do not agree"
    but "whether a modified game has other armor, shields or shared damage"

    /// Green armor has 100 points, yellow 150, red 200, and without its mark among the items there is none. Here it has
    /// more: the points or the mark were set.
    ArmorKind = "C211" Player Strong "more armor than its kind has"
    but "whether a modified game without a version text has other armor"

    /// Green armor saves three tenths of each hit, yellow six, red eight, rounded up. Here hit after hit another
    /// share was saved: the kind or the points were changed.
    ArmorShare = "C212" Player Suspicious "armor saves another share than its kind"
    but "how many hits a frame had; many small ones add a point each"

    /// The player was here and, a frame later, far away: no teleport was seen, no speed explains it. `setpos` does
    /// that.
    Jump = "C301" Player Strong "a jump that no teleport and no speed explains"
    but "whether a modified game has teleporters that show nothing"

    /// The player stands on the ground and moves up or down steeper than any ground that can be stood on: the mark of
    /// the ground is frozen, as it is in noclip.
    Noclip = "C302" Player Strong "up or down while standing, steeper than any slope: noclip"
    but "whether an unknown engine keeps the mark of the ground"

    /// Friction takes the speed on the ground, and the keys give it back only up to 320 in the direction in which they
    /// point. Along walls and around curves that leaves no more than 500. Here it stayed above.
    GroundSpeed = "C303" Player Suspicious "too fast on the ground for too long"
    but "whether a conveyor or a wind pushed, or the server has another speed or friction"

    /// In the air, out of water, gravity did not pull while the player steered around curves: flying or noclip.
    Weightless = "C304" Player Suspicious "steering in the air without gravity"
    but "whether there is low gravity, a ladder or a hook in a modified game"

    /// A player who walks or jumps gains at most 3200 units per second in a second. Here full speed was
    /// reached within a frame, again and again, with no hit, no teleport, no water, and never faster than
    /// walking: in noclip the keys set the speed itself.
    AtOnce = "C305" Player Strong "full speed within a frame: noclip"
    but "whether the level has winds that blow so gently"

    /// In the air, out of water and out of any wind, the speed up or down did not change for seconds: gravity did not
    /// pull. A player who does not move at all may stand on a monster, or be stuck in something; that is only a note.
    Hovering = "C306" Player Suspicious "in the air without falling"
    but "whether there is no gravity, a wind without a sound, or something that cannot be seen to stand on"

    /// A frame has the player's place and speed. Frame after frame the distance is far longer than the speed allows, and
    /// than anything carries players; or, in Quake II, a great speed leads nowhere. One of the two was rewritten.
    PlaceAndSpeed = "C307" Player Suspicious "place and speed disagree"
    but "whether something carried the player that is faster than any lift of the game's own levels"

    /// Gravity adds 800 units per second of downward speed each second, in every level of id's game code
    /// except `e1m8`. Here, in fall after fall, it had another value, as with `sv_gravity`; or there was no
    /// gravity while the player moved through the air, as in noclip and flying.
    Gravity = "C308" Player Suspicious "gravity is not the game's"
    but "whether a wind without a sound, or a slope that is too steep to stand on, carried the player"

    /// A server's frame lasts a tenth of a second at most. Longer steps of the clock come from `host_framerate` or
    /// `host_timescale`.
    LongSteps = "C401" Player Suspicious "clock steps longer than the engine makes"
    but "whether an unknown engine has another limit, as the earliest test releases had"

    /// Parts of the level have frames much shorter than those that the engine makes elsewhere in it: the time was
    /// slowed down, by `host_timescale` or `host_framerate`, which gives the player longer to react.
    SlowMotion = "C402" Player Suspicious "the clock ran slower for a part of the level"
    but "whether only the limit of frames was changed; slow motion from beginning to end cannot be seen"

    /// id's engines make 72 frames a second at most, and speedruns are held to it. This recording has more.
    ManyFrames = "C403" Player Note "more than 72 frames a second"
    but "how fast real time went by"

    /// Again and again the view turned far within one frame and stood exactly on another player at the very moment
    /// of a shot.
    Snaps = "C501" Player Suspicious "the view snaps onto targets"
    but "whether it is a bot that plays as a client, or a very good hand"

    /// Each command of a QuakeWorld client says how many milliseconds of movement it asks for. In ten seconds these add up
    /// to ten seconds; here to far more, again and again. A server that does not count them lets such a player run
    /// faster than the others.
    CommandTime = "C503" Player Suspicious "commands ask for more time than has passed"
    but "whether the times of the recording were changed, as in slow motion, or the server refused"

    /// The player's own model has the shell of all three colors that id's Quake II gives to those in god mode.
    GodShell = "C601" Player Strong "the shell of god mode around the player"
    but "whether a modified game uses this shell for something else"

    /// The screen flashed white as for a hit that armor took, but armor and health are as before, and neither the
    /// flash of the numbers nor invulnerability is there: god mode.
    WhiteBlow = "C602" Player Strong "hits took neither armor nor health: god mode"
    but "whether a modified game has flashes of its own"

    /// The player moves as spectators do, in a game for one player: that is noclip.
    SpectatorMove = "C603" Player Strong "the player moves without collision: noclip"
    but "whether a modified game has a camera of its own"

    /// Armor rose by more than any item gives at once, as `give all` does.
    ArmorLeap = "C604" Player Strong "more armor at once than an item gives"
    but "whether a modified game has other armor"

    /// Health, armor or the ammunition of the weapon in hand rose and nothing was picked up: no sound, no icon.
    GivenUnseen = "C605" Player Suspicious "health, armor or ammunition without an item"
    but "whether a modified game heals without any sign"

    /// A frame's block holds a text, a score or a command. Servers send these apart from frames, so somebody put it
    /// there. LMPC's users and most tools for subtitles do so. Modified games can write messages after the
    /// entities: there a text weighs less, and anything else is a note.
    TextInFrame = "F101" File Strong "texts or commands inside a frame's block"
    but "who did it and what for"

    /// An engine names in an update only the differences from the baseline, and sets only the bits that it needs.
    /// Something else wrote these updates. Frames, skins, colors and effects may have fractions in modified games, for
    /// which id's server sends them again and again: there it is a note.
    StrangeMasks = "F102" File Suspicious "updates that no engine writes"
    but "which tool wrote them, or whether an unknown engine did"

    /// id's servers send the entities of a frame in the order of their numbers. Bot programs that record by themselves
    /// have another order.
    EntityOrder = "F103" File Note "entities out of order"
    but "which tool wrote them"

    /// The parts of a frame come in one order: time, damage, angles, the player's state, entities, and then
    /// sounds and effects. These frames have another one. Modified games may write messages after the entities, and unknown
    /// engines may have an order of their own: there it is a note.
    FrameShape = "F104" File Suspicious "frames with their parts in another order"
    but "which tool wrote them"

    /// A block with nothing but `nop` keeps a connection alive. id's engines drop it before they record; bot programs
    /// with recorders of their own keep it.
    KeepAlive = "F105" File Note "blocks that engines do not record"
    but "whether a tool or a bot program wrote them"

    /// The clock of the level goes back. In a game for one player nothing can reorder frames on their way.
    ClockBack = "F106" File Strong "the clock goes back"
    but "what was changed"

    /// The clock of a game for one player leaps ahead: a part is missing. If a neighboring step is equally long, it is only
    /// a note, since `host_framerate` makes such steps.
    ClockLeap = "F107" File Strong "a part is missing: the clock leaps ahead"
    but "what was in it, or whether `host_framerate` made the step"

    /// Position, numbers or counters jump at the moment when the clock jumps, or where a frame of a game for one player may
    /// have been cut out.
    Splice = "F108" File Strong "the player's state jumps with the clock"
    but "what was cut out"

    /// A level begins, but nothing announced the end of the one before: recordings were joined, or the commands
    /// were removed. On one and the same clock, or of an unknown engine, it is a note: somebody joined anew.
    Joined = "F109" File Suspicious "a level begins without an announcement"
    but "whether the parts are of one run"

    /// Items make their sounds and nothing flashes, no text names them: the texts were removed. Outside of id's
    /// levels and game code it is a note, since modified games may have silent items.
    TextsGone = "F110" File Strong "texts were removed"
    but "what they said"

    /// The levels of the recording were made by different engines, protocols or game codes. A protocol alone that
    /// changes in FitzQuake's family is a note: `sv_protocol` sets it.
    TwoEngines = "F112" File Suspicious "two engines in one recording"
    but "whether the parts are of one run"

    /// The view is not from the player's eyes: a camera was added, as recams do, or the game shows a scene.
    Camera = "F113" File Note "the view leaves the player"
    but "whether the game or an editor moved it"

    /// The recording goes on after the disconnect, with another level: recordings were joined. If no level follows, it is
    /// a note, since bot programs write on after the server has disconnected them.
    AfterFarewell = "F114" File Suspicious "the recording goes on after the disconnect"
    but "whether a program that records by itself joined another game"

    /// A level is entered without all stages of joining it: its beginning was cut, or made by a tool. Where the
    /// server's version text is missing too it is a note, since some engines begin to record in the middle of a level.
    Signon = "F115" File Suspicious "stages of joining a level are missing"
    but "which tool did it"

    /// A 1.07 server leaves the bit of the items clear in every state. Here it is set, so something rewrote the states:
    /// LMPC always sets the bit, and so do bot programs with recorders of their own.
    ItemsBit = "F116" File Note "states that no 1.07 server wrote"
    but "whether LMPC wrote them again, or a bot program recorded them"

    /// Health falls without a hit: its message was removed, or a frame with it. A player who lowers his own health, with
    /// `give h 9`, leaves the same mark, so once or twice is a note. In a modified game, which may have poison, it is
    /// a note as well.
    BlowsGone = "F117" File Suspicious "hits were taken out"
    but "whether the losses were honest, or the health was set"

    /// A player who runs straight covers a distance of speed times time. In most runs of a level, or in the
    /// very frames that look like a cheat with the clock, the distance is longer or shorter, while the speed
    /// is that of the game: the clock was rewritten. Neither starts (C305) nor steps of the clock are judged
    /// there.
    ClockEdited = "F118" File Suspicious "the clock was rewritten"
    but "whether a modified game moves players in another way"

    /// Before a server lets a client see the level, it sends the number of secrets and monsters in the level, and its
    /// light styles. One of these is wholly missing: it was removed. Where the server's version text is
    /// missing too it is a note, since ProQuake and others begin to record in the middle of a level.
    Greeting = "F119" File Suspicious "parts of a level's beginning are missing"
    but "which tool did it"

    /// Frames of Quake II are numbered one by one. Here the numbers go back.
    FrameBack = "F201" File Strong "frame numbers go back"
    but "what was changed"

    /// Frames build on others that were never in the recording: it was cut between them. Where a client forgot the
    /// entities of crowded frames by itself it is a note.
    LostReference = "F202" File Strong "frames build on others that were cut away"
    but "what was in the part that is missing"

    /// A recording begins with one full frame, and all others build on it. A second one was added by a tool that
    /// cuts, or the connection was lost for a moment.
    SecondFullFrame = "F203" File Note "a full frame in the middle"
    but "whether the network or a tool made it"

    /// In a game for one player nothing gets lost, yet frames are missing: a part was cut out. Where frames are nearly
    /// as large as the server's messages it is a note, since a server drops those that do not fit.
    FramesMissing = "F204" File Strong "frames are missing in a game for one player"
    but "what was in them"

    /// A bit of the entities that no engine of protocol 34 knows is set, as Keygrip leaves it. Later protocols use
    /// these bits: there it is a note.
    SpareBit = "F205" File Strong "a bit that Keygrip sets"
    but "whether anything else was changed"

    /// KTX writes its own statistics of a QuakeWorld match into the recording (`demoinfo`). Here a score, a number of kills
    /// or deaths, or of items taken differs from the recording's events between the start and the end of the match.
    StatisticsDiffer = "F301" File Note "the game's own statistics differ from what the recording shows"
    but "whether a part of the match is missing, or this server counts by rules of its own"

    /// The entities of a QuakeWorld packet are changes since another packet, for which the client asked when it had it.
    /// Here packet after packet builds on some that are not in the recording: a part was cut out. A few of them are a
    /// note, since clients drop a packet now and then.
    PacketsLost = "F302" File Suspicious "packets build on others that are not in the recording"
    but "what was in the part that is missing"

    /// The numbers of a QuakeWorld server's packets only rise. Here they go back, and no new connection and no record
    /// says so: recordings were joined, or numbers were changed. Clients drop what follows.
    NumbersBack = "F303" File Suspicious "the numbers of packets go back"
    but "which tool did it"

    /// The time of a QWD is that of the client's own clock, which nothing sets back. A step of less than a second is a
    /// note.
    TimeBack = "F304" File Suspicious "the time of the recording goes back"
    but "whether the clock of the computer was set, or parts were joined"

    /// A block of an MVD may reuse the recipients of the block before it. Here such a block has the stats of one player, and
    /// its recipients are everybody, as after a block was removed or added.
    WrongAudience = "F305" File Suspicious "a player's stats are addressed to everybody"
    but "whether blocks were removed or added"

    /// A server counts its levels, and a recording goes on from one to the next. Here a level begins whose number is not
    /// the next one, or one that follows the recording's end: recordings were joined. A proxy of QTV writes so too, when
    /// its server starts anew or it turns to another one.
    OtherMatch = "F306" File Note "a level that does not follow the one before"
    but "whether a tool or a proxy put the parts together"

    /// KTX sets the minutes that are left in the server's info, each time a minute has passed. Here two minutes in a row
    /// have another length in the times of the recording, which were stretched or cut. A server that hangs loses time,
    /// since a block of an MVD can state no more than a quarter of a second.
    MinuteLength = "F307" File Note "minutes of the match that do not last a minute"
    but "whether the times were changed, parts are missing, or the server hung"

    /// The numbers of a server's packets rise with time. Here many are missing while hardly any time passes, or a record
    /// sets the numbers anew in a level, as a client does only once: a part was cut out. A client that hung for a while
    /// reads what came meanwhile at one time, but it drops none of it.
    NumbersJump = "F308" File Note "the numbers of packets jump"
    but "what was in the part that is missing, and which tool did it"

    /// MVDSV and FTE number the lists of entities of an MVD one after the other, and a connection over which an MVD is sent
    /// loses none. Here numbers are missing within a level: a part was cut out. Numbers begin anew after 255, so one
    /// cut in 256 is not found, nor is one before the first list.
    ListsMissing = "F309" File Note "lists of entities are missing"
    but "what was in the part that is missing, and which tool or proxy left it out"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_in_order_and_explained() {
        assert!(AuditCode::ALL.windows(2).all(|pair| pair[0].number() < pair[1].number()));
        for code in AuditCode::ALL {
            assert!(code.explanation().len() > 40 && !code.title().ends_with('.'), "{code:?}");
            assert_eq!(code.number().starts_with('F'), code.about() == FindingSubject::File, "{code:?}");
            let first = code.limit().split(' ').next();
            let words = ["whether", "what", "where", "which", "who", "how"];
            assert!(first.is_some_and(|it| words.contains(&it)) && !code.limit().ends_with('.'), "{code:?}");
        }
    }
}
