"""The functions return the records of the service's JSON answers, in each of the ways in which they fetch them."""

import csv
import html
import io
import json
import re
import subprocess
import sys
from urllib.request import urlopen

import pandas
import pytest
from pandas.testing import assert_frame_equal
from service import NODE, PROJECT
from walk import ask, is_same, walk

import waterdataquery as water
from waterdataquery import frames, records, retrieval, tables

FUNCTIONS = {
    "SiteVariableAmounts": water.get_site_amounts,
    "AggregatedAmounts": water.get_aggregated_amounts,
    "SiteAllocationAmounts": water.get_allocations,
    "Sites": water.get_sites,
    "ReportingUnits": water.get_reporting_units,
}
RECORDS = list(FUNCTIONS)[:3]
ORDERS = dict(zip(RECORDS, ("-Amount", "-TimeframeStart", "-AllocationVolume_AF"), strict=True))


def expect_walk(frame, operation, **query):
    expect_rows(frame, list(walk(operation, **query)))


def in_order(rows, order_by):
    """Rows of an unordered walk, sorted over all organizations: missing values last, ties in their original order."""
    name = order_by.removeprefix("-")

    def value(row):
        # A timeframe that ends before it starts is sorted by its first day (D7).
        days = [row[name], row["TimeframeEnd"]] if name == "TimeframeStart" else [row[name]]
        return min((one for one in days if one is not None), default=None)

    known = [row for row in rows if value(row) is not None]
    # A reverse sort also keeps the order of equal rows.
    known.sort(key=value, reverse=order_by.startswith("-"))
    return known + [row for row in rows if value(row) is None]


def expect_rows(frame, rows):
    assert len(frame) == len(rows) > 0
    compared = set()
    for row, record in zip(frame.to_dict("records"), rows, strict=True):
        for name in set(row) & set(record) - {"geometry"}:
            assert is_same(row[name], record[name], name), (name, row[name], record[name])
            compared.add(name)
    assert set(frame.columns) - compared == {"geometry"}


@pytest.mark.parametrize("operation", FUNCTIONS)
def test_a_frame_has_the_records_of_the_json_answers(operation, monkeypatch):
    monkeypatch.setattr(retrieval, "FIRST_PAGE", 50)
    monkeypatch.setattr(retrieval, "PAGE", 100)
    frame, metadata = FUNCTIONS[operation]()
    expect_walk(frame, operation)
    assert (metadata.source, metadata.total, frame.index.tolist()) == ("pages", len(frame), list(range(len(frame))))
    assert frame.geometry.notna().any()
    assert frame.crs == "EPSG:4326"


@pytest.mark.parametrize("operation", RECORDS)
def test_files_and_pages_give_the_same_frame(operation, monkeypatch):
    by_pages, _ = FUNCTIONS[operation]()
    monkeypatch.setattr(records, "PAGES_HOLD", 10)
    whole, metadata = FUNCTIONS[operation]()
    assert metadata.source == "files"
    assert_frame_equal(whole, by_pages)
    ordered, metadata = FUNCTIONS[operation](order_by=ORDERS[operation])
    assert metadata.source == "pages"
    expect_rows(ordered, in_order(list(walk(operation)), ORDERS[operation]))
    assert_frame_equal(ordered.iloc[:0], by_pages.iloc[:0])


def test_reads_lists_and_escaped_cells_of_csv():
    names = [one.name for one in tables.columns("WaterAllocations")]
    cells = {"OrganizationUUID": "O", "SiteUUID": "a\\|b|c\\\\||d", "AllocationOwner": "'=1+1", "Longitude": "-111|"}
    text = io.StringIO()
    writer = csv.DictWriter(text, names)
    writer.writeheader()
    writer.writerow(dict.fromkeys(names, "") | cells)
    [row] = frames.from_csv("WaterAllocations", text.getvalue()).to_pylist()
    assert row["SiteUUID"] == ["a|b", "c\\", None, "d"]
    assert (row["AllocationOwner"], row["Longitude"], row["AllocationPriorityDate"]) == ("=1+1", ["-111", None], None)


