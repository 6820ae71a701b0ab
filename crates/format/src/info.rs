//! The info strings of players and servers: keys and values, each after a backslash.

/// The keys and values of an info string, in their order. If a key occurs twice, engines take the first.
///
/// ```
/// let pairs: Vec<_> = moviola_format::info_pairs(br"\name\Bob\team\red").collect();
/// assert_eq!(pairs, [(&b"name"[..], &b"Bob"[..]), (b"team", b"red")]);
/// ```
pub fn info_pairs(info: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut words = info.strip_prefix(b"\\").unwrap_or(info).split(|byte| *byte == b'\\');
    std::iter::from_fn(move || Some((words.next()?, words.next()?)))
}

/// The value of a key in an info string.
///
/// ```
/// assert_eq!(moviola_format::info_value(br"\name\Bob\team\red", b"team"), Some(&b"red"[..]));
/// assert_eq!(moviola_format::info_value(b"", b"team"), None);
/// ```
pub fn info_value<'a>(info: &'a [u8], key: &[u8]) -> Option<&'a [u8]> {
    info_pairs(info).find(|(name, _)| *name == key).map(|(_, value)| value)
}
