//! The tables: the three forms have the same cells, and the rows agree with a plain reading of the recording.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use moviola_export::schema::{ColumnKind, Table};
use moviola_export::{Files, Id, TableFormat, harvest, passes, tables};
use moviola_format::{Context, Demo, Dialect, Game, Piece, Quake, Quake2};
use std::collections::BTreeMap;

/// The tables of a recording in one form.
fn export(name: &str, bytes: &[u8], form: TableFormat) -> BTreeMap<&'static str, (&'static Table, Vec<u8>)> {
    let mut files = Files::new(form);
    for table in tables::ALL {
        files.add(table, Vec::new()).unwrap();
    }
    harvest(bytes, Id::of(bytes).unwrap(), name, &mut files).unwrap();
    files.finish().unwrap().into_iter().map(|(table, out)| (table.name, (table, out))).collect()
}

fn samples() -> Vec<(String, Vec<u8>)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let mut all: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|it| it == "dem" || it == "dm2"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap()))
        .collect();
    all.extend(moviola_scribe::samples().into_iter().map(|sample| (sample.name.to_string(), sample.bytes)));
    assert!(all.len() > 10);
    all
}

/// Rows of CSV as cells; `None` is an empty one.
fn csv(text: &str) -> Vec<Vec<Option<String>>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let (mut quoted, mut was_quoted) = (false, false);
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '"' if quoted && signs.peek() == Some(&'"') => {
                signs.next();
                cell.push('"');
            }
            '"' => {
                quoted = !quoted;
                was_quoted = true;
            }
            ',' | '\n' if !quoted => {
                let full = std::mem::take(&mut cell);
                row.push((was_quoted || !full.is_empty()).then_some(full));
                was_quoted = false;
                if sign == '\n' {
                    rows.push(std::mem::take(&mut row));
                }
            }
            other => cell.push(other),
        }
    }
    assert!(row.is_empty() && cell.is_empty(), "the last line is whole");
    rows
}

#[test]
fn csv_and_json_say_the_same() {
    for (name, bytes) in samples() {
        let json = export(&name, &bytes, TableFormat::Jsonl);
        for (table, (schema, text)) in export(&name, &bytes, TableFormat::Csv) {
            let rows = csv(std::str::from_utf8(&text).unwrap());
            let header: Vec<&str> = rows[0].iter().map(|cell| cell.as_deref().unwrap()).collect();
            assert_eq!(header, schema.columns.iter().map(|column| column.name).collect::<Vec<_>>());
            let lines = std::str::from_utf8(&json[table].1).unwrap().lines();
            let objects: Vec<serde_json::Value> =
                lines.map(|line| serde_json::from_str(line).unwrap()).collect();
            assert_eq!(rows.len() - 1, objects.len(), "{name} {table}");
            for (row, object) in rows[1..].iter().zip(&objects) {
                assert_eq!(object.as_object().unwrap().len(), header.len());
                for ((key, cell), column) in header.iter().zip(row).zip(schema.columns) {
                    let expected = match &object[*key] {
                        serde_json::Value::Null => None,
                        serde_json::Value::String(text) => Some(text.clone()),
                        other => Some(other.to_string()),
                    };
                    if column.kind == ColumnKind::List {
                        assert_eq!(*cell, expected, "{name} {table}.{key}");
                        continue;
                    }
                    let odd = cell.as_deref().is_some_and(|cell| ["NaN", "inf", "-inf"].contains(&cell));
                    let same = match (cell, &expected) {
                        (Some(cell), Some(expected)) => {
                            cell == expected || cell.parse::<f64>().ok() == expected.parse::<f64>().ok()
                        }
                        (cell, None) => cell.is_none() && column.optional || odd,
                        (None, Some(_)) => false,
                    };
                    assert!(same, "{name} {table}.{key}: {cell:?} {expected:?}");
                }
            }
        }
    }
}

/// The rows of a group of Parquet.
#[cfg(feature = "parquet")]
const GROUP: usize = 122_880;

