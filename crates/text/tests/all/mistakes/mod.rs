//! Texts with mistakes.

use moviola_text::Code;

/// A block of Quake around these statements.
macro_rules! quake { ($($inside:literal)*) => { concat!("track \"-1\\n\";\nblock {\n camera 0.0 0.0 0.0;\n", $($inside,)* "\n}\n") } }

/// A block of Quake II.
macro_rules! quake2 { ($($inside:literal)*) => { concat!("block {\n", $($inside,)* "\n}\nendblock;\n") } }

/// Each text under the code of its first mistake.
pub(crate) const MISTAKES: &[(Code, &str)] = &[
    (Code::StrayCharacter, quake!(" setangle +5.0 0.0 0.0;")),
    (Code::StrayCharacter, quake!(" nop; # a comment of another language")),
    (Code::StrayCharacter, quake!(" setview 1*;")),
    (Code::StrayCharacter, quake!(" updatestat { index=3; value 1; }")),
    (Code::StrayCharacter, quake!(" setangle 0.0, 0.0, 0.0;")),
    (Code::StrayCharacter, quake!(" sound { channel 1; entity 5; soundnum 1; origin (0.0 0.0 0.0); }")),
    (Code::StrayCharacter, quake!(" print #\"a\";")),
    (Code::StrayCharacter, quake!(" nop; /* a comment of C */ nop;")),
    (Code::StrayCharacter, quake!(" nop; /* a comment\n of two lines */ nop;")),
    (Code::StrayCharacter, quake!(" setview /* whose eyes */ 1;")),
    (Code::StrayCharacter, quake!(" print “hello”;")),
    (Code::StrayCharacter, quake!(" print 'it's';")),
    (Code::StrayCharacter, quake!(" lightstyle {\n  style 1;\n  string „m“;\n }")),
    (Code::StrayCharacter, quake!(" setangle 0,5 0.0 -1,25;")),
    (Code::StrayCharacter, quake!(" setangle 0.5,0.0,-1;")),
    (Code::StrayCharacter, quake!(" setview 5€;")),
    (Code::StrayCharacter, "track: \"-1\\n\";\n"),
    (Code::StrayCharacter, quake!(" print \"say \" hi \" you\";")),
    (Code::StrayCharacter, "= track \"-1\\n\";\n"),
    (Code::UnknownStatement, quake!(" pirnt \"hello\";")),
    (Code::UnknownStatement, quake!(" Print \"hello\";")),
    (Code::UnknownStatement, quake!(" origin 0.0 0.0 0.0;")),
    (Code::UnknownStatement, quake!(" teleport { to 5; }")),
    (Code::UnknownStatement, quake!(" orgin 0.0 0.0 0.0;")),
    (Code::UnknownStatement, quake!(" helth 100;")),
    (Code::UnknownStatement, "track \"-1\\n\";\nblock {\n Camera 0.0 0.0 0.0;\n nop;\n}\n"),
    (Code::UnknownStatement, "blok {\n}\n"),
    (Code::UnknownField, quake!(" damage {\n  save 1;\n  take 2;\n  orgin 0.0 0.0 0.0;\n }")),
    (Code::UnknownField, quake!(" damage {\n  save 1;\n  take 2;\n  health 100;\n  origin 0.0 0.0 0.0;\n }")),
    (Code::UnknownField, quake!(" damage {\n  save 1;\n  take 2;\n  color 1;\n  origin 0.0 0.0 0.0;\n }")),
    (Code::UnknownField, quake!(" unknown {\n  id 0x3C;\n  dta 0x01;\n }")),
    (Code::UnknownField, quake!(" temp_entity {\n  etnitytype 3;\n  origin 0.0 0.0 0.0;\n }")),
    (Code::UnknownField, quake!(" damage {\n  save 1;\n  take 2;\n  1.0 -2.5 0.125;\n }")),
    (Code::UnknownField, quake2!(" print {\n  level 2;\n  \"hello\";\n }")),
    (Code::UnknownField, quake2!(" playerinfo {\n  stats {\n   stat { index 1; valeu 100; }\n  }\n }")),
    (Code::MissingField, quake!(" updatefrags {\n  player 1;\n }")),
    (Code::MissingField, quake!(" updatefrags;")),
    (Code::UnknownField, quake!(" updatestat {\n  health 3;\n  value 1;\n }")),
    (Code::UnknownField, "block {\n print {\n  text \"a\";\n }\n}\n"),
    (Code::MissingField, quake2!(" packetentities {\n  packetentity {\n   frame 1;\n  }\n }")),
    (Code::MissingField, quake!(" unknown {\n }")),
    (Code::MissingField, quake!(" unknown {\n  data 0x01 0x02;\n }")),
    (Code::RepeatedField, quake!(" updatefrags {\n  player 1;\n  frags 5;\n  player 2;\n }")),
    (Code::RepeatedField, quake!(" unknown {\n  id 0x3C;\n  id 0x3D;\n }")),
    (Code::MissingSemicolon, quake!(" setview 1\n nop;")),
    (Code::MissingSemicolon, quake!(" setview 1 nop;")),
    (Code::MissingSemicolon, quake!(" updatefrags {\n  player 1\n  frags 5;\n }")),
    (Code::MissingSemicolon, quake!(" updatefrags {\n  player 1;\n  frags 5\n }")),
    (Code::MissingSemicolon, quake!(" print \"hello\" // and a comment\n nop;")),
    (Code::MissingSemicolon, quake!(" nop")),
    (Code::MissingSemicolon, quake!(" nop,\n setview 1;")),
    (Code::MissingSemicolon, quake!(" updatefrags { player 1: frags 5; }")),
    (Code::MissingSemicolon, quake2!(" packetentities packetentities;")),
    (Code::MissingBrace, "track \"-1\\n\";\nblock {\n camera 0.0 0.0 0.0;\n nop;\n"),
    (Code::MissingBrace, "track \"-1\\n\";\nblock camera 0.0 0.0 0.0;\n}\n"),
    (Code::MissingBrace, quake!(" updatefrags player 1;")),
    (Code::MissingBrace, quake!(" unknown 0x01;")),
    (
        Code::MissingBrace,
        quake!(
            " updatefrags {\n  player 1;\n  frags 5;\n setview 1;\n print \"a\";\n damage {\n  save 1;\n  take 2;\n  origin 0.0 0.0 0.0;\n }"
        ),
    ),
    (
        Code::MissingBrace,
        quake!(" updatefrags {\n  player 1;\n  frags 5;\n updatefrags {\n  player 2;\n  frags 6;\n }"),
    ),
    (
        Code::MissingBrace,
        quake2!(
            " packetentities {\n  packetentity {\n   entity 1;\n   frame 2;\n  packetentity {\n   entity 3;\n  }\n }\n print {\n  level 2;\n  string \"a\";\n }"
        ),
    ),
    (
        Code::MissingBrace,
        quake2!(
            " playerinfo {\n  stats {\n   stat { index 1; value 100; }\n }\n print {\n  level 2;\n  string \"a\";\n }"
        ),
    ),
    (Code::ExpectedNumber, quake!(" setview five;")),
    (Code::ExpectedNumber, quake!(" setview \"5\";")),
    (Code::ExpectedNumber, "block {\n temp_entity {\n  entitytype foo;\n  origin 1.0 2.0 3.0;\n }\n}\n"),
    (Code::ExpectedNumber, quake!(" setview;")),
    (Code::ExpectedNumber, quake!(" raw;")),
    (Code::ExpectedNumber, quake!(" nop;\n}\nraw;\nblock {\n camera 0.0 0.0 0.0;")),
    (Code::ExpectedNumber, quake!(" damage {\n  save 1;\n  take 2;\n  origin 0.0 0.0;\n }")),
    (Code::ExpectedNumber, quake!(" time 1.2.3s;")),
    (Code::ExpectedNumber, quake!(" setangle .5 0.0 0.0;")),
    (Code::ExpectedNumber, quake!(" setangle 0.0 -.5 0.0;")),
    (Code::ExpectedNumber, quake!(" time .5s;")),
    (Code::TooManyValues, quake!(" setview 5 .5;")),
    (Code::ExpectedNumber, quake!(" updatecolors { player 1; colors two 3; }")),
    (Code::ExpectedNumber, quake!(" setangle north 5.0 5.0 5.0;")),
    (Code::OutOfRange, quake!(" time 1e400s;")),
    (Code::OutOfRange, quake!(" time 100000000000000000000000000000000000000:0.0m;")),
    (Code::OutOfRange, quake!(" nop;\n}\nblock {\n camera -1e39 0.0 0.0;")),
    (Code::OutOfRange, quake!(" setangle nan 0.0 0.0;")),
    (Code::OutOfRange, quake!(" damage {\n  save inf;\n  take 2;\n  origin 0.0 0.0 0.0;\n }")),
    (Code::OutOfRange, quake!(" print \"\\400\";")),
    (Code::OutOfRange, quake!(" print \"a\\777b\";")),
    (Code::OutOfRange, quake!(" updatefrags {\n  player 2000;\n  frags 5;\n }")),
    (Code::OutOfRange, quake!(" setview 40000;")),
    (Code::OutOfRange, quake!(" damage {\n  save 1;\n  take 2;\n  origin 5000.0 0.0 0.0;\n }")),
    (
        Code::OutOfRange,
        quake!(
            " spawnstaticsound {\n  origin 0.0 0.0 0.0;\n  soundnum 1;\n  vol 1.5;\n  attenuation 1.0;\n }"
        ),
    ),
    (Code::OutOfRange, quake!(" updatecolors { player 1; colors 16 4; }")),
    (Code::OutOfRange, quake!(" unknown { id 0x100; }")),
    (
        Code::OutOfRange,
        quake2!(" temp_entity {\n  entitytype 0;\n  origin 0.0 0.0 0.0;\n  movedir 0.0 nan 0.0;\n }"),
    ),
    (Code::OutOfRange, quake!(" setview 0x10000;")),
    (Code::OutOfRange, quake2!(" packetentities {\n  packetentity { entity 70000; }\n }")),
    (Code::ExpectedNumber, quake2!(" inventory 1;")),
    (Code::ExpectedString, quake!(" print hello;")),
    (Code::ExpectedString, quake!(" lightstyle {\n  style 1;\n  string m;\n }")),
    (Code::ExpectedString, "track -1;\n"),
    (Code::ExpectedString, "track none;\n"),
    (Code::OpenString, quake!(" print \"hello;\n nop;")),
    (Code::OpenString, quake!(" lightstyle {\n  style 1;\n  string \"m;\n }")),
    (Code::OpenString, "track \"-1"),
    (Code::OpenString, "track \"-1\n\";\nblock {\n camera 0.0 0.0 0.0;\n nop;\n}\n"),
    (Code::OpenString, quake!(" print \"hello”;\n nop;")),
    (Code::OpenString, quake!(" print \"hello; } // a comment\n nop;")),
    (
        Code::OpenString,
        "track \"-1\\n\";\nblock { camera 0.0 0.0 0.0; print \"hi; nop; } nop; }\nblock { camera 0.0 0.0 0.0; nop; }\n",
    ),
    (Code::OpenString, quake!(" lightstyle { style 1; string \"m }\n nop;")),
    (
        Code::OpenString,
        "track \"-1\\n\";\nblock { camera 0.0 0.0 0.0; print \"hello; }\nblock { camera 0.0 0.0 0.0; nop; }\n",
    ),
    (Code::MissingBrace, "block {\n print \"hello\";\n}\n"),
    (Code::WrongGame, "block {\n centerprint \"hello\";\n killedmonster;\n}\n"),
    (Code::WrongGame, quake!(" unicast 3;")),
    (Code::WrongGame, quake2!(" from_client;")),
    (Code::WrongGame, quake2!(" habit items_bit clear;")),
    (Code::Misplaced, "track \"-1\\n\";\n{\n camera 0.0 0.0 0.0;\n}\n"),
    (Code::NulInString, quake!(" print \"a\\000b\";")),
    (Code::UnterminatedInside, quake!(" print unterminated \"hel\";\n nop;")),
    (
        Code::UnterminatedInside,
        quake!(" showlmp {\n  slot unterminated \"a\";\n  lmp \"b\";\n  x 1;\n  y 2;\n }"),
    ),
    (Code::TooManyValues, quake!(" setview 1 2;")),
    (Code::TooManyValues, quake!(" print \"hello\" \"world\";")),
    (Code::TooManyValues, quake!(" damage {\n  save 1;\n  take 2;\n  origin 1.0 2.0 3.0 4.0;\n }")),
    (Code::NotPossible, quake!(" temp_entity {\n  entitytype 99;\n  origin 0.0 0.0 0.0;\n }")),
    (
        Code::NotPossible,
        quake!(
            " temp_entity {\n  entitytype 5;\n  origin 0.0 0.0 0.0;\n  color 3;\n  entity 1;\n  trace_endpos 0.0 0.0 0.0;\n }"
        ),
    ),
    (Code::NotPossible, quake!(" time 1:1.5s;")),
    (Code::NotPossible, quake2!(" download {\n  size 3;\n  percent 50;\n  data 0x01 0x02;\n }")),
    (Code::NotPossible, quake2!(" protocol 34;\n download {\n  size 3;\n  percent 50;\n }")),
    (Code::NotPossible, quake2!(" protocol 31;\n download {\n  size 1;\n  percent 50;\n  data 0x01;\n }")),
    (Code::NotPossible, quake2!(" download {\n  data 0x01 0x02;\n  percent 50;\n  size 3;\n }")),
    (Code::NotPossible, quake2!(" sound {\n  unknown_mask_bits 5 8;\n  soundnum 1;\n }")),
    (Code::NotPossible, quake!(" time 1:1:1:1.5h;")),
    (Code::NotPossible, quake!(" nop {}")),
    (Code::NotPossible, quake!(" killedmonster {\n }")),
    (Code::NotPossible, quake!(" habit sleepy;")),
    (
        Code::NotPossible,
        quake2!(
            " playerinfo {\n  stats {\n   stat { index 1; value 1; }\n   stat { value 2; index 1; }\n  }\n }"
        ),
    ),
    (Code::NotPossible, quake2!(" packetentities {\n  packetentity { entity 0; frame 1; }\n }")),
    (Code::NotPossible, quake2!(" playerinfo {\n  stats {\n   stat { index 32; value 100; }\n  }\n }")),
    (Code::MaskDisagrees, quake!(" updateentity {\n  entity 5;\n  origin_x 1.0;\n  mask 0x4;\n }")),
    (
        Code::WrongProtocol,
        quake!(" fog {\n  density 0.1;\n  red 0.1;\n  green 0.1;\n  blue 0.1;\n  time 0;\n }"),
    ),
    (
        Code::NotPossible,
        quake!(
            " clientdata {\n  health 100;\n  currentammo 0;\n  ammo_shells 0;\n  ammo_nails 0;\n  ammo_rockets 0;\n  ammo_cells 0;\n  weapon;\n }"
        ),
    ),
    (
        Code::NotPossible,
        quake!(
            " clientdata {\n  health 100;\n  currentammo 0;\n  ammo_shells 0;\n  ammo_nails 0;\n  ammo_rockets 0;\n  ammo_cells 0;\n  weapon 1 7;\n }"
        ),
    ),
    (Code::WrongProtocol, quake!(" updateentity {\n  entity 5;\n  alpha 100;\n }")),
    (
        Code::WrongProtocol,
        quake!(" updateentity {\n  alpha 100;\n  entity 5;\n  lerpfinish 5;\n  frame 1;\n }"),
    ),
    (Code::WrongGame, quake2!(" nop;\n}\nblock {\n camera 0.0 0.0 0.0;")),
    (Code::WrongGame, quake!(" muzzleflash {\n  entity 5;\n  value 3;\n }")),
    (Code::WrongGame, "track \"-1\\n\";\nbetweenblock;\n"),
    (Code::Camera, "track \"-1\\n\";\nblock {\n nop;\n}\n"),
    (Code::Camera, quake!(" camera 1.0 2.0 3.0;")),
    (Code::TrackPlace, quake!(" nop;\n}\ntrack \"2\\n\";\nblock {\n camera 0.0 0.0 0.0;\n nop;")),
    (Code::MissingBrace, quake!(" nop;\nblock {\n camera 0.0 0.0 0.0;")),
    (Code::UnknownField, quake!(" updatefrags {\n  player 1;\n  frags 5;\n  nop;\n }")),
    (Code::Misplaced, "print \"outside\";\n"),
    (Code::Misplaced, quake2!(" playerinfo {\n  stats {\n   index 1;\n  }\n }")),
    (Code::Misplaced, quake2!(" unicast 1;")),
    (Code::Misplaced, quake2!(" unicast 3;\n unicast 4;\n nop;")),
    (
        Code::Misplaced,
        quake!(" nop;\n }\n nop;\n setview 1;\n updatefrags {\n  player 2;\n  frags 6;\n }\n setpause 1;"),
    ),
    (Code::StrayBrace, quake!(" nop;\n}\n}\nblock {\n camera 0.0 0.0 0.0;")),
    (Code::StrayBrace, "}\nblock {\n nop;\n}\n"),
    (Code::ForeignLetter, quake!(" print \"\\001Jörg: viele Grüße – “gg” ⑤\\n\";")),
    (Code::ForeignLetter, quake!(" print \"Привет\";")),
    (
        Code::SpillingNumber,
        quake2!(
            " temp_entity {\n  entitytype 37;\n  origin 0.0 0.0 0.0;\n  trace_endpos 0.0 0.0 0.0;\n  style 300;\n }"
        ),
    ),
    (Code::SaysNothing, ""),
    (Code::SaysNothing, "// track \"-1\\n\";\n// block { }"),
    (Code::IdleBackslash, quake!(" print \"a\\x41b\\n\";")),
    (Code::IdleBackslash, quake!(" print \"\\8\\n\";")),
    (Code::IdleBackslash, quake!(" print \"a\\tb\\n\";")),
    (Code::IdleBackslash, quake2!(" configstring {\n  index 1312;\n  string \"Ranger\\male/grunt\";\n }")),
    (Code::UntrueLength, quake!(" length 100;\n nop;\n}\nblock {\n camera 0.0 0.0 0.0;\n nop;")),
    (Code::UntrueLength, quake!(" length 0; nop;")),
    (Code::UntrueLength, "block {\n nop;\n length 2;\n}\nendblock;\n"),
    (
        Code::StrangeProtocol,
        quake!(
            " serverinfo {\n  serverversion 777;\n  maxclients 1;\n  multi 0;\n  mapname \"\";\n  models;\n  sounds;\n }\n nop;\n nop;"
        ),
    ),
    (Code::StrangeProtocol, quake2!(" protocol 35;\n nop;")),
    (
        Code::UnknownToLmpc,
        concat!(
            "// source: DEM binary file nehahra.dem\n\n",
            "track \"-1\\n\";\nblock {\n camera 0.0 0.0 0.0;\n",
            concat!(
                " serverinfo {\n  serverversion 10000;\n  maxclients 1;\n  multi 0;\n  mapname \"\";\n  models;\n  sounds;\n }\n nop;\n}\n"
            )
        ),
    ),
    (Code::OpenHeader, "track \"4\";\nblock {\n camera 0.0 0.0 0.0;\n nop;\n}\n"),
];

/// Texts that are generated, because they are long.
pub(crate) fn long_texts() -> Vec<(Code, String)> {
    let around = |inside: &str| format!("track \"-1\\n\";\nblock {{\n camera 0.0 0.0 0.0;\n {inside}\n}}\n");
    vec![
        (Code::TooLong, around(&"\n nop; nop; nop; nop; nop; nop; nop; nop;".repeat((1 << 17) + 1))),
        (Code::LongString, around(&format!("print \"{}\";", "ha ".repeat(1000)))),
    ]
}
