"""Quake and Quake II recordings as tables, events and edits.

>>> import moviola
>>> rec = moviola.open("samples/yq_sp.dm2")
>>> rec.info["format"]
'dm2'
>>> rec.table("positions").num_rows > 100
True

Other libraries take a table directly: ``polars.DataFrame(rec.table("kills"))``, ``pyarrow.table(...)``,
``pandas.DataFrame.from_arrow(...)``, or by the name of its variable in DuckDB's SQL. This package needs none of them.
"""

from __future__ import annotations

import json as _json
import os as _os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from . import _moviola
from ._moviola import SCHEMA_VERSION, MoviolaError, Table, __version__

__all__ = [
    "SCHEMA_VERSION",
    "TABLES",
    "MoviolaError",
    "Recording",
    "Scan",
    "Table",
    "__version__",
    "compile",
    "floor_plan",
    "join",
    "open",
    "scan",
]

#: The names of all tables.
TABLES: Final[tuple[str, ...]] = tuple(_moviola.table_names())

#: An edit: its name, its words, and other recordings that it needs.
_Edit = tuple[str, list[str], list[bytes]]

#: The endings of the names of recordings and containers.
_ENDINGS = frozenset({".dem", ".dm2", ".qwd", ".mvd", ".mvd2", ".gz", ".zip", ".pak", ".pk3", ".dz"})


