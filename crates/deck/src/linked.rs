//! Links a line of a block's text with the picture: with the entity that it names, and with the places in it.
//!
//! The text is taken from the page, so that a line which was just typed has a link too.

use crate::Deck;
use moviola_format::{Meaning, Message as _, Schema, dem, dm2, qw};
use moviola_scene::{Scene, SceneOptions, Vec3};
use serde::Serialize;

// not from SCHEMA: the fields that are positions in the level, since no column of the tables marks them.
const PLACES: [&str; 6] = ["origin", "trace_endpos", "dest_origin", "start", "pos1", "default_origin"];

/// Places that are nearer to each other than this count as one.
const SAME_PLACE: f32 = 8.0;

/// The entity or place in the level to which a message refers.
///
/// ```
/// let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01";
/// let mut deck = moviola_deck::Deck::open("run.dem", file.to_vec()).unwrap();
/// let linked = deck.linked(0.0, "block {\n sound {\n  origin 8.0 0.0 0.0;\n }\n}", 3).unwrap();
/// assert_eq!((linked.about.as_str(), linked.places), ("sound", vec![[8.0, 0.0, 0.0]]));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LinkedMessage {
    /// The entity with its number and its name or model, or the keyword of a message without one.
    pub about: String,
    /// Its positions at the moment; empty if it is not visible then.
    pub places: Vec<Vec3>,
}

impl Deck {
    /// The entity or place in the level to which the message in a line of a block's text refers, if any; lines count
    /// from 1.
    pub fn linked(&mut self, seconds: f64, text: &str, line: usize) -> Option<LinkedMessage> {
        let fields = fields_around(text, line);
        let message = fields.iter().find(|it| it.is_about_a_thing())?;
        // A free camera also shows the recorder's body, which is not in the recorder's own view.
        let options = SceneOptions { free: true, ..SceneOptions::default() };
        let scene = self.scene(self.moment(seconds), &options);
        let mut places = message.places.clone();
        for entity in &message.entities {
            for place in self.places_of(&scene, *entity) {
                if !places.iter().any(|known| is_near(*known, place)) {
                    places.push(place);
                }
            }
        }
        let about = message.entities.first().map_or_else(
            || message.keyword.to_owned(),
            |entity| {
                self.name_of(&scene, *entity)
                    .map_or_else(|| format!("entity {entity}"), |name| format!("entity {entity}, {name}"))
            },
        );
        Some(LinkedMessage { about, places })
    }

    /// Where an entity is seen.
    fn places_of(&self, scene: &Scene, entity: u16) -> Vec<Vec3> {
        let models = scene.models.iter().map(|it| (it.entity, it.place));
        let sprites = scene.sprites.iter().map(|it| (it.entity, it.place));
        let brushes = scene.brushes.iter().map(|it| (it.entity, self.middle(scene, &it.file, it.place)));
        models.chain(sprites).chain(brushes).filter(|it| it.0 == entity).map(|it| it.1).collect()
    }

    /// The middle of a moving part of the level. The position of a door is only its distance from where it was built,
    /// so it is not the middle.
    fn middle(&self, scene: &Scene, file: &str, place: Vec3) -> Vec3 {
        let (name, number) = match (file.strip_prefix('*'), &scene.level) {
            (Some(number), Some(level)) => (&*level.file, number.parse().unwrap_or(0)),
            _ => (file, 0),
        };
        let level = self.game_files().bsp(name);
        let Some(part) = level.as_ref().and_then(|it| it.models.get(number)) else { return place };
        std::array::from_fn(|axis| {
            let of = |values: &Vec3| values.get(axis).copied().unwrap_or(0.0);
            of(&place) + f32::midpoint(of(&part.mins), of(&part.maxs))
        })
    }

    /// The name of a player, or the file by which an entity is seen.
    fn name_of(&self, scene: &Scene, entity: u16) -> Option<String> {
        let player = self.about().players.iter().find(|it| it.number == entity && !it.name.is_empty());
        let files = scene.models.iter().map(|it| (it.entity, &it.file));
        let files = files.chain(scene.sprites.iter().map(|it| (it.entity, &it.file)));
        let mut files = files.chain(scene.brushes.iter().map(|it| (it.entity, &it.file)));
        player
            .map(|it| it.name.clone())
            .or_else(|| files.find(|it| it.0 == entity).map(|it| it.1.to_string()))
    }
}

fn is_near(one: Vec3, other: Vec3) -> bool {
    one.iter().zip(other).all(|(one, other)| (one - other).abs() < SAME_PLACE)
}

/// The fields of a message, or of a group of fields in it, that refer to entities or places.
#[derive(Clone, Debug, Default, PartialEq)]
struct Fields<'t> {
    keyword: &'t str,
    entities: Vec<u16>,
    places: Vec<Vec3>,
}

impl Fields<'_> {
    fn is_about_a_thing(&self) -> bool {
        !self.entities.is_empty() || !self.places.is_empty()
    }

    /// Adds a field: its keyword and its values.
    fn take(&mut self, words: &[&str]) {
        let [keyword, values @ ..] = words else { return };
        let numbers: Vec<f32> = values.iter().map_while(|it| it.parse().ok()).collect();
        if let Ok(place) = <Vec3>::try_from(numbers.as_slice())
            && PLACES.contains(keyword)
            && place.iter().all(|it| it.is_finite())
        {
            self.places.push(place);
        }
        let Some(number) = values.first().and_then(|it| it.parse::<u16>().ok()) else { return };
        match meaning(keyword) {
            Some(Meaning::Entity) if number > 0 => self.entities.push(number),
            // The entity of the first slot is 1.
            Some(Meaning::Player) => self.entities.extend(number.checked_add(1)),
            _ => {}
        }
    }
}

