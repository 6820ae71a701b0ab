//! Subtitles in every recording: they stay on the screen for the right time, and everything else is unchanged.

use crate::common::{Recording, recordings};
use moviola_edit::{BlockWriter, EditOutput, Error, Rewrite, Subtitle, rewrite};
use moviola_format::{Block, Entry, Fault, Piece, dem, dm2};
use moviola_scribe::Game;
use std::fmt::Write;

const TEXT: &[u8] = b"a subtitle that is in no recording";

/// Removes the subtitle again, and checks that it was visible all the time.
#[derive(Default)]
struct Undo {
    time: f64,
    /// When the text was last sent in this level.
    sent: Option<f64>,
    /// Whether the text stays until the level ends or another text is sent.
    stays: bool,
    longest: f64,
    largest: usize,
}

impl Undo {
    fn at(&mut self, time: f64) {
        // After a pause of more than 0.1 s the text may be gone.
        if time - self.time > 0.1001 {
            self.sent = None;
        }
        self.time = time;
        if let Some(sent) = self.sent.filter(|_| !self.stays) {
            self.longest = self.longest.max(time - sent);
        }
    }
    fn text(&mut self, text: &[u8], writer: &mut BlockWriter<'_>) {
        if text == TEXT { self.sent = Some(self.time) } else { writer.keep() }
    }
}

impl Rewrite for Undo {
    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        match &entry.message {
            dem::Message::CenterPrint(it) => return self.text(it.string.bytes(), writer),
            dem::Message::ServerInfo(_) => (self.sent, self.stays) = (None, false),
            dem::Message::Intermission(_) | dem::Message::Finale(_) | dem::Message::Cutscene(_) => {
                (self.sent, self.stays) = (None, true);
            }
            dem::Message::Time(it) => self.at(f64::from(it.time.value())),
            _ => {}
        }
        writer.keep();
    }
    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        match &entry.message {
            dm2::Message::CenterPrint(it) => return self.text(it.string.bytes(), writer),
            dm2::Message::ServerData(_) => self.sent = None,
            dm2::Message::FrameMessage(_) => self.at(self.time + 0.1),
            _ => {}
        }
        writer.keep();
    }
    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        let block: &Block<'_> = writer.block();
        if writer.written().len() < block.data.len() {
            self.largest = self.largest.max(block.data.len());
        }
        writer.write(out)
    }
}

fn subtitle() -> Subtitle {
    let file = [b"00:00.0 --> 99:00:00.0\n", TEXT].concat();
    Subtitle::parse(&file).unwrap()
}

/// All strings of a recording, each ended by a NUL.
fn closed(file: &[u8]) -> String {
    let mut all = All(String::new());
    rewrite(file, &mut all, std::io::sink()).unwrap();
    all.0.replace("\"...", "\"")
}

struct All(String);

impl Rewrite for All {
    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, _: &mut BlockWriter<'_>) {
        write!(self.0, "{:?}", entry.message).unwrap();
    }
    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, _: &mut BlockWriter<'_>) {
        write!(self.0, "{:?}", entry.message).unwrap();
    }
    fn remainder(&mut self, _: Fault, writer: &mut BlockWriter<'_>) {
        write!(self.0, "{:?}", writer.bytes()).unwrap();
    }
}

/// Puts subtitles into all recordings of a game; returns their number.
fn all(game: Game, largest: usize) -> usize {
    let mut done = 0;
    for Recording { name, bytes } in recordings(game) {
        let mut edited = Vec::new();
        match rewrite(&bytes[..], &mut subtitle(), &mut edited) {
            Ok(_) => {}
            // No block of it can be read.
            Err(Error::Impossible(why)) => {
                let is_known = why.contains("none of the subtitles") || crate::common::is_kept_raw(&bytes);
                assert!(is_known, "{name}: {why}");
                continue;
            }
            Err(error) => panic!("{name}: {error}"),
        }
        let (mut undo, mut undone) = (Undo::default(), Vec::new());
        rewrite(&edited[..], &mut undo, &mut undone).unwrap();
        // A last string without a NUL has one now.
        assert!(undone == bytes || closed(&undone) == closed(&bytes), "{name}: something else was changed");
        assert!(undo.largest <= largest, "{name}: a block of {}", undo.largest);
        assert!(undo.longest < 2.0, "{name}: gone for {}", undo.longest);
        done += 1;
    }
    done
}

#[test]
fn quake_keeps_them_on_the_screen() {
    assert!(all(Game::Quake, 8000) >= 10);
}

#[test]
fn quake2_keeps_them_on_the_screen() {
    assert!(all(Game::Quake2, 1392) >= 5);
}

