"""Real engines on both sides of `moviola record` and `moviola serve`, on loopback.

Called by `cargo xtask wire` with the program, the engine kit, a folder to work in, the samples, and the number of
sessions a game. The kit's `play.py` starts engines without a screen; `progs.dat` comes from the kit for networks beside
it. Each job has a process, a network and a folder for temporary files of its own, so that several can run at once.
"""

import concurrent.futures
import contextlib
import json
import os
import pathlib
import random
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
from wire_compare import CLOSING, FEWEST, angles, bodies, compared, differences, frames  # noqa: E402
from wire_compare import may_get_lost, messages, packets  # noqa: E402

try:
    os.environ.setdefault("ENGINE_KIT", str(KIT))
    sys.path.insert(0, str(KIT.with_name("qw-kit")))
    import qwbox  # noqa: E402
    import qwrecord  # noqa: E402

    # The kit gives ezQuake 20 seconds to start. Several that start on a busy machine need longer.
    qwrecord.wait_for = lambda test, limit, *step: qwbox.wait_for(test, limit * 4 if limit >= 20 else limit, *step)
    # It lowers ezQuake's priority, unlike that of the other engines here.
    qwbox.Box.nice = lambda _, words: words
    if not all(map(os.path.exists, (qwbox.EZQUAKE, qwbox.MVDSV, qwbox.KTXSO))):
        qwrecord = None
except ImportError:
    qwrecord = None

PROXY, LINE, SERVER, OBSERVE = 26701, 26702, 26700, 26703
# How long a session is played, and how long its beginning may take.
SECONDS, PATIENCE = 2, 60
# The sessions of a game are shared by so many jobs; in each of them one client plays several, one after the other.
JOBS = {"quake": 4, "quake2": 2, "quakeworld": 3}
GAMES = "/usr/games/"
# A server, its arguments, and the client: each engine on each side, and both protocols that they share. With 20 frames
# a second, the frames of the seconds in which a client draws its first picture fit into its socket's buffer.
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
# The running programs; none of them outlives a job.
STARTED = []
# The sample for QuakeWorld, which is shown and observed.
QUAKEWORLD = ("ez_duo_lqdm2.qwd", "quakeworld")
# The kit controls ezQuake through a file with a fixed name in /tmp. If a session can have its own /tmp several of them
# run at once, otherwise only one.
ALONE = threading.Lock()
APART = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /tmp && exec "$@"', "sh"]
# The heads of packets of Quake: with a move or a frame, with a part of a reliable message, and the answer to that.
MOVE, RELIABLE, ACKNOWLEDGEMENT = b"\0\x10", (b"\0\x01", b"\0\x09"), b"\0\x02"
# The message with which a recording of Quake ends.
DISCONNECT = b"\2"
# Requests to which a server that is ready has an answer.
QUESTIONS = {"quake": b"\x80\0\0\x0c\x02QUAKE\0\x03", "quake2": b"\xff\xff\xff\xffstatus\n"}


