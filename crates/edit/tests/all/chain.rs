//! Several edits in one pass write the same bytes as one after the other; if an edit fails, both report the same edit
//! with the same message.

use crate::common::{Dice, recordings, seen};
use moviola_check::ENGINES;
use moviola_edit::{
    BlockWriter, Camera, Capture, Chain, Convert, Cut, EditOutput, Error, FailedEdit, FixMulti, Ghost,
    Highlights, Identity, OpenInput, Repair, Retime, Rewrite, Set, Signon, Spans, Speed, Squeeze, Strip,
    Subtitle, View,
};
use moviola_state::quake2;
use std::io::{Cursor, Read};
use std::rc::Rc;

fn opener(file: &[u8]) -> OpenInput<'static> {
    let file: Rc<[u8]> = file.into();
    Rc::new(move || Ok(Box::new(Cursor::new(Rc::clone(&file)))))
}

/// Adds an edit; the number selects its spans, speeds or names.
type Add = fn(&mut Chain<'static>, usize) -> Result<(), Error>;

#[expect(clippy::unnecessary_wraps, reason = "the last word of edits that may fail")]
fn add(edit: impl Rewrite + Clone + 'static, chain: &mut Chain<'static>) -> Result<(), Error> {
    chain.then(edit);
    Ok(())
}

fn spans(chain: &Chain<'_>, number: usize) -> Result<moviola_edit::FoundSpans, Error> {
    let all = ["#3..#40", "..5", "1..,#2", "level 1", "print \"e\" -1 +2", "#10..#20,#30..", "0:02..0:04.5"];
    Spans::parse(all[number % all.len()])?.find(chain.open()?)
}

const EDITS: &[Add] = &[
    |chain, number| add(Cut::keep(spans(chain, number)?), chain),
    |chain, number| add(Cut::drop(spans(chain, number)?), chain),
    |chain, _| add(Cut::keep(Highlights::new(0.5, 0.5).find(chain.open()?)?), chain),
    |chain, number| {
        let what = ["prints", "sounds,commands", "pauses,cheats", "centerprints chat", "fades"];
        add(Strip::parse(what[number % what.len()])?, chain)
    },
    |chain, number| {
        let set = Set::parse(&[["cdtrack=7", "player.1.name=Bob"][number % 2].to_owned()])?;
        add(set.in_texts(), chain)
    },
    |chain, _| {
        let text = "1\n00:00:00,200 --> 00:00:02,900\nA **bronze** text\n";
        add(Subtitle::parse(text.as_bytes()).unwrap(), chain)
    },
    |chain, number| {
        let speed = Speed::parse(["1/3", "2", "0.9"][number % 3])?;
        add(Retime::new(speed, spans(chain, number / 3)?), chain)
    },
    |chain, _| add(Squeeze::default(), chain),
    |chain, _| add(FixMulti::default(), chain),
    |chain, _| add(Identity, chain),
    |chain, _| add(Repair::look(chain.open()?)?, chain),
    |chain, number| {
        let mut convert = match number % 6 {
            0 => Convert::to(15),
            1 => Convert::to(666),
            2 => Convert::to(999),
            3 => Convert::to(34),
            _ => Convert::for_engine(&ENGINES[number % ENGINES.len()]),
        };
        convert.look(chain.open()?)?;
        add(convert, chain)
    },
    |chain, _| {
        let mut camera = Camera::parse("[[shot]]\nat = '#5..#30'\nchase = 'me'").unwrap();
        camera.find(|| chain.open())?;
        add(camera, chain)
    },
    |chain, _| {
        let mut own = Vec::new();
        chain.open()?.read_to_end(&mut own)?;
        let ghost = Ghost::find(|| chain.open(), vec![("itself".into(), opener(&own))])?;
        add(ghost, chain)
    },
    |chain, _| add(Capture::new(20.0, "screenshot")?, chain),
    |chain, _| {
        let mut view = View::of("1");
        view.find(chain.open()?)?;
        add(view, chain)
    },
    |chain, _| add(Signon::of(chain.open()?)?, chain),
];

/// The edits in one chain.
fn together(file: &[u8], asked: &[(usize, usize)]) -> Result<Vec<u8>, FailedEdit> {
    let (mut chain, mut edited) = (Chain::of(opener(file)), Vec::new());
    for (edit, number) in asked {
        EDITS[*edit](&mut chain, *number).map_err(|error| chain.find_failed(error))?;
    }
    chain.write(&mut edited)?;
    Ok(edited)
}

/// Each edit alone, on the output of the one before.
fn one_by_one(file: &[u8], asked: &[(usize, usize)]) -> Result<Vec<u8>, FailedEdit> {
    asked.iter().enumerate().try_fold(file.to_vec(), |file, (number, one)| {
        together(&file, &[*one]).map_err(|failed| FailedEdit { edit: number, ..failed })
    })
}

#[test]
fn in_one_pass_as_one_after_the_other() {
    let mut dice = Dice(0x0063_6861_696e);
    let (mut made, mut refused) = (0, 0);
    for game in [moviola_scribe::Game::Quake, moviola_scribe::Game::Quake2] {
        for recording in recordings(game).into_iter().filter(|it| it.bytes.len() < 60_000) {
            for round in 0..3 {
                let mut file = recording.bytes.clone();
                if round == 2 {
                    let at = dice.below(file.len());
                    file[at] = dice.below(256) as u8;
                    file.truncate(dice.below(file.len()) + 1);
                }
                let chosen_edits: Vec<_> =
                    (0..dice.below(5)).map(|_| (dice.below(EDITS.len()), dice.below(60))).collect();
                match (together(&file, &chosen_edits), one_by_one(&file, &chosen_edits)) {
                    (Ok(together), Ok(alone)) => {
                        assert!(together == alone, "{}: {chosen_edits:?}", recording.name);
                        made += 1;
                    }
                    (Err(together), Err(alone)) => {
                        assert_eq!(
                            together.to_string(),
                            alone.to_string(),
                            "{}: {chosen_edits:?}",
                            recording.name
                        );
                        refused += 1;
                    }
                    (together, alone) => {
                        let fails = [together.err(), alone.err()].map(|it| it.map(|it| it.to_string()));
                        assert_eq!(fails[0], fails[1], "{}: {chosen_edits:?}", recording.name);
                    }
                }
            }
        }
    }
    assert!(made > 60 && refused > 10, "{made} made, {refused} refused");
}

/// An edit like the example in the documentation of `Rewrite`.
#[derive(Clone)]
struct Without(u64);

impl Rewrite for Without {
    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if writer.place().block == self.0 { Ok(()) } else { writer.write(out) }
    }
}

#[test]
fn a_repair_makes_good_the_frame_that_an_edit_dropped() {
    const GONE: usize = 60;
    let file = include_bytes!("../../../../samples/yq_sp.dm2");
    let drawn = |world: &quake2::World| world.drawn().clone().players;
    let mut expected = seen(file, drawn);
    expected.remove(GONE);
    let mut chain = Chain::of(opener(file));
    chain.then(Without(GONE as u64));
    let mut alone = Vec::new();
    chain.write(&mut alone).unwrap();
    assert_ne!(seen(&alone, drawn), expected);
    chain.then(Repair::look(chain.open().unwrap()).unwrap());
    let mut mended = Vec::new();
    chain.write(&mut mended).unwrap();
    assert_eq!(seen(&mended, drawn), expected);
}