class Recording:
    """A recording. Each edit returns a new recording; it is applied when its bytes are first needed.

    >>> rec = open("samples/yq_sp.dm2")
    >>> short = rec.cut("..0:25").subtitle("1\\n00:00:02,000 --> 00:00:04,000\\nIt begins\\n")
    >>> len(short.table("ticks")) < len(rec.table("ticks"))
    True
    """

    def __init__(self, data: bytes, name: str = "", edits: Sequence[_Edit] = ()) -> None:
        """Takes the bytes of a file; ``name`` becomes the column ``file`` of the table ``recordings``.

        >>> Recording(b"", "nothing.dem")
        <moviola.Recording nothing.dem>
        """
        self._source = data
        self._edits = list(edits)
        self._data: bytes | None = None if self._edits else data
        self.name = name

    @property
    def data(self) -> bytes:
        """The bytes of the recording, with all edits applied.

        >>> len(open("samples/yq_sp.dm2").data)
        48212
        """
        if self._data is None:
            self._data = _moviola.edit(self._source, self._edits)
        return self._data

    def __repr__(self) -> str:
        """The name, for people."""
        return f"<moviola.Recording {self.name or 'in memory'}>"

    def _json(self, what: str) -> Any:
        return _json.loads(_moviola.json(self.data, what))

    @property
    def info(self) -> dict[str, Any]:
        """The summary: format, protocol, engine, maps, players, length.

        >>> open("samples/yq_sp.dm2").info["maps"]
        ['oracle2']
        """
        info: dict[str, Any] = self._json("info")
        return info

    @property
    def events(self) -> list[dict[str, Any]]:
        """The events, in the form of ``moviola events --json``.

        >>> open("samples/yq_sp.dm2").events[0]["kind"]
        'level_start'
        """
        events: list[dict[str, Any]] = self._json("events")
        return events

    def report(self) -> dict[str, Any]:
        """Times, scores, kills and secrets, in the form of ``moviola report --json``.

        >>> open("samples/yq_sp.dm2").report()["levels"][0]["map"]
        'oracle2'
        """
        report: dict[str, Any] = self._json("report")
        return report

    def check(self) -> dict[str, Any]:
        """The findings, whether every byte is understood, and which engines play the recording.

        >>> open("samples/yq_sp.dm2").check()["exact"]
        True
        """
        check: dict[str, Any] = self._json("check")
        return check

    def audit(self) -> dict[str, Any]:
        """Signs of cheating and editing, in the form of ``moviola audit --json``.

        >>> "findings" in open("samples/yq_sp.dm2").audit()
        True
        """
        audit: dict[str, Any] = self._json("audit")
        return audit

    def table(self, name: str) -> Table:
        """One of the tables of ``docs/schema.md``.

        >>> open("samples/yq_sp.dm2").table("levels")
        <moviola.Table levels: 1 rows, 21 columns>
        """
        return self.tables(name)[name]

    def tables(self, *names: str) -> dict[str, Table]:
        """Several tables by their names, made in one pass over the recording.

        >>> list(open("samples/yq_sp.dm2").tables("kills", "ticks"))
        ['kills', 'ticks']
        """
        return dict(zip(names, _moviola.tables(self.data, list(names), self.name), strict=True))

    def frames(self) -> Iterator[dict[str, Any]]:
        """The visible players and things at each moment, in order: ``block``, ``level``, ``level_time`` and
        ``recording_time``, and as lists of rows ``players`` (of the table ``positions``) and ``entities``.

        >>> frame = next(open("samples/yq_sp.dm2").frames())
        >>> sorted(frame)
        ['block', 'entities', 'level', 'level_time', 'players', 'recording_time']
        """
        places = _grouped(self.data, "positions")
        things = _grouped(self.data, "entities")
        for block in sorted(places.keys() | things.keys()):
            players, entities = places.get(block, []), things.get(block, [])
            first = (players or entities)[0]
            frame = {key: first[key] for key in ("block", "level", "level_time", "recording_time")}
            yield {**frame, "players": players, "entities": entities}

    def to_text(self) -> str:
        """The recording in the text language. ``compile`` turns it back into the same bytes.

        >>> rec = open("samples/yq_sp.dm2")
        >>> compile(rec.to_text()).data == rec.data
        True
        """
        return _moviola.decompile(self.data)

    def _edit(self, name: str, *words: str, others: Sequence[Recording] = ()) -> Recording:
        edit = (name, list(words), [other.data for other in others])
        return Recording(self._source, self.name, [*self._edits, edit])

    def cut(self, spans: str) -> Recording:
        """Keeps parts of the recording, like ``moviola cut``.

        >>> rec = open("samples/yq_sp.dm2")
        >>> len(rec.cut("..0:25").data) < len(rec.data)
        True
        >>> try:
        ...     rec.cut("1..x").data
        ... except MoviolaError as error:
        ...     print(error.code, error.mistakes[0]["column"])
        E001 4
        """
        return self._edit("cut", spans)

    def drop(self, spans: str) -> Recording:
        """Removes parts of the recording, like ``moviola drop``.

        >>> rec = open("samples/yq_sp.dm2")
        >>> len(rec.drop("..0:25").data) < len(rec.data)
        True
        """
        return self._edit("drop", spans)

    def highlights(
        self,
        before: float = 3.0,
        after: float = 2.0,
        kinds: Sequence[str] = (),
        top: int | None = None,
    ) -> Recording:
        """Keeps the events, with some seconds before and after each; ``kinds`` are kinds of events.

        >>> rec = open("samples/qs_15_lq_e0m9.dem")
        >>> len(rec.highlights(top=1).data) < len(rec.data)
        True
        """
        count = "" if top is None else str(top)
        return self._edit("highlights", str(float(before)), str(float(after)), count, *kinds)

    def retime(self, speed: str, spans: str | None = None, *, smooth: bool = False) -> Recording:
        """Makes it, or parts of it, faster or slower: ``"1/2"``, ``"2"``. ``smooth`` adds blocks in slow motion.

        >>> rec = open("samples/yq_sp.dm2")
        >>> rec.retime("2").info["length"] < rec.info["length"]
        True
        """
        return self._edit("retime", speed, spans or "", "smooth" if smooth else "")

    def strip(self, what: str) -> Recording:
        """Removes these kinds of messages: ``"prints,centerprints"``.

        >>> rec = open("samples/yq_sp.dm2")
        >>> len(rec.strip("sounds").data) < len(rec.data)
        True
        """
        return self._edit("strip", what)

    def squeeze(self) -> Recording:
        """Makes it smaller without changing what it shows.

        >>> rec = open("samples/yq_sp.dm2")
        >>> len(rec.squeeze().data) < len(rec.data)
        True
        """
        return self._edit("squeeze")

    def set(self, *settings: str) -> Recording:
        """Sets names, colors and skins of players, the CD track or models, like ``moviola set``.

        >>> open("samples/yq_sp.dm2").set("player.1.name=Bob").info["players"]
        ['Bob']
        """
        return self._edit("set", *settings)

    def subtitle(self, text: str) -> Recording:
        """Shows texts, given as the contents of an SRT file.

        >>> rec = open("samples/yq_sp.dm2")
        >>> shown = rec.subtitle("1\\n00:00:02,000 --> 00:00:04,000\\nIt begins\\n")
        >>> any("It begins" in event.get("text", "") for event in shown.events)
        True
        """
        return self._edit("subtitle", text)

    def insert(self, when: str, what: str) -> Recording:
        """Inserts a message, a console command or a fade, like ``moviola insert``.

        >>> rec = open("samples/yq_sp.dm2").insert("2", 'centerprint "Look left"')
        >>> any(event.get("text") == "Look left" for event in rec.events)
        True
        """
        return self._edit("insert", when, what)

    def camera(self, script: str) -> Recording:
        """Films it from other places; takes the contents of a script of ``moviola camera``.

        >>> rec = open("samples/yq_sp.dm2")
        >>> rec.camera('[[shot]]\\nat = "21..22"\\nchase = "me"\\n').data != rec.data
        True
        """
        return self._edit("camera", script)

    def convert(
        self, protocol: int | None = None, *, engine: str | None = None, player: str | None = None
    ) -> Recording:
        """Converts it to another protocol or for an engine; a match is seen through the eyes of one player.

        >>> open("samples/qs_999_lq_e0m9.dem").convert(15).info["protocol"]
        15
        """
        number = "" if protocol is None else str(protocol)
        return self._edit("convert", number, engine or "", player or "")

    def repair(self) -> Recording:
        """Repairs damage, like ``moviola repair``.

        >>> torn = Recording(open("samples/yq_sp.dm2").data[:30000])
        >>> len(torn.repair().check()["findings"]) < len(torn.check()["findings"])
        True
        """
        return self._edit("repair")

    def view(self, player: str) -> Recording:
        """Extracts the recording of one player from a server's recording or a match.

        >>> open("samples/mvdsv_bots_lqdm2.mvd").view("1").info["format"]
        'qwd'
        """
        return self._edit("view", player)

    def ghost(self, *others: Recording, shift: float = 0.0, gap: bool = False) -> Recording:
        """Shows the players of other recordings of the level as ghosts.

        >>> rec = open("samples/yq_sp.dm2")
        >>> rec.ghost(rec, shift=-1.0).data != rec.data
        True
        """
        return self._edit("ghost", str(float(shift)), "gap" if gap else "", others=others)

    def save(self, path: str | _os.PathLike[str], *, force: bool = False) -> None:
        """Saves it to a file, which is never incomplete: it is written under another name and then renamed. An existing
        file is only replaced with ``force``.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     open("samples/yq_sp.dm2").cut("20..25").save(folder + "/part.dm2")
        ...     open(folder + "/part.dm2").info["maps"]
        ['oracle2']
        """
        target = Path(path)
        if target.exists() and not force:
            raise FileExistsError(f"{target} is there already; force=True replaces it")
        data = self.data
        part = target.with_name(f".{target.name}.{_os.getpid()}.part")
        try:
            part.write_bytes(data)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)


