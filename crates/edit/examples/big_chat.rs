//! An example of an edit outside of this crate: chat is also shown in the middle of the screen, in both games. `cargo
//! run -p moviola-edit --example big_chat -- IN OUT`.

use moviola_edit::{BlockWriter, Error, Rewrite, rewrite};
use moviola_format::names::PrintMark;
use moviola_format::{Entry, dem, dm2};
use std::fs::File;
use std::io::BufWriter;

/// The print level of Quake II for chat.
const PRINT_CHAT: u8 = 3;

#[derive(Default)]
struct BigChat {
    lines: u64,
}

impl Rewrite for BigChat {
    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        // A message that is not kept is dropped.
        writer.keep();
        if let dem::Message::Print(it) = &entry.message
            && PrintMark::split(it.string.bytes()).0 == Some(PrintMark::Talk)
        {
            writer.put(&dem::Message::from(dem::CenterPrint { string: it.string }));
            self.lines += 1;
        }
    }

    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        writer.keep();
        if let dm2::Message::Print(it) = &entry.message
            && it.level == PRINT_CHAT
        {
            writer.put(&dm2::Message::from(dm2::CenterPrint { string: it.string }));
            self.lines += 1;
        }
    }

    fn outcome(&self) -> String {
        format!("{} lines of chat", self.lines)
    }
}

fn main() -> Result<(), Error> {
    let mut words = std::env::args().skip(1);
    let (Some(input), Some(output)) = (words.next(), words.next()) else {
        eprintln!("usage: big_chat IN OUT");
        return Ok(());
    };
    let output = BufWriter::new(File::create(output)?);
    let summary = rewrite(File::open(&input)?, &mut BigChat::default(), output)?;
    println!("{summary}");
    Ok(())
}
