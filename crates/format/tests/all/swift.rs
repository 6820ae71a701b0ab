//! Messages are read in two ways: without a check for each field while enough bytes follow, and with checks
//! near a block's end. The same bytes must give the same messages.

use moviola_format::{Block, Context, Demo, Dialect as _, Messages, Piece, Quake};

#[test]
fn the_end_of_a_block_reads_like_its_middle() {
    for sample in ["qs_15_lq_e0m9.dem", "quake1.07_DM1.dem", "scribe/dem-666-every-message.dem"] {
        let path = format!("{}/../../samples/{sample}", env!("CARGO_MANIFEST_DIR"));
        let file = std::fs::read(path).unwrap();
        let mut demo = Demo::new(&file[..]).unwrap();
        let mut context = Context::of(Quake::GAME);
        while let Some(piece) = demo.next_piece().unwrap() {
            let Piece::Block(Block { data, .. }) = piece else { continue };
            // With 64 `nop` messages appended, no message of the block is near the end.
            let padded = [data, &[1; 64]].concat();
            let mut careful = Messages::<Quake>::new(data, context);
            let mut swift = Messages::<Quake>::new(&padded, context);
            while let Some(entry) = careful.next() {
                assert_eq!(Some(entry), swift.next(), "{sample}");
                assert_eq!(careful.pos(), swift.pos(), "{sample}");
            }
            context = *careful.context();
        }
    }
}