/// Compares a Parquet file with the same rows as CSV. In Parquet, the rows of an entity are together in a group.
#[cfg(feature = "parquet")]
fn agree(name: &str, table: &str, parquet: Vec<u8>, csv_text: &[u8]) {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;
    let mut rows = csv(std::str::from_utf8(csv_text).unwrap());
    if table == "entities" {
        let entity = rows[0].iter().position(|head| head.as_deref() == Some("entity")).unwrap();
        let number = |row: &Vec<Option<String>>| row[entity].as_ref().unwrap().parse::<u16>().unwrap();
        rows[1..].chunks_mut(GROUP).for_each(|group| group.sort_by_key(number));
    }
    let reader = SerializedFileReader::new(bytes::Bytes::from(parquet)).unwrap();
    let mut count = 0;
    for (row, cells) in reader.get_row_iter(None).unwrap().zip(&rows[1..]) {
        count += 1;
        for (((key, field), cell), head) in row.unwrap().get_column_iter().zip(cells).zip(&rows[0]) {
            assert_eq!(Some(key), head.as_ref());
            let same = match field {
                Field::Null => cell.is_none(),
                Field::Str(text) => cell.as_deref() == Some(text),
                Field::Bool(value) => cell.as_deref() == Some(&value.to_string()),
                Field::Int(value) => cell.as_deref() == Some(&value.to_string()),
                Field::Long(value) => cell.as_deref() == Some(&value.to_string()),
                Field::Float(value) => {
                    let cell: f32 = cell.as_ref().unwrap().parse().unwrap();
                    cell.to_bits() == value.to_bits() || cell.is_nan() && value.is_nan()
                }
                Field::Double(value) => {
                    let cell: f64 = cell.as_ref().unwrap().parse().unwrap();
                    cell.to_bits() == value.to_bits() || cell.is_nan() && value.is_nan()
                }
                Field::ListInternal(list) => {
                    let text = |field: &Field| match field {
                        Field::Str(text) => text.clone(),
                        other => panic!("{other:?}"),
                    };
                    let texts: Vec<String> = list.elements().iter().map(text).collect();
                    *cell == Some(serde_json::Value::from(texts).to_string())
                }
                other => panic!("{name} {table}.{key}: {other:?}"),
            };
            assert!(same, "{name} {table}.{key}: {field} {cell:?}");
        }
    }
    assert_eq!(count, rows.len() - 1, "{name} {table}");
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_says_the_same_as_csv() {
    for (name, bytes) in samples() {
        let mut parquet = export(&name, &bytes, TableFormat::Parquet);
        for (table, (_, text)) in export(&name, &bytes, TableFormat::Csv) {
            agree(&name, table, parquet.remove(table).unwrap().1, &text);
        }
    }
}

/// Each group of rows has its own indexes, so no row may refer to the group before.
#[cfg(feature = "parquet")]
#[test]
fn rows_that_are_as_they_were_are_whole_in_every_group() {
    use moviola_export::Word;
    use moviola_export::schema::Row;
    use moviola_export::tables::{Entities, Events};
    const KINDS: u16 = 9;
    let models = ["player", "rocket"].map(Word::from);
    let written = [TableFormat::Parquet, TableFormat::Csv].map(|form| {
        let mut files = Files::new(form);
        files.add(Entities::TABLE, Vec::new()).unwrap();
        files.add(Events::TABLE, Vec::new()).unwrap();
        for frame in 0..15_000u16 {
            for kind in 0..KINDS {
                // Each kind changes in another frame, and some cells are empty from time to time.
                let (age, turn) = ((frame + kind) % 50, (frame + kind) / 50);
                let row = Entities {
                    block: frame.into(),
                    level_time: f32::from(frame) / 10.0,
                    entity: kind.into(),
                    model: models[usize::from(turn % 2)].clone(),
                    x: f32::from(turn * KINDS + kind),
                    alpha: (turn % 3 == 0).then_some(turn.into()),
                    effects: ["EF_ROTATE", "EF_GIB", "bit 31"].iter().take(usize::from(turn % 4)).collect(),
                    renderfx: (turn % 7 > 0)
                        .then(|| ["RF_GLOW"; 3].iter().take(usize::from(turn % 3)).collect()),
                    model2: (turn % 5 == 0).then(|| models[usize::from(kind % 2)].clone()),
                    ..Entities::default()
                };
                if frame == 0 || age == 0 || !files.repeat_row(&row, kind).unwrap() {
                    files.row_like(&row, kind).unwrap();
                }
            }
            let text = Word::from(format!("event {frame} {}", ".".repeat(1000)));
            files.row(&Events { block: frame.into(), text, ..Events::default() }).unwrap();
        }
        files.finish().unwrap()
    });
    let [parquet, csv] = written;
    for ((table, parquet), (_, csv)) in parquet.into_iter().zip(csv) {
        agree("made", table.name, parquet, &csv);
    }
}

/// The results of a plain reading: the number of blocks, and the number of messages of each keyword.
fn plainly<D: Dialect>(bytes: &[u8]) -> (usize, BTreeMap<&'static str, usize>) {
    let (mut blocks, mut keywords) = (0, BTreeMap::new());
    let (mut demo, mut context) = (Demo::new(bytes).unwrap(), Context::of(D::GAME));
    while let Some(piece) = demo.next_piece().unwrap() {
        let Piece::Block(block) = piece else { continue };
        blocks += 1;
        if block.is_from_client() {
            continue;
        }
        let mut messages = block.messages::<D>(context);
        for entry in messages.by_ref() {
            *keywords.entry(moviola_format::Message::schema(&entry.message).name).or_default() += 1;
        }
        context = *messages.context();
    }
    (blocks, keywords)
}

#[test]
fn every_block_and_message_is_in_the_tables() {
    for (name, bytes) in samples() {
        let game = Demo::new(&bytes[..]).unwrap().game();
        let (blocks, keywords) = match game {
            Some(Game::Quake) => plainly::<Quake>(&bytes),
            Some(Game::Quake2) => plainly::<Quake2>(&bytes),
            Some(Game::QuakeWorld) | None => continue,
        };
        let tables = export(&name, &bytes, TableFormat::Csv);
        let table = |name: &str| csv(std::str::from_utf8(&tables[name].1).unwrap());
        let column = |rows: &[Vec<Option<String>>], key: &str| {
            rows[0].iter().position(|head| head.as_deref() == Some(key)).unwrap()
        };
        let recordings = table("recordings");
        assert_eq!(recordings.len(), 2, "{name}");
        let cell = |key: &str| recordings[1][column(&recordings, key)].clone().unwrap();
        assert_eq!((cell("blocks"), cell("bytes")), (blocks.to_string(), bytes.len().to_string()), "{name}");
        // A new message begins where the message number changes.
        let messages = table("messages");
        let (block, number) = (column(&messages, "block"), column(&messages, "message"));
        let keyword = column(&messages, "keyword");
        let mut found: BTreeMap<&str, usize> = BTreeMap::new();
        let mut last = (None, None);
        for row in &messages[1..] {
            let this = (row[block].clone(), row[number].clone());
            if this != last {
                *found.entry(row[keyword].as_deref().unwrap()).or_default() += 1;
                last = this;
            }
        }
        assert_eq!(found, keywords, "{name}");
        let levels = table("levels").len() - 1;
        let announced = ["serverinfo", "serverdata"].iter().filter_map(|it| keywords.get(it)).sum::<usize>();
        assert_eq!(levels, announced, "{name}");
    }
}

#[test]
fn a_table_does_not_depend_on_the_others() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let others = ["mvdsv_bots_lqdm2.mvd", "ez_duo_lqdm2.qwd"];
    let others = others.map(|name| (name.to_owned(), std::fs::read(folder.join(name)).unwrap()));
    for (name, bytes) in samples().into_iter().chain(others) {
        for form in TableFormat::ALL {
            let all_tables = export(&name, &bytes, *form);
            let parts = passes(tables::ALL.to_vec(), 8);
            assert_eq!(parts.len(), 4);
            for part in parts {
                let mut files = Files::new(*form);
                for table in part {
                    files.add(table, Vec::new()).unwrap();
                }
                harvest(&bytes[..], Id::of(&bytes[..]).unwrap(), &name, &mut files).unwrap();
                for (table, out) in files.finish().unwrap() {
                    assert!(all_tables[table.name].1 == out, "{name}: {}", table.name);
                }
            }
        }
    }
}

