"""Real engines on both sides of `moviola record` and `moviola serve`, on loopback.

Called by `cargo xtask wire` with the program, the engine kit, a folder to work in, and the samples. The kit's `play.py`
starts engines without a screen; `progs.dat` comes from the kit for networks beside it.
"""

import os
import pathlib
import shutil
import struct
import subprocess
import sys
import time

MOVIOLA, KIT, WORK, SAMPLES = (pathlib.Path(word).resolve() for word in sys.argv[1:5])
sys.path.insert(0, str(KIT))
import play  # noqa: E402

PROXY, SERVER, SECONDS = 26701, 26700, 9
GAMES = "/usr/games/"
# A server, its words, and the client: each engine on each side, and both protocols that they share.
SESSIONS = [
    ("quakespasm", "-dedicated 4 -nosound +deathmatch 1 +map lq_e0m9", "quakespasm"),
    ("quakespasm", "-dedicated 4 -nosound -protocol 15 +deathmatch 1 +map lqdm2", "darkplaces"),
    ("darkplaces", "-dedicated 4 -nosound +sv_protocolname QUAKE +deathmatch 1 +map lqdm2", "quakespasm"),
]
WINDOWS = {
    "quakespasm": "-window -width 320 -height 240 -nosound -nocdaudio -nojoy",
    "darkplaces": "-nosound -nocdaudio +vid_fullscreen 0 +vid_width 320 +vid_height 240",
}
YAMAGI = {
    "vid_renderer": "gl1", "vid_fullscreen": "0", "r_mode": "-1", "r_customwidth": "320", "r_customheight": "240",
    "s_initsound": "0", "in_initjoy": "0", "noipx": "1", "cl_http_downloads": "0", "allow_download": "0",
}  # fmt: skip
# The end that the engine or the proxy writes for itself.
ENDS = (b"\x02", b"")


def start(*words, **more):
    words = [str(word) for word in (MOVIOLA, *words)]
    return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, **more)


def finish(process):
    process.send_signal(2)
    process.wait(10)


def bodies(path):
    """The messages of each block of a recording, without the blocks that end it."""
    data, found = path.read_bytes(), []
    at = data.index(b"\n") + 1 if path.suffix == ".dem" else 0
    while at + 4 <= len(data):
        (length,) = struct.unpack_from("<i", data, at)
        at += 16 if path.suffix == ".dem" else 4
        if length < 0:
            break
        found.append(data[at : at + length])
        at += length
    while found and found[-1] in ENDS:
        found.pop()
    return found


def window(box, engine, base, commands):
    (pathlib.Path(base) / "id1" / "wire.cfg").write_text("\n".join(commands) + "\n")
    box.own(base)
    words = [GAMES + engine, "-basedir", base, *WINDOWS[engine].split(), "+exec", "wire.cfg"]
    return box.popen(words, base, open(WORK / f"{engine}.log", "wb"))


def session(server, words, client):
    """A game between two engines: the proxy's recording is held against the client's own."""
    name, box = f"{server}-{client}", play.Sandbox()
    mine = WORK / f"{name}.dem"
    try:
        box.start_x()
        quake = play.Quake(box)
        subprocess.run([sys.executable, KIT.parent / "net-kit/mkprogs.py", f"{quake.base}/id1/progs.dat"], check=True)
        base = os.path.join(box.dir, "server")
        shutil.copytree(quake.base, base)
        box.own(box.dir)
        words = [GAMES + server, "-basedir", base, "-port", str(SERVER), *words.split()]
        host = box.popen(words, base, open(WORK / f"{name}.server.log", "wb"))
        proxy = start("record", "-q", "--listen", f"127.0.0.1:{PROXY}", "--to", f"127.0.0.1:{SERVER}", "-o", mine)
        time.sleep(5)
        game = window(box, client, quake.base, ["record cap", f"connect 127.0.0.1:{PROXY}"])
        time.sleep(SECONDS)
        box.stop(game)
        time.sleep(0.5)
        finish(proxy)
        box.stop(host)
        theirs = next(pathlib.Path(box.dir).rglob("cap.dem"), None)
        if not theirs or not mine.is_file():
            return name, 0, "nothing was recorded"
        one, other = bodies(mine), bodies(theirs)
    finally:
        box.close()
    # Packets still on their way when the game ends may be in one recording only.
    both = min(len(one), len(other))
    late = max(len(one), len(other)) - both
    different = sum(a != b for a, b in zip(one, other))
    bad = different or late > 5 or both < 60
    return name, both, f"{different} blocks differ, {late} are in one only" if bad else ""


def shown(sample, quake2):
    """A recording that the server shows to a game, recorded again by the proxy between them."""
    original = SAMPLES / sample
    again, box = WORK / f"again-{sample}", play.Sandbox()
    serve = start("serve", "-q", original, "--listen", f"127.0.0.1:{SERVER}")
    proxy = start("record", "-q", "--listen", f"127.0.0.1:{PROXY}", "--to", f"127.0.0.1:{SERVER}", "-o", again)
    try:
        box.start_x()
        if quake2:
            quake = play.Quake2(box)
            base = pathlib.Path(quake.base)
            sets = "".join(f'set {name} "{value}"\n' for name, value in YAMAGI.items())
            (base / "baseq2/config.cfg").write_text(sets)
            (base / "baseq2/wire.cfg").write_text(f"connect 127.0.0.1:{PROXY}\n")
            box.own(box.dir)
            words = [f"{base}/quake2", "-portable", "-datadir", str(base), "+exec", "wire.cfg"]
            game = box.popen(words, str(base), open(WORK / "yamagi.log", "wb"))
        else:
            game = window(box, "quakespasm", play.Quake(box).base, [f"connect 127.0.0.1:{PROXY}"])
        wanted, deadline, size = bodies(original), time.time() + 60, 0
        while time.time() < deadline:
            time.sleep(3)
            now = again.stat().st_size if again.is_file() else 0
            if now and now == size:
                break
            size = now
        box.stop(game)
    finally:
        for process in (proxy, serve):
            finish(process)
        box.close()
    if not again.is_file():
        return sample, 0, "nothing was recorded"
    got = bodies(again)
    if b"".join(wanted) == b"".join(got):
        return sample, len(wanted), ""
    same = sum(a == b for a, b in zip(wanted, got))
    return sample, same, f"{len(wanted)} blocks were shown, {len(got)} recorded, {same} the same"


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    for old in WORK.glob("*.d*"):
        old.unlink()
    outcomes = [session(*words) for words in SESSIONS]
    outcomes += [shown("qs_15_lq_e0m9.dem", False), shown("yq_sp.dm2", True)]
    failed = False
    for name, blocks, why in outcomes:
        print(f"{name}: {blocks} blocks the same{': ' + why if why else ''}")
        failed |= bool(why)
    return failed


if __name__ == "__main__":
    sys.exit(main())
