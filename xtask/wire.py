"""Real engines on both sides of `moviola record` and `moviola serve`, on loopback.

Called by `cargo xtask wire` with the program, the engine kit, a folder to work in, the samples, and the number of
sessions a game. The kit's `play.py` starts engines without a screen; `progs.dat` comes from the kit for networks beside
it. Each session has a process, a network and a folder for temporary files of its own, so that several can run at once.
"""

import concurrent.futures
import contextlib
import itertools
import json
import os
import pathlib
import random
import re
import select
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time

MOVIOLA, KIT, WORK, SAMPLES = (pathlib.Path(word).resolve() for word in sys.argv[1:5])
sys.dont_write_bytecode = True
sys.path.insert(0, str(KIT))
import play  # noqa: E402

try:
    os.environ.setdefault("ENGINE_KIT", str(KIT))
    sys.path.insert(0, str(KIT.with_name("qw-kit")))
    import qwbox  # noqa: E402
    import qwrecord  # noqa: E402

    if not all(map(os.path.exists, (qwbox.EZQUAKE, qwbox.MVDSV, qwbox.KTXSO))):
        qwrecord = None
except ImportError:
    qwrecord = None

PROXY, LINE, SERVER, OBSERVE = 26701, 26702, 26700, 26703
# How long a session is played, how long its beginning may take, and how long the line is silent at its end.
SECONDS, PATIENCE, SILENCE = 2, 60, 0.5
# The fewest blocks that a session may have.
FEWEST = 60
GAMES = "/usr/games/"
# A server, its words, and the client: each engine on each side, and both protocols that they share. With 20 frames a second
# those of the seconds in which a client draws its first picture have room in its socket.
QUAKE = [
    ("quakespasm", "-dedicated 4 -nosound +deathmatch 1 +map lq_e0m9", "quakespasm"),
    ("quakespasm", "-dedicated 4 -nosound -protocol 15 +deathmatch 1 +map lqdm2", "darkplaces"),
    ("darkplaces", "-dedicated 4 -nosound +sv_protocolname QUAKE +sys_ticrate 0.05 +deathmatch 1 +map lqdm2", "quakespasm"),
    ("darkplaces", "-dedicated 4 -nosound +sv_protocolname QUAKE +sys_ticrate 0.05 +deathmatch 1 +map lqdm2", "darkplaces"),
]
WINDOWS = {
    "quakespasm": "-window -width 320 -height 240 -nosound -nocdaudio -nojoy",
    "darkplaces": "-nosound -nocdaudio +vid_fullscreen 0 +vid_width 320 +vid_height 240",
}
YAMAGI = {
    "vid_renderer": "gl1", "vid_fullscreen": "0", "r_mode": "-1", "r_customwidth": "320", "r_customheight": "240",
    "s_initsound": "0", "in_initjoy": "0", "noipx": "1", "cl_http_downloads": "0", "allow_download": "0",
    "vid_maxfps": "60", "cl_maxfps": "60",
}  # fmt: skip
# The sample for QuakeWorld, which is shown and observed.
QUAKEWORLD = ("ez_duo_lqdm2.qwd", "quakeworld")
# The kit steers ezQuake through a file with a fixed name in /tmp. Where a session can have a /tmp of its own several of them
# can run at once, elsewhere only one.
ALONE = threading.Lock()
APART = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /tmp && exec "$@"', "sh"]
# Texts of packets with which ezQuake ends its recording by itself.
CLOSING = (b"\nRecorded by ", b"EndOfDemo")
# The head of a packet of Quake with a move.
MOVE = b"\0\x10"
# The message with which a recording of Quake ends.
DISCONNECT = b"\2"
# Requests to which a server that is ready has an answer.
QUESTIONS = {"quake": b"\x80\0\0\x0c\x02QUAKE\0\x03", "quake2": b"\xff\xff\xff\xffstatus\n"}


