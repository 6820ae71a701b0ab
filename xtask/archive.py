"""An archive end to end: a thousand recordings, exported in two shards of which one is killed, then
queried as a whole.

Called by `cargo xtask datasets` in a folder of its own, with the paths of the program and of the samples.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import duckdb
import polars

RECORDINGS = 1000
TABLES = ["recordings", "levels", "players", "kills", "pickups", "positions"]
PATIENCE = 60.0

# : The most memory, in MB, that an export may take on one core, and the additional memory for each further core.
MEMORY, A_CORE = 128, 64

#: Runs a program and prints the most memory it took, in kB. A process counts the memory of the one that started it, so
#: it is started by one that is small.
MEASURE = """
import os, sys
_, status, used = os.wait4(os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ), 0)
print(used.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""

program, samples = sys.argv[1], pathlib.Path(sys.argv[2])
demos, tables, parts = pathlib.Path("demos"), pathlib.Path("tables"), pathlib.Path("parts")


def expect(is_so, what):
    if not is_so:
        sys.exit(f"the archive: {what}")


def make_recordings():
    """Writes the recordings into a folder for each month, and returns the number of copies of each sample.

    The track number in a recording's first line may be any number, so each one makes another recording.
    """
    bodies = [path.read_bytes().split(b"\n", 1)[1] for path in sorted(samples.glob("*.dem"))]
    for number in range(RECORDINGS):
        folder = demos / f"2025-{number // len(bodies) % 12 + 1:02}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number:04}.dem").write_bytes(b"%d\n" % number + bodies[number % len(bodies)])
    return [len(range(base, RECORDINGS, len(bodies))) for base in range(len(bodies))]


def start(shard):
    words = [program, "export", "-q", str(demos), "--tables", ",".join(TABLES), "-o", str(tables)]
    return subprocess.Popen(words + ["--shard", shard])


def kill_in_the_middle():
    """Starts a shard, and kills it when some recordings are there, but not all."""
    shard, until = start("1/2"), time.monotonic() + PATIENCE
    while len(list(tables.glob("recordings/*.parquet"))) < RECORDINGS // 20:
        expect(shard.poll() is None, "the shard ended before it could be killed")
        expect(time.monotonic() < until, "the shard wrote too little")
        time.sleep(0.001)
    shard.send_signal(signal.SIGKILL)
    shard.wait()
    left = len(list(tables.glob("recordings/*.parquet")))
    expect(left < RECORDINGS // 2, "the shard was killed too late")
    print(f"killed when {left} recordings were in the tables")


def finish():
    """Runs both shards at the same time."""
    for shard in [start("1/2"), start("2/2")]:
        expect(shard.wait() == 0, "a shard failed")


def check_files():
    """Every table has each recording once, and nothing else is there."""
    names = None
    for table in TABLES:
        files = {path.name for path in (tables / table).iterdir()}
        names = names or files
        expect(len(files) == RECORDINGS, f"{table} has {len(files)} files")
        expect(files == names, f"{table} has other recordings than {TABLES[0]}")
    others = sorted(path.name for path in tables.iterdir() if path.name not in TABLES)
    expect(not others, f"{', '.join(others)} should not be there")


def check_rows(times):
    """Each table has the rows of every copy; the tables of the samples alone say how many rows a copy has."""
    words = [program, "export", "-q", *map(str, sorted(samples.glob("*.dem")))]
    subprocess.run(words + ["--tables", ",".join(TABLES), "-o", "alone"], check=True)
    order = [path.name for path in sorted(samples.glob("*.dem"))]
    ids = dict(duckdb.sql("SELECT parse_filename(file), recording FROM 'alone/recordings/*.parquet'").fetchall())
    for table in TABLES:
        alone = dict(duckdb.sql(f"SELECT recording, count(*) FROM 'alone/{table}/*.parquet' GROUP BY 1").fetchall())
        expected = sum(alone.get(ids[name], 0) * count for name, count in zip(order, times))
        rows, recordings = duckdb.sql(
            f"SELECT count(*), count(DISTINCT recording) FROM '{tables}/{table}/*.parquet'"
        ).fetchall()[0]
        expect(rows == expected, f"{table} has {rows} rows instead of {expected}")
        print(f"{table}: {rows} rows of {recordings} recordings")


def check_partitions():
    """Parts by map and month have the same rows, and a question for one part reads that part alone."""
    month = "regexp_extract(file, '(\\d{4}-\\d{2})/', 1)"
    duckdb.sql(
        f"""COPY (SELECT p.*, {month} AS month
                  FROM '{tables}/positions/*.parquet' p JOIN '{tables}/recordings/*.parquet' USING (recording))
            TO '{parts}' (FORMAT parquet, PARTITION_BY (map, month))"""
    )
    whole = duckdb.sql(f"SELECT map, count(*) FROM '{tables}/positions/*.parquet' GROUP BY 1 ORDER BY 1").fetchall()
    source = f"read_parquet('{parts}/**/*.parquet', hive_partitioning = true)"
    divided = duckdb.sql(f"SELECT map, count(*) FROM {source} GROUP BY 1 ORDER BY 1").fetchall()
    expect(whole == divided, f"the parts have {divided} instead of {whole}")
    months = duckdb.sql(f"SELECT count(DISTINCT month) FROM {source}").fetchall()
    expect(months == [(12,)], f"{months} months")
    wanted = f"map = '{whole[0][0]}' AND month = '2025-03'"
    plan = duckdb.sql(f"EXPLAIN ANALYZE SELECT count(*) FROM {source} WHERE {wanted}").fetchall()[0][1]
    expect("Scanning Files: 1/" in plan or "Total Files Read: 1 " in plan, f"more than one part was read:\n{plan}")
    lazy = polars.scan_parquet(f"{parts}/**/*.parquet", hive_partitioning=True)
    rows = lazy.select(polars.len()).collect().item()
    expect(rows == sum(count for _, count in whole), f"Polars finds {rows} rows")
    print(f"{len(whole)} maps in 12 months: {rows} rows, in parts as before")


def check_memory():
    """One large recording is exported by all cores to the same bytes as by one, in memory that does not grow with it."""
    body = (samples / "qs_15_lq_e0m9.dem").read_bytes().split(b"\n", 1)[1]
    for copies in [200, 600]:
        large = pathlib.Path(f"large{copies}.dem")
        large.write_bytes(b"-1\n" + body * copies)
        for cores in [1, 2]:
            words = [program, "export", "-q", str(large), "--force", "-o", f"by{cores}"]
            env = dict(os.environ, RAYON_NUM_THREADS=str(cores))
            run = subprocess.run([sys.executable, "-c", MEASURE, *words], env=env, capture_output=True, text=True)
            expect(run.returncode == 0, f"a large recording could not be exported: {run.stderr}")
            memory, most = int(run.stdout) // 1000, MEMORY + A_CORE * (cores - 1)
            print(f"{large.stat().st_size // 1000000} MB by {cores} cores: {memory} MB of memory")
            expect(memory <= most, f"{memory} MB of memory, more than {most}")
        for made in sorted(pathlib.Path("by1").rglob("*.parquet")):
            other = pathlib.Path("by2", *made.parts[1:])
            expect(made.read_bytes() == other.read_bytes(), f"{made} and {other} differ")
        large.unlink()


for folder in [demos, tables, parts, pathlib.Path("alone"), pathlib.Path("by1"), pathlib.Path("by2")]:
    shutil.rmtree(folder, ignore_errors=True)
times = make_recordings()
kill_in_the_middle()
finish()
check_files()
check_rows(times)
check_partitions()
check_memory()
