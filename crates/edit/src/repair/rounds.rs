//! One block, mended in rounds: what was hidden behind a message shows when that is gone.

use super::clean::Soil;
use super::connect::Connection;
use super::jury::Origin;
use super::sieve::{Kind, Sieve, behind};
use super::{Repair, header};
use moviola_format::{Block, Context, Game};

/// How often a block is looked at again.
const ROUNDS: usize = 16;

/// A block as it came.
struct Came<'b> {
    data: &'b [u8],
    soil: Soil<'b>,
    kind: Kind,
}

/// What the rounds found. What each of them finds anew is counted once.
struct Found {
    connection: Connection,
    origin: Origin,
    lost: u64,
    put_in: u64,
    frames: u64,
    /// Something in it is Nehahra's, or damage: who looks does not know yet.
    is_strange: bool,
}

impl Repair {
    /// A block as it is to be; none where it is so already.
    pub(super) fn mend(&mut self, block: &Block<'_>, mut origin: Origin, may_end: bool) -> Option<Vec<u8>> {
        let before = self.pass.context.unwrap_or(Context::quake());
        let [clients, others] = self.kinds;
        let kind = Kind { is_clients: clients > others, is_nehahra: self.is_nehahra || !self.writes };
        let soil = Soil { context: &before, is_truncated: block.is_truncated(), may_end };
        let came = Came { data: block.data, soil, kind };
        origin.is_mended = self.torn.blocks.binary_search(&origin.offset).is_ok();
        let connection = Connection::default();
        let mut found = Found { connection, origin, lost: 0, put_in: 0, frames: 0, is_strange: false };
        let mut mended = self.set_clock(block.data, &before);
        for _ in 0..ROUNDS {
            let now = mended.as_deref().unwrap_or(block.data);
            let Some(data) = self.round(now, &came, &mut found) else { break };
            mended = Some(data);
        }
        self.go_on(mended.as_deref().unwrap_or(block.data), &before, found);
        mended
    }

    /// What can be mended now; none where nothing is left.
    fn round(&mut self, now: &[u8], came: &Came<'_>, found: &mut Found) -> Option<Vec<u8>> {
        let (soil, before) = (&came.soil, came.soil.context);
        let clean = soil.clean(now);
        let mut again = clean.data != now;
        let mut data = clean.data;
        found.origin.is_mended |= again;
        self.pass.ends = clean.ends;
        self.count(clean.stops, u64::from(clean.is_ended));
        found.lost = found.lost.saturating_add(clean.lost);
        if let Some(connected) = self.connect(&data, before, found) {
            (data, again) = (connected, true);
        }
        if let Some(sifted) = self.sieve.sift(&data, soil, came.kind) {
            self.count(sifted.gone, sifted.ended);
            found.lost = found.lost.saturating_add(sifted.lost);
            (data, again, found.origin.is_mended) = (sifted.kept, true, true);
        }
        if !self.writes {
            let strict = Kind { is_nehahra: false, ..came.kind };
            found.is_strange |= self.sieve.sift(&data, soil, strict).is_some();
            found.origin.is_mended |= found.is_strange;
        }
        let junk = self.owed.minds(&data, before, found.origin.is_mended);
        if let Some(sifted) = Sieve::sift_damaged(&data, soil, &junk) {
            self.count(sifted.gone, 0);
            (data, again) = (sifted.kept, true);
        }
        if again {
            return Some(data);
        }
        // Frames are held against those that will be there, so everything else comes first.
        (before.game == Game::Quake2).then(|| self.mend_quake2(&data, came, found))?
    }

    /// Messages on which players stop, and texts without an end.
    fn count(&mut self, stops: u64, strings: u64) {
        self.damage.stops = self.damage.stops.saturating_add(stops);
        self.damage.strings = self.damage.strings.saturating_add(strings);
    }

    /// The block with the stages of the connection that it lacks.
    fn connect(&self, data: &[u8], before: &Context, found: &mut Found) -> Option<Vec<u8>> {
        let homeless = found.connection.homeless;
        found.connection = self.pass.connection.clone();
        found.connection.homeless |= homeless;
        let (connected, stages) = found.connection.connect(data, before)?;
        found.put_in = found.put_in.max(stages);
        Some(connected)
    }

    /// The level's file where its number was hit, and frames that build on lost ones.
    fn mend_quake2(&mut self, data: &[u8], came: &Came<'_>, found: &mut Found) -> Option<Vec<u8>> {
        let before = came.soil.context;
        if found.origin.is_mended
            && found.connection.lacks_name()
            && let Some(named) = header::named(data, came.data, before)
        {
            return Some(named);
        }
        let (told, count) = self.frames.mend(data, before)?;
        found.frames = found.frames.max(count);
        Some(told)
    }

    /// The block goes out like this: what comes next is read behind it.
    fn go_on(&mut self, now: &[u8], before: &Context, found: Found) {
        let Found { connection, origin, lost, put_in, frames, is_strange } = found;
        self.damage.bytes = self.damage.bytes.saturating_add(lost);
        self.damage.blocks = self.damage.blocks.saturating_add(u64::from(lost > 0));
        self.damage.stages = self.damage.stages.saturating_add(put_in);
        self.damage.frames = self.damage.frames.saturating_add(frames);
        self.pass.connection = connection;
        self.sieve.play(now, before);
        self.owed.play(now, before, origin);
        self.jury.play(now, before, origin);
        match before.game {
            Game::Quake => self.clock.play(now, before),
            Game::Quake2 => self.frames.play(now, before),
        }
        let mut next = behind(now, before);
        if is_strange {
            self.strange = self.strange.saturating_add(1);
            // What may be damage does not tell whose recording it is.
            next.nehahra = before.nehahra;
        }
        self.pass.context = Some(next);
    }
}
