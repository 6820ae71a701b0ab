//! Texts with mistakes.

use moviola_text::TextCode;

/// A block of Quake around these statements.
macro_rules! quake { ($($inside:literal)*) => { concat!("track \"-1\\n\";\nblock {\n camera 0.0 0.0 0.0;\n", $($inside,)* "\n}\n") } }

/// A block of Quake II.
macro_rules! quake2 { ($($inside:literal)*) => { concat!("block {\n", $($inside,)* "\n}\nendblock;\n") } }

/// Each text under the code of its first mistake.
pub(crate) const MISTAKES: &[(TextCode, &str)] = &[
    (TextCode::StrayCharacter, quake!(" setangle +5.0 0.0 0.0;")),
    (TextCode::StrayCharacter, quake!(" nop; # a comment of another language")),
    (TextCode::StrayCharacter, quake!(" setview 1*;")),
    (TextCode::StrayCharacter, quake!(" updatestat { index=3; value 1; }")),
    (TextCode::StrayCharacter, quake!(" setangle 0.0, 0.0, 0.0;")),
    (TextCode::StrayCharacter, quake!(" sound { channel 1; entity 5; soundnum 1; origin (0.0 0.0 0.0); }")),
    (TextCode::StrayCharacter, quake!(" print #\"a\";")),
    (TextCode::StrayCharacter, quake!(" nop; /* a comment of C */ nop;")),
    (TextCode::StrayCharacter, quake!(" nop; /* a comment\n of two lines */ nop;")),
    (TextCode::StrayCharacter, quake!(" setview /* whose eyes */ 1;")),
    (TextCode::StrayCharacter, quake!(" print “hello”;")),
    (TextCode::StrayCharacter, quake!(" print 'it's';")),
    (TextCode::StrayCharacter, quake!(" lightstyle {\n  style 1;\n  string „m“;\n }")),
    (TextCode::StrayCharacter, quake!(" setangle 0,5 0.0 -1,25;")),
    (TextCode::StrayCharacter, quake!(" setangle 0.5,0.0,-1;")),
    (TextCode::StrayCharacter, quake!(" setview 5€;")),
    (TextCode::StrayCharacter, "track: \"-1\\n\";\n"),
    (TextCode::StrayCharacter, quake!(" print \"say \" hi \" you\";")),
    (TextCode::StrayCharacter, "= track \"-1\\n\";\n"),
    (TextCode::UnknownStatement, quake!(" pirnt \"hello\";")),
    (TextCode::UnknownStatement, quake!(" Print \"hello\";")),
    (TextCode::UnknownStatement, quake!(" origin 0.0 0.0 0.0;")),
    (TextCode::UnknownStatement, quake!(" teleport { to 5; }")),
    (TextCode::UnknownStatement, quake!(" orgin 0.0 0.0 0.0;")),
    (TextCode::UnknownStatement, quake!(" helth 100;")),
    (TextCode::UnknownStatement, "track \"-1\\n\";\nblock {\n Camera 0.0 0.0 0.0;\n nop;\n}\n"),
    (TextCode::UnknownStatement, "blok {\n}\n"),
    (TextCode::UnknownField, quake!(" damage {\n  save 1;\n  take 2;\n  orgin 0.0 0.0 0.0;\n }")),
    (
        TextCode::UnknownField,
        quake!(" damage {\n  save 1;\n  take 2;\n  health 100;\n  origin 0.0 0.0 0.0;\n }"),
    ),
    (
        TextCode::UnknownField,
        quake!(" damage {\n  save 1;\n  take 2;\n  color 1;\n  origin 0.0 0.0 0.0;\n }"),
    ),
    (TextCode::UnknownField, quake!(" unknown {\n  id 0x3C;\n  dta 0x01;\n }")),
    (TextCode::UnknownField, quake!(" temp_entity {\n  etnitytype 3;\n  origin 0.0 0.0 0.0;\n }")),
    (TextCode::UnknownField, quake!(" damage {\n  save 1;\n  take 2;\n  1.0 -2.5 0.125;\n }")),
    (TextCode::UnknownField, quake2!(" print {\n  level 2;\n  \"hello\";\n }")),
    (TextCode::UnknownField, quake2!(" playerinfo {\n  stats {\n   stat { index 1; valeu 100; }\n  }\n }")),
    (TextCode::MissingField, quake!(" updatefrags {\n  player 1;\n }")),
    (TextCode::MissingField, quake!(" updatefrags;")),
    (TextCode::UnknownField, quake!(" updatestat {\n  health 3;\n  value 1;\n }")),
    (TextCode::UnknownField, "block {\n print {\n  text \"a\";\n }\n}\n"),
    (TextCode::MissingField, quake2!(" packetentities {\n  packetentity {\n   frame 1;\n  }\n }")),
    (TextCode::MissingField, quake!(" unknown {\n }")),
    (TextCode::MissingField, quake!(" unknown {\n  data 0x01 0x02;\n }")),
    (TextCode::RepeatedField, quake!(" updatefrags {\n  player 1;\n  frags 5;\n  player 2;\n }")),
    (TextCode::RepeatedField, quake!(" unknown {\n  id 0x3C;\n  id 0x3D;\n }")),
    (TextCode::MissingSemicolon, quake!(" setview 1\n nop;")),
    (TextCode::MissingSemicolon, quake!(" setview 1 nop;")),
    (TextCode::MissingSemicolon, quake!(" updatefrags {\n  player 1\n  frags 5;\n }")),
    (TextCode::MissingSemicolon, quake!(" updatefrags {\n  player 1;\n  frags 5\n }")),
    (TextCode::MissingSemicolon, quake!(" print \"hello\" // and a comment\n nop;")),
    (TextCode::MissingSemicolon, quake!(" nop")),
    (TextCode::MissingSemicolon, quake!(" nop,\n setview 1;")),
    (TextCode::MissingSemicolon, quake!(" updatefrags { player 1: frags 5; }")),
    (TextCode::MissingSemicolon, quake2!(" packetentities packetentities;")),
    (TextCode::MissingBrace, "track \"-1\\n\";\nblock {\n camera 0.0 0.0 0.0;\n nop;\n"),
    (TextCode::MissingBrace, "track \"-1\\n\";\nblock camera 0.0 0.0 0.0;\n}\n"),
    (TextCode::MissingBrace, quake!(" updatefrags player 1;")),
    (TextCode::MissingBrace, quake!(" unknown 0x01;")),
    (
        TextCode::MissingBrace,
        quake!(
            " updatefrags {\n  player 1;\n  frags 5;\n setview 1;\n print \"a\";\n damage {\n  save 1;\n  take 2;\n  origin 0.0 0.0 0.0;\n }"
        ),
    ),
    (
        TextCode::MissingBrace,
        quake!(" updatefrags {\n  player 1;\n  frags 5;\n updatefrags {\n  player 2;\n  frags 6;\n }"),
    ),
    (
        TextCode::MissingBrace,
        quake2!(
            " packetentities {\n  packetentity {\n   entity 1;\n   frame 2;\n  packetentity {\n   entity 3;\n  }\n }\n print {\n  level 2;\n  string \"a\";\n }"
        ),
    ),
    (
        TextCode::MissingBrace,
        quake2!(
            " playerinfo {\n  stats {\n   stat { index 1; value 100; }\n }\n print {\n  level 2;\n  string \"a\";\n }"
        ),
    ),
    (TextCode::ExpectedNumber, quake!(" setview five;")),
    (TextCode::ExpectedNumber, quake!(" setview \"5\";")),
    (TextCode::ExpectedNumber, "block {\n temp_entity {\n  entitytype foo;\n  origin 1.0 2.0 3.0;\n }\n}\n"),
    (TextCode::ExpectedNumber, quake!(" setview;")),
    (TextCode::ExpectedNumber, quake!(" raw;")),
    (TextCode::ExpectedNumber, quake!(" nop;\n}\nraw;\nblock {\n camera 0.0 0.0 0.0;")),
    (TextCode::ExpectedNumber, quake!(" damage {\n  save 1;\n  take 2;\n  origin 0.0 0.0;\n }")),
    (TextCode::ExpectedNumber, quake!(" time 1.2.3s;")),
    (TextCode::ExpectedNumber, quake!(" setangle .5 0.0 0.0;")),
    (TextCode::ExpectedNumber, quake!(" setangle 0.0 -.5 0.0;")),
    (TextCode::ExpectedNumber, quake!(" time .5s;")),
    (TextCode::TooManyValues, quake!(" setview 5 .5;")),
    (TextCode::ExpectedNumber, quake!(" updatecolors { player 1; colors two 3; }")),
    (TextCode::ExpectedNumber, quake!(" setangle north 5.0 5.0 5.0;")),
    (TextCode::OutOfRange, quake!(" time 1e400s;")),
    (TextCode::OutOfRange, quake!(" time 100000000000000000000000000000000000000:0.0m;")),
    (TextCode::OutOfRange, quake!(" nop;\n}\nblock {\n camera -1e39 0.0 0.0;")),
    (TextCode::OutOfRange, quake!(" setangle nan 0.0 0.0;")),
    (TextCode::OutOfRange, quake!(" damage {\n  save inf;\n  take 2;\n  origin 0.0 0.0 0.0;\n }")),
    (TextCode::OutOfRange, quake!(" print \"\\400\";")),
    (TextCode::OutOfRange, quake!(" print \"a\\777b\";")),
    (TextCode::OutOfRange, quake!(" updatefrags {\n  player 2000;\n  frags 5;\n }")),
    (TextCode::OutOfRange, quake!(" setview 40000;")),
    (TextCode::OutOfRange, quake!(" damage {\n  save 1;\n  take 2;\n  origin 5000.0 0.0 0.0;\n }")),
    (
        TextCode::OutOfRange,
        quake!(
            " spawnstaticsound {\n  origin 0.0 0.0 0.0;\n  soundnum 1;\n  vol 1.5;\n  attenuation 1.0;\n }"
        ),
    ),
    (TextCode::OutOfRange, quake!(" updatecolors { player 1; colors 16 4; }")),
    (TextCode::OutOfRange, quake!(" unknown { id 0x100; }")),
    (
        TextCode::OutOfRange,
        quake2!(" temp_entity {\n  entitytype 0;\n  origin 0.0 0.0 0.0;\n  movedir 0.0 nan 0.0;\n }"),
    ),
    (TextCode::OutOfRange, quake!(" setview 0x10000;")),
    (TextCode::OutOfRange, quake2!(" packetentities {\n  packetentity { entity 70000; }\n }")),
    (TextCode::ExpectedNumber, quake2!(" inventory 1;")),
    (TextCode::ExpectedString, quake!(" print hello;")),
    (TextCode::ExpectedString, quake!(" lightstyle {\n  style 1;\n  string m;\n }")),
    (TextCode::ExpectedString, "track -1;\n"),
    (TextCode::ExpectedString, "track none;\n"),
    (TextCode::OpenString, quake!(" print \"hello;\n nop;")),
    (TextCode::OpenString, quake!(" lightstyle {\n  style 1;\n  string \"m;\n }")),
    (TextCode::OpenString, "track \"-1"),
    (TextCode::OpenString, "track \"-1\n\";\nblock {\n camera 0.0 0.0 0.0;\n nop;\n}\n"),
    (TextCode::OpenString, quake!(" print \"hello”;\n nop;")),
    (TextCode::OpenString, quake!(" print \"hello; } // a comment\n nop;")),
    (
        TextCode::OpenString,
        "track \"-1\\n\";\nblock { camera 0.0 0.0 0.0; print \"hi; nop; } nop; }\nblock { camera 0.0 0.0 0.0; nop; }\n",
    ),
    (TextCode::OpenString, quake!(" lightstyle { style 1; string \"m }\n nop;")),
    (
        TextCode::OpenString,
        "track \"-1\\n\";\nblock { camera 0.0 0.0 0.0; print \"hello; }\nblock { camera 0.0 0.0 0.0; nop; }\n",
    ),
    (TextCode::MissingBrace, "block {\n print \"hello\";\n}\n"),
    (TextCode::WrongGame, "block {\n centerprint \"hello\";\n killedmonster;\n}\n"),
    (TextCode::WrongGame, quake!(" unicast 3;")),
    (TextCode::WrongGame, quake2!(" from_client;")),
    (TextCode::WrongGame, quake2!(" habit items_bit clear;")),
    (TextCode::Misplaced, "track \"-1\\n\";\n{\n camera 0.0 0.0 0.0;\n}\n"),
    (TextCode::NulInString, quake!(" print \"a\\000b\";")),
    (TextCode::UnterminatedInside, quake!(" print unterminated \"hel\";\n nop;")),
    (
        TextCode::UnterminatedInside,
        quake!(" showlmp {\n  slot unterminated \"a\";\n  lmp \"b\";\n  x 1;\n  y 2;\n }"),
    ),
    (TextCode::TooManyValues, quake!(" setview 1 2;")),
    (TextCode::TooManyValues, quake!(" print \"hello\" \"world\";")),
    (TextCode::TooManyValues, quake!(" damage {\n  save 1;\n  take 2;\n  origin 1.0 2.0 3.0 4.0;\n }")),
    (TextCode::NotPossible, quake!(" temp_entity {\n  entitytype 99;\n  origin 0.0 0.0 0.0;\n }")),
    (
        TextCode::NotPossible,
        quake!(
            " temp_entity {\n  entitytype 5;\n  origin 0.0 0.0 0.0;\n  color 3;\n  entity 1;\n  trace_endpos 0.0 0.0 0.0;\n }"
        ),
    ),
    (TextCode::NotPossible, quake!(" time 1:1.5s;")),
    (TextCode::NotPossible, quake2!(" download {\n  size 3;\n  percent 50;\n  data 0x01 0x02;\n }")),
    (TextCode::NotPossible, quake2!(" protocol 34;\n download {\n  size 3;\n  percent 50;\n }")),
    (
        TextCode::NotPossible,
        quake2!(" protocol 31;\n download {\n  size 1;\n  percent 50;\n  data 0x01;\n }"),
    ),
    (TextCode::NotPossible, quake2!(" download {\n  data 0x01 0x02;\n  percent 50;\n  size 3;\n }")),
    (TextCode::NotPossible, quake2!(" sound {\n  unknown_mask_bits 5 8;\n  soundnum 1;\n }")),
    (TextCode::NotPossible, quake!(" time 1:1:1:1.5h;")),
    (TextCode::NotPossible, quake!(" nop {}")),
    (TextCode::NotPossible, quake!(" killedmonster {\n }")),
    (TextCode::NotPossible, quake!(" habit sleepy;")),
    (
        TextCode::NotPossible,
        quake2!(
            " playerinfo {\n  stats {\n   stat { index 1; value 1; }\n   stat { value 2; index 1; }\n  }\n }"
        ),
    ),
    (TextCode::NotPossible, quake2!(" packetentities {\n  packetentity { entity 0; frame 1; }\n }")),
    (TextCode::NotPossible, quake2!(" playerinfo {\n  stats {\n   stat { index 32; value 100; }\n  }\n }")),
    (TextCode::MaskDisagrees, quake!(" updateentity {\n  entity 5;\n  origin_x 1.0;\n  mask 0x4;\n }")),
    (
        TextCode::WrongProtocol,
        quake!(" fog {\n  density 0.1;\n  red 0.1;\n  green 0.1;\n  blue 0.1;\n  time 0;\n }"),
    ),
    (
        TextCode::NotPossible,
        quake!(
            " clientdata {\n  health 100;\n  currentammo 0;\n  ammo_shells 0;\n  ammo_nails 0;\n  ammo_rockets 0;\n  ammo_cells 0;\n  weapon;\n }"
        ),
    ),
    (
        TextCode::NotPossible,
        quake!(
            " clientdata {\n  health 100;\n  currentammo 0;\n  ammo_shells 0;\n  ammo_nails 0;\n  ammo_rockets 0;\n  ammo_cells 0;\n  weapon 1 7;\n }"
        ),
    ),
    (TextCode::WrongProtocol, quake!(" updateentity {\n  entity 5;\n  alpha 100;\n }")),
    (
        TextCode::WrongProtocol,
        quake!(" updateentity {\n  alpha 100;\n  entity 5;\n  lerpfinish 5;\n  frame 1;\n }"),
    ),
    // With Q2PRO's extended limits, another message has this keyword.
    (
        TextCode::WrongProtocol,
        "block {\n serverdata {\n  serverversion 3436;\n  key 1;\n  isdemo 1;\n  game \"\";\n  client 0;\n  mapname \"\";\n }\n packetentities {\n }\n}\n",
    ),
    (TextCode::WrongGame, quake2!(" nop;\n}\nblock {\n camera 0.0 0.0 0.0;")),
    (TextCode::WrongGame, quake!(" muzzleflash {\n  entity 5;\n  value 3;\n }")),
    (TextCode::WrongGame, "track \"-1\\n\";\nbetweenblock;\n"),
    (TextCode::Camera, "track \"-1\\n\";\nblock {\n nop;\n}\n"),
    (TextCode::Camera, quake!(" camera 1.0 2.0 3.0;")),
    (TextCode::TrackPlace, quake!(" nop;\n}\ntrack \"2\\n\";\nblock {\n camera 0.0 0.0 0.0;\n nop;")),
    (TextCode::MissingBrace, quake!(" nop;\nblock {\n camera 0.0 0.0 0.0;")),
    (TextCode::UnknownField, quake!(" updatefrags {\n  player 1;\n  frags 5;\n  nop;\n }")),
    (TextCode::Misplaced, "print \"outside\";\n"),
    (TextCode::Misplaced, quake2!(" playerinfo {\n  stats {\n   index 1;\n  }\n }")),
    (TextCode::Misplaced, quake2!(" unicast 1;")),
    (TextCode::Misplaced, quake2!(" unicast 3;\n unicast 4;\n nop;")),
    (
        TextCode::Misplaced,
        quake!(" nop;\n }\n nop;\n setview 1;\n updatefrags {\n  player 2;\n  frags 6;\n }\n setpause 1;"),
    ),
    (TextCode::StrayBrace, quake!(" nop;\n}\n}\nblock {\n camera 0.0 0.0 0.0;")),
    (TextCode::StrayBrace, "}\nblock {\n nop;\n}\n"),
    (TextCode::ForeignLetter, quake!(" print \"\\001Jörg: viele Grüße – “gg” ⑤\\n\";")),
    (TextCode::ForeignLetter, quake!(" print \"Привет\";")),
    (
        TextCode::SpillingNumber,
        quake2!(
            " temp_entity {\n  entitytype 37;\n  origin 0.0 0.0 0.0;\n  trace_endpos 0.0 0.0 0.0;\n  style 300;\n }"
        ),
    ),
    (TextCode::SaysNothing, ""),
    (TextCode::SaysNothing, "// track \"-1\\n\";\n// block { }"),
    (TextCode::IdleBackslash, quake!(" print \"a\\x41b\\n\";")),
    (TextCode::IdleBackslash, quake!(" print \"\\8\\n\";")),
    (TextCode::IdleBackslash, quake!(" print \"a\\tb\\n\";")),
    (
        TextCode::IdleBackslash,
        quake2!(" configstring {\n  index 1312;\n  string \"Ranger\\male/grunt\";\n }"),
    ),
    (TextCode::UntrueLength, quake!(" length 100;\n nop;\n}\nblock {\n camera 0.0 0.0 0.0;\n nop;")),
    (TextCode::UntrueLength, quake!(" length 0; nop;")),
    (TextCode::UntrueLength, "block {\n nop;\n length 2;\n}\nendblock;\n"),
    (
        TextCode::StrangeProtocol,
        quake!(
            " serverinfo {\n  serverversion 777;\n  maxclients 1;\n  multi 0;\n  mapname \"\";\n  models;\n  sounds;\n }\n nop;\n nop;"
        ),
    ),
    (TextCode::StrangeProtocol, quake2!(" protocol 35;\n nop;")),
    (
        TextCode::UnknownToLmpc,
        concat!(
            "// source: DEM binary file nehahra.dem\n\n",
            "track \"-1\\n\";\nblock {\n camera 0.0 0.0 0.0;\n",
            concat!(
                " serverinfo {\n  serverversion 10000;\n  maxclients 1;\n  multi 0;\n  mapname \"\";\n  models;\n  sounds;\n }\n nop;\n}\n"
            )
        ),
    ),
    (TextCode::OpenHeader, "track \"4\";\nblock {\n camera 0.0 0.0 0.0;\n nop;\n}\n"),
];

/// Texts that are generated, because they are long.
pub(crate) fn long_texts() -> Vec<(TextCode, String)> {
    let around = |inside: &str| format!("track \"-1\\n\";\nblock {{\n camera 0.0 0.0 0.0;\n {inside}\n}}\n");
    vec![
        (TextCode::TooLong, around(&"\n nop; nop; nop; nop; nop; nop; nop; nop;".repeat((1 << 17) + 1))),
        (TextCode::LongString, around(&format!("print \"{}\";", "ha ".repeat(1000)))),
    ]
}
