//! The shell script that runs the engine and makes the film.

// not from SCHEMA, all words: the words of a shell script

use super::DONE;
use moviola_format::Game;

/// The settings with which a game's engine is run.
struct EngineSettings {
    engine: &'static str,
    home: &'static str,
    folder: &'static str,
    /// Where recordings are, in the folder.
    demos: &'static str,
    options: &'static str,
    /// Sets the options that name the game's folder.
    game: &'static str,
    clock: String,
    play: &'static str,
    /// Other folders into which engines put screenshots.
    places: &'static str,
}

fn engine_settings(game: Game, fps: f64) -> EngineSettings {
    match game {
        Game::Quake | Game::QuakeWorld => EngineSettings {
            engine: "quakespasm",
            home: "$HOME/quake",
            folder: "id1",
            demos: "",
            options: "-basedir \"$GAME\" \"$@\" +exec moviola_film.cfg",
            // QuakeSpasm treats the game's own folder as a modification if it is named.
            game: "set --\n[ \"$MOD\" = id1 ] || set -- -game \"$MOD\"",
            clock: format!("host_framerate {}\nscr_conspeed 100000\ncon_notifytime -1\n", 1.0 / fps),
            play: "playdemo moviola_film",
            places: "\"$HOME/.quakespasm/$MOD\" \"$HOME/.darkplaces/$MOD\"",
        },
        // Yamagi counts in millionths of a second, and ignores timedemo in a game of several players; neither
        // does harm.
        Game::Quake2 => EngineSettings {
            engine: "yquake2",
            home: "$HOME/quake2",
            folder: "baseq2",
            demos: "demos/",
            options: "-portable -datadir \"$GAME\" \"$@\" +exec moviola_film.cfg",
            game: "set -- +set game \"$MOD\"",
            clock: format!(
                "// In millionths of a second; engines but Yamagi's take thousandths.\nset fixedtime {}\nset timedemo 1\nset cl_async 0\nset vid_maxfps 1000\nset r_vsync 0\nset scr_conspeed 100000\nset con_notifytime -1\n",
                (1e6 / fps).round()
            ),
            play: "demomap moviola_film.dm2",
            places: "\"$HOME/.yq2/$MOD\" \"$HOME/.q2pro/$MOD\"",
        },
    }
}

/// A word quoted for a shell: in single quotes, or, where it is not text, made of its bytes.
fn quoted(word: &[u8]) -> String {
    if let Ok(text) = std::str::from_utf8(word) {
        return format!("'{}'", text.replace('\'', "'\\''"));
    }
    let bytes = word.iter().fold(String::new(), |all, byte| all + &format!("\\0{byte:03o}"));
    format!("\"$(printf %b '{bytes}')\"")
}

