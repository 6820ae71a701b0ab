//! The tables of records: the words of each part, and the records of each game and version.

use super::PartMeaning::{Bits, Down, Letter, Middle, Number, Pause, Raw, Signed, Up, Way, Whole};
use super::{CHANGE, Field, RecordForm, Row, SAVE};

macro_rules! words { ($( $table:ident { $( $name:literal $part:ident $meaning:expr, $about:literal; )* } )*) => { $(
    pub(super) const $table: &[Row] = &[$( Row { name: $name, part: Field::$part, meaning: $meaning, about: $about }, )*];
)* } }

words! {
    MOVES {
        "GF" Forward Way(1), "movement forward; 25 is walking, 50 is running";
        "GB" Forward Way(-1), "movement back; 25 is walking, 50 is running";
        "G" Forward Raw, "the byte of movement forward, as it is";
        "SR" Side Way(1), "movement to the right; a key gives 24 or, running, 40";
        "SL" Side Way(-1), "movement to the left; a key gives 24 or, running, 40";
        "S" Side Raw, "the byte of movement to the side, as it is";
        "TL" Turn Way(1), "turn to the left; 256 to a circle, 65536 with long tics";
        "TR" Turn Way(-1), "turn to the right; 256 to a circle, 65536 with long tics";
        "T" Turn Raw, "the turn, as it is";
    }
    BUTTONS {
        "PS" Buttons Pause(false), "a pause begins"; "PE" Buttons Pause(true), "a pause ends";
        "SG" Buttons Number { minimum: 0, maximum: 7, shift: 2, bits: SAVE }, "the game is saved in this slot";
        "FW" Buttons Bits(1), "fire"; "UT" Buttons Bits(2), "use";
        "NW" Buttons Number { minimum: 1, maximum: 16, shift: 3, bits: CHANGE }, "change to this weapon";
        "U" Buttons Raw, "the byte of buttons, as it is";
    }
    ARTIFACTS {
        "LU" Look Up(0), "look up"; "LD" Look Down(0), "look down"; "LC" Look Middle(0), "center the view";
        "FU" Look Up(4), "fly up"; "FD" Look Down(4), "fly down"; "FC" Look Middle(4), "end the flight";
        "F" Look Raw, "the byte of looking and flying, as it is";
        "JU" Item Bits(0x80), "jump"; "UA" Item Whole(0x21), "use one of each artifact";
        "AT" Item Letter, "use the artifact of this letter"; "A" Item Raw, "the byte of artifacts, as it is";
    }
    // LMPC calls the third bit running, but the engine centers the view with it.
    INVENTORY {
        "LU" Look Bits(1), "look up"; "LD" Look Bits(2), "look down"; "RU" Look Bits(4), "center the view";
        "IN" Look Bits(8), "use an item"; "DR" Look Bits(0x10), "drop an item"; "JU" Look Bits(0x20), "jump";
        "HE" Look Bits(0x80), "use a healing item"; "F" Look Raw, "the second byte of buttons, as it is";
        "AC" Item Number { minimum: 0, maximum: 255, shift: 0, bits: 0 }, "the item's number";
        "A" Item Raw, "the byte of the inventory, as it is";
    }
    ACTIONS {
        "X" Action Raw, "dsda-doom's byte of actions: 1 jump, 2 save, 4 load, 8 god, 16 noclip, 32 look";
        "XS" Save Number { minimum: 0, maximum: 255, shift: 0, bits: 0 }, "the slot that is saved";
        "XL" Load Number { minimum: 0, maximum: 255, shift: 0, bits: 0 }, "the slot that is loaded";
        "XV" Pitch Signed, "the turn of the view up or down";
    }
    DUKE_MOVES {
        "GX" Forward Signed, "movement forward; in 1.0 and 1.1 along the map's x axis";
        "GY" Side Signed, "movement to the side; in 1.0 and 1.1 along the map's y axis";
        "TL" Turn Way(-1), "turn to the left"; "TR" Turn Way(1), "turn to the right";
    }
    DUKE_HORIZON { "LU" Look Way(1), "the horizon moves down"; "LD" Look Way(-1), "the horizon moves up"; }
    DUKE_KEYS {
        "JU" Buttons Bits(1), "jump"; "CR" Buttons Bits(1 << 1), "crouch"; "FW" Buttons Bits(1 << 2), "fire";
        "AU" Buttons Bits(1 << 3), "aim up"; "AD" Buttons Bits(1 << 4), "aim down"; "RU" Buttons Bits(1 << 5), "run";
        "LL" Buttons Bits(1 << 6), "look left"; "LR" Buttons Bits(1 << 7), "look right";
        "NW" Buttons Number { minimum: 0, maximum: 15, shift: 8, bits: 0 }, "change to this weapon";
        "ST" Buttons Bits(1 << 12), "steroids"; "LU" Buttons Bits(1 << 13), "look up";
        "LD" Buttons Bits(1 << 14), "look down"; "VI" Buttons Bits(1 << 15), "night vision";
        "MK" Buttons Bits(1 << 16), "medkit"; "AR" Buttons Bits(1 << 17), "auto run";
        "LC" Buttons Bits(1 << 18), "center the view"; "HW" Buttons Bits(1 << 19), "holster the weapon";
        "IL" Buttons Bits(1 << 20), "inventory to the left"; "PA" Buttons Bits(1 << 21), "pause";
        "QK" Buttons Bits(1 << 22), "quick kick"; "AM" Buttons Bits(1 << 23), "change the aim mode";
        "HD" Buttons Bits(1 << 24), "HoloDuke"; "JP" Buttons Bits(1 << 25), "jetpack";
        "GQ" Buttons Bits(1 << 26), "quit"; "IR" Buttons Bits(1 << 27), "inventory to the right";
        "TA" Buttons Bits(1 << 28), "turn around"; "UT" Buttons Bits(1 << 29), "open";
        "IN" Buttons Bits(1 << 30), "use the inventory"; "EC" Buttons Bits(1 << 31), "escape";
    }
}