#[test]
fn every_event_is_in_its_table() {
    let mut all = 0;
    for (name, bytes) in samples() {
        let mut expected = Vec::new();
        let mut events =
            moviola_analyse::Events::new(|event| expected.push(serde_json::to_value(&event).unwrap()));
        moviola_analyse::watch(&bytes[..], &mut [&mut events]).unwrap();
        drop(events);
        let tables = export(&name, &bytes, TableFormat::Jsonl);
        let lines = std::str::from_utf8(&tables["events"].1).unwrap().lines();
        let rows: Vec<serde_json::Value> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(rows.len(), expected.len(), "{name}");
        for (row, event) in rows.iter().zip(&expected) {
            assert_eq!(
                serde_json::from_str::<serde_json::Value>(row["json"].as_str().unwrap()).unwrap(),
                *event
            );
            for key in ["block", "level", "kind"] {
                assert_eq!(row[key], event[key], "{name} {key}");
            }
            let single = |time: &serde_json::Value| time.as_f64().map(|time| time as f32);
            assert_eq!(single(&row["level_time"]), single(&event["time"]), "{name}");
            for key in ["weapon", "item", "powerup"] {
                if event[key].as_str().is_some_and(|word| !word.is_empty()) {
                    assert_eq!(row["what"], event[key], "{name} {key}");
                }
            }
        }
        all += rows.len();
    }
    assert!(all > 400, "{all}");
}