pub(super) fn script(game: Game, fps: f64, recording: &[u8]) -> String {
    let extension = if game == Game::Quake { "dem" } else { "dm2" };
    let EngineSettings { engine, home, folder, demos, options, game, clock, play, places } =
        engine_settings(game, fps);
    let end = recording.iter().rposition(|byte| *byte == b'.').unwrap_or(recording.len());
    let name = recording.get(..end).unwrap_or_default();
    let (recording, film) = (quoted(recording), quoted(&[name, b".mp4"].concat()));
    let frames = quoted(&[name, b".frames"].concat());
    format!(
        "#!/bin/sh
# Plays a recording that was made by `moviola capture`, and makes a film of the
# pictures that the engine takes, {fps} a second. Change what you like, or say it
# in front: GAME=/games/quake ENGINE=ironwail sh THIS
set -eu
: \"${{ENGINE:={engine}}}\"    # the program
: \"${{GAME:={home}}}\"    # the folder that has {folder}
: \"${{MOD:={folder}}}\"    # the game's folder in it
: \"${{PICTURES:=}}\"    # where the engine puts its pictures, if not in one of the usual places
: \"${{FFMPEG:=ffmpeg}}\"    # the program that makes a film of pictures
: \"${{OPTIONS:=}}\"    # more for the engine, such as -width 1920 -height 1080

[ -d \"$GAME\" ] || {{ echo \"there is no folder $GAME: say GAME=FOLDER\" >&2; exit 1; }}
command -v \"$ENGINE\" > /dev/null || {{ echo \"there is no program $ENGINE: say ENGINE=PROGRAM\" >&2; exit 1; }}
# Without it the pictures would be taken in vain.
command -v \"$FFMPEG\" > /dev/null || {{ echo \"there is no program $FFMPEG: install ffmpeg, or say FFMPEG=PROGRAM\" >&2; exit 1; }}
here=$(cd \"$(dirname \"$0\")\" && pwd)
film=$here/{film}
mkdir -p \"$GAME/$MOD/{demos}\"
cp \"$here\"/{recording} \"$GAME/$MOD/{demos}moviola_film.{extension}\"
cat > \"$GAME/$MOD/moviola_film.cfg\" <<'END'
alias {DONE} quit
{clock}{play}
END
# Pictures of which no film was made stay.
taken=$(mktemp -d \"$here\"/{frames}.XXXXXX)
work=$taken/moviola_work
mkdir \"$work\" \"$work/moved\"
trap 'rmdir \"$work/moved\" 2> /dev/null && rm -rf \"$work\"; rmdir \"$taken\" 2> /dev/null || true' EXIT
touch \"$work/before\"
sleep 1

{game}
find_pictures() {{
    if [ -d \"$1\" ]; then
        find \"$1\" -name '*.frames.??????' -prune -o -type f -newer \"$work/before\" \\
            \\( -name '*.png' -o -name '*.tga' -o -name '*.jpg' -o -name '*.pcx' \\) -print | LC_ALL=C sort
    fi
}}

# Engines number 10,000 pictures and then take no more. A new picture gets the lowest number that is free: pictures
# are moved away as they come, and numbers begin again. So a picture that was left when others were moved is older
# than one with a lower number.
: > \"$work/older\"
gather() {{
    : > \"$work/list\"
    for place in \"${{PICTURES:-$GAME/$MOD}}\" {places}; do
        [ -s \"$work/list\" ] || find_pictures \"$place\" > \"$work/list\"
    done
    [ \"$(wc -l < \"$work/list\")\" -gt \"$1\" ] || return 0
    last=$(LC_ALL=C comm -13 \"$work/older\" \"$work/list\" | tail -n 1)
    : \"${{last:=$(tail -n 1 \"$work/list\")}}\"
    {{
        LC_ALL=C comm -12 \"$work/older\" \"$work/list\"
        LC_ALL=C comm -13 \"$work/older\" \"$work/list\"
    }} | if [ \"$1\" = 0 ]; then cat; else sed '$d'; fi > \"$work/order\"
    # All at once, faster than the engine takes the next picture. The last one it may still be writing.
    tr '\\n' '\\0' < \"$work/order\" | xargs -0 sh -c 'mv \"$@\" \"$0\"' \"$work/moved\"
    find_pictures \"$(dirname \"$last\")\" | LAST=$last LC_ALL=C awk '$0 >= ENVIRON[\"LAST\"]' > \"$work/older\"
    count=$(ls \"$taken\" | grep -v moviola_work | wc -l)
    while IFS= read -r picture; do
        mv \"$work/moved/${{picture##*/}}\" \"$taken/$(printf %06d \"$count\").${{picture##*.}}\"
        count=$((count + 1))
    done < \"$work/order\"
}}
while kill -0 $$ && [ ! -e \"$work/over\" ]; do
    gather 1000
    sleep 1
done &

status=0
# shellcheck disable=SC2086
\"$ENGINE\" {options} $OPTIONS || status=$?
: > \"$work/over\"
wait
gather 0
kind=$(ls \"$taken\" | grep -v moviola_work | sed -n '1s/.*\\.//p')
if [ -z \"$kind\" ]; then
    echo \"no new pictures were found: say PICTURES=FOLDER\" >&2
    exit 1
fi
if [ \"$status\" != 0 ]; then
    echo \"$ENGINE failed; the pictures are in $taken\" >&2
    exit \"$status\"
fi
echo \"$(ls \"$taken\" | grep -v moviola_work | wc -l) pictures\"
if ! \"$FFMPEG\" -loglevel warning -framerate {fps} -i \"$taken/%06d.$kind\" \\
    -c:v libx264 -crf 16 -pix_fmt yuv420p -vf 'crop=trunc(iw/2)*2:trunc(ih/2)*2' -y \"$film\"
then
    echo \"no film was made; the pictures are in $taken\" >&2
    exit 1
fi
rm -f \"$taken\"/*.\"$kind\"
echo \"$film\"
"
    )
}