class Line(threading.Thread):
    """A line between server and proxy. If it is bad, it loses 5 % of the packets, and doubles and reorders some. `says`
    puts a console command into a frame of Quake II, for the client to obey. Once it `is_silent`, nothing more comes from
    the server: of packets that arrive while a game ends, the game alone knows whether it has read them."""

    def __init__(self, bad, port=SERVER):
        super().__init__(daemon=True)
        self.bad, self.server, self.port, self.client = bad, ("127.0.0.1", port), port, None
        self.near, self.far = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
        self.near.bind(("127.0.0.1", LINE))
        self.far.bind(("127.0.0.1", 0))
        self.dice, self.waiting, self.says, self.frames = random.Random(7), {}, [], 0
        self.is_silent, self.is_accepted, self.moves = False, False, 0
        self.start()

    def run(self):
        while True:
            for there in select.select([self.near, self.far], [], [])[0]:
                data, sender = there.recvfrom(65536)
                if there is self.near:
                    self.client = sender
                    self.moves += data[:2] == MOVE
                    # A slow client asks again before it has read the answer, and QuakeSpasm's server then ends the connection.
                    if self.is_accepted and control(data) == 1:
                        continue
                    port = self.server[1] if data[0] & 0x80 else self.port
                    self.send(self.far, data, (self.server[0], port))
                elif self.client:
                    # A server of Quake gives its client a port of its own; this line has one for both.
                    if data[:4] == b"\x80\0\0\x09" and data[4] == 0x81 and len(data) == 9:
                        self.port = struct.unpack_from("<i", data, 5)[0] or self.port
                        data = data[:5] + struct.pack("<i", LINE) + data[9:]
                    if not self.is_silent:
                        self.send(self.near, data, self.client)

    def fall_silent(self):
        """Ends what comes from the server, and waits until Quake's client has read what there is. It reads after each move."""
        self.is_silent = True
        time.sleep(SILENCE)
        moves = self.moves
        wait_for(lambda: self.moves > moves + 5)

    def send(self, way, data, to):
        first = self.waiting.pop(way, None)
        self.frames += way is self.near and data[:4] != b"\xff" * 4 and data[8:9] == b"\x14"
        if not self.bad or self.dice.random() >= 0.05:
            if way is self.near and self.says and data[:4] != b"\xff" * 4 and data[8:9] == b"\x14":
                data += b"\x0b" + self.says.pop(0) + b"\n\0"
            elif self.bad and not first and self.dice.random() < 0.06:
                self.waiting[way] = data
                return
            self.is_accepted |= control(data) == 0x81
            for _ in range(2 if self.bad and self.dice.random() < 0.06 else 1):
                way.sendto(data, to)
        if first:
            way.sendto(first, to)


def control(data):
    """The number of a packet of Quake outside of a connection."""
    return data[4] if data[:3] == b"\x80\0\0" and data[3] == len(data) > 4 else None


def start(*words):
    words = [str(word) for word in (MOVIOLA, *words)]
    return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def record(name, to, *more, listen=PROXY):
    WORK.joinpath(name).unlink(missing_ok=True)
    words = ["--listen", f"127.0.0.1:{listen}", "--to", f"127.0.0.1:{to}", "-o", WORK / name, *more]
    return start("record", "-q", *words), WORK / name


def finish(process):
    if process.poll() is None:
        process.send_signal(2)
    process.wait(10)


def wait_for(test, patience=PATIENCE):
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        if test():
            return True
        time.sleep(0.1)
    return False


def is_ready(game):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asks:
        asks.settimeout(0.3)
        asks.sendto(QUESTIONS[game], ("127.0.0.1", SERVER))
        try:
            return asks.recv(4096)
        except OSError:
            return None


def bodies(path):
    """The messages of each block of a recording."""
    data, found = path.read_bytes(), []
    at = data.index(b"\n") + 1 if path.suffix == ".dem" else 0
    while at + 4 <= len(data):
        (length,) = struct.unpack_from("<i", data, at)
        at += 16 if path.suffix == ".dem" else 4
        if length < 0:
            break
        found.append(data[at : at + length])
        at += length
    return found


def differences(one, other):
    """Says what differs between two lists of blocks, if anything does."""
    pairs = itertools.zip_longest(one, other)
    different = [number for number, (a, b) in enumerate(pairs) if a != b]
    if different:
        return f"{len(different)} blocks of {len(one)} and {len(other)} differ, from the one with number {different[0]} on"
    return "" if len(one) >= FEWEST else f"there are only {len(one)} blocks"