/// Facts seen in the decompiled texts of two samples.
#[test]
fn tables_have_the_values_of_the_texts() {
    let sample = |name: &str| samples().into_iter().find(|(found, _)| found == name).unwrap();
    let row = |name: &str, table: &str, wanted: &[&str], pick: &dyn Fn(&[Option<String>]) -> bool| {
        let (name, bytes) = sample(name);
        let tables = export(&name, &bytes, TableFormat::Csv);
        let rows = csv(std::str::from_utf8(&tables[table].1).unwrap());
        let found = rows[1..].iter().find(|row| pick(row)).unwrap().clone();
        let at = |key: &&str| rows[0].iter().position(|head| head.as_deref() == Some(key)).unwrap();
        wanted.iter().map(|key| found[at(key)].clone().unwrap_or_default()).collect::<Vec<_>>()
    };
    let columns = ["map", "title", "protocol", "max_clients", "secrets", "total_secrets", "total_monsters"];
    let level = row("qs_15_lq_e0m9.dem", "levels", &columns, &|_| true);
    assert_eq!(level, ["lq_e0m9", "", "15", "1", "0", "0", "0"]);
    let columns = ["map", "protocol", "max_clients", "first_block"];
    assert_eq!(row("yq_sp.dm2", "levels", &columns, &|_| true), ["oracle2", "34", "1", "0"]);
    let player = row("yq_sp.dm2", "players", &["name", "slot", "is_recorder", "skin"], &|_| true);
    assert_eq!(player, ["Oracle", "0", "true", "female/athena"]);
}

/// Words that are reserved in SQL:2016, or in `DuckDB`, Spark and `PostgreSQL`: columns of these names need quotes.
const RESERVED: &str = "all alter analyse analyze and any array as asc asymmetric authorization begin between both by \
    call case cast check collate column commit condition constraint create cross cube current cursor day declare default \
    delete desc describe distinct do drop else end escape except execute exists external false fetch filter first for \
    foreign from full function get grant group grouping having hour in initially inner insert intersect interval into is \
    join lateral leading left like limit local lookup match member merge minute month natural new no not null of offset \
    old on only open or order out outer over overlaps parameter partition position precision prepare primary procedure \
    range rank reference references release result return returning revoke right rollback row rows scroll second select \
    session set similar some start symmetric table then time timestamp to trailing trigger true union unique unknown \
    update user using value values variadic when where window with within without year";

#[test]
fn no_column_is_a_word_of_sql() {
    for table in tables::ALL {
        let mut names: Vec<&str> = table.columns.iter().map(|column| column.name).collect();
        assert!(
            names.iter().chain([&table.name]).all(|name| RESERVED.split_whitespace().all(|it| it != *name))
        );
        let plain =
            |name: &&str| name.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_');
        assert!(names.iter().all(plain), "{names:?}");
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), table.columns.len(), "{}", table.name);
    }
}

/// Each page has an entry in the index, so that a reader can fetch only the pages of a span of time.
#[cfg(feature = "parquet")]
#[test]
fn every_page_is_in_the_index() {
    use moviola_export::schema::Row;
    use moviola_export::tables::Positions;
    use parquet::file::metadata::{PageIndexPolicy, ParquetMetaDataReader};
    use parquet::file::page_index::column_index::ColumnIndexMetaData;
    let mut files = Files::new(TableFormat::Parquet);
    files.add(Positions::TABLE, Vec::new()).unwrap();
    for block in 0..40_000u16 {
        let (block, level_time) = (i64::from(block), f32::from(block) / 10.0);
        files.row(&Positions { block, level_time, ..Positions::default() }).unwrap();
    }
    let (_, file) = files.finish().unwrap().remove(0);
    let file = bytes::Bytes::from(file);
    let mut reader = ParquetMetaDataReader::new().with_page_index_policy(PageIndexPolicy::Required);
    reader.try_parse(&file).unwrap();
    let metadata = reader.finish().unwrap();
    let at = |name: &str| Positions::TABLE.columns.iter().position(|column| column.name == name).unwrap();
    let index = metadata.page_index_for_row_group(0);
    let Some(ColumnIndexMetaData::INT64(blocks)) = index.column_index(at("block")) else { panic!() };
    assert_eq!(blocks.min_values(), [0, 16_384, 32_768]);
    assert_eq!(blocks.max_values(), [16_383, 32_767, 39_999]);
    let Some(ColumnIndexMetaData::FLOAT(times)) = index.column_index(at("level_time")) else { panic!() };
    assert_eq!(times.max_values()[0].to_bits(), 1638.3f32.to_bits());
    let offsets = index.page_locations(at("block")).unwrap();
    assert_eq!(offsets.iter().map(|page| page.first_row_index).collect::<Vec<_>>(), [0, 16_384, 32_768]);
    let version = metadata.file_metadata().key_value_metadata().unwrap();
    assert_eq!(version[0].value.as_deref(), Some(tables::SCHEMA_VERSION.to_string().as_str()));
}

/// A damaged recording gives the rows of its readable part.
#[test]
fn a_recording_that_was_cut_has_rows() {
    for (name, bytes) in samples() {
        let cut = &bytes[..bytes.len() * 2 / 3];
        let tables = export(&name, cut, TableFormat::Jsonl);
        assert!(tables.values().all(|(_, text)| text.is_empty() || text.ends_with(b"}\n")));
    }
}