class Line(threading.Thread):
    """A line between server and proxy, for several sessions. If it is bad, it loses 5 % of the packets, and doubles and
    reorders some. `says` puts a console command into a frame of Quake II, for the client to obey. `ends` does so in Quake,
    and from then on nothing more comes from the server: of packets that arrive while a game ends, the game alone knows
    whether it has read them. When the line `is_silent`, a session begins with the next request. QuakeSpasm's client says
    something reliable at once, and if the level's beginning comes before the acknowledgement of that, it may say more and
    then wait for ever: for it a line `is_patient`."""

    def __init__(self, bads, port=SERVER, is_patient=False):
        super().__init__(daemon=True)
        self.is_patient = is_patient
        self.bads, self.server, self.client, self.session = list(bads), ("127.0.0.1", port), None, 0
        self.near, self.far = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
        self.near.bind(("127.0.0.1", LINE))
        self.dice, self.says, self.frames, self.ends = random.Random(7), [], 0, None
        self.begin()
        self.start()

    def begin(self):
        """Begins a session. For the server it comes from another address: it may still send something to the last one."""
        self.session += 1
        self.bad = self.bads.pop(0) if len(self.bads) > 1 else self.bads[0]
        self.is_silent, self.is_accepted, self.moves, self.waiting = False, False, 0, {}
        self.is_acknowledged = not self.is_patient
        self.port = self.server[1]
        self.far.close()
        self.far = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.far.bind((f"127.0.0.{self.session + 1}", 0))

    def run(self):
        while True:
            for there in select.select([self.near, self.far], [], [])[0]:
                data, sender = there.recvfrom(65536)
                if there is self.near:
                    if self.is_silent and data[0] & 0x80:
                        self.begin()
                    self.client = sender
                    self.moves += data[:2] == MOVE
                    # A slow client asks again before it has read the answer, and QuakeSpasm's server then ends the connection.
                    if self.is_accepted and control(data) == 1:
                        continue
                    port = self.server[1] if data[0] & 0x80 else self.port
                    self.send(self.far, data, (self.server[0], port))
                    # The other socket may have been replaced in the meantime.
                    break
                if self.client:
                    # A Quake server gives its client a port of its own; this line uses one port for both.
                    if data[:4] == b"\x80\0\0\x09" and data[4] == 0x81 and len(data) == 9:
                        self.port = struct.unpack_from("<i", data, 5)[0] or self.port
                        data = data[:5] + struct.pack("<i", LINE) + data[9:]
                    if not self.is_silent:
                        self.send(self.near, data, self.client)

    def send(self, way, data, to):
        if way is self.near and self.ends and data[:2] == MOVE and len(data) < 900:
            # The last packet of a session: neither it nor the client's packets after it are lost.
            data = data[4:] + b"\x09" + self.ends + b"\n\0"
            data = MOVE + struct.pack(">H", len(data) + 4) + data
            self.is_silent, self.bad, self.ends = True, False, None
        if way is self.near and data[:2] in RELIABLE and not self.is_acknowledged:
            # The server sends such a packet again.
            return
        first = self.waiting.pop(way, None)
        self.frames += way is self.near and data[:4] != b"\xff" * 4 and data[8:9] == b"\x14"
        if not self.bad or self.dice.random() >= 0.05:
            if way is self.near and self.says and data[:4] != b"\xff" * 4 and data[8:9] == b"\x14":
                data += b"\x0b" + self.says.pop(0) + b"\n\0"
            elif self.bad and not first and self.dice.random() < 0.06:
                self.waiting[way] = data
                return
            self.is_accepted |= control(data) == 0x81
            self.is_acknowledged |= way is self.near and data[:2] == ACKNOWLEDGEMENT
            for _ in range(2 if self.bad and self.dice.random() < 0.06 else 1):
                way.sendto(data, to)
        if first:
            way.sendto(first, to)


def control(data):
    """The number of a packet of Quake outside of a connection."""
    return data[4] if data[:3] == b"\x80\0\0" and data[3] == len(data) > 4 else None


def start(*words):
    words = [str(word) for word in (MOVIOLA, *words)]
    STARTED.append(subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL))
    return STARTED[-1]


def nth(path, number):
    """The name of a recording behind others that would have the same name."""
    return path.with_stem(f"{path.stem}-{number + 1}") if number else path


def record(name, to, *more, listen=PROXY):
    for old in [WORK / name, *WORK.glob(WORK.joinpath(name).stem + "-*")]:
        old.unlink(missing_ok=True)
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


def plays(mine, fewest=FEWEST + 10):
    """Waits until frames are recorded, and for as long as a session is played."""
    wait_for(lambda: mine.is_file() and len(bodies(mine)) > 20)
    time.sleep(SECONDS)
    wait_for(lambda: mine.is_file() and len(bodies(mine)) > fewest)


