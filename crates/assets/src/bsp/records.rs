//! The records of levels: **the** table of their layouts. The columns are BSP 29, 2PSB, BSP2 and IBSP 38.
// not from SCHEMA, all words: names in the files of levels.

use crate::record::{Absent, records};

records! {
    /// A plane: the points whose product with `normal` is `dist`.
    pub struct Plane {
        /// Its normal, of length one.
        normal: [f32; 3] = [[f32; 3], [f32; 3], [f32; 3], [f32; 3]];
        /// Its distance from the origin along the normal.
        dist: f32 = [f32, f32, f32, f32];
        /// 0 to 2 if the normal is along an axis.
        kind: i32 = [i32, i32, i32, i32];
    }

    /// A corner of faces.
    pub struct Vertex {
        /// Its place.
        point: [f32; 3] = [[f32; 3], [f32; 3], [f32; 3], [f32; 3]];
    }

    /// A node of the BSP tree, which cuts space in two.
    pub struct Node {
        /// The plane of the cut.
        plane: u32 = [i32, i32, i32, i32];
        /// The nodes or leafs in front of the plane and behind it; `-1 - n` means leaf n.
        children: [i32; 2] = [[i16; 2], [i32; 2], [i32; 2], [i32; 2]];
        /// One corner of the box around everything below the node.
        mins: [f32; 3] = [[i16; 3], [i16; 3], [f32; 3], [i16; 3]];
        /// The opposite corner.
        maxs: [f32; 3] = [[i16; 3], [i16; 3], [f32; 3], [i16; 3]];
        /// The first of the faces in its plane.
        first_face: u32 = [u16, u32, u32, u16];
        /// The number of these faces.
        faces: u32 = [u16, u32, u32, u16];
    }

    /// A leaf of the BSP tree.
    pub struct Leaf {
        /// Its contents: Quake's number, or Quake II's bits.
        contents: i32 = [i32, i32, i32, i32];
        /// The offset of its row in Quake's visibility data; negative if it has none.
        visibility: i32 = [i32, i32, i32, Absent];
        /// The visibility cluster; negative outside of the level or in a wall. In Quake it is the leaf's
        /// number less one.
        cluster: i32 = [Absent, Absent, Absent, i16];
        /// The area; Quake II's doors close areas off.
        area: i32 = [Absent, Absent, Absent, i16];
        /// One corner of the box around it.
        mins: [f32; 3] = [[i16; 3], [i16; 3], [f32; 3], [i16; 3]];
        /// The opposite corner.
        maxs: [f32; 3] = [[i16; 3], [i16; 3], [f32; 3], [i16; 3]];
        /// Its first entry in the list of faces of leafs.
        first_face: u32 = [u16, u32, u32, u16];
        /// The number of its entries in that list.
        faces: u32 = [u16, u32, u32, u16];
        /// The volumes of water, sky, slime and lava in Quake.
        ambient: [u8; 4] = [[u8; 4], [u8; 4], [u8; 4], Absent];
        /// Its first entry in the list of brushes of leafs.
        first_brush: u32 = [Absent, Absent, Absent, u16];
        /// The number of its entries in that list.
        brushes: u32 = [Absent, Absent, Absent, u16];
    }

    /// The mapping of a texture to a face.
    pub struct TexInfo {
        /// The factors of a point's first texture coordinate in texels, and its offset.
        s: [f32; 4] = [[f32; 4], [f32; 4], [f32; 4], [f32; 4]];
        /// The factors of a point's second texture coordinate in texels, and its offset.
        t: [f32; 4] = [[f32; 4], [f32; 4], [f32; 4], [f32; 4]];
        /// The index of Quake's texture.
        texture: u32 = [u32, u32, u32, Absent];
        /// Quake: 1 for a face without light. Quake II: the surface flags.
        flags: u32 = [u32, u32, u32, u32];
        /// The brightness with which Quake II's surface lights others.
        value: i32 = [Absent, Absent, Absent, i32];
        /// The name of Quake II's texture, without folder and extension.
        name: String = [Absent, Absent, Absent, [u8; 32]];
        /// The next texinfo of Quake II's animation; negative if there is none.
        next: i32 = [Absent, Absent, Absent, i32];
    }

    /// A polygon with a texture and light.
    pub struct Face {
        /// The plane in which it lies.
        plane: u32 = [u16, i32, i32, u16];
        /// Not 0 if it faces the back side of its plane.
        side: i32 = [i16, i32, i32, i16];
        /// The first of its edges, in the list of edges of faces.
        first_edge: u32 = [i32, i32, i32, i32];
        /// The number of its edges.
        edges: u32 = [u16, i32, i32, u16];
        /// The mapping of its texture.
        texinfo: u32 = [u16, i32, i32, u16];
        /// The styles of its lightmaps; 255 marks the end.
        styles: [u8; 4] = [[u8; 4], [u8; 4], [u8; 4], [u8; 4]];
        /// The offset of its lightmaps; negative if it has none.
        light: i32 = [i32, i32, i32, i32];
    }

    /// An edge between two corners.
    pub struct Edge {
        /// The indices of the corners.
        vertexes: [u32; 2] = [[u16; 2], [u32; 2], [u32; 2], [u16; 2]];
    }

    /// An edge of a face; a negative number is an edge from its second corner to its first.
    pub(crate) struct FaceEdge {
        edge: i32 = [i32, i32, i32, i32];
    }

    /// A face of a leaf.
    pub(crate) struct LeafFace {
        face: u32 = [u16, u32, u32, u16];
    }

    /// The level itself, or a moving part of it.
    pub struct BrushModel {
        /// One corner of the box around it.
        mins: [f32; 3] = [[f32; 3], [f32; 3], [f32; 3], [f32; 3]];
        /// The opposite corner.
        maxs: [f32; 3] = [[f32; 3], [f32; 3], [f32; 3], [f32; 3]];
        /// The origin around which it rotates.
        origin: [f32; 3] = [[f32; 3], [f32; 3], [f32; 3], [f32; 3]];
        /// Its first node; a negative number is a leaf.
        node: i32 = [i32, i32, i32, i32];
        /// The nodes of the hulls for bodies of other sizes.
        hulls: [i32; 3] = [[i32; 3], [i32; 3], [i32; 3], Absent];
        /// The number of leafs with visibility data.
        leafs: u32 = [i32, i32, i32, Absent];
        /// The first of its faces.
        first_face: u32 = [i32, i32, i32, i32];
        /// The number of its faces.
        faces: u32 = [i32, i32, i32, i32];
    }

    /// A lump of a file: its offset and its length.
    pub(crate) struct Lump {
        offset: i32 = [i32, i32, i32, i32];
        length: i32 = [i32, i32, i32, i32];
    }

    /// A texture of Quake, before its pixels.
    pub(crate) struct MipHeader {
        name: String = [[u8; 16]];
        width: u32 = [u32];
        height: u32 = [u32];
        offsets: [u32; 4] = [[u32; 4]];
    }

    /// A lump that newer compilers append after all others.
    pub(crate) struct ExtraLump {
        name: String = [[u8; 24]];
        offset: i32 = [i32];
        length: i32 = [i32];
    }
}
