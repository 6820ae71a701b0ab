//! A place in a recording: block, level and game time.

use moviola_format::{
    Block, ClientRecords, Hidden, Mvd2, Quake, Quake2, QuakeWorld, client, dem, dm2, hidden, mvd2, qw,
};

/// A place in a recording, as far as it was read.
///
/// ```
/// use moviola_edit::{Error, EditOutput, BlockWriter, Rewrite, rewrite};
/// struct Last(f64);
/// impl Rewrite for Last {
///     fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
///         self.0 = writer.place().time.unwrap_or(self.0);
///         writer.write(out)
///     }
/// }
/// let mut last = Last(0.0);
/// let recording = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0\x40";
/// rewrite(&recording[..], &mut last, Vec::new()).unwrap();
/// assert_eq!(last.0, 2.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BlockPlace {
    /// The block, counted from 0.
    pub block: u64,
    /// Where in the file the block begins.
    pub offset: u64,
    /// The level, counted from 1; blocks before the first announcement belong to the first level.
    pub level: u32,
    /// The game time in seconds, from the last message with a time in this level. Quake II: a tenth of the
    /// frame's number. QuakeWorld: the time of the recording, which goes on over levels.
    pub time: Option<f64>,
    /// Whether a level was announced at all.
    announced: bool,
}

impl BlockPlace {
    /// The place before the first block.
    pub(crate) fn start() -> Self {
        Self { level: 1, ..Self::default() }
    }

    /// The place after a block, from numbers that were counted elsewhere.
    pub(crate) fn of(block: u64, level: u32, time: Option<f64>) -> Self {
        Self { block, level: level.max(1), time, ..Self::default() }
    }

    pub(crate) fn next_block(self) -> Self {
        Self { block: self.block.saturating_add(1), ..self }
    }

    fn enter(&mut self) {
        self.next_level();
        self.time = None;
    }

    fn next_level(&mut self) {
        self.level = self.level.saturating_add(u32::from(self.announced));
        self.announced = true;
    }

    /// Takes the time from the head of a block, if it has one.
    pub(crate) fn tick(&mut self, block: &Block<'_>) {
        let (seconds, msec) = block.clock();
        if let Some(seconds) = seconds {
            self.time = Some((f64::from(seconds) * 1000.0).round() / 1000.0);
        }
        if let Some(msec) = msec {
            let before = (self.time.unwrap_or_default() * 1000.0).round();
            self.time = Some((before + f64::from(msec)) / 1000.0);
        }
    }
}

/// Applies a message's effect on the place.
pub(crate) trait PlaceUpdate: moviola_format::Dialect {
    fn update_place(message: &Self::Message<'_>, place: &mut BlockPlace);
}

impl PlaceUpdate for Quake {
    #[inline]
    fn update_place(message: &Self::Message<'_>, place: &mut BlockPlace) {
        match message {
            dem::Message::Time(it) => place.time = Some(f64::from(it.time.value())),
            dem::Message::ServerInfo(_) => place.enter(),
            _ => {}
        }
    }
}

impl PlaceUpdate for Quake2 {
    #[inline]
    fn update_place(message: &Self::Message<'_>, place: &mut BlockPlace) {
        match message {
            dm2::Message::FrameMessage(it) => place.time = Some(f64::from(it.head.seq1) / 10.0),
            dm2::Message::ServerData(_) => place.enter(),
            _ => {}
        }
    }
}

impl PlaceUpdate for Mvd2 {
    fn update_place(message: &Self::Message<'_>, place: &mut BlockPlace) {
        let is_level = matches!(message, mvd2::Message::ServerData(_));
        if is_level {
            place.enter();
        }
        if is_level || matches!(message, mvd2::Message::FrameMessage(_)) {
            *place.time.get_or_insert(0.0) += 0.1;
        }
    }
}

impl PlaceUpdate for QuakeWorld {
    #[inline]
    fn update_place(message: &Self::Message<'_>, place: &mut BlockPlace) {
        if let qw::Message::ServerData(_) = message {
            place.next_level();
        }
    }
}

impl PlaceUpdate for Hidden {
    fn update_place(_: &hidden::Message<'_>, _: &mut BlockPlace) {}
}

impl PlaceUpdate for ClientRecords {
    fn update_place(_: &client::Message<'_>, _: &mut BlockPlace) {}
}
