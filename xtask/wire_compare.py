"""What real engines have recorded, held against what `moviola record` has."""

import itertools
import pathlib
import re
import struct
import subprocess
import sys

# The first byte of a frame of Quake, and that of the message with which a level begins.
FRAME, SERVERINFO = b"\7", b"\x0b"
MOVIOLA = pathlib.Path(sys.argv[1]).resolve()
# The fewest blocks that a session may have.
FEWEST = 60
# Texts in the packets with which ezQuake ends its recordings.
CLOSING = (b"\nRecorded by ", b"EndOfDemo")


def blocks(path):
    """The view angles, which only Quake's have, and the messages of each block of a recording."""
    data, found, is_quake = path.read_bytes(), [], path.suffix == ".dem"
    at = data.index(b"\n") + 1 if is_quake else 0
    while at + 4 <= len(data):
        (length,) = struct.unpack_from("<i", data, at)
        head = 16 if is_quake else 4
        if length < 0 or at + head > len(data):
            break
        view = struct.unpack_from("<3f", data, at + 4) if is_quake else ()
        found.append((view, data[at + head : at + head + length]))
        at += head + length
    return found


def bodies(path):
    """The messages of each block of a recording."""
    return [body for _, body in blocks(path)]


def differences(one, other):
    """Says what differs between two lists of blocks, if anything does."""
    pairs = itertools.zip_longest(one, other)
    different = [number for number, (a, b) in enumerate(pairs) if a != b]
    if different:
        return f"{len(different)} blocks of {len(one)} and {len(other)} differ, from the one with number {different[0]} on"
    return "" if len(one) >= FEWEST else f"there are only {len(one)} blocks"


def parts(path):
    """The parts of a recording of QuakeWorld's client: 0 and a command of the player, 1 and a packet of the server."""
    data, at = path.read_bytes(), 0
    while at + 5 <= len(data):
        kind = data[at + 4]
        at += 5
        if kind == 1 and at + 4 <= len(data):
            (length,) = struct.unpack_from("<i", data, at)
            yield kind, data[at + 4 : at + 4 + length]
            at += 4 + length
        else:
            length = {0: 36, 2: 8}.get(kind, len(data))
            yield kind, data[at : at + length]
            at += length


def packets(path):
    """The packets of the server in a recording of QuakeWorld's client."""
    return [data for kind, data in parts(path) if kind == 1]


def commands(path):
    """The commands of the player: the command itself, without three unused bytes, and the view angles."""
    whole = (data for kind, data in parts(path) if kind == 0 and len(data) == 36)
    return [(data[:1] + data[4:24], struct.unpack_from("<3f", data, 24)) for data in whole]


def other_commands(mine, theirs):
    """Says what differs in the player's commands. Those of the engine are a part of those of the proxy, with the same bytes;
    the view angles stand in them once more, which the engine writes as it has them, and the proxy as they were sent."""
    one, other = commands(mine), commands(theirs)
    most = 180 / 65536 + 0.0001

    def same(start):
        pairs = zip(one[start : start + len(other)], other)
        return sum(a == b and apart(view, theirs) <= most for (a, view), (b, theirs) in pairs)

    found = max(map(same, range(len(one))), default=0)
    if found < len(other) or found < FEWEST:
        return f"{len(other) - found} of {len(other)} commands of the player differ"
    return ""


def compared(mine, theirs):
    """Compares the recording of ezQuake with that of the proxy, of which it is a part.

    ezQuake's has a beginning and an end of its own. Changes of entities build on the list of an earlier packet: if it does
    not have that, it writes a whole list in place of the changes. All other bytes are the same."""
    one, other = packets(mine), packets(theirs)
    if len(other) < 2 or not all(text in packet for text, packet in zip(CLOSING, other[-2:])):
        return 0, "ezQuake's recording has no end"
    # In the beginning that it writes itself, packets have the same number twice, from 1 on.
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
    # After this many packets no change builds on a list from before.
    if any(number >= 64 for number in different):
        return 0, f"packet {different[-1]} has a whole list"
    if len(pairs) < FEWEST:
        return len(pairs), f"there are only {len(pairs)} packets"
    return len(pairs), other_commands(mine, theirs)


def is_whole_list(ours, theirs):
    """Whether two packets are the same but for a whole list of entities in place of the changes."""
    lists = [("deltapacketentities", "packetentities")]
    changed = [(name(a), name(b)) for a, b in itertools.zip_longest(ours, theirs, fillvalue="?") if a != b]
    return changed == lists


# The parts of a block that are not messages.
NO_MESSAGES = ("time", "seq1", "seq2", "reliable", "connless")
# Lists of entities, which a live client gets in another form, and the answers to requests for files.
NOT_COMPARED = ("packetentities", "deltapacketentities", "download", "download_chunk")
# Messages that the next frame replaces: they are sent once, and may get lost.
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


# DarkPlaces reads all packets that have arrived, and then sends a move. A block that the proxy forwards between the two
# is read before the next move, and nothing in the move shows it. A session may have this many of these blocks.
BETWEEN = {"darkplaces": 2, "quakespasm": 0}


def angles(mine, theirs, client):
    """Compares the view angles of two recordings of Quake with the same blocks.

    The engine writes the angles as it has them, the proxy as the client's moves have them: rounded to a step of the protocol,
    so they differ by half of one. Before the first move, with which the turn of the player begins, the proxy knows none.
    A block without a frame may have the angles of the frame before or after it."""
    one, other = blocks(mine), blocks(theirs)
    protocol = next(struct.unpack_from("<i", body, body.index(SERVERINFO) + 1)[0] for _, body in one if SERVERINFO in body)
    most = 180 / (256 if protocol == 15 else 65536) + 0.0001
    begins = next((number for number, (view, _) in enumerate(one) if view[1]), len(one))
    wrong, between = [], 0
    for number in range(begins, len(one)):
        view, body = one[number]
        near = other[number : number + 1] if body[:1] == FRAME else other[number - 1 : number + 2]
        if all(apart(view, theirs) > most for theirs, _ in near):
            after = one[min(number + 1, len(one) - 1)][0]
            # The player turns steadily, so the angles of the next move lie between those of this block and of the next.
            is_between = apart(view, other[number][0]) + apart(other[number][0], after) <= apart(view, after) + 2 * most
            if is_between and between < BETWEEN[client]:
                between += 1
            else:
                wrong.append(number)
    if wrong:
        first = wrong[0]
        views = f"{one[first][0]} and {other[first][0]}"
        return f"{len(wrong)} of {len(one) - begins} views differ by more than {most:.4f}, from block {first} on: {views}"
    return "" if len(one) - begins >= FEWEST / 2 else f"there are only {len(one) - begins} views"


def apart(one, other):
    """The greatest difference of three angles, in degrees."""
    return max(abs((a - b + 180) % 360 - 180) for a, b in zip(one, other))
