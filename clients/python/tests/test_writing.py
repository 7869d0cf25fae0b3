"""Other programs can read the files written from frames, and find the service's values in them."""

import csv
import importlib
import io
import json
import os
import subprocess
import sys
from urllib.request import Request, urlopen

import pandas
import pytest
from pandas.testing import assert_frame_equal

import waterdataquery as water

FUNCTIONS = {
    "SiteVariableAmounts": "get_site_amounts",
    "AggregatedAmounts": "get_aggregated_amounts",
    "SiteAllocationAmounts": "get_allocations",
    "Sites": "get_sites",
    "ReportingUnits": "get_reporting_units",
}


def program(name):
    """Imports a library that reads files. In CI all of these libraries are installed."""
    if "CI" in os.environ:
        return importlib.import_module(name)
    return pytest.importorskip(name)


def command(*words):
    """The output of `python -m waterdataquery`, as bytes."""
    return subprocess.run([sys.executable, "-m", "waterdataquery", *map(str, words)], capture_output=True)


def service_text(path):
    request = Request(f"{os.environ['WATER_DATA_URL']}{path}", headers={"X-API-Key": os.environ["WATER_DATA_KEY"]})
    with urlopen(request) as answer:
        return answer.read().decode()


def is_nothing(geometry):
    return geometry is None or geometry.is_empty


def rows_of(text):
    return list(csv.reader(io.StringIO(text, newline="")))


def same_cell(mine, theirs):
    """In the service, coordinates are text, and a date may be followed by a time."""
    if mine == theirs or mine == theirs.removesuffix("T00:00:00"):
        return True
    return [number(one) for one in mine.split("|")] == [number(one) for one in theirs.split("|")]


def number(text):
    try:
        return float(text)
    except ValueError:
        return text


@pytest.mark.parametrize("operation", FUNCTIONS)
def test_the_command_writes_the_same_csv_as_the_service(operation, tmp_path):
    file = tmp_path / "out.csv"
    done = command(FUNCTIONS[operation], "--out", file)
    assert done.returncode == 0, done.stderr
    mine = rows_of(file.read_bytes().decode())
    theirs = rows_of(service_text(f"/v1/{operation}?format=csv&RecordCount=10000"))
    assert mine[0] == theirs[0]
    assert len(mine) == len(theirs) > 1
    for own, row in zip(mine, theirs, strict=True):
        different = [(name, a, b) for name, a, b in zip(mine[0], own, row, strict=True) if not same_cell(a, b)]
        assert different == []
    assert rows_of(command(FUNCTIONS[operation]).stdout.decode()) == mine


@pytest.mark.parametrize("operation", FUNCTIONS)
@pytest.mark.parametrize("is_empty", [False, True])
def test_pandas_geopandas_polars_and_duckdb_read_the_parquet_file(operation, is_empty, tmp_path):
    asked = {"state": "AK"} if is_empty else {}
    with pytest.warns(water.NothingFound) if is_empty else open(os.devnull):
        frame, _ = getattr(water, FUNCTIONS[operation])(**asked)
    own, written = tmp_path / "own.parquet", tmp_path / "written.parquet"
    frame.to_parquet(own)
    water.write(frame, written)
    for file in (own, written):
        read = pandas.read_parquet(file)
        assert (len(read), list(read)) == (len(frame), list(frame))
        geographic = program("geopandas").read_parquet(file)
        assert list(geographic.geometry.is_empty) == list(frame.geometry.is_empty)
        assert program("polars").read_parquet(file).height == len(frame)
        columns = program("duckdb").sql(f"describe select * from '{file}'").fetchall()
        assert [row[0] for row in columns] == list(frame)
    lists = [name for name in frame if any(isinstance(cell, list) for cell in frame[name])]
    for name in lists:
        assert [list(cell) for cell in read[name]] == frame[name].tolist(), name


