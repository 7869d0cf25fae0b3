"""Times DuckDB in process, with the questions of `npm run bench -- --totals`.

Usage: python time_engines.py SUBMISSION_FOLDER TIMES

Reads the site amounts of the generated submission with the columns that the questions need, keeps them as a table in
memory and as a Parquet file, and asks each question TIMES times of both. Prints one JSON array of objects: engine,
form, question, and the median milliseconds of elapsed time and of processor time. Sums are the engine's plain sums,
without compensation. Needs the package `duckdb` from PyPI.
"""

import json
import os
import statistics
import sys
import tempfile
import time

VARIABLE = "vs, v, unit, stat, ival, ivalunit"
MEASURES = "count(*) n, count(amount) c, sum(amount) s, avg(amount) a, min(amount) lo, max(amount) hi, min(d0) f, max(d1) l"
A_SIXTH = "d0 >= date '1985-01-01' and d1 <= date '1989-12-31'"


def grouped(groups, source, distinct, where="true"):
    keys = ", ".join(groups + [VARIABLE])
    return f"select {keys}, {MEASURES}, {distinct} p from {source} where {where} group by {keys} order by {keys} limit 1000"


def questions(table, uses, distinct):
    return {
        "everything, one row a variable": grouped([], table, distinct),
        "everything by use": grouped(["use"], f"(select {uses} use, * from {table}) t", distinct),
        "everything by year and county": grouped(["y", "county"], table, distinct),
        "a range of dates by year and county": grouped(["y", "county"], table, distinct, A_SIXTH),
    }


def to_parquet(duckdb, folder, file):
    connection = duckdb.connect()

    def csv(name):
        return f"""read_csv('{os.path.join(folder, name)}', all_varchar=true, quote='"')"""

    connection.execute(f"""copy (
        select a.SiteUUID site, s.County county, VariableSpecificCV vs, VariableCV v, AmountUnitCV unit,
          AggregationStatisticCV stat, AggregationInterval ival, AggregationIntervalUnitCV ivalunit,
          string_split(BeneficialUseCategory, ',') uses, Amount::double amount,
          TimeframeStart::date d0, TimeframeEnd::date d1, year(TimeframeEnd::date)::smallint y
        from {csv('sitespecificamounts.csv')} a
        join {csv('sites.csv')} s using (SiteUUID) join {csv('variables.csv')} using (VariableSpecificUUID)
        order by site, vs, d0) to '{file}' (format parquet, compression zstd)""")
    connection.close()


def timed(ask, times):
    ask()
    clock, processor = [], []
    for _ in range(times):
        started, used = time.perf_counter(), time.process_time()
        ask()
        processor.append((time.process_time() - used) * 1000)
        clock.append((time.perf_counter() - started) * 1000)
    return {"milliseconds": statistics.median(clock), "processor": statistics.median(processor)}


def duckdb_figures(duckdb, file, times):
    connection = duckdb.connect()
    connection.execute("set threads = 2")
    enums = ["site", "county", "vs", "v", "unit", "stat", "ival", "ivalunit"]
    for name in enums:
        connection.execute(f"create type e_{name} as enum (select distinct {name} from '{file}' where {name} is not null)")
    columns = ", ".join(f"{name}::e_{name} {name}" for name in enums)
    connection.execute(f"create table amounts as select {columns}, uses, amount, d0, d1, y from '{file}'")
    for form, source in (("memory", "amounts"), ("Parquet", f"'{file}'")):
        for question, sql in questions(source, "unnest(uses)", "count(distinct site)").items():
            yield {"engine": "DuckDB", "form": form, "question": question} | timed(
                lambda sql=sql: connection.execute(sql).fetchall(), times
            )


def main():
    folder, times = sys.argv[1], int(sys.argv[2])
    with tempfile.TemporaryDirectory() as temporary:
        import duckdb

        file = os.path.join(temporary, "amounts.parquet")
        to_parquet(duckdb, folder, file)
        figures = list(duckdb_figures(duckdb, file, times))
    print(json.dumps(figures))


main()