/// DOOM: movement ahead, movement to the side, turn, buttons.
pub(crate) static SHORT: RecordForm = RecordForm {
    length: 4,
    forward: 0,
    turn: 2,
    wide: 1,
    buttons: 3,
    more: false,
    words: &[MOVES, BUTTONS],
    weapons: DOOM_WEAPONS,
    artifacts: &[],
    keys: false,
    actions: false,
};
/// DOOM with turns of 16 bits.
pub(crate) static LONG: RecordForm = RecordForm { length: 5, wide: 2, buttons: 4, ..SHORT };
/// `TASDoom`: the buttons come first.
pub(crate) static TAS: RecordForm = RecordForm { forward: 1, turn: 3, buttons: 0, ..SHORT };
pub(crate) static HERETIC_RECORD: RecordForm = RecordForm {
    length: 6,
    more: true,
    words: &[MOVES, BUTTONS, ARTIFACTS],
    weapons: HERETIC_WEAPONS,
    artifacts: HERETIC_ARTIFACTS,
    ..SHORT
};
pub(crate) static HEXEN_RECORD: RecordForm =
    RecordForm { weapons: &[], artifacts: HEXEN_ARTIFACTS, ..HERETIC_RECORD };
pub(crate) static STRIFE_RECORD: RecordForm =
    RecordForm { words: &[MOVES, BUTTONS, INVENTORY], weapons: &[], artifacts: &[], ..HERETIC_RECORD };
/// Duke 1.0 and 1.1: movement along the axes of the map, turn, keys.
pub(crate) static DUKE_OLD: RecordForm = RecordForm {
    length: 10,
    turn: 4,
    wide: 2,
    buttons: 6,
    keys: true,
    words: &[DUKE_MOVES, DUKE_KEYS],
    weapons: &[],
    ..SHORT
};
/// Duke since 1.3D: turn, horizon, movement ahead, movement to the side, keys.
pub(crate) static DUKE: RecordForm =
    RecordForm { forward: 2, turn: 0, wide: 1, words: &[DUKE_MOVES, DUKE_HORIZON, DUKE_KEYS], ..DUKE_OLD };

const DOOM_WEAPONS: &[&str] = &[
    "Fist/Chainsaw",
    "Pistol",
    "Shotgun/Super Shotgun",
    "Chaingun",
    "Rocket Launcher",
    "Plasma Gun",
    "BFG 9000",
    "Chainsaw",
];
const HERETIC_WEAPONS: &[&str] = &[
    "Staff/Gauntlets",
    "Elven Wand",
    "Ethereal Crossbow",
    "Dragon Claw",
    "Hellstaff",
    "Phoenix Rod",
    "Firemace",
    "Gauntlets",
];
const HERETIC_ARTIFACTS: &[&str] = &[
    "Ring of Invincibility",
    "Shadowsphere",
    "Quartz Flask",
    "Mystic Urn",
    "Tome of Power",
    "Torch",
    "Time Bomb of the Ancients",
    "Morph Ovum",
    "Wings of Wrath",
    "Chaos Device",
];
const HEXEN_ARTIFACTS: &[&str] = &[
    "Icon of the Defender",
    "Quartz Flask",
    "Mystic Urn",
    "Mystic Ambit Incant",
    "Dark Servant",
    "Torch",
    "Porkalator",
    "Wings of Wrath",
    "Disc of Repulsion",
    "Flechette",
    "Banishment Device",
    "Boots of Speed",
    "Krater of Might",
    "Dragonskin Bracers",
    "Chaos Device",
];