def is_bad(game, number):
    """Each second session has a bad line: in Quake with each pair of engines, in Quake II in a job of its own."""
    return (number + (number // len(QUAKE) if game == "quake" else 0)) % 2 == 1


def quake(box, numbers):
    """Games between two engines: the proxy's recordings are held against the client's own."""
    server, words, client = QUAKE[numbers[0] % len(QUAKE)]
    display(box)
    game = play.Quake(box)
    subprocess.run([sys.executable, KIT.parent / "net-kit/mkprogs.py", f"{game.base}/id1/progs.dat"], check=True)
    base = os.path.join(box.dir, "server")
    shutil.copytree(game.base, base)
    box.own(box.dir)
    words = [GAMES + server, "-basedir", base, "-port", str(SERVER), *words.split()]
    name = f"quake-{numbers[0]}"
    host = box.popen(words, base, open(WORK / f"{name}.server.log", "wb"))
    wait_for(lambda: is_ready("quake"))
    line = Line([is_bad("quake", number) for number in numbers], is_patient=client == "quakespasm")
    proxy, first = record(f"{name}.dem", LINE)
    begins = [f"record cap{at};connect 127.0.0.1:{PROXY};+left" for at in range(len(numbers))]
    # The client reads the last packet, and sends moves after it.
    ends = [f'alias end{at} "{"wait;" * 40}disconnect;{begin}"' for at, begin in enumerate([*begins[1:], "wait"])]
    watched = window(box, client, game.base, [*ends, *begins[0].split(";")])
    for at in range(len(numbers)):
        mine = nth(first, at)
        # A client that draws its first picture does not move.
        wait_for(lambda: line.session == at + 1 and line.moves > FEWEST)
        plays(mine)
        line.ends = f"end{at}".encode()
        wait_for(lambda: mine.is_file() and bodies(mine)[-1:] == [DISCONNECT])
    box.stop(watched)
    finish(proxy)
    box.stop(host)
    for at in range(len(numbers)):
        mine, theirs = nth(first, at), next(pathlib.Path(box.dir).rglob(f"cap{at}.dem"), None)
        if not theirs or not mine.is_file():
            yield 0, "nothing was recorded"
            continue
        shutil.copyfile(theirs, mine.with_suffix(".engine.dem"))
        one, other = bodies(mine), bodies(theirs)
        yield len(one), differences(one, other) or angles(mine, theirs, client)


def quake2(box, numbers):
    """Games of Yamagi against its own server. The client records from a moment on, because the server says so; on a good
    line the proxy too, because the client says so."""
    display(box)
    game, bad = play.Quake2(box), is_bad("quake2", numbers[0])
    shutil.copyfile(os.path.join(game.find(), "q2ded"), os.path.join(game.base, "q2ded"))
    os.chmod(os.path.join(game.base, "q2ded"), 0o755)
    base = os.path.join(box.dir, "server")
    shutil.copytree(game.base, base)
    box.own(box.dir)
    # A server exits when its input ends.
    words = ["/bin/sh", "-c", 'sleep 999 | exec "$@"', "x", f"{base}/q2ded", "-portable", "-datadir", base]
    words += f"+set dedicated 1 +set port {SERVER} +set ip 127.0.0.1 +set deathmatch 1 +set developer 1".split()
    words += ["+set", "sv_reconnect_limit", "0", "+map", "oracle2"]
    name = f"quake2-{numbers[0]}"
    log = WORK / f"{name}.server.log"
    host = box.popen(words, base, open(log, "wb"))
    wait_for(lambda: is_ready("quake2"))
    line = Line([bad])
    proxy, first = record(f"{name}.dm2", LINE, *([] if bad else ["--wait"]))
    connect = f"connect 127.0.0.1:{PROXY}"
    watched = yamagi(box, game, [f'alias again "disconnect;{"wait;" * 20}{connect}"', connect, "+left"])
    late = []
    for at in range(len(numbers)):
        mine, before = nth(first, at), line.frames
        if not bad:
            wait_for(lambda: line.frames > before + 30)
            line.says.append(b"say .record")
        # It begins with the next whole frame, which takes seconds where the client draws one picture a second.
        late.append(not wait_for(lambda: mine.is_file(), PATIENCE if bad else 10))
        line.says.append(b"record cap%d" % at)
        # There are ten frames a second.
        plays(mine, 50)
        line.says += [b"stop"] if bad else [b"stop", b"say .stop"]
        wait_for(lambda: not line.says)
        time.sleep(0.5)
        if at + 1 < len(numbers):
            line.says.append(b"again")
            wait_for(lambda: not line.says)
            line.is_silent = True
            wait_for(lambda: line.session == at + 2)
    box.stop(watched)
    finish(proxy)
    box.stop(host)
    for at in range(len(numbers)):
        mine, theirs = nth(first, at), next(pathlib.Path(box.dir).rglob(f"cap{at}.dm2"), None)
        if late[at] or b"checksum" in log.read_bytes():
            yield 0, "the recording does not begin" if late[at] else "the server has not carried out a move"
        elif not theirs or not mine.is_file():
            yield 0, "nothing was recorded"
        else:
            one, other = bodies(mine), bodies(theirs)
            # After its own beginning, the client's recording is a part of the proxy's.
            start = 1 + next((at for at, body in enumerate(other) if body.endswith(b"precache\n\0")), len(other))
            other = other[start:]
            at = one.index(other[0]) if other and other[0] in one else len(one)
            same = sum(a == b for a, b in zip(one[at:], other))
            yield same, f"{len(other) - same} of {len(other)} blocks differ" if same < len(other) or same < 20 else ""


def quakeworld(box, numbers):
    """Games of ezQuake on mvdsv with KTX. The client records from a moment on, behind a beginning of its own."""
    display(box)
    name = f"quakeworld-{numbers[0]}"
    for old in WORK.glob(f"{name}__*"):
        old.unlink()
    stage = qwrecord.Stage(box, str(WORK), name)
    stage.join("anna")
    line = Line([is_bad("quakeworld", number) for number in numbers], qwrecord.PORT)
    proxy, first = record(f"{name}.qwd", LINE)
    # From here on the kit's players connect through the proxy.
    qwrecord.PORT = PROXY
    try:
        stage.client("hero")
        for at in range(len(numbers)):
            mine = nth(first, at)
            if at:
                stage.do("disconnect")
                line.is_silent = True
                stage.wait(0.5)
                stage.do(f"connect 127.0.0.1:{PROXY}")
                # The lists of the game's commands come last.
                wait_for(lambda: qwbox.read(stage.elog).count("Commands loaded") > at and mine.is_file())
                stage.wait(1)
            stage.do(f"record cap{at}")
            before = len(packets(mine)) if mine.is_file() else 0
            for command in ("+forward", "+left", "say hello", "-left", "+attack", "-attack", "-forward"):
                stage.do(command)
                stage.wait(SECONDS / 7)
            # A busy machine needs longer for this many packets.
            wait_for(lambda: mine.is_file() and len(packets(mine)) > before + FEWEST + 25)
            stage.do("stop")
            stage.wait(0.5)
    finally:
        stage.stop_client()
        finish(proxy)
        stage.close()
    for at in range(len(numbers)):
        # The place to which the kit copies the client's recording.
        mine, theirs = nth(first, at), WORK / f"{name}__cap{at}.qwd"
        is_there = theirs.is_file() and mine.is_file()
        yield compared(mine, theirs) if is_there else (0, "nothing was recorded")


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
        # It is over when the file has not grown for six seconds. Quake II has a file for each level.
        parts = lambda: [part for part in (nth(again, at) for at in range(9)) if part.is_file()]  # noqa: E731
        size = lambda: sum(part.stat().st_size for part in parts())  # noqa: E731
        wait_for(lambda: sizes.append(size()) or len(set(sizes[-60:])) == 1 < sizes[-1])
        box.stop(watched)
    finally:
        for process in (proxy, serve):
            finish(process)
    if not again.is_file():
        return 0, "nothing was recorded"
    wanted, got = bodies(original), [body for part in parts() for body in bodies(part)]
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
        # Two recordings follow each other while the observer watches.
        wait_for(lambda: part.is_file() and len(packets(part)) > 400)
        # A slow observer is sent fewer frames than there are packets.
        wait_for(lambda: frames(part) > 200)
        # The order matters: everything in the observer's game must be in its recording, and the other has more.
        finish(second)
        box.stop(watched)
    finally:
        player.stop = True
        for process in (second, proxy, serve):
            finish(process)
    if not whole.is_file() or not part.is_file():
        return 0, "nothing was recorded"
    # After its own beginning, the observer's recording is a part of the other: everything that must not be lost, and
    # most of the rest.
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
        # The order matters: everything in the observer's game must be in its recording, and the other has more.
        finish(second)
        for process in games:
            box.stop(process)
    finally:
        for process in (second, proxy, serve):
            finish(process)
    if not whole.is_file() or not part.is_file():
        return 0, "nothing was recorded"
    # After its own beginning, the observer's recording is a part of the other, without a gap.
    wanted, got = bodies(whole), bodies(part)
    # A proxy that stops ends its recording as the engines do, while the other one was still recording.
    if got[-1:] == [DISCONNECT]:
        got.pop()
    at = next((at for at, body in enumerate(wanted) if at > 40 and body in got), len(wanted))
    got = got[got.index(wanted[at]) :] if at < len(wanted) else []
    same = sum(a == b for a, b in zip(wanted[at:], got))
    return same, f"{len(got) - same} of {len(got)} blocks differ" if same < len(got) or same < 30 else ""


def one(kind, what, count):
    """One job, in this process."""
    box = qwbox.Box() if kind == "quakeworld" or what in QUAKEWORLD else play.Sandbox()
    try:
        if kind in JOBS:
            numbers = range(int(what), count, JOBS[kind])
            outcomes = list({"quake": quake, "quake2": quake2, "quakeworld": quakeworld}[kind](box, numbers))
        else:
            outcomes = [{"shown": shown, "observed": observed}[kind](box, what)]
        print(json.dumps(outcomes))
    finally:
        for process in STARTED:
            finish(process)
        box.close()


def main(count):
    WORK.mkdir(parents=True, exist_ok=True)
    kinds = [kind for kind in JOBS if kind != "quakeworld" or qwrecord]
    # The longest jobs first.
    jobs = [(kind, str(number)) for kind in reversed(kinds) for number in range(min(JOBS[kind], count))]
    jobs += [("shown", "qs_15_lq_e0m9.dem"), ("shown", "yq_sp.dm2"), ("observed", "quake"), ("observed", "quake2")]
    if qwrecord:
        jobs += [("shown", QUAKEWORLD[0]), ("observed", QUAKEWORLD[1])]
    else:
        print("NOT CHECKED: sessions of QuakeWorld, for which the kit or its engines are missing")
    only = os.environ.get("MOVIOLA_WIRE_ONLY", "").split()
    jobs = [job for job in jobs if not only or job[0] in only]

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
        done = subprocess.run([*apart, sys.executable, *sys.argv[:6], *job], capture_output=True, text=True)
        numbers = range(int(job[1]), count, JOBS[job[0]]) if job[0] in JOBS else [job[1]]
        try:
            outcomes = json.loads(done.stdout.splitlines()[-1])
        except (IndexError, ValueError):
            outcomes = [(0, done.stderr.strip()[-2000:] or "no answer")] * len(numbers)
        for number, (same, why) in zip(numbers, outcomes):
            print(f"{job[0]} {number}: {same} the same{': ' + why if why else ''}", flush=True)
        print(f"{' '.join(job)}: {time.monotonic() - began:.0f} s", flush=True)
        return [why for _, why in outcomes]

    # One more than there are processors, since sessions wait most of the time.
    with concurrent.futures.ThreadPoolExecutor(max(2, os.cpu_count() or 2) + 1) as pool:
        outcomes = [why for outcomes in pool.map(run, jobs) for why in outcomes]
    failed = sum(bool(why) for why in outcomes)
    print(f"{len(outcomes) - failed} of {len(outcomes)} sessions")
    return failed > 0


if __name__ == "__main__":
    count = int(sys.argv[5])
    sys.exit(one(*sys.argv[6:8], count) if len(sys.argv) > 7 else main(count))