#[test]
fn a_text_goes_when_its_time_is_over() {
    // Frames a tenth of a second apart.
    let mut recording = b"-1\n".to_vec();
    for step in 0..30_u8 {
        let time = f32::from(step) / 10.0;
        let messages = [&[7][..], &time.to_le_bytes()].concat();
        recording.extend((messages.len() as u32).to_le_bytes());
        recording.extend([0; 12]);
        recording.extend(messages);
    }
    let mut subtitle = Subtitle::parse(b"00:00.5 --> 00:01.0\none\n\n00:00.8 --> 00:02.0\ntwo\n").unwrap();
    let mut edited = Vec::new();
    let summary = rewrite(&recording[..], &mut subtitle, &mut edited).unwrap();
    assert_eq!(summary.about, "2 of 2 subtitles, in 4 messages");
    let mut texts = Vec::new();
    let mut watch = Watch { time: 0.0, texts: &mut texts };
    rewrite(&edited[..], &mut watch, std::io::sink()).unwrap();
    let texts: Vec<(f64, &str)> = texts.iter().map(|(time, text)| (*time, text.as_str())).collect();
    assert_eq!(texts, [(0.5, "one"), (0.8, "one\ntwo"), (1.0, "two"), (2.0, "")]);
}

struct Watch<'s> {
    time: f64,
    texts: &'s mut Vec<(f64, String)>,
}

impl Rewrite for Watch<'_> {
    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, _: &mut BlockWriter<'_>) {
        match &entry.message {
            dem::Message::Time(it) => self.time = (f64::from(it.time.value()) * 10.0).round() / 10.0,
            dem::Message::CenterPrint(it) => {
                self.texts.push((self.time, String::from_utf8_lossy(it.string.bytes()).into_owned()));
            }
            _ => {}
        }
    }
}

#[test]
fn a_cutscene_keeps_its_texts() {
    let frames = |scene: &[u8]| {
        let mut file = b"-1\n".to_vec();
        let mut block = |messages: &[u8]| {
            Piece::Block(Block::new(messages)).write(moviola_format::Game::Quake, &mut file).unwrap();
        };
        block(scene);
        for tenth in 10..60u8 {
            block(&[&[7][..], &(f32::from(tenth) / 10.0).to_le_bytes()].concat());
        }
        file
    };
    let add = |file: &[u8]| {
        let mut subtitle =
            Subtitle::parse(b"00:01,0 --> 00:04,0\none\n\n00:04,5 --> 00:04,8\ntwo\n").unwrap();
        let mut edited = Vec::new();
        rewrite(file, &mut subtitle, &mut edited).map(|summary| (edited, summary))
    };
    let texts = |file: &[u8]| file.windows(2).filter(|pair| *pair == b"\x1ao" || *pair == b"\x1at").count();
    // While the game is played, the first subtitle is sent a second time, to stay on the screen.
    assert_eq!(texts(&add(&frames(b"\x01")).unwrap().0), 3);
    // `cutscene ""`: each is sent once, and taken away once.
    let (edited, summary) = add(&frames(b"\x22\0")).unwrap();
    assert_eq!((texts(&edited), summary.about.as_str()), (2, "2 of 2 subtitles, in 4 messages"));
    assert!(summary.notes[0].contains("letter by letter"), "{:?}", summary.notes);
    // The text of a finale is not overwritten.
    let error = add(&frames(b"\x1fthe end\0")).unwrap_err().to_string();
    assert!(error.contains("scores or a text of the game are shown"), "{error}");
}

/// Engines draw no text over the scores of an intermission; a cutscene after them has texts again.
#[test]
fn scores_hide_texts() {
    let mut file = b"-1\n".to_vec();
    let mut block = |messages: &[u8]| {
        Piece::Block(Block::new(messages)).write(moviola_format::Game::Quake, &mut file).unwrap();
    };
    for tenth in 10..80u8 {
        let time = [&[7][..], &(f32::from(tenth) / 10.0).to_le_bytes()].concat();
        block(&match tenth {
            30 => [&time[..], b"\x1e"].concat(),
            60 => [&time[..], b"\x1f\0"].concat(),
            _ => time,
        });
    }
    let add = |texts: &str| {
        let mut edited = Vec::new();
        let mut subtitle = Subtitle::parse(texts.as_bytes()).unwrap();
        rewrite(&file[..], &mut subtitle, &mut edited).map(|summary| (edited, summary))
    };
    let all = "00:00,5 --> 00:01,0\none\n\n00:01,5 --> 00:05,5\ntwo\n\n00:02,5 --> 00:04,0\nthree\n";
    let (edited, summary) = add(all).unwrap();
    assert_eq!(summary.about, "2 of 3 subtitles, in 5 messages");
    assert!(summary.notes.iter().any(|note| note.starts_with("1 of 3 subtitles fall where the scores")));
    let mut texts = Vec::new();
    rewrite(&edited[..], &mut Watch { time: 0.0, texts: &mut texts }, std::io::sink()).unwrap();
    let texts: Vec<(f64, &str)> = texts.iter().map(|(time, text)| (*time, text.as_str())).collect();
    assert_eq!(texts, [(1.5, "one"), (2.0, ""), (2.5, "two"), (6.0, "two"), (6.5, "")]);
    let error = add("00:02,5 --> 00:04,0\nthree\n").unwrap_err().to_string();
    assert!(error.contains("fall where the scores"), "{error}");
}
