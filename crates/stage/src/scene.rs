//! A stage as text: a level, a camera in it, and some seconds without events.
// not from SCHEMA, all words: the text is the language's own

use std::fmt::{self, Write};

/// A level without events.
///
/// ```
/// use moviola_stage::Stage;
/// let stage = Stage::new("start").unwrap().seen_from([480.0, -352.0, 88.0], 90.0).unwrap();
/// let text = stage.quake();
/// assert!(text.contains("\"maps/start.bsp\"") && text.contains("origin_y -352.0;"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    map: String,
    at: [f64; 3],
    yaw: f64,
    seconds: u32,
}

/// The reason why a stage is not possible.
///
/// ```
/// use moviola_stage::{NoStage, Stage};
/// assert_eq!(Stage::new("e1 m1"), Err(NoStage::Map));
/// assert_eq!(Stage::new("e1m1").unwrap().seen_from([0.0, 0.0, 5000.0], 0.0), Err(NoStage::Place));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoStage {
    /// The name is not one of a level.
    Map,
    /// The place is outside of all levels.
    Place,
    /// The direction is not a number.
    Direction,
}

impl fmt::Display for NoStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Map => {
                "a level is called by the name of its file, like e1m1: letters, digits, `_`, `-`, `/`, at most 50"
            }
            Self::Place => "no level is there: they end at 4095 units in each direction",
            Self::Direction => "a direction is a number of degrees: 0 is east, 90 north",
        })
    }
}

impl std::error::Error for NoStage {}

/// The number of moments in a second.
const MOMENTS: u32 = 10;

/// The default number of seconds.
const SECONDS: u32 = 5;

/// The numbers of Quake II's config strings.
const SKY: u16 = 2;
const MAXCLIENTS: u16 = 30;
const FIRST_MODEL: u16 = 33;
const FIRST_PLAYER: u16 = 1312;

impl Stage {
    /// The stage in the level of this name.
    pub fn new(map: &str) -> Result<Self, NoStage> {
        let map = map.strip_suffix(".bsp").unwrap_or(map);
        let map = map.strip_prefix("maps/").unwrap_or(map);
        let fits = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-' | '/');
        if map.is_empty() || map.len() > 50 || !map.chars().all(fits) {
            return Err(NoStage::Map);
        }
        Ok(Self { map: map.to_owned(), at: [0.0; 3], yaw: 0.0, seconds: SECONDS })
    }

    /// Seen from a place, in units, in a direction, in degrees: 0 is east, 90 north.
    ///
    /// ```
    /// use moviola_stage::Stage;
    /// let stage = Stage::new("start").unwrap().seen_from([480.0, -352.0, 88.0], 90.0).unwrap();
    /// assert!(stage.quake2().contains("viewangles 0.0 90.0 0.0;"));
    /// ```
    pub fn seen_from(self, at: [f64; 3], yaw: f64) -> Result<Self, NoStage> {
        if !at.iter().all(|it| it.abs() <= 4095.0) {
            return Err(NoStage::Place);
        }
        if !yaw.is_finite() {
            return Err(NoStage::Direction);
        }
        Ok(Self { at, yaw: yaw % 360.0, ..self })
    }

    /// Sets the duration in seconds; the default is five.
    ///
    /// ```
    /// use moviola_stage::Stage;
    /// let stage = Stage::new("start").unwrap().lasting(60);
    /// assert!(stage.quake().contains(" time 61.0s;"));
    /// ```
    #[must_use]
    pub fn lasting(self, seconds: u32) -> Self {
        Self { seconds, ..self }
    }

    /// The number of moments of the level.
    fn moments(&self) -> u32 {
        self.seconds.saturating_mul(MOMENTS)
    }

    /// A place a few steps before the camera, where an actor can stand.
    fn before(&self) -> [f64; 3] {
        const STEPS: f64 = 100.0;
        let [x, y, z] = self.at;
        let (sin, cos) = self.yaw.to_radians().sin_cos();
        [x + STEPS * cos, y + STEPS * sin, z].map(f64::round)
    }

    /// The comment above the text, with the places in it.
    fn comment(&self, template: &str) -> String {
        let [x, y, z] = self.before();
        let back = (self.yaw + 180.0).rem_euclid(360.0);
        let values = [("X", x), ("Y", y), ("Z", z), ("BACK", back)];
        values.iter().fold(template.to_owned(), |text, (name, value)| {
            // Adding 0 turns -0 into 0.
            text.replace(&format!("{{{name}}}"), &format!("{:?}", value + 0.0))
        })
    }

