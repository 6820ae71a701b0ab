//! Goes to any moment of a recording, with marks that are made during reading. Only the last seconds before a moment
//! are kept for scenes. Earlier blocks are only applied to the world, which costs little.

use crate::{Moment, Reel};
use moviola_format::{Demo, DemoPlace, Fault, Format, Game, Piece};
use std::io::{self, Read};

/// How many seconds before a moment are kept for scenes: one more than effects last.
const LEAD: f64 = 5.0;

/// The first distance between marks in seconds of the recording, and the greatest number of marks. If there are more,
/// every second one is dropped, and the distance doubles. In an hour they are ten seconds apart.
const SPACING: f64 = 10.0;
const MOST_MARKS: usize = 384;

/// For how many seconds a player may be out of sight before the view changes; meanwhile the eyes stay at the last
/// position. It is less than the time for which beats are kept.
const GAP: f64 = 2.0;

/// A recording that can go to any moment. It is opened again for each jump back.
///
/// ```
/// use moviola_scene::{Moment, NoFiles, SceneOptions, Seeker};
/// let file = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0\x40";
/// let mut seeker = Seeker::new(|| Ok(&file[..])).unwrap().unwrap();
/// assert!(!seeker.go(Moment::At(1.0)).unwrap(), "it ends there");
/// assert_eq!(seeker.reel().scene(Moment::At(1.0), &SceneOptions::default(), &NoFiles).time, 2.0);
/// assert!(seeker.go(Moment::AfterBlock(0)).unwrap());
/// assert_eq!(seeker.reel().blocks(), 1);
/// assert!(seeker.is_over() || seeker.reel().seconds() < 1.0);
/// ```
#[derive(Debug)]
pub struct Seeker<O, R> {
    open: O,
    demo: Demo<R>,
    reel: Reel,
    /// Marks from which reading can resume, in order of time: the state there, and the place in the file.
    marks: Vec<(Reel, DemoPlace)>,
    spacing: f64,
    /// The time since which blocks have been kept for scenes; infinite if none has been kept.
    close_since: f64,
    is_over: bool,
    game: Game,
    /// The requested player.
    followed: Option<u16>,
    unread: UnreadParts,
    /// The number of blocks read so far at most, and whether the end was reached.
    farthest: u64,
    ended: bool,
}

/// The parts of a recording that could not be read, up to the farthest block that was reached.
///
/// ```
/// use moviola_scene::Seeker;
/// let file = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x63\x05";
/// let mut seeker = Seeker::new(|| Ok(&file[..])).unwrap().unwrap();
/// seeker.walk(|_| {}).unwrap();
/// assert_eq!((seeker.unread().blocks, seeker.unread().bytes), (1, 1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnreadParts {
    /// The number of blocks with a message that could not be read, which ends the reading of its block.
    pub blocks: u64,
    /// The number of bytes that are in no block.
    pub bytes: u64,
    /// The first of the faults that ended the reading of a block.
    pub first_fault: Option<Fault>,
}

impl<R: Read, O: FnMut() -> io::Result<R>> Seeker<O, R> {
    /// A seeker at the start of a recording; `None` if the file is of an unknown game.
    pub fn new(mut open: O) -> io::Result<Option<Self>> {
        let demo = Demo::new(open()?)?;
        let Some(game) = demo.game() else { return Ok(None) };
        let reel = Reel::new(game);
        let marks = vec![(reel.clone(), demo.place())];
        Ok(Some(Self {
            open,
            demo,
            reel,
            marks,
            spacing: SPACING,
            close_since: 0.0,
            is_over: false,
            game,
            followed: None,
            unread: UnreadParts::default(),
            farthest: 0,
            ended: false,
        }))
    }

    /// Whether the recording has the states of all players, so that it can be seen through the eyes of each.
    pub fn has_all(&self) -> bool {
        matches!(self.demo.format(), Format::Mvd | Format::Mvd2)
    }

