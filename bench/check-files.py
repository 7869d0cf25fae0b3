"""Compares a service's download files with the pages of its JSON, record by record and including types.

    WATER_KEY=... python bench/check-files.py http://127.0.0.1:7071

Downloads every file and compares its digest. records.parquet is read by pyarrow and by DuckDB, places.parquet by
geopandas. Needs duckdb, geopandas, pyarrow and requests. Exits with 1 at the first difference.
"""

import datetime
import hashlib
import os
import sys
import tempfile

import duckdb
import geopandas
import pyarrow.parquet
import requests

OPERATIONS = {
    "SiteVariableAmounts": "SiteVariableAmounts",
    "AggregatedAmounts": "AggregatedAmounts",
    "WaterAllocations": "SiteAllocationAmounts",
}
# The lists of lookups next to the records, and the member of a record that refers to their items.
LOOKUPS = {
    "Sites": "SiteUUID",
    "ReportingUnits": "ReportingUnitUUID",
    "Methods": "MethodUUID",
    "WaterSources": "WaterSourceUUID",
    "VariableSpecifics": "VariableSpecificUUID",
}


def main(service):
    session = requests.Session()
    session.headers["X-API-Key"] = os.environ.get("WATER_KEY") or sys.exit("Set WATER_KEY to an access key.")
    listed = get(session, service + "/v1/Downloads").json()["Downloads"]
    with tempfile.TemporaryDirectory() as folder:
        for download in listed:
            files = {file["Name"]: fetch(session, service, file, folder) for file in download["Files"]}
            compare(session, service, download, files)


def get(session, address, **query):
    answer = session.get(address, params=query, timeout=600)
    answer.raise_for_status()
    return answer


def fetch(session, service, file, folder):
    content = get(session, service + file["Path"]).content
    expect((len(content), hashlib.sha256(content).hexdigest()), (file["Bytes"], file["SHA256"]), file["Path"])
    path = os.path.join(folder, file["SHA256"])
    with open(path, "wb") as out:
        out.write(content)
    return path


def compare(session, service, download, files):
    organization, data_set = download["OrganizationUUID"], download["DataSet"]
    table = pyarrow.parquet.read_table(files["records.parquet"])
    schema = {field.name: field.type for field in table.schema}
    rows = table.to_pylist()
    cursor = duckdb.connect().execute("SELECT * FROM read_parquet(?)", [files["records.parquet"]])
    names = [column[0] for column in cursor.description]
    others = [dict(zip(names, row)) for row in cursor.fetchall()]
    expect(len(others), len(rows), "rows by DuckDB")
    for index, (row, other) in enumerate(zip(rows, others)):
        expect(other, row, f"row {index} by DuckDB")

    places, cells, at = {}, 0, 0
    address = f"{service}/v1/{OPERATIONS[data_set]}"
    for page in walk(session, address, organization):
        lookups = {name: {item[key]: item for item in page.get(name, [])} for name, key in LOOKUPS.items()}
        places.update(lookups["Sites"] or lookups["ReportingUnits"])
        for record in page[data_set]:
            cells += compare_record(rows[at], schema, record, page, lookups, f"{organization} {data_set} {at}")
            at += 1
    expect(at, len(rows), "records of the walk")

    frame = geopandas.read_parquet(files["places.parquet"])
    identifier = "SiteUUID" if "SiteUUID" in frame else "ReportingUnitUUID"
    # A release may have places without any record.
    missing = set(places) - set(frame[identifier])
    expect(missing, set(), "places that are not in places.parquet")
    for row in frame.itertuples():
        item = places.get(getattr(row, identifier))
        if item is None or row.geometry is None:
            continue
        if row.geometry.geom_type == "Point" and item.get("SiteGeometry") is None:
            point = (row.geometry.x, row.geometry.y)
            expect(point, (float(item["Longitude"]), float(item["Latitude"])), f"the point of {row}")
    print(f"{organization} {data_set}: {at} records, {cells} cells, {len(frame)} places are the same")


def walk(session, address, organization):
    start = 0
    while True:
        query = {"OrganizationUUID": organization, "StartIndex": start, "RecordCount": 1000}
        page = get(session, address, **query).json()
        if not page["Organizations"]:
            return
        (found,) = page["Organizations"]
        yield found
        start += next(len(found[name]) for name in OPERATIONS if name in found)


def compare_record(row, schema, record, organization, lookups, where):
    """Compares the members of a record, of its organization and of its lookups. Returns the number of cells."""
    named = [lookups[name].get(record.get(key)) for name, key in LOOKUPS.items() if isinstance(record.get(key), str)]
    cells = 0
    for source in (record, organization, *named):
        for name, value in (source or {}).items():
            if name not in row or (source is not record and name in record) or name in LOOKUPS or name in OPERATIONS:
                continue
            if source is organization and not name.startswith("Organization"):
                continue
            expect(row[name], typed(value, str(schema[name])), f"{where}, {name}")
            cells += 1
    return cells


def typed(value, type_name):
    """Converts a value of the JSON answer to the type of the column."""
    if value is None:
        return None
    if isinstance(value, list):
        return [next(iter(item.values())) if isinstance(item, dict) else item for item in value]
    if type_name.startswith("date"):
        # In the answer, some dates have a time.
        return datetime.date.fromisoformat(value[:10])
    if type_name.startswith("timestamp"):
        return datetime.datetime.fromisoformat(value)
    return float(value) if type_name == "double" else value


def expect(found, wanted, where):
    if found != wanted or type(found) is not type(wanted):
        sys.exit(f"{where}: {found!r} instead of {wanted!r}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1].rstrip("/"))