    /// The text of a recording of Quake.
    ///
    /// ```
    /// use moviola_stage::{Stage, record};
    /// let stage = Stage::new("lq_e0m9").unwrap();
    /// assert!(record(&stage.quake()).is_ok());
    /// ```
    pub fn quake(&self) -> String {
        let mut text = self.comment(QUAKE);
        self.quake_film(&mut text, "-1", |_| String::new());
        text
    }

    /// A recording of Quake with this first line, and with more messages in its moments.
    pub(crate) fn quake_film(&self, text: &mut String, track: &str, more: impl Fn(u32) -> String) {
        let Self { map, at: [x, y, z], yaw, .. } = self;
        // Writing into a string cannot fail.
        let _ = write!(
            text,
            r#"track "{track}\n";
block {{
 camera 0.0 {yaw:?} 0.0;
 serverinfo {{
  serverversion 15;
  maxclients 1;
  multi 0;
  mapname "A stage";
  models "maps/{map}.bsp" "progs/player.mdl";
  sounds;
 }}
 setview 1;
 signonnum 1;
}}
block {{
 camera 0.0 {yaw:?} 0.0;
 spawnbaseline {{
  entity 1;
  default_modelindex 2; // the player
  default_frame 0;
  default_colormap 1;
  default_skin 0;
  default_origin {x:?} {y:?} {z:?};
  default_angles 0.0 {yaw:?} 0.0;
 }}
 signonnum 2;
}}
block {{
 camera 0.0 {yaw:?} 0.0;
 time 1.0s;
 updatename {{
  player 0;
  netname "player";
 }}
 updatefrags {{
  player 0;
  frags 0;
 }}
 updatecolors {{
  player 0;
  colors 0 0;
 }}
 lightstyle {{
  style 0;
  string "m";
 }}
 signonnum 3;
}}
"#
        );
        for moment in 0..self.moments() {
            let seconds = 1.1 + f64::from(moment) / 10.0;
            let more = more(moment);
            let _ = write!(
                text,
                "block {{
 camera 0.0 {yaw:?} 0.0;
 time {seconds:.1}s;
 clientdata {{
  health 100;
  currentammo 0;
  ammo_shells 0;
  ammo_nails 0;
  ammo_rockets 0;
  ammo_cells 0;
  weapon 1;
 }}
 updateentity {{
  entity 1;
  origin_x {x:?};
  origin_y {y:?};
  origin_z {z:?};
 }}
{more}}}
"
            );
        }
        let _ = write!(text, "block {{\n camera 0.0 {yaw:?} 0.0;\n disconnect;\n}}\n");
    }

    /// The text of a recording of Quake II.
    ///
    /// ```
    /// use moviola_stage::{Stage, record};
    /// let stage = Stage::new("base1").unwrap();
    /// assert!(record(&stage.quake2()).is_ok());
    /// ```
    pub fn quake2(&self) -> String {
        let Self { map, at: [x, y, z], yaw, .. } = self;
        let mut text = self.comment(QUAKE2);
        text.push_str(
            "block {
 serverdata {
  serverversion 34;
  key 1;
  isdemo 1;
  game \"\";
  client 0;
  mapname \"A stage\";
 }
",
        );
        let model = format!("maps/{map}.bsp");
        for (index, value) in [
            (0, "A stage"),
            (SKY, "unit1_"),
            (MAXCLIENTS, "1"),
            (FIRST_MODEL, &model),
            (FIRST_PLAYER, r"player\\male/grunt"),
        ] {
            let _ = write!(text, " configstring {{\n  index {index};\n  string \"{value}\";\n }}\n");
        }
        text.push_str(" stufftext \"precache\\n\";\n}\n");
        for moment in 1..=self.moments() {
            let _ = write!(
                text,
                "block {{
 frame {{
  seq1 {moment};
  seq2 -1;
  uk_b1 0;
  areas 0xFE 0xFF 0xFF 0xFF;
 }}
 playerinfo {{
  pm_type 4; // the recording moves the camera
  origin {x:?} {y:?} {z:?};
  viewoffset 0.0 0.0 22.0;
  viewangles 0.0 {yaw:?} 0.0;
  fov 90;
  stats {{
   stat {{
    index 1; // health
    value 100;
   }}
  }}
 }}
 packetentities;
}}
"
            );
        }
        text.push_str("endblock;\n");
        text
    }
}

