//! The checks of the fuzz target for edits; a test of `crates/edit` replays its seeds.

use moviola_edit::{BlockWriter, EditOutput, Error, Identity, Rewrite, rewrite};
use moviola_format::{Entry, client, dem, dm2, hidden, mvd2, qw};

/// Any bytes go through the edit that changes nothing, and through one that encodes every message again: the bytes stay
/// the same.
pub fn edit_identity(bytes: &[u8]) {
    let mut copy = Vec::with_capacity(bytes.len());
    let summary = rewrite(bytes, &mut Identity, &mut copy).expect("memory can be read and written");
    assert!(copy == bytes, "the edit that changes nothing changed something");
    assert_eq!((summary.bytes_in, summary.bytes_out), (bytes.len() as u64, bytes.len() as u64));
    assert_eq!((summary.dropped(), summary.changed, summary.added), (0, 0, 0));
    rewrite(bytes, &mut Anew, std::io::sink()).expect("memory can be read and written");
}

struct Anew;

impl Rewrite for Anew {
    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        writer.put_entry(entry);
    }
    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        writer.put_entry(entry);
    }
    fn knows_quakeworld(&self) -> bool {
        true
    }
    fn quakeworld(&mut self, entry: &Entry<qw::Message<'_>>, writer: &mut BlockWriter<'_>) {
        writer.put_entry(entry);
    }
    fn hidden(&mut self, entry: &Entry<hidden::Message<'_>>, writer: &mut BlockWriter<'_>) {
        writer.put_entry(entry);
    }
    fn record(&mut self, entry: &Entry<client::Message<'_>>, writer: &mut BlockWriter<'_>) {
        writer.put_entry(entry);
    }
    fn knows_mvd2(&self) -> bool {
        true
    }
    fn mvd2(&mut self, entry: &Entry<mvd2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        writer.put_entry(entry);
    }
    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        assert!(writer.written() == writer.block().data, "a message is written otherwise");
        writer.write(out)
    }
}