def display(box):
    """Starts a display. Sessions share the folder in which it compiles its map of keys, so that two that start in the same
    moment may fail."""
    for again in reversed(range(4)):
        try:
            return box.start_x()
        except play.SetupError:
            if not again:
                raise
            time.sleep(random.uniform(0.5, 2))


def window(box, engine, base, commands):
    (pathlib.Path(base) / "id1" / "wire.cfg").write_text("\n".join(commands) + "\n")
    box.own(base)
    words = [GAMES + engine, "-basedir", base, *WINDOWS[engine].split(), "+exec", "wire.cfg"]
    return box.popen(words, base, open(WORK / f"{engine}.log", "wb"))


def yamagi(box, quake, commands):
    base = pathlib.Path(quake.base)
    sets = "".join(f'set {name} "{value}"\n' for name, value in YAMAGI.items())
    (base / "baseq2/config.cfg").write_text(sets)
    (base / "baseq2/wire.cfg").write_text("\n".join(commands) + "\n")
    box.own(box.dir)
    words = [f"{base}/quake2", "-portable", "-datadir", str(base), "+exec", "wire.cfg"]
    return box.popen(words, str(base), open(WORK / "yamagi.log", "wb"))


def leave(box, engine):
    """Ends an engine, which needs time to write what it still has of its recording."""
    os.killpg(engine.pid, 15)
    wait_for(lambda: engine.poll() is not None, 20)
    box.stop(engine)


def plays(mine):
    """Waits until frames are recorded, and for as long as a session is played."""
    wait_for(lambda: mine.is_file() and len(bodies(mine)) > 20)
    time.sleep(SECONDS)


def quake(box, number, bad):
    """A game between two engines: the proxy's recording is held against the client's own."""
    server, words, client = QUAKE[number % len(QUAKE)]
    display(box)
    game = play.Quake(box)
    subprocess.run([sys.executable, KIT.parent / "net-kit/mkprogs.py", f"{game.base}/id1/progs.dat"], check=True)
    base = os.path.join(box.dir, "server")
    shutil.copytree(game.base, base)
    box.own(box.dir)
    words = [GAMES + server, "-basedir", base, "-port", str(SERVER), *words.split()]
    host = box.popen(words, base, open(WORK / f"quake-{number}.server.log", "wb"))
    wait_for(lambda: is_ready("quake"))
    line = Line(bad)
    proxy, mine = record(f"quake-{number}.dem", LINE)
    watched = window(box, client, game.base, ["record cap", f"connect 127.0.0.1:{PROXY}", "+left"])
    # A client that draws its first picture does not move.
    wait_for(lambda: line.moves > FEWEST)
    plays(mine)
    line.fall_silent()
    leave(box, watched)
    time.sleep(SILENCE)
    finish(proxy)
    box.stop(host)
    theirs = next(pathlib.Path(box.dir).rglob("cap.dem"), None)
    if not theirs or not mine.is_file():
        return 0, "nothing was recorded"
    shutil.copyfile(theirs, mine.with_suffix(".engine.dem"))
    one, other = bodies(mine), bodies(theirs)
    return len(one), differences(one, other)


