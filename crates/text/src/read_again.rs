//! The check that a compiled message means what its text says, for messages with a `mask` and unterminated strings.

use crate::TextCode;
use crate::parse::Parser;
use crate::scan::Span;
use moviola_format::{Answer, Context, Dialect, ItemsRule, Messages};

/// Checks that the written bytes read back as the message of the text: a `mask` must agree with the fields,
/// and nothing can follow an unterminated string.
#[cold]
pub(crate) fn check_again<'a, D: Dialect>(
    parser: &mut Parser<'_, 'a>,
    word: Span,
    message: &D::Message<'a>,
    written: &[u8],
) {
    let context = Context { raw: false, ..parser.context };
    let reads_the_same = |context: Context| {
        let mut messages = Messages::<D>::new(written, context);
        let same =
            messages.next().is_some_and(|entry| format!("{:?}", entry.message) == format!("{message:?}"));
        same && messages.next().is_none() && messages.fault().is_none()
    };
    // If the bytes leave a question open, the answer comes from the text: whether a message has Nehahra's additions,
    // and whether a player's items are sent although their bit is clear.
    let open = context.nehahra == Answer::Open;
    let nehahra = [context.nehahra, Answer::Yes, Answer::No].into_iter().take(if open { 3 } else { 1 });
    let open = !matches!(context.items, ItemsRule::Always | ItemsRule::ByBit);
    let items =
        [context.items, ItemsRule::Always, ItemsRule::ByBit].into_iter().take(if open { 3 } else { 1 });
    let mut ways = nehahra.flat_map(|nehahra| items.clone().map(move |items| (nehahra, items)));
    if ways.any(|(nehahra, items)| reads_the_same(Context { nehahra, items, ..context })) {
        return;
    }
    if parser.has_mask() {
        let help = "without `mask` the fields imply it";
        parser.scan.mistake(
            TextCode::MaskDisagrees,
            word,
            "the `mask` does not fit these fields".into(),
            help,
        );
    } else {
        let help = "an unterminated string reaches to the end of the block";
        let message = "fields follow the unterminated string in this".into();
        parser.scan.mistake(TextCode::UnterminatedInside, word, message, help);
    }
}
