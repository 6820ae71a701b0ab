//! Every value of every small kind of number is printed and read back, in our spelling and in LMPC's.

use crate::common::{Random, compiled, same, text_with, try_compile};
use moviola_format::*;
use moviola_text::*;

const LMPC: CompileOptions = CompileOptions { lmpc: true, limit: 20 };

/// A number as C's `%#.9g` prints it.
fn nine_digits(value: f32) -> String {
    let value = f64::from(value);
    if value == 0.0 {
        return if value.is_sign_negative() { "-0.00000000" } else { "0.00000000" }.into();
    }
    let scientific = format!("{value:.8e}");
    let (digits, exponent) = scientific.split_once('e').unwrap();
    let exponent: i32 = exponent.parse().unwrap();
    if (-4..9).contains(&exponent) {
        let places = (8 - exponent) as usize;
        let point = if places == 0 { "." } else { "" };
        return format!("{value:.places$}{point}");
    }
    format!("{digits}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

#[test]
fn nine_digits_are_those_of_c() {
    for (value, expected) in [
        (0.0, "0.00000000"),
        (1.0, "1.00000000"),
        (-4.620_034_2, "-4.62003422"),
        (0.501_960_8, "0.501960814"),
        (4095.875, "4095.87500"),
        (123_456_789.0, "123456792."),
        (1e-5, "9.99999975e-06"),
        (1e30, "1.00000002e+30"),
    ] {
        assert_eq!(nine_digits(value), expected);
    }
}

/// Every number with a point as LMPC writes it.
fn in_lmpcs_spelling(text: &str) -> String {
    let in_nine_digits = |word: &str| {
        let (number, end) = word.split_at(word.find(';').unwrap_or(word.len()));
        match number.parse::<f64>() {
            Ok(value) if number.contains('.') => format!("{}{end}", nine_digits(value as f32)),
            _ => word.to_string(),
        }
    };
    text.split_inclusive(['\n', ' '])
        .map(|word| format!("{}{}", in_nine_digits(word.trim_end()), &word[word.trim_end().len()..]))
        .collect()
}

/// Prints messages, and checks that their text compiles to their bytes in every spelling and every mode.
fn all_come_back<D: Dialect>(messages: &[D::Message<'_>], context: &Context) {
    let head = if D::GAME == Game::Quake { 16 } else { 4 };
    let start = if D::GAME == Game::Quake { "block { camera 0.0 0.0 0.0;\n" } else { "block {\n" };
    for some in messages.chunks(2000) {
        let (mut text, mut bytes) = (start.to_string(), Vec::new());
        for message in some {
            text += &print_message::<D>(message, context);
            write_message(message, &mut bytes, context);
        }
        text += "}\n";
        let theirs = in_lmpcs_spelling(&text);
        same(&text[..200.min(text.len())], &compiled(text.as_bytes())[head..], &bytes);
        same(&theirs[..200.min(theirs.len())], &compiled(theirs.as_bytes())[head..], &bytes);
        let found = try_compile(theirs.as_bytes(), &LMPC).unwrap();
        same(&theirs[..200.min(theirs.len())], &found[head..], &bytes);
    }
}

#[test]
fn bytes_of_quake() {
    let mut messages: Vec<dem::Message<'_>> = Vec::new();
    for byte in 0..=255u8 {
        let signed = byte as i8;
        let angle = Angle::from_raw(AngleKind::Byte, i32::from(signed));
        messages.push(
            dem::SpawnStaticSound { vol: Volume(byte), attenuation: Attenuation(byte), ..Default::default() }
                .into(),
        );
        messages
            .push(dem::Particle { vel: [Sixteenths(signed); 3], color: byte, ..Default::default() }.into());
        messages.push(dem::SetAngle { angles: [angle; 3] }.into());
        messages.push(dem::UpdateColors { player: byte, colors: Colors(byte) }.into());
        let flags = ClientBits(0x0201);
        let items = Items { bits: 1 << (byte & 31), sent: true };
        let weapon = ActiveWeapon { byte, sent: true };
        messages.push(
            dem::ClientData { flags, view_ofs_z: Whole(signed), items, weapon, ..Default::default() }.into(),
        );
    }
    all_come_back::<Quake>(&messages, &Context::quake());
}

#[test]
fn bytes_of_quake2() {
    let mut messages: Vec<dm2::Message<'_>> = Vec::new();
    for byte in 0..=255u8 {
        let signed = byte as i8;
        let flags = Bits16(0x0680);
        let (viewoffset, blend) = ([Quarters(signed); 3], [Volume(byte); 4]);
        let kick_angles = [Quarters(signed); 3];
        messages.push(dm2::PlayerInfo { flags, viewoffset, kick_angles, blend, ..Default::default() }.into());
        let flags = SoundBits(0x03);
        let (vol, attenuation) = (Volume(byte), Attenuation(byte));
        messages.push(dm2::Sound { flags, vol, attenuation, ..Default::default() }.into());
        let flags = EntityBits::exactly(0x0480, &Context::quake2());
        messages.push(dm2::SpawnBaseline { flags, angles_1: Angle8(signed), ..Default::default() }.into());
        if byte < 162 {
            let flags = TempKind2::new(0, 0, 34).unwrap();
            messages.push(dm2::TempEntity { flags, movedir: Direction(byte), ..Default::default() }.into());
        }
    }
    all_come_back::<Quake2>(&messages, &Context::quake2());
}

#[test]
fn shorts() {
    let (mut quake, mut quake2): (Vec<dem::Message<'_>>, Vec<dm2::Message<'_>>) = Default::default();
    for start in (0..=0xFFFFu16).step_by(3) {
        let three = [0, 1, 2].map(|n| start.wrapping_add(n) as i16);
        let origin = three.map(|raw| Coord::from_raw(CoordKind::Short, i32::from(raw)));
        quake.push(dem::Damage { origin, ..Default::default() }.into());
        quake2.push(
            dm2::PlayerInfo {
                flags: Bits16(0x0102),
                origin: three.map(Short8),
                viewangles: three.map(Angle16),
                ..Default::default()
            }
            .into(),
        );
    }
    all_come_back::<Quake>(&quake, &Context::quake());
    all_come_back::<Quake2>(&quake2, &Context::quake2());
}

/// A sound's delay: LMPC truncates where it should round, so that its own texts lose 120 of 256 values; ours
/// lose none.
#[test]
fn thousandths() {
    let messages: Vec<dm2::Message<'_>> = (0..=255)
        .map(|byte| {
            dm2::Sound { flags: SoundBits(0x10), timeofs: Thousandths(byte), ..Default::default() }.into()
        })
        .collect();
    let context = Context::quake2();
    let mut recording = Vec::new();
    messages.iter().for_each(|message| write_message(message, &mut recording, &context));
    let text: String = messages.iter().map(|message| print_message::<Quake2>(message, &context)).collect();
    let block = |text: &str| format!("block {{\n{text}}}\n");
    same("ours", &compiled(block(&text).as_bytes())[4..], &recording);
    let theirs = in_lmpcs_spelling(&text);
    same("theirs", &compiled(block(&theirs).as_bytes())[4..], &recording);
    let found = try_compile(block(&theirs).as_bytes(), &LMPC).unwrap();
    let lost = found[4..].iter().zip(&recording).filter(|(a, b)| a != b).count();
    assert_eq!(lost, 120, "as LMPC did it");
    // LMPC reads the text printed for it correctly, although it truncates.
    let file = [&(recording.len() as u32).to_le_bytes(), &recording[..]].concat();
    let options = DecompileOptions { lmpc: true, ..DecompileOptions::default() };
    let text = text_with(&file, &options);
    same("for LMPC", &try_compile(&text, &LMPC).unwrap(), &file);
    same("for LMPC, by us", &compiled(&text), &file);
}

/// The wide coordinates and angles of protocol 999.
#[test]
fn wide_coordinates() {
    let mut random = Random(999);
    for flags in [0x08, 0x80, 0x10, 0x14, 0x02] {
        let mut context = Context::quake();
        context.set_quake_protocol(999, flags);
        let mut block = b"\x0b\xe7\x03\0\0".to_vec();
        block.extend_from_slice(&flags.to_le_bytes());
        block.extend_from_slice(b"\x01\0\0\0\0");
        for round in 0..20_000u32 {
            let raw = match (flags, round) {
                // Every fraction of a few units.
                (0x08, 0..2048) => ((round as i32) - 1024).wrapping_shl(0),
                (0x08, _) => (random.next() as i32) >> 8,
                _ => random.next() as i32 >> random.below(32),
            };
            let origin = [Coord::from_raw(context.coord, raw); 3];
            write_message::<dem::Message<'_>>(
                &dem::Damage { origin, ..Default::default() }.into(),
                &mut block,
                &context,
            );
            let raw = if context.angle == AngleKind::Short { i32::from(raw as i16) } else { raw };
            let raw = if context.angle == AngleKind::Byte { i32::from(raw as i8) } else { raw };
            let angles = [Angle::from_raw(context.angle, raw); 3];
            write_message::<dem::Message<'_>>(&dem::SetAngle { angles }.into(), &mut block, &context);
        }
        let head = [b"-1\n", &(block.len() as u32).to_le_bytes()[..], &[0; 12]].concat();
        let file = [head, block].concat();
        let text = text_with(&file, &DecompileOptions { bare: true, ..DecompileOptions::default() });
        same(&format!("{flags:#x}"), &compiled(&text), &file);
    }
}