def quake2(box, number, bad):
    """A game of Yamagi against its own server. The client records from a moment on, because the server says so; on a good
    line the proxy too, because the client says so."""
    display(box)
    game = play.Quake2(box)
    shutil.copyfile(os.path.join(game.find(), "q2ded"), os.path.join(game.base, "q2ded"))
    os.chmod(os.path.join(game.base, "q2ded"), 0o755)
    base = os.path.join(box.dir, "server")
    shutil.copytree(game.base, base)
    box.own(box.dir)
    # A server whose input ends leaves.
    words = ["/bin/sh", "-c", 'sleep 999 | exec "$@"', "x", f"{base}/q2ded", "-portable", "-datadir", base]
    words += f"+set dedicated 1 +set port {SERVER} +set ip 127.0.0.1 +set deathmatch 1 +set developer 1 +map oracle2".split()
    log = WORK / f"quake2-{number}.server.log"
    host = box.popen(words, base, open(log, "wb"))
    wait_for(lambda: is_ready("quake2"))
    line = Line(bad)
    proxy, mine = record(f"quake2-{number}.dm2", LINE, *([] if bad else ["--wait"]))
    watched = yamagi(box, game, [f"connect 127.0.0.1:{PROXY}", "+left"])
    if not bad:
        wait_for(lambda: line.frames > 30)
        line.says.append(b"say .record")
    late = not wait_for(lambda: mine.is_file(), PATIENCE if bad else 3)
    line.says.append(b"record cap")
    plays(mine)
    line.says.append(b"stop")
    time.sleep(1)
    leave(box, watched)
    finish(proxy)
    box.stop(host)
    theirs = next(pathlib.Path(box.dir).rglob("cap.dm2"), None)
    if late or b"checksum" in log.read_bytes():
        return 0, "the recording does not begin" if late else "the server has not carried out a move"
    if not theirs or not mine.is_file():
        return 0, "nothing was recorded"
    one, other = bodies(mine), bodies(theirs)
    # Behind a beginning of its own the client has a part of what the proxy has.
    first = 1 + next((at for at, body in enumerate(other) if body.endswith(b"precache\n\0")), len(other))
    other = other[first:]
    at = one.index(other[0]) if other and other[0] in one else len(one)
    same = sum(a == b for a, b in zip(one[at:], other))
    return same, f"{len(other) - same} of {len(other)} blocks differ" if same < len(other) or same < 20 else ""


def packets(path):
    """The packets of the server in a recording of QuakeWorld's client."""
    data, found, at = path.read_bytes(), [], 0
    while at + 5 <= len(data):
        kind = data[at + 4]
        at += 5
        if kind == 1 and at + 4 <= len(data):
            (length,) = struct.unpack_from("<i", data, at)
            found.append(data[at + 4 : at + 4 + length])
            at += 4 + length
        else:
            at += {0: 36, 2: 8}.get(kind, len(data))
    return found


def quakeworld(box, number, bad):
    """A game of ezQuake on mvdsv with KTX. The client records from a moment on, behind a beginning of its own."""
    display(box)
    name = f"quakeworld-{number}"
    WORK.joinpath(f"{name}__cap.qwd").unlink(missing_ok=True)
    stage = qwrecord.Stage(box, str(WORK), name)
    stage.join("anna")
    if bad:
        Line(bad, qwrecord.PORT)
    proxy, mine = record(f"{name}.qwd", LINE if bad else qwrecord.PORT)
    # From here on the kit's players come through the proxy.
    qwrecord.PORT = PROXY
    stage.client("hero")
    try:
        stage.do("record cap")
        before = len(packets(mine)) if mine.is_file() else 0
        for command in ("+forward", "+left", "say hello", "-left", "+attack", "-attack", "-forward"):
            stage.do(command)
            stage.wait(SECONDS / 7)
        # A busy machine needs longer for as many packets.
        wait_for(lambda: mine.is_file() and len(packets(mine)) > before + 120)
        stage.do("stop")
        stage.wait(0.5)
    finally:
        stage.stop_client()
        finish(proxy)
        stage.close()
    # Where the kit puts what the client has recorded.
    theirs = WORK / f"{name}__cap.qwd"
    if not theirs.is_file() or not mine.is_file():
        return 0, "nothing was recorded"
    return compared(mine, theirs)


def compared(mine, theirs):
    """Compares the recording of ezQuake with that of the proxy, of which it is a part.

    ezQuake's has a beginning and an end of its own. Changes of entities build on the list of an earlier packet: if it does
    not have that, it writes a whole list in place of the changes. All other bytes are the same."""
    one, other = packets(mine), packets(theirs)
    if len(other) < 2 or not all(text in packet for text, packet in zip(CLOSING, other[-2:])):
        return 0, "ezQuake's recording has no end"
    # The packets of its own beginning have the same number twice, from 1 on.
    own = itertools.takewhile(lambda it: it[1][:8] == struct.pack("<II", it[0], it[0]), enumerate(other, 1))
    first = len(list(own))
    other = other[first:-2]
    at = next((at for at, packet in enumerate(one) if other and packet[:8] == other[0][:8]), len(one))
    pairs = list(itertools.zip_longest(one[at : at + len(other)], other))
    different = [number for number, (a, b) in enumerate(pairs) if a != b]
    ours, others = texts(mine), texts(theirs)
    wrong = [number for number in different if not is_whole_list(ours[at + number], others[first + number])]
    if wrong:
        return 0, f"{len(wrong)} of {len(other)} packets differ, from the one with number {wrong[0]} on"
    # After so many packets no change builds on a list from before.
    if any(number >= 64 for number in different):
        return 0, f"packet {different[-1]} has a whole list"
    return len(pairs), "" if len(pairs) >= FEWEST else f"there are only {len(pairs)} packets"