/// The groups that contain a line, the innermost first, each with its own fields. The block itself is not included.
fn fields_around(text: &str, line: usize) -> Vec<Fields<'_>> {
    let mut open: Vec<(Fields<'_>, bool)> = Vec::new();
    let mut around = Vec::new();
    for (at, written) in (1..).zip(text.lines()) {
        if at == line {
            for group in &mut open {
                group.1 = true;
            }
        }
        for statement in statements(written) {
            match statement {
                Statement::Opens(keyword) => open.push((Fields { keyword, ..Fields::default() }, at == line)),
                Statement::Closes => {
                    let Some((fields, is_around)) = open.pop() else { continue };
                    // A group that ends in the line contains the line as well; the block is not included.
                    if is_around && !open.is_empty() {
                        around.push(fields);
                    }
                }
                Statement::Field(words) => match open.as_mut_slice() {
                    // A message in one line, such as `setview 5;`.
                    [_block] => {
                        let keyword = words.first().copied().unwrap_or_default();
                        let mut fields = Fields { keyword, ..Fields::default() };
                        fields.take(&with_keyword(&words));
                        if at == line && fields.is_about_a_thing() {
                            around.push(fields);
                        }
                    }
                    [.., (fields, _)] => fields.take(&words),
                    [] => {}
                },
            }
        }
    }
    around
}

/// The messages of all games.
fn rows() -> impl Iterator<Item = &'static Schema> {
    [dem::Message::SCHEMA, dm2::Message::SCHEMA, qw::Message::SCHEMA].into_iter().flatten()
}

/// Whether the number in a field is that of an entity or of a player.
fn meaning(keyword: &str) -> Option<Meaning> {
    let is_wanted = |meaning| matches!(meaning, Meaning::Entity | Meaning::Player);
    let mut all = rows().flat_map(Schema::lines);
    all.find(|(name, meaning, _)| *name == keyword && is_wanted(*meaning)).map(|it| it.1)
}

/// A message with one field is written without the field's keyword, which is added here.
fn with_keyword<'t>(words: &[&'t str]) -> Vec<&'t str> {
    let [message, values @ ..] = words else { return Vec::new() };
    let field = rows().find(|row| row.name == *message).and_then(|row| row.lines().next());
    field.map_or("", |(keyword, ..)| keyword).split_terminator(' ').chain(values.iter().copied()).collect()
}

enum Statement<'t> {
    Opens(&'t str),
    Closes,
    Field(Vec<&'t str>),
}

/// The statements and braces of a line, without those inside of quotes or comments.
fn statements(line: &str) -> Vec<Statement<'_>> {
    let mut statements = Vec::new();
    let (mut start, mut is_quoted, mut is_escaped) = (0, false, false);
    for (at, sign) in line.char_indices() {
        if is_quoted {
            (is_quoted, is_escaped) = (sign != '"' || is_escaped, sign == '\\' && !is_escaped);
            continue;
        }
        let before = line.get(start..at).unwrap_or_default().trim();
        match sign {
            '"' => is_quoted = true,
            '/' if line.get(at..).is_some_and(|rest| rest.starts_with("//")) => break,
            '{' => statements.push(Statement::Opens(before)),
            '}' => statements.push(Statement::Closes),
            ';' => statements.push(Statement::Field(before.split_whitespace().collect())),
            _ => continue,
        }
        if sign != '"' {
            start = at + 1;
        }
    }
    statements
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "block { // 7, 0:01.00\n camera 0.0 90.0 0.0;\n stufftext \"entity 3; } {\";\n setview 4;\n sound {\n  \
        channel 1;\n  entity 12; // } dog\n  origin 1.0 2.5 -3.0;\n }\n packetentities {\n  packetentity {\n   entity 9;\n   \
        old_origin 5.0 5.0 5.0;\n  }\n  packetentity { entity 10; }\n }\n updatename {\n  player 0;\n }\n}\n";

    #[test]
    fn a_line_leads_to_the_message_around_it() {
        let of = |line| {
            let found = fields_around(TEXT, line).into_iter().find(Fields::is_about_a_thing);
            found.map(|it| (it.keyword, it.entities, it.places))
        };
        for line in [1, 2, 3, 10, 16, 20, 99] {
            assert_eq!(of(line), None, "line {line}");
        }
        assert_eq!(of(4), Some(("setview", vec![4], vec![])));
        for line in 5..=9 {
            assert_eq!(of(line), Some(("sound", vec![12], vec![[1.0, 2.5, -3.0]])), "line {line}");
        }
        for line in 11..=14 {
            assert_eq!(of(line), Some(("packetentity", vec![9], vec![])), "line {line}");
        }
        assert_eq!(of(15), Some(("packetentity", vec![10], vec![])));
        assert_eq!(of(18), Some(("updatename", vec![1], vec![])));
    }

    #[test]
    fn half_a_text_leads_nowhere_and_fails_nowhere() {
        for text in
            ["", "}", "{", "block {\n sound {", "block {\n sound {\n origin 1 2", "\"", "block { } } } {"]
        {
            for line in 0..5 {
                assert!(fields_around(text, line).is_empty(), "{text}");
            }
        }
    }
}
