//! WebAssembly exports of [`moviola_deck`], without any logic of their own.
//!
//! Values go to the page as JSON, since they are small and the page has types for them; pictures and files go as bytes.
//! The bindings that `wasm_bindgen` generates contain `unsafe`, which is why this crate does not forbid it as all
//! others do; nothing here is written with it.

use moviola_deck::{MapView, PictureView, look_into};
use wasm_bindgen::prelude::*;

/// An open recording.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Deck(moviola_deck::Deck);

/// A picture.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Frame(moviola_render::RenderedFrame);

/// Identifies a file, as JSON.
#[wasm_bindgen]
pub fn look(name: &str, bytes: Vec<u8>) -> String {
    text(&look_into(name, bytes))
}

#[wasm_bindgen]
impl Deck {
    /// Opens a recording; if the file is an archive with several recordings, `name` selects one.
    pub fn open(name: &str, bytes: Vec<u8>) -> Result<Self, String> {
        moviola_deck::Deck::open(name, bytes).map(Self)
    }

    /// The facts about the recording, as JSON.
    pub fn about(&self) -> String {
        text(self.0.about())
    }

    /// The events of the recording, as JSON.
    pub fn timeline(&self) -> String {
        text(self.0.timeline())
    }

    /// Adds an archive or a file of the game.
    #[wasm_bindgen(js_name = addGame)]
    pub fn add_game(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), String> {
        self.0.add_game(name, bytes)
    }

    /// The game's files that were missing or damaged so far.
    pub fn missing(&self) -> String {
        let troubles = self.0.game_files().troubles();
        text(&troubles.into_iter().map(|it| it.name).collect::<Vec<_>>())
    }

    /// Draws a moment.
    pub fn draw(&mut self, seconds: f64, view: &JsValue) -> Frame {
        Frame(self.0.draw(seconds, &view_of(view)))
    }

    /// The sound from a moment on: samples for left and right alternate, with 48000 a second for each side.
    pub fn sound(&mut self, from: f64, seconds: f64, view: &JsValue) -> Vec<i16> {
        self.0.sound(from, seconds, &view_of(view))
    }

    /// The place and the angles of the eye of the last picture.
    pub fn eye(&self) -> Vec<f32> {
        self.0.eye().concat()
    }

    /// Whether the position of the shown player is known at the moment of the last picture.
    #[wasm_bindgen(js_name = isInSight)]
    pub fn is_in_sight(&self, player: u16) -> bool {
        self.0.is_in_sight(player)
    }

    /// The last block that is seen at a moment.
    #[wasm_bindgen(js_name = blockAt)]
    pub fn block_at(&self, seconds: f64) -> f64 {
        self.0.block_at(seconds) as f64
    }

    /// When a block is seen.
    #[wasm_bindgen(js_name = secondsOf)]
    pub fn seconds_of(&self, block: f64) -> f64 {
        self.0.seconds_of(block as u64)
    }

    /// The time of a block on the game's clock, if it has one.
    #[wasm_bindgen(js_name = gameTimeOf)]
    pub fn game_time_of(&self, block: f64) -> Option<f64> {
        self.0.game_time_of(block as u64)
    }

    /// The part between two moments, in the words of scripts.
    pub fn span(&self, from: f64, to: f64) -> String {
        self.0.span(from, to)
    }

    /// Notes about the last edits for the user, each with its line, as JSON.
    pub fn notes(&self) -> String {
        text(&self.0.notes())
    }

    /// The edited recording.
    pub fn save(&self) -> js_sys::Uint8Array {
        js_sys::Uint8Array::from(self.0.save())
    }

    /// A hash of the state at a moment.
    #[wasm_bindgen(js_name = stateHash)]
    pub fn state_hash(&mut self, seconds: f64) -> String {
        format!("{:016x}", self.0.state_hash(seconds))
    }
}

#[cfg(feature = "whole")]
#[wasm_bindgen]
impl Deck {
    /// The text of a block.
    pub fn text(&self, block: f64) -> String {
        self.0.text(block as u64)
    }

    /// The entity in the level to which the message in a line of a block's text refers, as JSON; `null` if there is
    /// none.
    pub fn linked(&mut self, seconds: f64, text: &str, line: usize) -> String {
        self::text(&self.0.linked(seconds, text, line))
    }