def test_an_empty_result_is_a_frame_with_the_same_types():
    some, _ = water.get_allocations(limit=1)
    none, metadata = water.get_allocations(state="AK")
    assert (len(none), metadata.total) == (0, 0)
    pandas.testing.assert_series_equal(none.dtypes, some.dtypes)
    assert len(water.get_sites(state="AK")[0]) == len(water.get_reporting_units(state="AK")[0]) == 0
    assert len(water.get_aggregated_amounts(state="AK")[0]) == 0


def test_columns_have_typed_values():
    frame, _ = water.get_allocations()
    types = {name: str(frame[name].dtype) for name in frame}
    assert types["AllocationPriorityDate"].startswith("datetime64")
    assert types["AllocationFlow_CFS"] == "float64"
    assert types["ExemptOfVolumeFlowPriority"] == "boolean"
    assert isinstance(frame["SiteUUID"].iloc[0], list)
    assert isinstance(frame["Longitude"].iloc[0][0], float)
    assert frame.explode("SiteUUID")["SiteUUID"].nunique() > 100


def test_lookups_are_returned_as_frames():
    frame, metadata = water.get_site_amounts(lookups=True)
    assert "SiteName" not in frame
    joined = frame.merge(metadata.lookups["Sites"], on=["OrganizationUUID", "SiteUUID"], suffixes=("", "_"))
    whole, _ = water.get_site_amounts(geometry=False)
    assert joined["SiteName"].fillna("").tolist() == whole["SiteName"].fillna("").tolist()
    assert set(metadata.lookups) == {"Sites", "Methods", "VariableSpecifics", "WaterSources", "BeneficialUses"}


def test_totals_facets_and_terms_match_the_service():
    totals, metadata = water.get_totals("allocations", by=["priority_decade", "County"], state="CO")
    answer = ask("/v1/SiteAllocationAmounts/Totals", GroupBy=["PriorityDecade", "County"], State="CO", RecordCount=9999)
    assert (len(totals), metadata.groups_overlap) == (answer["TotalGroupsCount"], answer["GroupsOverlap"])
    assert totals["RecordsCount"].tolist() == [row["RecordsCount"] for row in answer["Totals"]]
    decades = [row["PriorityDecade"] for row in answer["Totals"]]
    assert totals["PriorityDecade"].dropna().tolist() == [int(one) for one in decades if one]
    assert str(totals["FirstPriorityDate"].dtype).startswith("datetime64")
    facets, metadata = water.get_facets("site_amounts", ["site_type_cv", "county"])
    answer = ask("/v1/SiteVariableAmounts/Facets", Facet=["SiteTypeCV", "County"])
    assert metadata.total == answer["TotalCount"]
    assert facets["Count"].sum() == sum(value["Count"] for one in answer["Facets"] for value in one["Values"])
    terms, _ = water.get_terms("allocations", "allocation_legal_status_cv")
    assert set(terms["Parameter"]) == {"AllocationLegalStatusCV"}
    assert terms["Records"].dtype == "Int64"


def test_find_returns_the_arguments_for_the_records_of_a_name():
    found, metadata = water.find("colo", kind=["County", "Use", "Organization", "Site"], limit=300)
    answer = ask("/v1/Find", Query="colo", Kind=["County", "Use", "Organization", "Site"], RecordCount=100)
    assert (len(found), metadata.total) == (min(300, answer["TotalFoundCount"]), answer["TotalFoundCount"])
    assert found["Name"][:100].dropna().tolist() == [one["Name"] for one in answer["Found"] if one["Name"] is not None]
    row = found[found["SiteAllocationAmounts"] > 0].iloc[0]
    assert water.get_allocations(**row["Arguments"])[1].total == row["SiteAllocationAmounts"]
    nothing, metadata = water.find("nobody has this name")
    assert (len(nothing), metadata.total, list(nothing)) == (0, 0, list(found))


def test_cql2_and_parameters_find_the_same():
    by_filter, metadata = water.query("allocations", "AllocationPriorityDate >= DATE('1900-01-01')")
    by_parameter, _ = water.get_allocations(start_priority_date="1900-01-01")
    assert metadata.total == len(by_filter) == len(by_parameter) > 0
    assert_frame_equal(by_filter, by_parameter)
    first, metadata = water.query("allocations", "AllocationPriorityDate >= DATE('1900-01-01')", limit=3)
    assert (len(first), metadata.total) == (3, len(by_filter))


