"""The package in a clean environment: its examples, and tables in Polars, DuckDB, pyarrow and pandas.

Called by `cargo xtask python` in the repository's folder, with the package installed.
"""

import doctest
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import pandas
import polars
import pyarrow

import moviola

SAMPLES = Path("samples")


def check_examples() -> None:
    """The examples in the docstrings run."""
    result = doctest.testmod(moviola)
    assert result.attempted > 10 and result.failed == 0, result


def check_tables() -> None:
    """Every table of every sample is the same in all that take Arrow."""
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
    """A damaged recording gives tables and findings; what is none gives no rows; nothing raises but what should."""
    whole = (SAMPLES / "yq_sp.dm2").read_bytes()
    for upto in range(0, len(whole), 4001):
        part = moviola.open(whole[:upto])
        assert len(part.table("ticks")) >= 0
        part.check()
    assert len(moviola.open(b"a text").table("kills")) == 0
    for wrong in [lambda: moviola.open(whole).table("kill"), lambda: moviola.compile("block {")]:
        try:
            wrong()
        except moviola.MoviolaError as error:
            assert str(error)
        else:
            raise AssertionError(wrong)
    try:
        moviola.open("nowhere.dem")
    except FileNotFoundError:
        pass


def check_edits() -> None:
    """Edits make a recording that is exact, and do not replace a file unasked."""
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


def check_scan() -> None:
    """A folder, in parallel, says how far it is, and names what it cannot read."""
    steps: list[tuple[int, int]] = []
    found = moviola.scan(SAMPLES, ["recordings", "positions"], lambda done, of: steps.append((done, of)))
    assert steps and steps[-1][0] <= steps[-1][1]
    frame = polars.DataFrame(found["positions"])
    assert frame["recording"].n_unique() <= len(found["recordings"])
    files = polars.DataFrame(found["recordings"])["file"].to_list()
    assert files == sorted(files)


def check_import() -> None:
    """The package alone asks for no other."""
    code = "import moviola, sys; assert not {'polars', 'pyarrow', 'pandas', 'numpy', 'duckdb'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


for check in [check_import, check_examples, check_tables, check_damage, check_edits, check_scan]:
    check()
    print(f"{check.__name__}: good")