def is_whole_list(ours, theirs):
    """Whether two packets are the same but for a whole list of entities in place of the changes."""
    lists = [("deltapacketentities", "packetentities")]
    changed = [(name(a), name(b)) for a, b in itertools.zip_longest(ours, theirs, fillvalue="?") if a != b]
    return changed == lists


# The parts of a block that are not messages.
NO_MESSAGES = ("time", "seq1", "seq2", "reliable", "connless")
# Lists of entities, which a live client gets in another form, and the answers to requests for files.
NOT_COMPARED = ("packetentities", "deltapacketentities", "download", "download_chunk")
# Messages that the next frame replaces, so that a client is sent each of them once, and may miss it.
FLEETING = ("playerinfo", "sound", "stopsound", "temp_entity", "muzzleflash", "damage", "choke", "nails", "smallkick", "bigkick")


def name(message):
    return re.split("[ ;]", message[1:])[0]


def may_get_lost(message):
    return name(message) in FLEETING


def texts(path):
    """The messages of each packet of a recording of QuakeWorld as text."""
    text = subprocess.run([MOVIOLA, "decompile", path], capture_output=True, check=True).stdout.decode()
    found, is_packet = [], False
    for line in text.splitlines():
        if line[:1] != " ":
            is_packet = line.startswith("sblock")
            if is_packet:
                found.append([])
        elif is_packet and line[1] not in " }":
            found[-1].append(line)
        elif is_packet:
            found[-1][-1] += line
    return [[one for one in packet if name(one) not in NO_MESSAGES] for packet in found]


def messages(path):
    """The messages that are compared, of all packets."""
    return [one for packet in texts(path) for one in packet if name(one) not in NOT_COMPARED]


def frames(path):
    """The number of messages about players, of which each frame has some."""
    return sum("playerinfo" in one for one in messages(path))


def ezquake(box, port, name="watcher"):
    """ezQuake, which connects and needs nothing more."""
    base = box.base(name)
    lines = [f"name {name}", "cl_maxfps 77", "rate 100000", "cl_warncmd 0", "cl_startupdemo 0", "sb_findroutes 0"]
    lines += ["cl_independentPhysics 0", "gl_max_size 64", "r_dynamic 0", "vid_vsync 0", "fs_cache 0", "cl_nopred 1"]
    (pathlib.Path(base) / "qw/kit.cfg").write_text("\n".join(lines) + "\n")
    box.own(base)
    words = [qwbox.EZQUAKE, "-basedir", base, "-nosound", "-window", "-width", "320", "-height", "240", "-condebug"]
    return box.popen(words + ["+exec", "kit.cfg", "+connect", f"127.0.0.1:{port}"], base, open(WORK / f"{name}.log", "wb"))


def shown(box, sample):
    """A recording that the server shows to a game, recorded again by the proxy between them."""
    original = SAMPLES / sample
    if original.suffix == ".qwd":
        return shown_in_quakeworld(box, original)
    serve = start("serve", "-q", original, "--listen", f"127.0.0.1:{SERVER}")
    proxy, again = record(f"again-{sample}", SERVER)
    try:
        display(box)
        if original.suffix == ".dm2":
            watched = yamagi(box, play.Quake2(box), [f"connect 127.0.0.1:{PROXY}"])
        else:
            watched = window(box, "quakespasm", play.Quake(box).base, [f"connect 127.0.0.1:{PROXY}"])
        sizes = []
        # It is over when the file has not grown for six seconds.
        size = lambda: again.stat().st_size if again.is_file() else 0  # noqa: E731
        wait_for(lambda: sizes.append(size()) or len(set(sizes[-60:])) == 1 < sizes[-1])
        box.stop(watched)
    finally:
        for process in (proxy, serve):
            finish(process)
    if not again.is_file():
        return 0, "nothing was recorded"
    wanted, got = bodies(original), bodies(again)
    if b"".join(wanted) == b"".join(got):
        return len(wanted), ""
    same = sum(a == b for a, b in zip(wanted, got))
    return same, f"{len(wanted)} blocks were shown, {len(got)} recorded, {same} the same"