def test_a_boundary_may_be_a_geometry_in_any_projection_text_or_numbers():
    import geopandas
    import shapely

    box = shapely.box(-112, 38, -105, 42)
    wanted = len(list(walk("Sites", SearchBoundary=box.wkt)))
    projected = geopandas.GeoSeries([box], crs=4326).to_crs(3857)
    for boundary in (box, box.wkt, shapely.geometry.mapping(box), [-112, 38, -105, 42], projected):
        assert len(water.get_sites(boundary=boundary, geometry=False)[0]) == wanted > 0


def test_a_boundary_may_be_a_file_or_a_collection_with_one_feature(tmp_path):
    import geopandas
    import shapely

    box = shapely.box(-112, 38, -105, 42)
    wanted = water.get_sites(boundary=box)[1].total
    feature = {"type": "Feature", "properties": {}, "geometry": shapely.geometry.mapping(box)}
    collection = {"type": "FeatureCollection", "features": [feature]}
    geojson, package = tmp_path / "one.geojson", tmp_path / "one.gpkg"
    geojson.write_text(json.dumps(collection), "utf-8-sig")
    geopandas.GeoDataFrame(geometry=[box], crs=4326).to_crs(3857).to_file(package)
    for boundary in (collection, json.dumps(collection), feature, geojson, str(geojson), package):
        assert water.get_sites(boundary=boundary)[1].total == wanted > 0
    two = {**collection, "features": [feature, feature]}
    for boundary in (two, tmp_path / "none.geojson", '{"type": ', {**collection, "features": []}):
        with pytest.raises(water.BadArgument, match="boundary"):
            water.get_sites(boundary=boundary)


def test_metadata_has_the_origin_of_the_records(service):
    _, metadata = water.get_allocations(state="CO")
    assert len(metadata.data_version) == 32
    assert service.key not in metadata.url + str(metadata) + str(metadata.cite())
    assert list(metadata.licences["OrganizationUUID"]) == ["SAMPLE_CO"] or len(metadata.licences)
    assert all(row in metadata.cite()[0] for row in (metadata.licences["Release"][0], "retrieved"))


def test_the_table_matches_the_service():
    check = subprocess.run([NODE, PROJECT / "clients/make-tables.mjs", "--check"], capture_output=True, text=True)
    assert check.returncode == 0, check.stderr
    assert tables.TABLES["serviceVersion"] == water.TESTED_WITH


def test_the_command_writes_csv():
    words = [sys.executable, "-m", "waterdataquery", "get_totals", "allocations", "by=priority_decade", "state=CO"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.stdout.splitlines()[0].startswith("PriorityDecade,RecordsCount")
    assert "data version" in done.stderr
    wrong = subprocess.run([*words[:3], "get_sites", "sate=UT"], capture_output=True, text=True)
    assert (wrong.returncode, "did you mean state?" in wrong.stderr) == (1, True)


def test_the_lines_on_the_landing_page_run(service, capsys):
    with urlopen(service.url) as answer:
        page = answer.read().decode()
    code = re.search(r"<summary>Python, with the package.*?<code>(.*?)</code>", page, re.DOTALL)[1]
    lines = html.unescape(code).replace("https://ADDRESS-OF-THIS-SERVICE", service.url)
    exec(lines.replace("YOUR-KEY", service.key), {})
    assert "[100 rows x" in capsys.readouterr().out


def test_a_coordinate_that_is_no_number_becomes_missing():
    columns = tables.columns("WaterAllocations")
    row = {one.name: [] if one.list else None for one in columns}
    row |= {"Longitude": ["-111.5", "unknown", None, "+7"], "Latitude": ["40", "1e1", "", "41.25"]}
    frame = frames.to_pandas(columns, frames.from_rows(columns, [row]))
    assert frame["Longitude"].tolist() == [[-111.5, None, None, 7]]
    assert frame["Latitude"].tolist() == [[40, 10, None, 41.25]]
