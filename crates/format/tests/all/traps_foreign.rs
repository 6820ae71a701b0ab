//! Traps in QuakeWorld recordings, whose messages are written back as they were, and in formats that are only
//! recognized and kept as raw bytes.

use moviola_format::*;

/// Checks that the format of the file is `name`, that every byte is written back, that only a game's
/// recording has blocks, and that the messages read are written back as they were.
#[track_caller]
fn comes_back(file: &[u8], name: &str) {
    let mut demo = Demo::new(file).unwrap();
    assert_eq!(demo.format().name(), name);
    let game = demo.game();
    let mut context = Context::of(game.unwrap_or(Game::Quake));
    let mut written = Vec::new();
    while let Some(piece) = demo.next_piece().unwrap() {
        piece.write(game.unwrap_or(Game::Quake), &mut written).unwrap();
        let (Some(game), Piece::Block(block)) = (game, piece) else {
            assert!(matches!(piece, Piece::Raw(_)));
            continue;
        };
        let mut data = Vec::new();
        with_table!(block.table(game), D => {
            let mut messages = block.messages::<D>(context);
            while let Some(entry) = messages.next() {
                entry.write(&mut data, messages.context());
            }
            data.extend_from_slice(messages.rest());
            context = *messages.context();
        });
        assert_eq!(data, block.data);
    }
    assert_eq!(written, file);
}

fn packet(sequences: [u32; 2], messages: &[u8]) -> Vec<u8> {
    let head = sequences.map(u32::to_le_bytes).concat();
    [&1.5f32.to_le_bytes()[..], &[1], &(8 + messages.len() as u32).to_le_bytes(), &head, messages].concat()
}

const SERVERDATA: &[u8] = b"\x0b\x1c\0\0\0\x01\0\0\0qw\0\0title\0";

/// A recording of `QuakeWorld` that continues with these bytes.
fn qwd(rest: &[u8]) -> Vec<u8> {
    [&packet([1, 1], SERVERDATA)[..], rest].concat()
}

/// A server's recording that continues with these bytes.
fn mvd(rest: &[u8]) -> Vec<u8> {
    [&[0, 6][..], &(SERVERDATA.len() as u32).to_le_bytes(), SERVERDATA, rest].concat()
}

fn message(bytes: &[u8]) {
    comes_back(&qwd(&packet([2, 2], bytes)), "qwd");
}

#[test]
fn trap_07_commands_of_clients_have_rubbish_between_their_fields() {
    // A duration in milliseconds and three bytes of padding, which newer clients set to zero.
    let command =
        |size: usize| [&1.6f32.to_le_bytes()[..], &[0, 13, 0xDE, 0xAD, 0xBE], &vec![7; size]].concat();
    for size in [20 + 12, 24 + 12] {
        let file = qwd(&command(size));
        comes_back(&file, "qwd");
        assert!(file.windows(3).any(|bytes| bytes == [0xDE, 0xAD, 0xBE]));
    }
}

#[test]
fn trap_08_high_bits_of_a_kind_mean_something_or_nothing() {
    // Kind 4 has the player in its high bits, and the other kinds have bits set there too. One block for all is empty,
    // and one is hidden.
    for kind in [4 | 17 << 3, 1 | 3 << 3, 3 | 1 << 3, 6 | 31 << 3] {
        comes_back(&mvd(&[20, kind, 3, 0, 0, 0, 1, 1, 1]), "mvd");
    }
    comes_back(&mvd(&[0, 6, 0, 0, 0, 0, 255, 6, 1, 0, 0, 0, 1]), "mvd");
}

#[test]
fn trap_09_sequence_words_have_flags_and_packets_may_have_none() {
    comes_back(&qwd(&packet([0x8000_0002, 0xFFFF_FFFF], &[1])), "qwd");
    let bare = [&2.0f32.to_le_bytes()[..], &[1, 3, 0, 0, 0, 1, 2, 3]].concat();
    let connectionless = [&2.0f32.to_le_bytes()[..], &[1, 6, 0, 0, 0, 255, 255, 255, 255, b'n', 0]].concat();
    comes_back(&qwd(&[bare, connectionless].concat()), "qwd");
}

#[test]
fn trap_27_entities_of_quakeworld_say_things_in_several_ways() {
    // A second byte of flags that is zero; removed with more flags; number 0 with flags; out of order.
    message(&[47, 5, 0x80, 0, 7, 0x40, 0x80, 3, 0, 2, 2, 0, 1, 1, 0, 0]);
    message(&[48, 200, 9, 0x80, 0, 8, 0x80, 0, 0, 0]);
}

#[test]
fn trap_28_commands_in_packets_have_other_bits_by_version() {
    message(&[42, 1, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0x80, 0x01, 0, 13]);
    message(&[42, 1, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0x7F, 0x40, 0, 13]);
}

#[test]
fn trap_29_lists_of_models_come_in_pieces() {
    message(b"\x2d\0maps/a.bsp\0\0\x01");
    message(b"\x2d\x01progs/b.mdl\0\0\0");
    message(b"\x2e\xff\0\xff");
}

#[test]
fn trap_30_nails_are_packed_in_six_bytes() {
    message(&[43, 2, 0xFF, 0xF0, 0x0F, 1, 2, 3, 0, 0, 0, 0, 0, 0]);
    message(&[54, 1, 77, 0xFF, 0xF0, 0x0F, 1, 2, 3]);
}

#[test]
fn trap_31_players_of_mvd_have_bits_without_a_change() {
    let player = |flags: u16| [&[42, 3][..], &flags.to_le_bytes(), &[9, 0, 0, 0, 0, 0, 0]].concat();
    for flags in [7, 0xF007, 0x0FFF] {
        let data = player(flags);
        comes_back(&mvd(&[&[10, 6][..], &(data.len() as u32).to_le_bytes(), &data].concat()), "mvd");
    }
}

#[test]
fn trap_32_angles_of_mvd_begin_with_a_player() {
    comes_back(&mvd(&[10, 6, 5, 0, 0, 0, 10, 0x13, 1, 2, 3]), "mvd");
}

#[test]
fn trap_33_user_infos_are_odd_texts() {
    message(b"\x28\x03\x01\0\0\0\\name\\a\\name\\b\\\\\xff\\key\0");
}

/// Q2PRO sends the word of stats in bytes of seven bits. It sends no needless ones, so with these the rest of the block
/// stays raw.
#[test]
fn trap_42_numbers_of_variable_length_may_have_needless_bytes() {
    for protocol in [3435i32, 3436] {
        let data = [&[dm2::ServerData::OP][..], &protocol.to_le_bytes(), &[0; 8], b"\0"].concat();
        let frame = |stats: &[u8]| {
            let head = [dm2::FrameMessage::OP, 1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0];
            [&head[..], &[dm2::PlayerInfo::OP, 0, 0], stats, &[dm2::PacketEntities::OP, 0, 0]].concat()
        };
        for (stats, count) in [(&[0x80, 0x80, 0][..], 1), (&[0x80, 0x01, 7, 0], 3)] {
            let mut context = Context::quake2();
            for (block, count) in [(&data, 1), (&frame(stats), count)] {
                let mut messages = Messages::<Quake2>::new(block, context);
                let (mut again, mut found) = (Vec::new(), 0);
                for entry in messages.by_ref() {
                    entry.write(&mut again, &context);
                    found += 1;
                    context.set_quake2_protocol(protocol, 0);
                }
                again.extend_from_slice(messages.rest());
                assert_eq!((&again, found), (block, count));
                context = *messages.context();
            }
            assert!(!context.raw && context.protocol == protocol);
        }
    }
}
