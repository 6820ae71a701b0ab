//! Small files of the games, made byte by byte.

pub(crate) fn words(numbers: &[i32]) -> Vec<u8> {
    numbers.iter().flat_map(|it| it.to_le_bytes()).collect()
}

pub(crate) fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|it| it.to_le_bytes()).collect()
}

pub(crate) fn shorts(numbers: &[i16]) -> Vec<u8> {
    numbers.iter().flat_map(|it| it.to_le_bytes()).collect()
}

/// A level file made of its lumps.
pub(crate) fn level(start: &[u8], lumps: &[Vec<u8>]) -> Vec<u8> {
    let (mut file, mut body) = (start.to_vec(), Vec::new());
    let header = start.len() + 8 * lumps.len();
    for lump in lumps {
        file.extend(words(&[(header + body.len()) as i32, lump.len() as i32]));
        body.extend(lump);
    }
    [file, body].concat()
}

/// A level of Quake: one square of 32 units at the height 0 that faces up, and a leaf above it.
pub(crate) fn square() -> Vec<u8> {
    let mut texture = b"floor\0\0\0\0\0\0\0\0\0\0\0".to_vec();
    texture.extend(words(&[16, 16, 40, 40 + 256, 40 + 320, 40 + 336]));
    texture.resize(40 + 340, 7);
    let textures = [words(&[1, 8]), texture].concat();
    let planes = [floats(&[0.0, 0.0, 1.0, 0.0]), words(&[2])].concat();
    let corners = floats(&[0.0, 0.0, 0.0, 0.0, 32.0, 0.0, 32.0, 32.0, 0.0, 32.0, 0.0, 0.0]);
    let node = [words(&[0]), shorts(&[-2, -1, 0, 0, -8, 32, 32, 64]), vec![0, 0, 1, 0]].concat();
    let texinfo = [floats(&[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]), words(&[0, 0])].concat();
    let face = [shorts(&[0, 0]), words(&[0]), shorts(&[4, 0]), vec![0, 255, 255, 255], words(&[0])].concat();
    let leaf = |contents: i32| [words(&[contents, -1]), vec![0; 20]].concat();
    let edges = shorts(&[0, 0, 0, 1, 1, 2, 2, 3, 0, 3]);
    let model =
        [floats(&[0.0, 0.0, 0.0, 32.0, 32.0, 0.0, 0.0, 0.0, 0.0]), words(&[0, 0, 0, 0, 1, 0, 1])].concat();
    let lumps = [
        b"{\"classname\" \"worldspawn\"}\0".to_vec(),
        planes,
        textures,
        corners,
        vec![],
        node,
        texinfo,
        face,
        vec![10, 20, 30, 40, 50, 60, 70, 80, 90],
        vec![],
        [leaf(-2), leaf(-1)].concat(),
        shorts(&[0]),
        edges,
        words(&[1, 2, 3, -4]),
        model,
    ];
    level(&words(&[29]), &lumps)
}

/// A triangle with a skin of four texels and one frame.
pub(crate) fn mdl() -> Vec<u8> {
    let mut file = b"IDPO\x06\0\0\0".to_vec();
    file.extend(floats(&[1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 10.0, 0.0, 0.0, 0.0]));
    file.extend(words(&[1, 2, 2, 3, 1, 2, 0, 8]));
    file.extend(floats(&[1.0]));
    file.extend(words(&[0]));
    file.extend([1, 2, 3, 4]);
    file.extend(words(&[32, 0, 0, 0, 1, 0, 0, 0, 1]));
    file.extend(words(&[0, 0, 1, 2]));
    let pose = |x: u8| [vec![0; 24], vec![x, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]].concat();
    file.extend([words(&[0]), pose(5)].concat());
    let group = [words(&[1, 2]), vec![0; 8], floats(&[0.1, 0.3]), pose(6), pose(7)].concat();
    [file, group].concat()
}