def shown_in_quakeworld(box, original):
    """The same with ezQuake, which goes on when the recording is over."""
    serve = start("serve", "-q", original, "--listen", f"127.0.0.1:{SERVER}")
    proxy, again = record(f"again-{original.name}", SERVER)
    try:
        display(box)
        watched = ezquake(box, PROXY)
        wait_for(lambda: again.is_file() and CLOSING[0] in again.read_bytes())
        time.sleep(0.5)
        box.stop(watched)
    finally:
        for process in (proxy, serve):
            finish(process)
    if not again.is_file():
        return 0, "nothing was recorded"
    # Frames overtake lasting messages, so the two kinds are compared apart, each in its order.
    wanted, got = (sorted(messages(it), key=may_get_lost) for it in (original, again))
    same = sum(a == b for a, b in zip(wanted, got))
    return same, "" if wanted == got else f"{len(wanted)} messages were shown, {len(got)} recorded, {same} the same"


def observed_in_quakeworld(box):
    """The same with a client of the kit, which plays without a picture, and ezQuake, which observes it."""
    sample = SAMPLES / "ez_duo_lqdm2.qwd"
    serve = start("serve", "-q", sample, sample, "--listen", f"127.0.0.1:{SERVER}")
    proxy, whole = record(f"observed-{sample.name}", SERVER, "--observe", str(OBSERVE))
    second, part = record(f"observer-{sample.name}", OBSERVE, listen=LINE)
    qwrecord.PORT = PROXY

    class Player(qwrecord.Puppet):
        """The kit's client does not know a level that begins with extensions."""

        def handle(self, packet):
            if b"fullserverinfo" in packet:
                self.count, self.spawned = 1, False
                for word in ("soundlist", "modellist", "prespawn"):
                    self.cmd(f"{word} 1 0 0")
            super().handle(packet)

    player = Player(lambda *_: None, "anna")
    player.start()
    try:
        display(box)
        wait_for(lambda: whole.is_file() and len(packets(whole)) > 120)
        watched = ezquake(box, LINE)
        # Two recordings follow each other for as long as somebody watches.
        wait_for(lambda: part.is_file() and len(packets(part)) > 400)
        # A slow observer is sent fewer frames than there are packets.
        wait_for(lambda: frames(part) > 200)
        # In this order: the observer's game has all that its recording has, and the other has more.
        finish(second)
        box.stop(watched)
    finally:
        player.stop = True
        for process in (second, proxy, serve):
            finish(process)
    if not whole.is_file() or not part.is_file():
        return 0, "nothing was recorded"
    # Behind a beginning of its own the observer has a part of what is recorded: all that must not be lost, and most else.
    wanted, got = ([one for one in messages(it) if not may_get_lost(one)] for it in (whole, part))
    got = got[-20:]
    is_there = any(wanted[at : at + len(got)] == got for at in range(len(wanted)))
    seen = frames(part)
    return seen, "" if is_there and seen > 200 else f"{len(got)} last messages {'' if is_there else 'not '}found"


