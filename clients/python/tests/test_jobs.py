"""Ten typical jobs of analysts, each checked against a walk of the JSON answers."""

import collections
import json

import pandas
import pytest
from walk import ask, walk

import waterdataquery as water

COUNTY = "Fremont"


@pytest.fixture(scope="module")
def rights(service):
    return list(walk("SiteAllocationAmounts"))


@pytest.fixture(scope="module")
def amounts(service):
    return list(walk("SiteVariableAmounts"))


@pytest.fixture(scope="module", autouse=True)
def addressed(service):
    """Sets the environment for the module fixtures, which run before those of single tests."""
    with pytest.MonkeyPatch.context() as surroundings:
        surroundings.setenv("WATER_DATA_URL", service.url)
        surroundings.setenv("WATER_DATA_KEY", service.key)
        yield


def decade(day):
    return int(day[:4]) // 10 * 10


def test_1_rights_by_decade_in_a_county(addressed, rights):
    totals, metadata = water.get_totals("allocations", by="priority_decade", county=COUNTY)
    days = [right["AllocationPriorityDate"] for right in rights if COUNTY in right["County"]]
    expected = collections.Counter(decade(day) for day in days if day)
    assert dict(zip(totals["PriorityDecade"].dropna(), totals["RecordsCount"], strict=False)) == expected
    assert not metadata.groups_overlap
    axes = totals.plot.bar(x="PriorityDecade", y="RecordsCount", legend=False)
    assert len(axes.patches) == len(totals)


def test_2_use_per_capita_of_each_system(addressed, amounts):
    wanted = ["AllocationCommunityWaterSupplySystem", "ReportYear", "Amount", "PopulationServed"]
    frame, _ = water.get_site_amounts(variable_cv="Delivered Water Use", columns=wanted, geometry=False)
    frame = frame[frame["PopulationServed"] > 0]
    per_capita = (frame["Amount"] / frame["PopulationServed"]).groupby(frame[wanted[0]]).mean()
    expected = collections.defaultdict(list)
    for record in amounts:
        if record["VariableCV"] == "Delivered Water Use" and record["PopulationServed"]:
            expected[record[wanted[0]]].append(record["Amount"] / record["PopulationServed"])
    assert set(per_capita.index) == set(expected)
    for system, values in expected.items():
        assert per_capita[system] == pytest.approx(sum(values) / len(values))


def test_3_a_monthly_series_with_its_gaps(addressed, amounts):
    found, _ = water.get_site_amounts(variable_cv="Discharge Flow", order_by="TimeframeStart", geometry=False)
    series = found[found["SiteUUID"] == found["SiteUUID"].iloc[0]].set_index("TimeframeStart")["Amount"]
    monthly = series.resample("MS").sum(min_count=1)
    own = [
        record
        for record in amounts
        if record["VariableCV"] == "Discharge Flow" and record["SiteUUID"] == found["SiteUUID"].iloc[0]
    ]
    assert monthly.notna().sum() == len(
        {record["TimeframeStart"][:7] for record in own if record["Amount"] is not None}
    )
    months = pandas.period_range(min(series.index), max(series.index), freq="M")
    assert len(monthly) == len(months)


@pytest.mark.parametrize("positions", [40, 2_000, 4_996])
def test_4_places_in_a_boundary_from_a_file(addressed, tmp_path, positions):
    """The boundary has as many vertices as a county."""
    import shapely

    area = shapely.Point(-111.9, 40.7).buffer(1, quad_segs=positions // 4)
    file = tmp_path / "area.geojson"
    feature = {"type": "Feature", "properties": {}, "geometry": shapely.geometry.mapping(area)}
    file.write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}))
    sites, _ = water.get_sites(boundary=file)
    everywhere, _ = water.get_sites()
    inside = everywhere[everywhere.intersects(area)]
    assert len(sites) > 10
    assert sites["SiteUUID"].tolist() == inside["SiteUUID"].tolist()


def test_5_a_whole_data_set_every_week(addressed, amounts):
    organization = amounts[0]["OrganizationUUID"]
    file, metadata = water.download("site_amounts", organization)
    again, _ = water.download("site_amounts", organization)
    assert again == file
    frame = pandas.read_parquet(file)
    assert len(frame) == metadata.total == sum(one["OrganizationUUID"] == organization for one in amounts)
    changed, metadata = water.get_changes("site_amounts", since=metadata.data_version)
    assert len(changed) == len(metadata.removed) == 0


def test_6_the_rights_of_three_hundred_owners(addressed, rights):
    owners = sorted({right["AllocationOwner"] for right in rights if right["AllocationOwner"]})
    asked = [*owners[:40], *(f"Nobody {number}" for number in range(300 - 40))]
    found, metadata = water.get_allocations(allocation_owner=asked)
    chosen = {owner.lower() for owner in owners[:40]}
    expected = [one for one in rights if one["AllocationOwner"] and one["AllocationOwner"].lower() in chosen]
    assert set(zip(found["OrganizationUUID"], found["AllocationNativeID"], strict=True)) >= {
        (one["OrganizationUUID"], one["AllocationNativeID"]) for one in expected
    }
    assert len(found) == metadata.total >= len(expected) > 0


def test_7_a_geopackage_for_colleagues(addressed, tmp_path):
    import geopandas

    sites, _ = water.get_sites(state="UT")
    read = geopandas.read_file(water.write(sites, tmp_path / "sites.gpkg"))
    assert read["SiteUUID"].tolist() == sites["SiteUUID"].tolist()
    expected = ["|".join(item or "" for item in cell) for cell in sites["VariableCV"]]
    assert read["VariableCV"].fillna("").tolist() == expected


def test_8_a_map(addressed):
    supply, _ = water.get_aggregated_amounts()
    unit = supply["ReportingUnitTypeCV"].mode()[0]
    by_unit = supply[supply["ReportingUnitTypeCV"] == unit].dissolve("ReportingUnitName", aggfunc={"Amount": "sum"})
    axes = by_unit.plot("Amount", legend=True)
    assert len(axes.collections) > 0
    page = by_unit.reset_index().explore("Amount").get_root().render()
    assert by_unit.index[0] in page


def test_9_irrigation_of_two_states(addressed, rights):
    totals, _ = water.get_totals("allocations", by=["state", "use_category_cv"], use_category_cv="Irrigation")
    totals = totals[totals["UseCategoryCV"] == "Irrigation"].set_index("State")
    found, _ = water.get_allocations(use_category_cv="Irrigation")
    by_state = found.groupby("OrganizationState").size()
    for state in ("CO", "WY"):
        assert totals.loc[state, "RecordsCount"] == by_state[state] > 0


def test_10_a_figure_with_its_citation(addressed, service):
    totals, metadata = water.get_totals("allocations", by="priority_decade", state="CO")
    path, _, query = metadata.url.removeprefix(service.url).partition("?")
    answer = ask(path, **dict(pair.split("=") for pair in query.split("&")))
    assert [row["RecordsCount"] for row in answer["Totals"]] == totals["RecordsCount"].tolist()
    [sentence] = metadata.cite()
    assert metadata.url in sentence
    assert metadata.data_version in sentence
    assert metadata.licences["Release"][0] in sentence
