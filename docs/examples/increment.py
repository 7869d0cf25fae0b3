"""Updates a downloaded records.parquet: fetches only the records that changed, and keeps the others.

    WATER_KEY=... python increment.py http://127.0.0.1:7071/v1/AggregatedAmounts VERSION old.parquet new.parquet

VERSION is the Data-Version of the list of downloads from which the old file comes; the one that the new file stands for is
printed. The file is that of one organization, whose records are asked for. Needs requests and pyarrow.
"""

import datetime
import io
import os
import sys

import pyarrow
import pyarrow.parquet
import requests

SECONDS_TO_ANSWER = 600


def main(operation, version, old_file, new_file):
    session = requests.Session()
    session.headers["X-API-Key"] = os.environ.get("WATER_KEY") or sys.exit("Set WATER_KEY to your access key.")
    old = pyarrow.parquet.read_table(old_file)
    of_organization = {"OrganizationUUID": old["OrganizationUUID"][0].as_py()}

    # Both answers are of the same version, which the first one names.
    query = {**of_organization, "ChangedSince": version, "format": "parquet"}
    answer = ask(session, operation + "/Export", query)
    now = answer.headers["Data-Version"]
    changed = pyarrow.parquet.read_table(io.BytesIO(answer.content)).cast(old.schema)
    removed = list(walk_removed(session, operation, {**of_organization, "Since": version, "DataVersion": now}))

    replaced = set(changed["Key"].to_pylist())
    names = list(removed[0]) if removed else []
    gone = {key_of(key, names) for key in removed}
    rows = old.select([*names, "Key"]).to_pylist()
    stays = [row["Key"] not in replaced and key_of(row, names) not in gone for row in rows]
    new = pyarrow.concat_tables([old.filter(pyarrow.array(stays)), changed])
    pyarrow.parquet.write_table(new, new_file, compression="zstd")
    print(f"{len(removed)} removed, {changed.num_rows} added or changed, {new.num_rows} records of version {now}")


def walk_removed(session, operation, query):
    """Reads the keys of all removed records, page by page."""
    start = 0
    while True:
        page = ask(session, operation + "/Removed", {**query, "StartIndex": start, "RecordCount": 10000}).json()
        yield from (removed["Key"] for removed in page["Removed"])
        start += len(page["Removed"])
        if start >= page["TotalRemovedCount"] or not page["Removed"]:
            return


def ask(session, address, query):
    answer = session.get(address, params=query, timeout=SECONDS_TO_ANSWER)
    if answer.status_code == 410:
        sys.exit("The service does not hold that version any more: take the whole file.")
    if not answer.ok:
        sys.exit(f"{answer.status_code} for {address}: {answer.text}")
    return answer


def key_of(row, names):
    """The values of a key in the same form for tables and answers; None if it has no members."""
    return tuple(plain(row[name]) for name in names) or None


def plain(value):
    if isinstance(value, list):
        return tuple(sorted(next(iter(item.values())) if isinstance(item, dict) else item for item in value))
    return value.isoformat() if isinstance(value, (datetime.date, datetime.datetime)) else value


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
