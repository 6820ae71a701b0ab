"""The package in a clean environment: its examples, and tables in Polars, DuckDB, pyarrow and pandas.

Called by `cargo xtask python` in the repository's folder with the program's path, with the package installed.
"""

import doctest
import resource
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pandas
import polars
import pyarrow

import moviola

SAMPLES = Path("samples")


def check_examples() -> None:
    """The examples in the docstrings run, and every public item has one."""
    result = doctest.testmod(moviola)
    assert result.attempted > 30 and result.failed == 0, result
    public = [getattr(moviola, name) for name in moviola.__all__]
    made_here = [it for it in public if getattr(it, "__module__", "") == "moviola" and it is not moviola.MoviolaError]
    methods = [(owner, name) for owner in (moviola.Recording, moviola.Scan) for name in vars(owner)]
    for owner, name in [(None, it.__name__) for it in made_here if it is not moviola.Table] + methods:
        if name.startswith("_"):
            continue
        it = vars(owner)[name] if owner else getattr(moviola, name)
        assert ">>>" in (it.__doc__ or ""), f"{name} has no example"


def check_tables() -> None:
    """Every table of every sample is the same in all libraries that take Arrow."""
    rows = 0
    for path in sorted(SAMPLES.glob("*.dem")) + sorted(SAMPLES.glob("*.dm2")):
        recording = moviola.open(path)
        for name in moviola.TABLES:
            if name == "messages":
                continue
            table = recording.table(name)
            frame = polars.DataFrame(table)
            arrow = pyarrow.table(table)
            data = arrow.to_pandas()
            shapes = {frame.shape, arrow.shape, data.shape, (len(table), len(table.column_names))}
            assert len(shapes) == 1, (path, name, shapes)
            assert frame.columns == table.column_names == arrow.column_names
            # The columns of all recordings have the same types.
            assert arrow.schema == pyarrow.table(moviola.Recording(b"").table(name)).schema, name
            rows += len(table)
        kills = recording.table("kills")
        assert duckdb.sql("SELECT count(*) FROM kills").fetchall() == [(len(kills),)]
        arrow_kills = pyarrow.table(kills)
        assert isinstance(arrow_kills.to_pandas()["how"].dtype, pandas.CategoricalDtype)
        assert pyarrow.types.is_dictionary(arrow_kills.schema.field("weapon").type)
    assert rows > 10_000, rows
    print(f"{rows} rows")


def check_damage() -> None:
    """A damaged recording gives tables and findings, and a file that is not a recording gives no rows. Only expected
    errors are raised."""
    whole = (SAMPLES / "yq_sp.dm2").read_bytes()
    for upto in range(0, len(whole), 4001):
        part = moviola.open(whole[:upto])
        assert len(part.table("ticks")) >= 0
        part.check()
    assert len(moviola.open(b"a text").table("kills")) == 0
    recording = moviola.open(whole)
    for wrong, code in [
        (lambda: recording.table("kill"), None),
        (lambda: moviola.compile("block { nope; }"), "T002"),
        (lambda: recording.cut("1..x").data, "E001"),
        (lambda: recording.convert(engine="nothing").data, None),
    ]:
        try:
            wrong()
        except moviola.MoviolaError as error:
            assert str(error) and error.code == code and len(error.mistakes) == 1, (code, error.code, str(error))
        else:
            raise AssertionError(code)
    assert moviola.MoviolaError("by hand").code is None
    try:
        moviola.open("nowhere.dem")
    except FileNotFoundError:
        pass


def check_edits() -> None:
    """Edits make a recording that is exact, and replace no file without ``force``."""
    recording = moviola.open(SAMPLES / "yq_sp.dm2")
    edited = recording.cut("20..25").set("player.1.name=Bob").squeeze()
    assert edited.check()["exact"] and len(edited.data) < len(recording.data)
    assert "Bob" in edited.info["players"]
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "x.dm2"
        edited.save(target)
        assert target.read_bytes() == edited.data
        try:
            edited.save(target)
        except FileExistsError:
            edited.save(target, force=True)
        else:
            raise AssertionError("it was replaced")


def check_edits_of_the_command_line() -> None:
    """Edits make the same bytes as the program does."""
    program = sys.argv[1]
    sample = SAMPLES / "qs_999_lq_e0m9.dem"
    recording = moviola.open(sample)
    for words, made in [
        (["cut", "..5"], recording.cut("..5")),
        (["drop", "..5"], recording.drop("..5")),
        (["highlights", "--top", "1"], recording.highlights(top=1)),
        (["retime", "1/2", "--smooth"], recording.retime("1/2", smooth=True)),
        (["strip", "sounds"], recording.strip("sounds")),
        (["squeeze"], recording.squeeze()),
        (["set", "player.1.name=Bob"], recording.set("player.1.name=Bob")),
        (["insert", "2", 'centerprint "Look left"'], recording.insert("2", 'centerprint "Look left"')),
        (["convert", "--to", "15"], recording.convert(15)),
        (["ghost", str(sample), "--shift", "-1"], recording.ghost(recording, shift=-1.0)),
        (["repair"], recording.repair()),
    ]:
        name, *rest = words
        if name == "squeeze" or name == "repair":
            rest = []
        done = subprocess.run([program, name, "-q", "-", *rest], input=recording.data, capture_output=True)
        assert done.returncode == 0, (words, done.stderr)
        assert done.stdout == made.data, words


def check_threads() -> None:
    """Other threads of Python run while a recording is read: on several cores, two tasks at once are faster than one
    after the other, and give the same."""
    recordings = [moviola.open(path) for path in sorted(SAMPLES.glob("*.dem"))]
    ticks = 0
    with ThreadPoolExecutor(4) as pool:
        waiting = [pool.submit(lambda it: len(it.table("entities")), it) for it in recordings * 4]
        while not all(it.done() for it in waiting):
            ticks += 1
    assert ticks > 0
    assert [it.result() for it in waiting[: len(recordings)]] == [len(it.table("entities")) for it in recordings]


def check_scan() -> None:
    """Scanning a folder in parallel reports its progress, and names the files that cannot be read."""
    steps: list[tuple[int, int]] = []
    found = moviola.scan(SAMPLES, ["recordings", "positions"], lambda done, of: steps.append((done, of)))
    assert steps and steps[-1][0] <= steps[-1][1]
    frame = polars.DataFrame(found["positions"])
    assert frame["recording"].n_unique() <= len(found["recordings"])
    files = polars.DataFrame(found["recordings"])["file"].to_list()
    assert files == sorted(files)


def check_import() -> None:
    """The package depends on no other package."""
    code = "import moviola, sys; assert not {'polars', 'pyarrow', 'pandas', 'numpy', 'duckdb'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
    # Measures processor time, because other work of the machine lengthens the elapsed time.
    def seconds(code: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    took = min(seconds("import moviola") for _ in range(7)) - min(seconds("") for _ in range(7))
    print(f"import: {took * 1000:.0f} ms")
    assert took < 0.05, took


for check in [
    check_import,
    check_examples,
    check_tables,
    check_damage,
    check_edits,
    check_edits_of_the_command_line,
    check_threads,
    check_scan,
]:
    check()
    print(f"{check.__name__}: good")
