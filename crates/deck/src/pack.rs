//! Packs files into a PAK, in which the games keep theirs.

/// The size of a PAK's header, and of an entry of its directory.
const HEADER: usize = 12;
const ENTRY: usize = 64;

/// The size of a name in an entry, including its NUL.
const NAME: usize = 56;

/// The files, with their paths in the game, as a PAK. A name that is too long for a PAK is left out.
///
/// ```
/// let pak = moviola_deck::pack(&[("maps/e1m1.bsp".to_owned(), vec![1, 2, 3])]);
/// let mut files = moviola_assets::GameFiles::default();
/// files.add_archive("pak0.pak", std::io::Cursor::new(pak)).unwrap();
/// assert_eq!(files.read("maps/e1m1.bsp").unwrap().unwrap(), [1, 2, 3]);
/// ```
pub fn pack(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let (mut data, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files.iter().filter(|(name, _)| name.len() < NAME) {
        let place = HEADER + data.len();
        directory.extend_from_slice(name.as_bytes());
        directory.resize(directory.len() + NAME - name.len(), 0);
        directory.extend((place as u32).to_le_bytes());
        directory.extend((bytes.len() as u32).to_le_bytes());
        data.extend_from_slice(bytes);
    }
    debug_assert_eq!(directory.len() % ENTRY, 0);
    let mut pak = b"PACK".to_vec();
    pak.extend(((HEADER + data.len()) as u32).to_le_bytes());
    pak.extend((directory.len() as u32).to_le_bytes());
    pak.append(&mut data);
    pak.append(&mut directory);
    pak
}