@pytest.mark.parametrize("operation", FUNCTIONS)
def test_geojson_and_geopackage_have_the_records(operation, tmp_path):
    geopandas = program("geopandas")
    frame, _ = getattr(water, FUNCTIONS[operation])()
    flat = water.flatten(frame)
    for ending in ("geojson", "gpkg"):
        file = tmp_path / f"out.{ending}"
        assert command(FUNCTIONS[operation], "--out", file).returncode == 0
        read = geopandas.read_file(file)
        assert len(read) == len(frame)
        for left, right in zip(read.geometry, frame.geometry, strict=True):
            # If one area of a layer has several parts, all areas of the layer are written as multipart.
            assert is_nothing(left) == is_nothing(right)
            assert is_nothing(left) or left.equals(right)
        for name in flat.drop(columns="geometry"):
            assert name in read, name
    for name in flat.drop(columns="geometry"):
        mine, theirs = flat[name].dropna(), read[name].dropna()
        assert len(mine) == len(theirs), name
        if mine.dtype in ("string", "float64"):
            assert mine.tolist() == theirs.tolist(), name
    features = json.loads((tmp_path / "out.geojson").read_text())["features"]
    for feature, cells in zip(features, frame.to_dict("records"), strict=True):
        for name, cell in feature["properties"].items():
            if isinstance(cells[name], list):
                assert [item or None for item in cell] == cells[name]


@pytest.mark.parametrize("function", FUNCTIONS.values())
def test_a_frame_can_be_shown_on_a_map(function):
    program("folium")
    frame, _ = getattr(water, function)()
    page = frame.explore().get_root().render()
    assert frame["OrganizationUUID"].iloc[0] in page


@pytest.mark.parametrize("ending", ["xlsx", "shp", "json", "parquet.gz", "gpk", ""])
def test_an_unknown_ending_is_refused_before_any_request(ending, proxy, tmp_path):
    file = tmp_path / (f"out.{ending}" if ending else "out")
    done = command("get_sites", "--out", file)
    assert done.returncode == 1
    assert b".gpkg" in done.stderr
    assert proxy.seen == []
    assert not file.exists()
    with pytest.raises(water.BadArgument, match="must end in"):
        water.write(pandas.DataFrame(), file)


def test_the_command_copies_a_downloaded_file(tmp_path):
    organization = water.get_terms("allocations", state="CO")[0]["OrganizationUUID"].iloc[0]
    done = command("download", "allocations", organization, "--out", tmp_path / "all.parquet")
    assert done.returncode == 0, done.stderr
    assert len(pandas.read_parquet(tmp_path / "all.parquet")) == len(water.get_allocations(state="CO")[0])
    kept = command("download", "allocations", organization).stdout.decode().strip()
    assert kept.endswith("records.parquet")
    done = command("download", "allocations", organization, "--out", tmp_path / "all.csv")
    assert (done.returncode, (tmp_path / "all.csv").exists()) == (1, False)


def test_records_without_geometries_are_not_written_as_a_map(tmp_path):
    file = tmp_path / "totals.gpkg"
    done = command("get_totals", "allocations", "by=county", "--out", file)
    assert (done.returncode, file.exists()) == (1, False)
    assert b"needs geometries" in done.stderr
    frame, _ = water.get_totals("allocations", by="county")
    for ending in ("csv", "parquet"):
        assert water.write(frame, tmp_path / f"totals.{ending}").stat().st_size > 100
    assert_frame_equal(pandas.read_parquet(tmp_path / "totals.parquet"), frame)


def test_lists_become_texts_that_can_be_parsed_again():
    frame = pandas.DataFrame({"a": [["x|y", "z\\"], [], [None, "q"], [None]], "b": [1, 2, 3, 4]})
    flat = water.flatten(frame)
    assert flat["a"].fillna("").tolist() == ["x\\|y|z\\\\", "", "|q", ""]
    assert flat["b"].tolist() == frame["b"].tolist()
    assert water.flatten(frame, ";")["a"].tolist()[0] == "x|y;z\\\\"
    assert isinstance(frame["a"][0], list)
    for wrong in ("", "ab", "\\", 5):
        with pytest.raises(water.BadArgument, match="separator"):
            water.flatten(frame, wrong)