def observed(box, game):
    """A recording that is shown to a game and recorded by the proxy between them. Another game observes it from the
    middle on, and a second proxy records what the observer gets."""
    if game == "quakeworld":
        return observed_in_quakeworld(box)
    sample = SAMPLES / {"quake": "qs_15_lq_e0m9.dem", "quake2": "yq_sp.dm2"}[game]
    serve = start("serve", "-q", sample, "--listen", f"127.0.0.1:{SERVER}")
    proxy, whole = record(f"observed-{sample.name}", SERVER, "--observe", str(OBSERVE))
    second, part = record(f"observer-{sample.name}", OBSERVE, listen=LINE)
    try:
        display(box)
        kit = play.Quake2(box) if game == "quake2" else play.Quake(box)
        base = os.path.join(box.dir, "observer")
        shutil.copytree(kit.base, base)

        def connect(port):
            commands = [f"connect 127.0.0.1:{port}"]
            return yamagi(box, kit, commands) if game == "quake2" else window(box, "quakespasm", kit.base, commands)

        games = [connect(PROXY)]
        wait_for(lambda: whole.is_file() and len(bodies(whole)) > 60)
        kit.base = base
        games.append(connect(LINE))
        plays(part)
        # In this order: the observer's game has all that its recording has, and the other has more.
        finish(second)
        for process in games:
            box.stop(process)
    finally:
        for process in (second, proxy, serve):
            finish(process)
    if not whole.is_file() or not part.is_file():
        return 0, "nothing was recorded"
    # Behind a beginning of its own the observer has a part of what is recorded, without a gap.
    wanted, got = bodies(whole), bodies(part)
    # A proxy that stops ends its recording as the engines do; the other one still recorded then.
    if got[-1:] == [DISCONNECT]:
        got.pop()
    at = next((at for at, body in enumerate(wanted) if at > 40 and body in got), len(wanted))
    got = got[got.index(wanted[at]) :] if at < len(wanted) else []
    same = sum(a == b for a, b in zip(wanted[at:], got))
    return same, f"{len(got) - same} of {len(got)} blocks differ" if same < len(got) or same < 30 else ""


def one(kind, what):
    """One session, in this process."""
    if kind in ("shown", "observed"):
        box = qwbox.Box() if what in QUAKEWORLD else play.Sandbox()
        work = lambda: {"shown": shown, "observed": observed}[kind](box, what)  # noqa: E731
    else:
        # Each second session has a bad line, with each pair of engines.
        number = int(what)
        is_bad = (number + number // len(QUAKE)) % 2 == 1
        box = qwbox.Box() if kind == "quakeworld" else play.Sandbox()
        games = {"quake": quake, "quake2": quake2, "quakeworld": quakeworld}
        work = lambda: games[kind](box, number, is_bad)  # noqa: E731
    try:
        print(json.dumps(work()))
    finally:
        box.close()


def main(count):
    WORK.mkdir(parents=True, exist_ok=True)
    jobs = [("shown", "qs_15_lq_e0m9.dem"), ("shown", "yq_sp.dm2"), ("observed", "quake")]
    kinds = ["quake", "quake2"] + (["quakeworld"] if qwrecord else [])
    if qwrecord:
        jobs += [("shown", QUAKEWORLD[0]), ("observed", QUAKEWORLD[1])]
    else:
        print("NOT CHECKED: sessions of QuakeWorld, for which the kit or its engines are missing")
    jobs += [(kind, str(number)) for number in range(count) for kind in kinds]

    needed = [MOVIOLA, KIT, WORK, SAMPLES, pathlib.Path(os.environ.get("YQUAKE2_DIR", "/")).resolve()]
    can_be_apart = not any(path.is_relative_to("/tmp") for path in needed)
    can_be_apart = can_be_apart and not subprocess.run([*APART, "true"], capture_output=True).returncode
    apart = APART if can_be_apart else []

    def run(job):
        is_alone = (job[0] == "quakeworld" or job[1] in QUAKEWORLD) and not apart
        with ALONE if is_alone else contextlib.nullcontext():
            return play_one(job)

    def play_one(job):
        began = time.monotonic()
        done = subprocess.run([*apart, sys.executable, *sys.argv[:5], *job], capture_output=True, text=True)
        try:
            same, why = json.loads(done.stdout.splitlines()[-1])
        except (IndexError, ValueError):
            same, why = 0, done.stderr.strip()[-2000:] or "no answer"
        print(f"{' '.join(job)}: {same} the same{': ' + why if why else ''} ({time.monotonic() - began:.0f} s)", flush=True)
        return why

    with concurrent.futures.ThreadPoolExecutor(max(2, os.cpu_count() or 2)) as pool:
        outcomes = list(pool.map(run, jobs))
    failed = sum(bool(why) for why in outcomes)
    print(f"{len(outcomes) - failed} of {len(outcomes)} sessions")
    return failed > 0


if __name__ == "__main__":
    sys.exit(one(*sys.argv[5:7]) if len(sys.argv) > 6 else main(int(sys.argv[5])))
