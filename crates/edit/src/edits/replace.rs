//! `Replace`: replaces a block by blocks that a person wrote as text.

// not from SCHEMA, all words: the words of `replace`

use crate::{BlockPlace, BlockWriter, EditCode, EditOutput, Error, Mistake, Rewrite, quoted};
use moviola_format::{Context, Demo, Entry, Format, Piece, client, hidden, qw};
use moviola_text::{CompileError, Diagnostic, compile_part};

/// The name of the command.
const NAME: &str = "replace";

/// Replaces a block by the blocks of a text. The text is read with the context of the recording at that block.
///
/// ```
/// use moviola_edit::{Replace, rewrite};
/// let recording = b"\x01\0\0\0\x06\x01\0\0\0\x06";
/// let mut edited = Vec::new();
/// rewrite(&recording[..], &mut Replace::new(1, "block { nop; nop; }"), &mut edited).unwrap();
/// assert_eq!(edited, b"\x01\0\0\0\x06\x02\0\0\0\x06\x06");
/// ```
#[derive(Clone, Debug)]
pub struct Replace {
    block: u64,
    text: String,
    format: Format,
    /// The context before the block.
    context: Context,
    is_done: bool,
}

impl Replace {
    /// Replaces this block, counted from 0.
    pub fn new(block: u64, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { block, text, format: Format::Unknown, context: Context::quake(), is_done: false }
    }

    /// Reads the number of a block, as people write it, and takes the text.
    ///
    /// # Errors
    /// A mistake, if it is not a number.
    ///
    /// ```
    /// use moviola_edit::Replace;
    /// assert!(Replace::parse("#149", "block { }").is_ok() && Replace::parse("149", "").is_ok());
    /// assert_eq!(Replace::parse("#x", "").unwrap_err().message, "`#x` is not the number of a block");
    /// ```
    pub fn parse(block: &str, text: &str) -> Result<Self, Mistake> {
        let number = block.strip_prefix('#').unwrap_or(block).parse();
        let number = number.map_err(|_| {
            let message = format!("`{block}` is not the number of a block");
            Mistake::new(EditCode::BlockText, message, block, 0..block.len())
                .help("write #149, as in the comments of texts")
        })?;
        Ok(Self::new(number, text))
    }

    /// The line of a script that replaces this block: the text without its comments, in one word.
    ///
    /// ```
    /// let line = moviola_edit::Replace::line(149, "block { // 149, 0:03.50\n stufftext \"//x\\\"\"; // a command\n}\n");
    /// assert_eq!(line, "replace #149 'block { stufftext \"//x\\\"\"; }'");
    /// ```
    pub fn line(block: u64, text: &str) -> String {
        format!("{NAME} #{block} {}", quoted(&in_one_line(text)))
    }

    /// A mistake in the text, with its position there.
    fn mistake(&self, found: Diagnostic) -> Mistake {
        let is_one_line = !self.text.contains('\n');
        Mistake {
            code: EditCode::BlockText,
            message: found.message,
            line: found.line,
            column: found.column,
            length: found.length,
            offset: found.offset,
            // Converts the position of a mistake in the text to its position in a line of a script.
            source: if is_one_line { self.text.clone() } else { found.source },
            skipped: if is_one_line { 0 } else { found.skipped },
            help: found.help,
            fix: None,
        }
    }
}

/// A text without its comments, and with single blanks.
fn in_one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let (mut in_string, mut is_escaped) = (false, false);
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        if in_string {
            in_string = is_escaped || sign != '"';
            is_escaped = !is_escaped && sign == '\\';
            line.push(sign);
        } else if sign == '/' && signs.peek() == Some(&'/') {
            while signs.next_if(|it| *it != '\n').is_some() {}
        } else if !sign.is_ascii_whitespace() {
            in_string = sign == '"';
            line.push(sign);
        } else if !line.is_empty() && !line.ends_with(' ') {
            line.push(' ');
        }
    }
    line.truncate(line.trim_end().len());
    line
}

impl Rewrite for Replace {
    fn begin(&mut self, format: Format, _: &mut EditOutput<'_>) -> Result<(), Error> {
        Error::any_game(format)?;
        // The text has no header.
        self.format = if let Format::Quake { .. } = format { Format::Quake { header: 0 } } else { format };
        Ok(())
    }

    fn knows_quakeworld(&self) -> bool {
        true
    }

    fn quakeworld(&mut self, _: &Entry<qw::Message<'_>>, writer: &mut BlockWriter<'_>) {
        writer.keep();
    }

    fn hidden(&mut self, _: &Entry<hidden::Message<'_>>, writer: &mut BlockWriter<'_>) {
        writer.keep();
    }

    fn record(&mut self, _: &Entry<client::Message<'_>>, writer: &mut BlockWriter<'_>) {
        writer.keep();
    }

    fn reads(&self, behind: &BlockPlace) -> bool {
        // The messages before the block can change how its text is read.
        behind.block <= self.block
    }

    fn block(&mut self, writer: &mut BlockWriter<'_>) {
        self.context = *writer.context();
    }

    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if writer.place().block != self.block {
            return writer.write(out);
        }
        self.is_done = true;
        let mut bytes = Vec::new();
        match compile_part(self.text.as_bytes(), &mut bytes, &self.context) {
            Ok(_) => {}
            Err(CompileError::Io(error)) => return Err(error.into()),
            Err(CompileError::Mistakes(found)) => {
                return Err(Error::Mistakes(found.into_iter().map(|it| self.mistake(it)).collect()));
            }
        }
        let mut demo = Demo::growing(&bytes[..], self.format);
        while let Some(piece) = demo.next_piece()? {
            match piece {
                Piece::Header(_) => {}
                Piece::Block(block) if block == *writer.block() => out.same(&block)?,
                Piece::Block(block) => out.changed(&block)?,
                piece => out.piece(&piece)?,
            }
        }
        Ok(())
    }

    fn end(&mut self, _: &mut EditOutput<'_>) -> Result<(), Error> {
        if self.is_done {
            return Ok(());
        }
        Err(Error::Impossible(format!("there is no block #{}", self.block)))
    }
}