    /// The report and the check of the recording, as JSON.
    pub fn inspect(&self) -> Result<String, String> {
        self.0.inspect().map(|it| text(&it))
    }

    /// The audit of the recording, as JSON.
    pub fn audit(&self) -> Result<String, String> {
        self.0.audit().map(|it| text(&it))
    }

    /// Carries out an edit script on the recording as it was opened; returns its mistakes as JSON.
    pub fn edit(&mut self, script: &str) -> String {
        text(&self.0.edit(script).err().unwrap_or_default())
    }

    /// The line of a script that shows a text from a moment on.
    pub fn subtitle(&self, seconds: f64, length: f64, text: &str) -> Result<String, String> {
        self.0.subtitle(seconds, length, text)
    }

    /// The script with a camera at a place, which is x, y and z, and pitch, yaw and roll.
    pub fn add_camera(&self, script: &str, seconds: f64, place: Vec<f32>) -> Result<String, String> {
        let [eye, angles] = *place.as_chunks().0 else { return Err("a place has six numbers".to_owned()) };
        self.0.camera(script, seconds, [eye, angles])
    }

    /// The line of a script that puts a text in the place of a block, or the text's mistakes, as JSON.
    pub fn replace(&self, block: f64, text: &str) -> String {
        let made = self.0.replace(block as u64, text);
        let wrong = made.as_ref().err().cloned().unwrap_or_default();
        self::text(&(made.unwrap_or_default(), wrong))
    }

    /// The subtitles of a script as a file.
    pub fn srt(&self, script: &str) -> String {
        self.0.srt(script)
    }
}

#[wasm_bindgen]
impl Frame {
    /// The width in pixels.
    #[wasm_bindgen(getter)]
    pub fn width(&self) -> u32 {
        self.0.size[0]
    }

    /// The height in pixels.
    #[wasm_bindgen(getter)]
    pub fn height(&self) -> u32 {
        self.0.size[1]
    }

    /// Red, green, blue and opacity of each pixel.
    pub fn rgba(&self) -> js_sys::Uint8ClampedArray {
        js_sys::Uint8ClampedArray::from(self.0.rgba.as_slice())
    }
}

fn text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Reads the settings of a view; missing ones have their defaults.
fn view_of(value: &JsValue) -> PictureView {
    let defaults = PictureView::default();
    // Reads the properties one by one, because a JSON parser only for this would be 4 kB to load.
    let get = |key: &str| js_sys::Reflect::get(value, &key.into()).unwrap_or(JsValue::UNDEFINED);
    let number = |key: &str| get(key).as_f64();
    let numbers = |key: &str| -> Vec<f32> {
        let all = Some(get(key)).filter(|it| js_sys::Array::is_array(it));
        let all = all.map(|it| js_sys::Array::from(&it)).unwrap_or_default();
        all.iter().filter_map(|it| it.as_f64()).map(|it| it as f32).collect()
    };
    let three = |key: &str| -> Option<[f32; 3]> { numbers(key).try_into().ok() };
    let side = |key: &str, default: u32| number(key).map_or(default, |it| it as u32);
    let is = |key: &str| get(key).as_bool();
    PictureView {
        size: [side("width", defaults.size[0]), side("height", defaults.size[1])],
        hud: is("hud").unwrap_or(defaults.hud),
        software: get("look").as_string().as_deref() == Some("software"),
        // not from SCHEMA: a key of the page
        fov: number("fov").map(|it| it as f32),
        who: number("who").map(|it| it as u16),
        chase: is("chase").unwrap_or_default(),
        ways: is("ways").unwrap_or_default(),
        marked: numbers("marked").as_chunks().0.to_vec(),
        map: match get("map").as_string().as_deref() {
            Some("corner") => MapView::Corner,
            Some("alone") => MapView::Alone,
            _ => MapView::Off,
        },
        free: three("eye")
            .zip(three("angles")) // not from SCHEMA: a key of the page
            .filter(|_| is("free").unwrap_or_default())
            .map(|(eye, angles)| [eye, angles]),
    }
}
