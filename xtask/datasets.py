"""Asks the tables of the samples in DuckDB, Polars and Spark what docs/export.md shows, and whether all forms agree.

Called by `cargo xtask datasets` in a folder with `tables` (Parquet), `csv` and `jsonl`, with the paths of the paper and of
README.
"""

import contextlib
import io
import pathlib
import re
import sys

import duckdb
import polars

TABLES = sorted(path.name for path in pathlib.Path("tables").iterdir())
FORMS = {
    "parquet": "read_parquet('tables/{}/*.parquet')",
    "csv": "read_csv('csv/{}/*.csv', header = true, sample_size = -1, allow_quoted_nulls = false)",
    "jsonl": "read_json('jsonl/{}/*.jsonl', format = 'newline_delimited', sample_size = -1)",
}
# For each table a number that is right only if rows and values are.
SUMS = {
    "recordings": "sum(bytes)",
    "levels": "sum(last_block)",
    "players": "sum(slot) + count(name)",
    "kills": "sum(block) + count(attacker) + count(DISTINCT weapon)",
    "damages": "sum(damage) + count(attacker_x)",
    "pickups": "sum(block) + count(DISTINCT item)",
    "positions": "sum(slot) + count(velocity_x) + sum(block)",
    "shots": "sum(block) + count(DISTINCT weapon) + count(hits)",
    "chat": "sum(block) + count(text)",
    "items": "sum(entity) + count(taken_block)",
    "ticks": "sum(health) + count(x) + sum(block)",
    "entities": "sum(entity) + count(DISTINCT model)",
    "events": "sum(block) + count(DISTINCT kind)",
    "messages": "count(number) + count(text) + sum(part)",
}


def agree(what, values):
    if len({str(value) for value in values.values()}) != 1:
        sys.exit(f"{what} differ: {values}")
    print(f"{what}: {next(iter(values.values()))} in {', '.join(values)}")


def run(paper, spark):
    """Runs what the paper shows: SQL in DuckDB, Python as it stands."""
    count = 0
    for language, code in re.findall(r"```(sql|python)\n(.*?)```", paper, re.S):
        if "pyspark" in code and not spark:
            continue
        if language == "sql":
            for query in filter(str.strip, code.split(";\n")):
                rows = duckdb.sql(query).fetchall()
                if not rows:
                    sys.exit(f"docs/export.md: nothing is found by\n{query}")
                count += 1
        else:
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exec(compile(code, "docs/export.md", "exec"), {})
            count += 1
    if count < 3:
        sys.exit(f"docs/export.md: only {count} queries were found")
    print(f"docs/export.md: {count} queries")


def answer(readme):
    """Compares the answer that README shows for its query with what DuckDB says."""
    query, table = re.search(r'duckdb -c "([^"]*)"\n```\n\n((?:\|.*\n)+)', readme).groups()
    head, _, *rows = [[cell.strip() for cell in line.strip("| \n").split(" | ")] for line in table.splitlines()]
    found = duckdb.sql(query)
    values = [[f"{cell:.0f}" if isinstance(cell, float) else str(cell) for cell in row] for row in found.fetchall()]
    if (found.columns, values) != (head, rows):
        sys.exit(f"README.md: its query finds {found.columns} {values}")
    print(f"README.md: {len(rows)} rows as it shows them")


def main():
    paper, readme, spark = *(pathlib.Path(path).read_text() for path in sys.argv[1:3]), "--spark" in sys.argv
    for table in TABLES:
        rows, sums = {}, {}
        for form, source in FORMS.items():
            query = f"SELECT count(*), {SUMS[table]} FROM {source.format(table)}"
            rows[form], sums[form] = duckdb.sql(query).fetchall()[0]
        rows["polars"] = polars.scan_parquet(f"tables/{table}/*.parquet").select(polars.len()).collect().item()
        if spark:
            from pyspark.sql import SparkSession

            builder = SparkSession.builder.config("spark.ui.showConsoleProgress", "false")
            session = builder.config("spark.ui.enabled", "false").getOrCreate()
            session.sparkContext.setLogLevel("ERROR")
            session.read.parquet(f"tables/{table}").createOrReplaceTempView(table)
            rows["spark"], sums["spark"] = session.sql(f"SELECT count(*), {SUMS[table]} FROM {table}").first()
        agree(f"rows of {table}", rows)
        agree(f"sums of {table}", sums)
    run(paper, spark)
    answer(readme)


main()
