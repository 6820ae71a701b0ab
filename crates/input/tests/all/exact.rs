//! Every file survives decompiling and compiling: files of every kind, built by hand, whole, cut and damaged.

use moviola_input::{InputTextOptions, compile, decompile};
use std::io::Cursor;

/// A generator of random numbers that is the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

fn text_of(bytes: &[u8], game: Option<&str>) -> String {
    let mut text = Vec::new();
    let options = InputTextOptions { game: game.map(str::to_owned), ..InputTextOptions::default() };
    decompile(bytes, &mut text, &options).unwrap();
    assert!(text.is_ascii());
    String::from_utf8(text).unwrap()
}

fn compiled(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    compile(text.as_bytes(), &mut bytes, Cursor::new(Vec::new()))
        .unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    bytes
}

fn exact(bytes: &[u8], game: Option<&str>) -> String {
    let text = text_of(bytes, game);
    let made = compiled(&text);
    assert!(made == bytes, "{made:02x?}\n{bytes:02x?}\n{}", text.chars().take(3000).collect::<String>());
    text
}

/// Random records of this length, none of which begins with the end mark.
fn records(count: usize, length: usize, random: &mut Random) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..count {
        let first = [0, 25, 50, 0xCE][random.next(4) as usize];
        bytes.push(first);
        bytes.extend((1..length).map(|_| if random.next(4) == 0 { random.next(256) as u8 } else { 0 }));
    }
    bytes
}

fn boom(version: u8, signature: &[u8], options: usize) -> Vec<u8> {
    let mut header = vec![version];
    header.extend(signature);
    header.extend([0, 3, 1, 7, 0, 0]);
    header.extend((0..options).map(|at| u8::from(at % 3 == 0)));
    header.extend([1, 0, 0, 0]);
    header.resize(header.len() + 28, 0);
    header
}

/// `LxDoom`'s header: Boom's signature without the byte of compatibility after it.
fn lxdoom() -> Vec<u8> {
    let mut header = boom(203, b"\x1dBoom\xe6", 64);
    header.remove(7);
    header
}