/// The comment before the text of a stage of Quake.
const QUAKE: &str = "\
// A stage: a level in which nothing happens yet.
// `moviola compile` makes a recording of this text, and Quake plays it.
//
// The camera: the line `camera` of a block says where it looks (pitch, yaw,
// roll), entity 1 where it is.
//
// An actor: put his model after the others (`models`: the level is 1), such as
// \"progs/soldier.mdl\", and in each block from the fourth on say where he is:
//
//  updateentity {
//   entity 2;
//   modelindex 3;
//   frame 0; // another one each time, and he moves
//   origin_x {X}; // some steps before the camera
//   origin_y {Y};
//   origin_z {Z};
//   angles_2 {BACK}; // where he looks
//  }
//
// Words: centerprint \"Once upon a time\"; music: the first line.
// `moviola explain updateentity` knows the fields, and so of every message.

";

/// The comment before the text of a stage of Quake II.
const QUAKE2: &str = "\
// A stage: a level in which nothing happens yet.
// `moviola compile` makes a recording of this text, and Quake II plays it.
//
// The camera: `origin` and `viewangles` (pitch, yaw, roll) of each `playerinfo`.
//
// An actor: give his model the next number after the level's, in the first block,
//
//  configstring {
//   index 34; // the model 2
//   string \"models/monsters/soldier/tris.md2\";
//  }
//
// and in each block from the second on put into the braces of `packetentities { }`:
//
//  packetentity {
//   entity 2;
//   modelindex 2;
//   frame 0; // another one each time, and he moves
//   origin_x {X}; // some steps before the camera
//   origin_y {Y};
//   origin_z {Z};
//   angles_2 {BACK}; // where he looks
//   old_origin {X} {Y} {Z};
//  }
//
// `moviola explain packetentities` knows the fields, and so of every message.

";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record;

    #[test]
    fn names_of_levels() {
        assert_eq!(Stage::new("maps/e1m1.bsp").unwrap(), Stage::new("e1m1").unwrap());
        for bad in ["", "a b", "a\"", "a\nb", "\u{e9}", &"x".repeat(51)] {
            assert_eq!(Stage::new(bad), Err(NoStage::Map), "{bad}");
        }
    }

    #[test]
    fn an_actor_stands_before_the_camera_and_looks_back() {
        let stage = Stage::new("m").unwrap().seen_from([480.0, -352.0, 88.0], 90.0).unwrap();
        let text = stage.quake();
        assert!(text.contains("//   origin_y -252.0;\n//   origin_z 88.0;\n//   angles_2 270.0;"), "{text}");
        assert!(!stage.quake2().contains("{X}") && stage.quake2().contains("old_origin 480.0 -252.0 88.0;"));
    }

    #[test]
    fn actors_that_the_comments_suggest_work() {
        let stage = Stage::new("m").unwrap();
        // The actor of the comment, at the place that the comment suggests.
        let actor = |text: &str, first: &str| {
            let from = text.find(first).unwrap();
            let to = from + text[from..].find("//  }\n").unwrap() + 6;
            text[from..to].lines().fold(String::new(), |all, line| all + line.trim_start_matches("//") + "\n")
        };
        let text = stage.quake();
        let with_actor = actor(&text, "//  updateentity {");
        let acted = text
            .replace(" updateentity {\n  entity 1;", &format!("{with_actor} updateentity {{\n  entity 1;"));
        let acted = acted.replace("\"progs/player.mdl\"", "\"progs/player.mdl\" \"progs/soldier.mdl\"");
        assert!(record(&acted).unwrap().len() > record(&text).unwrap().len());

        let text = stage.quake2();
        let (model, with) = (actor(&text, "//  configstring {"), actor(&text, "//  packetentity {"));
        let acted = text.replace(" packetentities;", &format!(" packetentities {{\n{with} }}"));
        let acted = acted.replacen(" stufftext", &format!("{model} stufftext"), 1);
        assert!(record(&acted).unwrap().len() > record(&text).unwrap().len() + 500);
    }
}