    /// Follows the player with this entity in a match (MVD, MVD2), which has all players.
    ///
    /// ```
    /// use moviola_scene::Seeker;
    /// let file = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f";
    /// let mut seeker = Seeker::new(|| Ok(&file[..])).unwrap().unwrap();
    /// seeker.follow(2).unwrap();
    /// assert!(!seeker.has_all());
    /// assert_eq!(seeker.reel().recorder_entity(), Some(0), "the recorder's eyes stay");
    /// ```
    pub fn follow(&mut self, player: u16) -> io::Result<()> {
        if self.followed == Some(player) {
            return Ok(());
        }
        self.followed = Some(player);
        self.marks.truncate(1);
        if let Some((reel, _)) = self.marks.first_mut() {
            *reel = Reel::through(self.game, player);
        }
        self.spacing = SPACING;
        self.back_to(|_| true)
    }

    /// The recording at the present moment.
    pub fn reel(&self) -> &Reel {
        &self.reel
    }

    /// The parts that could not be read, up to the farthest block that was reached.
    pub fn unread(&self) -> UnreadParts {
        self.unread
    }

    /// Whether its last block was read.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Goes to a moment; returns `false` if the recording ends before it.
    pub fn go(&mut self, moment: Moment) -> io::Result<bool> {
        let (until, block) = match moment {
            Moment::At(time) => (time, None),
            Moment::AfterBlock(block) => (self.when(block)?, Some(block)),
        };
        let is_there = match block {
            Some(block) => self.reel.blocks() <= block.saturating_add(1),
            None => self.reel.seconds() <= until || self.reel.covers(until),
        };
        let is_close = self.close_since <= (until - LEAD).max(0.0) || self.reel.seconds() < until - LEAD;
        if !is_there || !is_close {
            self.back_to(|mark| mark.seconds() <= until - LEAD)?;
        }
        let arrived = |reel: &Reel| {
            let is_there = match block {
                Some(block) => reel.blocks() > block,
                None => reel.seconds() > until,
            };
            is_there && reel.is_settled(moment)
        };
        while !arrived(&self.reel) {
            if !self.step(self.reel.seconds() < until - LEAD)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Goes to the end, and calls `each` after every block. No block is kept for scenes, but marks are, so
    /// that the first jump back is as fast as later ones.
    ///
    /// ```
    /// use moviola_scene::Seeker;
    /// let file = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f";
    /// let mut seeker = Seeker::new(|| Ok(&file[..])).unwrap().unwrap();
    /// let mut blocks = Vec::new();
    /// seeker.walk(|reel| blocks.push(reel.blocks())).unwrap();
    /// assert_eq!(blocks, [1]);
    /// ```
    pub fn walk(&mut self, mut each: impl FnMut(&Reel)) -> io::Result<()> {
        while self.step(true)? {
            each(&self.reel);
        }
        Ok(())
    }

    /// The times in which this entity is in sight, in seconds of the recording. Gaps of less than two seconds count as
    /// in sight, except for changes of levels. A recording contains only the entities that its recorder may have seen,
    /// so another player is in it with gaps.
    ///
    /// ```
    /// use moviola_scene::Seeker;
    /// let file = b"-1\n\x0b\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f\x83\x04\x05\x02\x50\0";
    /// let mut seeker = Seeker::new(|| Ok(&file[..])).unwrap().unwrap();
    /// assert_eq!(seeker.sights(5).unwrap(), [[0.0, 0.0]]);
    /// assert_eq!(seeker.sights(6).unwrap(), [[0.0; 2]; 0]);
    /// ```
    pub fn sights(&mut self, entity: u16) -> io::Result<Vec<[f64; 2]>> {
        self.back_to(|_| false)?;
        let mut sights: Vec<[f64; 2]> = Vec::new();
        let mut last_level = 0;
        self.walk(|reel| {
            if reel.shows(entity) != Some(true) {
                return;
            }
            let now = reel.seconds();
            match sights.last_mut().filter(|[_, to]| now - *to <= GAP && reel.levels() == last_level) {
                Some([_, to]) => *to = now,
                None => sights.push([now, now]),
            }
            last_level = reel.levels();
        })?;
        Ok(sights)
    }

    /// The first block after which the clock of its level shows this time or a later one, read from the beginning.
    ///
    /// ```
    /// use moviola_scene::Seeker;
    /// let file = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0\x40";
    /// let mut seeker = Seeker::new(|| Ok(&file[..])).unwrap().unwrap();
    /// assert_eq!(seeker.at_clock(1.5).unwrap(), Some((1, 2.0)));
    /// assert_eq!(seeker.at_clock(2.5).unwrap(), None);
    /// ```
    pub fn at_clock(&mut self, time: f64) -> io::Result<Option<(u64, f64)>> {
        self.at_clock_from(0, time)
    }

    /// The first block from this one on after which the clock of its level shows this time or a later one.
    ///
    /// ```
    /// use moviola_scene::Seeker;
    /// let file = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0\x40";
    /// let mut seeker = Seeker::new(|| Ok(&file[..])).unwrap().unwrap();
    /// assert_eq!(seeker.at_clock_from(1, 0.5).unwrap(), Some((1, 2.0)));
    /// ```
    pub fn at_clock_from(&mut self, block: u64, time: f64) -> io::Result<Option<(u64, f64)>> {
        if self.reel.blocks() > block {
            self.back_to(|mark| mark.blocks() <= block)?;
        }
        while self.step(true)? {
            self.close_since = f64::INFINITY;
            let clock = self.reel.clock();
            if self.reel.blocks() > block && clock >= time {
                return Ok(self.reel.blocks().checked_sub(1).map(|block| (block, clock)));
            }
        }
        Ok(None)
    }

    /// Passes on to a block, and returns its time in seconds of the recording.
    ///
    /// ```
    /// use moviola_scene::Seeker;
    /// let file = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x84\x3f";
    /// let mut seeker = Seeker::new(|| Ok(&file[..])).unwrap().unwrap();
    /// assert_eq!(seeker.when(1).unwrap(), 0.03125);
    /// ```
    pub fn when(&mut self, block: u64) -> io::Result<f64> {
        if self.reel.blocks() > block.saturating_add(1) {
            self.back_to(|mark| mark.blocks() <= block)?;
        }
        while self.reel.blocks() <= block && self.step(true)? {
            self.close_since = f64::INFINITY;
        }
        Ok(self.reel.seconds())
    }

    /// Goes back to the last mark before the moment, or to the beginning.
    fn back_to(&mut self, will_do: impl Fn(&Reel) -> bool) -> io::Result<()> {
        let mark = self.marks.iter().rev().find(|(mark, _)| will_do(mark)).or(self.marks.first());
        let Some((mark, place)) = mark.cloned() else { return Ok(()) };
        self.demo = Demo::resume_after(&place, (self.open)()?)?;
        self.is_over = false;
        self.close_since = mark.seconds();
        self.reel = mark;
        Ok(())
    }

    /// Reads the next block, with or without keeping it for scenes; returns `false` at the end.
    fn step(&mut self, in_passing: bool) -> io::Result<bool> {
        loop {
            match self.demo.next_piece()? {
                Some(Piece::Block(block)) => {
                    let fault = if in_passing {
                        let fault = self.reel.pass(&block);
                        // The block is not kept, not even if it is at the very beginning.
                        self.close_since = self.reel.seconds().max(f64::MIN_POSITIVE);
                        fault
                    } else {
                        self.reel.step(&block)
                    };
                    if self.reel.blocks() > self.farthest {
                        self.farthest = self.reel.blocks();
                        self.unread.blocks += u64::from(fault.is_some());
                        self.unread.first_fault = self.unread.first_fault.or(fault);
                    }
                    break;
                }
                Some(Piece::Header(header)) => self.reel.set_header(header),
                Some(Piece::Raw(bytes)) if !self.ended && self.reel.blocks() >= self.farthest => {
                    self.unread.bytes += bytes.len() as u64;
                }
                Some(_) => {}
                None => {
                    (self.is_over, self.ended) = (true, true);
                    return Ok(false);
                }
            }
        }
        self.mark();
        Ok(true)
    }

    fn mark(&mut self) {
        let last = self.marks.last().map_or(0.0, |(reel, _)| reel.seconds());
        if self.reel.seconds() < last + self.spacing {
            return;
        }
        self.marks.push((self.reel.without_beats(), self.demo.place()));
        if self.marks.len() > MOST_MARKS {
            let mut keep = false;
            self.marks.retain(|_| {
                keep = !keep;
                keep
            });
            self.spacing *= 2.0;
        }
    }
}