/// Every header that the format descriptions list: the word that forces it, its game in the text, its bytes,
/// and the length of its records.
fn headers() -> Vec<(&'static str, &'static str, Vec<u8>, usize)> {
    let mut all = vec![
        ("doom-1.2", "DOOM", vec![3, 1, 5, 1, 0, 0, 0], 4),
        ("heretic", "HERETIC", vec![3, 5, 3, 1, 0, 0, 0], 6),
        ("heretic", "HERETIC", vec![3, 5, 3, 0x31, 0, 0, 0], 7),
        ("heretic", "HERETIC", vec![3, 5, 3, 0x22, 1, 0, 1], 6),
        ("hexen-1.0", "HEXEN", [&[3, 1, 2][..], &[1, 0, 1, 2, 0, 2, 0, 0]].concat(), 6),
        ("hexen", "HEXEN", [&[3, 1, 22][..], &[1, 1], &[0; 14]].concat(), 6),
        ("strife", "STRIFE", [&[101, 2, 10, 1, 0, 0, 3, 1][..], &[1, 1, 0, 0, 0, 0, 0, 0]].concat(), 6),
        ("tasdoom", "TASDOOM", vec![110, 3, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0], 4),
        ("", "DOOM or DOOM ][", vec![111, 3, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0], 5),
        ("", "DOOM ][", vec![111, 3, 1, 30, 2, 0, 0, 13, 1, 1, 1, 0, 0], 5),
        ("", "BOOM", boom(200, b"\x1dBoom\xe6", 256), 4),
        ("", "BOOM", boom(201, b"\x1dBoom\xe6", 64), 4),
        ("", "BOOM", boom(202, b"\x1dBoom\xe6", 64), 4),
        ("", "MBF", boom(203, b"\x1dMBF\xe6\0", 64), 4),
        ("", "MBF", boom(203, b"\x1dBoom\xe6", 64), 4),
        ("lxdoom", "LXDOOM", lxdoom(), 4),
        ("", "MBF", boom(204, b"\x1dMBF\xe6\0", 64), 4),
        ("", "CDOOM", boom(206, b"CDOOMC", 64), 5),
        ("", "MBF", boom(214, b"\x1dMBF\xe6\0", 64), 5),
    ];
    for version in 104..=110 {
        all.push(("", "DOOM or DOOM ][", vec![version, 3, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0], 4));
        all.push(("", "DOOM", vec![version, 3, 4, 1, 1, 9, 7, 13, 1, 1, 1, 0, 1], 4));
        all.push(("", "DOOM or DOOM ][", vec![version, 9, 1, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0], 4));
    }
    for version in 210..=213 {
        all.push(("", "MBF", boom(version, b"\x1dMBF\xe6\0", 64), 4));
    }
    for count in [0u8, 21, 25, 40] {
        let mut header = b"\xdd\x1dMBF\xe6\0\x03\x01\x01\0\0".to_vec();
        header.extend((0..20).map(|at| at % 2));
        header.push(count);
        header.extend((0..count).map(|at| at % 2));
        header.push(1);
        header.resize(65 + usize::from(count), 0);
        all.push(("", "MBF21", header, 5));
    }
    let mut wrapped = b"\xffPR+UM\0\x01\x01\0\x08UMAPINFOMAP01\0\0\0".to_vec();
    wrapped.extend(vec![109, 3, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
    all.push(("", "DOOM or DOOM ][", wrapped, 4));
    all
}

const FOOTERS: [&[u8]; 5] = [
    b"",
    b"PWAD\x02\0\0\0\x2c\0\0\0\nPrBoom-Plus 2.5.1.4\n-iwad \"a\" \n\r\0\0\0\x13\0\0\0PORTNAME!\0\0\0\x0a\0\0\0CMDLINE\0",
    b"DemoEXT:\x01",
    b"PWAD that is none \"\\\xff",
    b"\x80 run by somebody\r\n#",
];

#[test]
fn every_header_with_every_footer() {
    let mut random = Random(1);
    for (force, game, header, length) in headers() {
        let force = Some(force).filter(|it| !it.is_empty());
        for footer in FOOTERS {
            for count in [0, 1, 7, 200] {
                let body = records(count, length, &mut random);
                let recording = [&header[..], &body, &[0x80], footer].concat();
                let text = exact(&recording, force);
                // With unusual values and no record, nothing shows that this is a recording.
                if count == 0 && header[1] == 9 {
                    continue;
                }
                assert!(text.contains(&format!(" {game}\n")), "{game}: {text}");
                let lines = text
                    .lines()
                    .skip_while(|it| *it != "DataStart")
                    .skip(1)
                    .take_while(|it| *it != "DataEnd");
                // A record that begins with the end mark ends the recording. TASDoom's records begin with the
                // buttons.
                if force != Some("tasdoom") {
                    assert_eq!(lines.count(), count, "{text}");
                }
                // Cuts the file at its mark, within a record, within a group, and within the header.
                for cut in
                    [1 + footer.len(), footer.len() + 2, footer.len() + 4, footer.len() + 1 + body.len() + 3]
                {
                    exact(&recording[..recording.len() - cut.min(recording.len())], force);
                    exact(&recording[..recording.len() - cut.min(recording.len())], None);
                }
            }
        }
    }
}

#[test]
fn all_bytes_of_a_record_have_words() {
    for (force, _, header, length) in headers() {
        let force = Some(force).filter(|it| !it.is_empty());
        let mut recording = header.clone();
        for at in 0..length {
            for byte in 0..=255u8 {
                let mut record = vec![0; length];
                record[at] = byte;
                if at > 0 || byte != 0x80 {
                    recording.extend(record);
                }
            }
        }
        recording.push(0x80);
        let text = exact(&recording, force);
        assert!(force == Some("tasdoom") || !text.contains("FooterStart"), "{text}");
    }
}

fn dsda(version: u8, end: u32, tics: u32) -> Vec<u8> {
    let mut bytes = [b"\xff\x1dDSDA\xe6", &[version][..], &end.to_be_bytes(), &tics.to_be_bytes()].concat();
    bytes.resize(15 + usize::from(version), 0);
    bytes.extend([109, 3, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
    bytes
}

#[test]
fn the_numbers_of_dsda_doom_follow() {
    for version in 1..=3 {
        let start = dsda(version, 0, 0).len() as u32;
        let body = b"\x32\0\0\0\0\0\0\0\0\x01\0\0\0\0\x27\x05\x06\xfe\xff\x32\0\0\0\x80";
        for (end, tics, is_right) in [(start + 5 + 5 + 9 + 5, 4, true), (7, 4, false), (0, 9, false)] {
            let whole = [&dsda(version, end, tics)[..], body, &[0x80], b"note"].concat();
            let text = exact(&whole, None);
            assert!(text.contains("X0x27 XS5 XL6 XV-2") && text.contains("X0x80"), "{text}");
            assert_eq!(text.contains("EndOffset") || text.contains("Count"), !is_right, "{text}");
        }
        let whole = [&dsda(version, start + 24, 4)[..], body, &[0x80]].concat();
        let longer = compiled(&text_of(&whole, None).replace("DataEnd", "WT *3\nDataEnd"));
        assert_eq!(longer[8..16], [(start + 39).to_be_bytes(), 7u32.to_be_bytes()].concat());
    }
}

#[test]
fn damage_of_any_kind_is_kept() {
    let mut random = Random(7);
    for (force, _, header, length) in headers() {
        let body = records(40, length, &mut random);
        let whole = [&header[..], &body, &[0x80], FOOTERS[1]].concat();
        for _ in 0..60 {
            let mut broken = whole.clone();
            for _ in 0..=random.next(3) {
                let at = random.next(broken.len() as u64) as usize;
                match random.next(3) {
                    0 => broken[at] = random.next(256) as u8,
                    1 => drop(broken.remove(at)),
                    _ => broken.insert(at, random.next(256) as u8),
                }
            }
            exact(&broken, Some(force).filter(|it| !it.is_empty()));
            exact(&broken, None);
        }
    }
}

#[test]
fn noise_is_kept_under_every_game() {
    let games = [
        "doom",
        "heretic",
        "hexen",
        "strife",
        "boom",
        "mbf21",
        "duke-1.0",
        "duke-1.3d",
        "duke",
        "jfduke3d",
        "raw",
        "classic",
    ];
    let mut random = Random(3);
    for round in 0..400 {
        let length = random.next(1200) as usize;
        let bytes: Vec<u8> =
            (0..length).map(|_| random.next(if round % 2 == 0 { 256 } else { 4 }) as u8).collect();
        exact(&bytes, None);
        for game in games {
            exact(&bytes, Some(game));
        }
    }
}

#[test]
fn all_kinds_of_duke() {
    let tics = "GX2560 TL20 LU3 JU FW RU UT *700\nGX-5 GY9 TL128 LD128 NW15 EC\nWT *2000\n";
    for (version, more) in [
        ("1.0", ""),
        ("1.3D", " NoMonsters: 1\n RespawnItems: 70000\n MultiRule: 1\n"),
        ("1.4", " Name: \"DUKE\"\n AutoRun: 1\n AimMode: 2\n FFire: 1\n"),
        ("1.5", " Packing: twice\n BoardFileName: \"my.map\"\n AutoRun: 0\n"),
        ("133", " AutoRun: 0\n"),
    ] {
        for players in [1, 2, 3, 16] {
            let game = if version == "133" { "jfduke3d" } else { "Duke Nukem 3D" };
            let data = if version == "1.0" {
                tics.replace("LU3 ", "").replace("LD128 ", "")
            } else {
                tics.to_owned()
            };
            let text = format!(
                "HeaderStart\n Game: {game}\n Version: {version}\n Skill: 3\n Episode: 1\n Map: 3\n Player: {players}\n{more}HeaderEnd\nDataStart\n{}DataEnd\n",
                data.repeat(players)
            );
            let recording = compiled(&text);
            let count = u32::from_le_bytes(*recording.first_chunk().unwrap()) as usize;
            assert_eq!(count, 2701 * players);
            let text = exact(&recording, None);
            assert!(
                text.contains(&format!(" {game}\n"))
                    && !text.contains("FooterStart")
                    && !text.contains("Packed"),
                "{}",
                &text[..500]
            );
            // Headers with too high a count or none, cut blocks, and bytes after the blocks.
            for claim in [0u32, 7, count as u32 - 1, count as u32 + 1, u32::MAX] {
                let broken = [&claim.to_le_bytes()[..], &recording[4..]].concat();
                exact(&broken, None);
                exact(&broken, Some("duke"));
            }
            exact(&recording[..recording.len() - 3], None);
            exact(&[&recording[..], b"tail"].concat(), None);
            sound_blocks_are_read(&recording, &text);
            if version == "1.4" {
                known_by_its_names(&recording);
            }
        }
    }
}

/// Damages the first block of a Duke recording, so that it can only be recognized by the names in its header.
fn known_by_its_names(whole: &[u8]) {
    let mut broken = whole.to_vec();
    let first = 0x2A2 + usize::from(u16::from_le_bytes([whole[10], whole[11]]));
    broken[first + 2..first + 40].fill(0xEE);
    assert_eq!(moviola_input::kind(&broken, true), Some("dmo"));
    exact(&broken, None);
    // Without a name it cannot be recognized.
    broken[30] = 0;
    assert_eq!(moviola_input::kind(&broken, true), None);
}

/// Damages and truncates each block after the first of a recording, given with its text.
fn sound_blocks_are_read(whole: &[u8], text: &str) {
    let header = whole.len() - blocks(whole).iter().sum::<usize>();
    let records = |text: &str| text.lines().filter(|it| it.starts_with(['G', 'W'])).count();
    let mut start = header;
    for (number, length) in blocks(whole).into_iter().enumerate() {
        if number > 0 {
            let cut = exact(&whole[..start + length / 2], None);
            let mut broken = whole.to_vec();
            broken[start + 6..start + length].fill(0xFF);
            let broken = exact(&broken, None);
            assert!(broken.contains("\nDamaged: \"") && !broken.contains(" Bytes: "), "{broken}");
            assert!((1..records(text)).contains(&records(&cut)), "{cut}");
            assert!(records(&broken) >= records(&cut), "{broken}");
            assert!(start + length == whole.len() || records(&broken) > records(&cut), "{broken}");
        }
        start += length;
    }
}

/// The lengths of the consecutive blocks of a Duke recording.
fn blocks(whole: &[u8]) -> Vec<usize> {
    let word = |at: usize| usize::from(u16::from_le_bytes([whole[at], whole[at + 1]]));
    let chain = |mut at: usize| {
        let mut lengths = Vec::new();
        while at + 6 <= whole.len() && word(at) > 4 && word(at + 2) > 0 && word(at + 2) % 10 == 0 {
            lengths.push(word(at) + 2);
            at += word(at) + 2;
        }
        (at == whole.len()).then_some(lengths)
    };
    (9..whole.len()).find_map(chain).unwrap()
}

#[test]
fn another_packing_is_kept_while_it_is_true() {
    let text = "HeaderStart\n Game: Duke Nukem 3D\n Version: 1.3D\n Skill: 3\n Episode: 1\n Map: 3\n Player: 1\nHeaderEnd\nDataStart\nFW\nWT\nDataEnd\n";
    let recording = compiled(text);
    // The same two records in a block that is not compressed.
    let stored = [
        &recording[..24],
        &[24, 0, 20, 0, 0, 0],
        &[0, 0, 0, 0, 0, 0, 4, 0, 0, 0],
        &[0, 0, 0, 0, 0, 0, 252, 0, 0, 0],
    ]
    .concat();
    let two = [
        &recording[..24],
        &[14, 0, 10, 0, 0, 0],
        &[0, 0, 0, 0, 0, 0, 4, 0, 0, 0],
        &[14, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 252, 0, 0, 0],
    ]
    .concat();
    for (bytes, is_printed) in
        [(recording.clone(), false), (stored.clone(), stored != recording), (two, true)]
    {
        let text = exact(&bytes, None);
        assert_eq!(text.contains("Packed: "), is_printed, "{text}");
        assert!(text.contains("FW ") && text.contains("WT "), "{text}");
        // After a record was changed, the packed bytes no longer match.
        assert_eq!(text_of(&compiled(&text.replace("FW ", "JU ")), None).matches("JU ").count(), 1);
    }
}

#[test]
fn strangers_are_named() {
    for (start, name) in [
        (&b"FORM\0\0\0\x08ZDEMxxxx"[..], "ZDoom"),
        (b"ZDEM", "ZDoom"),
        (b"ZDD\0", "ZDaemon"),
        (b"DM64\0", "Doom64 EX"),
        (b"\xffETERN\0", "Eternity"),
        (b"\xffOSRS2", "DOOM + DOOM II"),
        (b"\xff\x6d\x03", "PrBoom+um"),
        (b"e1m1\0\0\0", "alpha"),
        (b"E32SAVEGAME", "EDuke32"),
        (b"\x84\x03\x01\x01\0\0\0\0\0\x01\0\0\0", "Legacy"),
    ] {
        let text = exact(start, None);
        assert!(text.contains(name) && text.contains("Bytes: "), "{text}");
    }
}
