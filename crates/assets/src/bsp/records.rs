//! The records of levels: **the** table of their layouts. The columns are BSP 29, 2PSB, BSP2 and IBSP 38.
// schema-once, all words: they are of the levels' files.

use crate::record::{Absent, records};

records! {
    /// A plane: where `normal` times a point is `dist`.
    pub struct Plane {
        /// Its direction, of length one.
        normal: [f32; 3] = [[f32; 3], [f32; 3], [f32; 3], [f32; 3]];
        /// How far it is from the origin along its direction.
        dist: f32 = [f32, f32, f32, f32];
        /// 0 to 2 where it is on an axis.
        kind: i32 = [i32, i32, i32, i32];
    }

    /// A corner of faces.
    pub struct Vertex {
        /// Where it is.
        point: [f32; 3] = [[f32; 3], [f32; 3], [f32; 3], [f32; 3]];
    }

    /// A cut of the space in two.
    pub struct Node {
        /// The plane of the cut.
        plane: u32 = [i32, i32, i32, i32];
        /// What is in front of it and behind it; `-1 - n` is leaf n.
        children: [i32; 2] = [[i16; 2], [i32; 2], [i32; 2], [i32; 2]];
        /// The box around all that is below it.
        mins: [f32; 3] = [[i16; 3], [i16; 3], [f32; 3], [i16; 3]];
        /// The box's other corner.
        maxs: [f32; 3] = [[i16; 3], [i16; 3], [f32; 3], [i16; 3]];
        /// The faces in its plane.
        first_face: u32 = [u16, u32, u32, u16];
        /// How many they are.
        faces: u32 = [u16, u32, u32, u16];
    }

    /// A space without cuts.
    pub struct Leaf {
        /// What is in it: Quake's number, or Quake II's bits.
        contents: i32 = [i32, i32, i32, i32];
        /// Where its row of visible leafs begins in Quake's visibility data; below zero is none.
        visibility: i32 = [i32, i32, i32, Absent];
        /// What sees the same; below zero is what nobody sees from. In Quake it is the leaf's number less one.
        cluster: i32 = [Absent, Absent, Absent, i16];
        /// The area, which doors of Quake II close.
        area: i32 = [Absent, Absent, Absent, i16];
        /// The box around it.
        mins: [f32; 3] = [[i16; 3], [i16; 3], [f32; 3], [i16; 3]];
        /// The box's other corner.
        maxs: [f32; 3] = [[i16; 3], [i16; 3], [f32; 3], [i16; 3]];
        /// Its first entry in the list of the leafs' faces.
        first_face: u32 = [u16, u32, u32, u16];
        /// How many entries it has there.
        faces: u32 = [u16, u32, u32, u16];
        /// How loud water, sky, slime and lava are in Quake.
        ambient: [u8; 4] = [[u8; 4], [u8; 4], [u8; 4], Absent];
        /// Its first entry in the list of the leafs' brushes.
        first_brush: u32 = [Absent, Absent, Absent, u16];
        /// How many entries it has there.
        brushes: u32 = [Absent, Absent, Absent, u16];
    }

    /// How a texture lies on a face.
    pub struct TexInfo {
        /// A point's first coordinate in texels, without and with an offset.
        s: [f32; 4] = [[f32; 4], [f32; 4], [f32; 4], [f32; 4]];
        /// The second.
        t: [f32; 4] = [[f32; 4], [f32; 4], [f32; 4], [f32; 4]];
        /// The number of Quake's texture.
        texture: u32 = [u32, u32, u32, Absent];
        /// Quake: 1 is a face without light. Quake II: the surface's bits.
        flags: u32 = [u32, u32, u32, u32];
        /// How bright Quake II's surface shines on others.
        value: i32 = [Absent, Absent, Absent, i32];
        /// The name of Quake II's texture, without folder and ending.
        name: String = [Absent, Absent, Absent, [u8; 32]];
        /// The next one of Quake II's animation; below zero is none.
        next: i32 = [Absent, Absent, Absent, i32];
    }

    /// A polygon with a texture and light.
    pub struct Face {
        /// The plane that it is in.
        plane: u32 = [u16, i32, i32, u16];
        /// Not 0 where it looks to the other side of its plane.
        side: i32 = [i16, i32, i32, i16];
        /// The first of its edges, which stand in a list of their own.
        first_edge: u32 = [i32, i32, i32, i32];
        /// How many edges it has.
        edges: u32 = [u16, i32, i32, u16];
        /// How its texture lies.
        texinfo: u32 = [u16, i32, i32, u16];
        /// The styles of its lightmaps; 255 ends them.
        styles: [u8; 4] = [[u8; 4], [u8; 4], [u8; 4], [u8; 4]];
        /// Where its lightmaps begin; below zero is none.
        light: i32 = [i32, i32, i32, i32];
    }

    /// Two corners.
    pub struct Edge {
        /// Their numbers.
        vertexes: [u32; 2] = [[u16; 2], [u32; 2], [u32; 2], [u16; 2]];
    }

    /// An edge of a face; below zero is an edge from its second corner to its first.
    pub(crate) struct FaceEdge {
        edge: i32 = [i32, i32, i32, i32];
    }

    /// A face of a leaf.
    pub(crate) struct LeafFace {
        face: u32 = [u16, u32, u32, u16];
    }

    /// The level itself, and each part of it that moves.
    pub struct BrushModel {
        /// The box around it.
        mins: [f32; 3] = [[f32; 3], [f32; 3], [f32; 3], [f32; 3]];
        /// The box's other corner.
        maxs: [f32; 3] = [[f32; 3], [f32; 3], [f32; 3], [f32; 3]];
        /// What it turns around.
        origin: [f32; 3] = [[f32; 3], [f32; 3], [f32; 3], [f32; 3]];
        /// Its first node; below zero is a leaf.
        node: i32 = [i32, i32, i32, i32];
        /// The nodes for bodies of other sizes.
        hulls: [i32; 3] = [[i32; 3], [i32; 3], [i32; 3], Absent];
        /// How many leafs can be seen from somewhere.
        leafs: u32 = [i32, i32, i32, Absent];
        /// The first of its faces.
        first_face: u32 = [i32, i32, i32, i32];
        /// How many it has.
        faces: u32 = [i32, i32, i32, i32];
    }

    /// A lump of a file: where it is and how long.
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

    /// A lump that newer compilers put behind all others.
    pub(crate) struct ExtraLump {
        name: String = [[u8; 24]];
        offset: i32 = [i32];
        length: i32 = [i32];
    }
}