def _grouped(data: bytes, table: str) -> dict[int, list[dict[str, Any]]]:
    groups: dict[int, list[dict[str, Any]]] = {}
    for line in _moviola.rows(data, table).splitlines():
        row = _json.loads(line)
        groups.setdefault(row["block"], []).append(row)
    return groups


def open(source: str | _os.PathLike[str] | bytes | bytearray | memoryview) -> Recording:
    """Opens a recording, from its bytes or a path, which may be a container with one recording.

    Damage is not an error: the readable parts are read, and ``check`` reports the damage.

    >>> open("samples/yq_sp.dm2")
    <moviola.Recording samples/yq_sp.dm2>
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        return Recording(bytes(source))
    path = _os.fspath(source)
    return Recording(_moviola.read(path), path)


def compile(text: str) -> Recording:
    """Compiles a text into a recording. All mistakes are reported at once, with line, column and code.

    >>> compile("block { nope; }")
    Traceback (most recent call last):
      ...
    moviola.MoviolaError: 1:9: T002: `nope` is not a statement (did you mean `nop`?)
    """
    return Recording(_moviola.compile(text))


def join(recordings: Sequence[Recording]) -> Recording:
    """Joins several recordings into one.

    >>> rec = open("samples/yq_sp.dm2")
    >>> join([rec.cut("..22"), rec.cut("22..24")]).info["blocks"] < rec.info["blocks"]
    True
    """
    return Recording(_moviola.join([one.data for one in recordings]))


def floor_plan(
    level: str,
    game: str | _os.PathLike[str] | Sequence[str | _os.PathLike[str]],
    places: Sequence[tuple[float, float, float]],
) -> dict[str, Any] | None:
    """The floor plan of a level. ``game`` are folders and archives with the game's files; the last one wins.

    The level is cut open at the heights of ``places``, the positions of players, so that no roof hides a room.
    ``corners`` are the least and the greatest x and y. Each of ``layers``, the lowest first, has polygons of ``floors``
    and ``liquids``, lines of ``steps`` and ``walls``, and a ``shade`` of 0 to 255 by its height. ``None`` if there is
    no floor.

    >>> plan = floor_plan("lq_e0m9", "samples/librequake/lq_e0m9.pk3", [(0, -176, 80)])
    >>> len(plan["layers"]) > 1
    True
    """
    parts = [game] if isinstance(game, (str, _os.PathLike)) else list(game)
    made = _moviola.floor_plan(level, parts, places)
    return None if made is None else _json.loads(made)


class Scan:
    """The tables of many recordings, and the files that have no rows.

    >>> found = scan("samples", tables=["levels"])
    >>> (list(found.tables), type(found.failed))
    (['levels'], <class 'dict'>)
    """

    def __init__(self, tables: dict[str, Table], failed: dict[str, str]) -> None:
        """Made by `scan`."""
        self.tables = tables
        #: Why a file has no rows, by its path.
        self.failed = failed

    def __getitem__(self, name: str) -> Table:
        """A table, by its name.

        >>> scan("samples", tables=["levels"])["levels"].name
        'levels'
        """
        return self.tables[name]


def scan(
    folder: str | _os.PathLike[str],
    tables: Sequence[str] = ("recordings", "levels", "players", "kills"),
    progress: Callable[[int, int], object] | None = None,
) -> Scan:
    """Makes the tables of all recordings in a folder and its subfolders, on all cores.

    ``progress`` is called with the number of finished files and the number of all files.

    >>> found = scan("samples", tables=["levels"])
    >>> len(found["levels"]) >= 5
    True
    """
    paths = sorted(
        str(path)
        for path in Path(folder).rglob("*")
        if path.suffix.lower() in _ENDINGS and path.is_file()
    )
    names = list(tables)
    made, failed = _moviola.scan(paths, names, progress)
    return Scan(dict(zip(names, made, strict=True)), {paths[at]: why for at, why in failed})