def test_spreadsheets_run_no_cell_and_numbers_keep_their_digits(tmp_path):
    frame = pandas.DataFrame({"t": ["=1+1", "-5", "@a", "'b", "00123"], "n": [0.1 + 0.2, 1e21, -2.0, 1e-7, 12345678.9]})
    text = water.write(frame, tmp_path / "x.csv").read_bytes().decode()
    assert [row[0] for row in rows_of(text)[1:]] == ["'=1+1", "-5", "'@a", "''b", "00123"]
    assert [float(row[1]) for row in rows_of(text)[1:]] == frame["n"].tolist()
    assert rows_of(text)[3][1] == "-2"


def test_an_empty_result_warns_with_the_hint():
    with pytest.warns(water.NothingFound, match=r"No records match\. .*Weld") as warned:
        water.get_allocations(county="Weldd", state="CO")
    # These warnings may include one about a connection that an earlier test left open.
    of_this_call = [one for one in warned if one.category is water.NothingFound]
    assert [one.filename for one in of_this_call] == [__file__]
    with pytest.warns(water.NothingFound, match="No records match"):
        water.find("nobody has this name")
    done = command("get_allocations", "county=Weldd", "state=CO")
    assert done.returncode == 0
    assert done.stderr.decode().startswith("No records match. ")
    assert '"Weld"' in done.stderr.decode()
    assert done.stdout.decode().startswith("OrganizationUUID,")


def test_columns_can_be_chosen():
    frame, metadata = water.get_allocations(columns=["AllocationOwner", "site_uuid"])
    assert list(frame) == ["AllocationOwner", "SiteUUID", "geometry"]
    assert len(metadata.cite()) > 0
    frame, _ = water.get_sites(columns="SiteUUID", geometry=False)
    assert list(frame) == ["SiteUUID"]
    frame, _ = water.query("sites", "State = 'UT'", columns=["SiteUUID"], geometry=False, limit=2)
    assert list(frame) == ["SiteUUID"]


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        (["StateC"], r'"StateC" is not a column; did you mean StateCV\?'),
        ([], "empty"),
        (5, "columns"),
        ([5], "columns"),
        ("", "columns"),
    ],
)
def test_unknown_columns_are_refused_before_any_request(columns, words, proxy):
    for function in FUNCTIONS.values():
        with pytest.raises(water.BadArgument, match=words):
            getattr(water, function)(columns=columns)
    assert proxy.seen == []


def test_counts_sums_terms_and_changes_can_be_cited(service):
    _, records = water.get_allocations(state="CO")
    calls = [
        water.get_totals("allocations", by="county", state="CO"),
        water.get_totals("allocations", state="CO"),
        water.get_facets("allocations", "county", state="CO"),
        water.get_terms("allocations", state="CO"),
    ]
    for _, metadata in calls:
        assert_frame_equal(metadata.licences, records.licences)
        assert metadata.licenses is metadata.licences
        assert len(metadata.cite()) == 1
        assert metadata.url in metadata.cite()[0]
        assert service.key not in metadata.cite()[0]
    _, metadata = water.get_totals("allocations")
    assert set(metadata.licences["OrganizationUUID"]) == set(water.get_allocations()[0]["OrganizationUUID"])
    organization = records.licences["OrganizationUUID"][0]
    _, metadata = water.get_totals("allocations", organization_uuid=organization)
    assert metadata.licences["OrganizationUUID"].tolist() == [organization]


def test_help_lists_groupings_and_facets_and_has_examples():
    for name in ("get_totals", "get_facets"):
        assert "priority_decade" in water.get_totals.__doc__
        assert "beneficial_use_cv" in getattr(water, name).__doc__
    for name in (
        *FUNCTIONS.values(),
        "get_totals",
        "get_facets",
        "get_terms",
        "get_changes",
        "download",
        "query",
        "find",
    ):
        assert f"water.{name}(" in getattr(water, name).__doc__, name
    assert "boundary" in water.get_sites.__signature__.parameters
