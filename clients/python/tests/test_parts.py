"""Lists with more values than one request takes give the same result as a single request would."""

import itertools

import pytest
from pandas.testing import assert_frame_equal
from service import Reply

import waterdataquery as water

FUNCTIONS = [water.get_sites, water.get_site_amounts, water.get_allocations]


@pytest.fixture(scope="module")
def sites(service):
    return list(water.get_sites(url=service.url, key=service.key)[0]["SiteUUID"])


def wanted_rows(function, sites, service, **more):
    """The expected records: all records of these sites in a walk of the whole data."""
    whole, _ = function(url=service.url, geometry=False, **more)
    chosen = set(sites)
    has = [bool(chosen & set([cell] if isinstance(cell, str) else cell)) for cell in whole["SiteUUID"]]
    return whole[has].reset_index(drop=True)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("count", [100, 101, 250])
def test_many_values_give_one_frame(function, count, sites, proxy, service):
    asked = [*sites[-count:], *sites[-3:]]
    found, metadata = function(site_uuid=asked, geometry=False)
    expected = wanted_rows(function, asked, service)
    assert_frame_equal(found, expected)
    assert metadata.total == len(expected) > 0
    versions = {part for path, _ in proxy.seen for part in path.split("&") if part.startswith("DataVersion=")}
    assert len(versions) <= 1
    if metadata.total > 7:
        first, metadata = function(site_uuid=asked, geometry=False, limit=7)
        assert_frame_equal(first, expected[:7])
        assert metadata.total == len(expected)


@pytest.mark.parametrize(
    ("function", "order"), [(water.get_site_amounts, "-Amount"), (water.get_site_amounts, "Amount")]
)
def test_the_joined_parts_are_sorted(function, order, sites, service):
    found, _ = function(site_uuid=sites[:250], geometry=False, order_by=order)
    values = found["Amount"].dropna().tolist()
    assert values == sorted(values, reverse=order.startswith("-"))
    assert found["Amount"].isna().tolist() == sorted(found["Amount"].isna().tolist())
    expected = wanted_rows(function, sites[:250], service)
    assert sorted(found["Amount"].dropna()) == sorted(expected["Amount"].dropna())


def test_two_long_lists_are_combined_in_every_pair_of_parts(sites, service):
    names = [f"X{number}" for number in range(150)]
    found, _ = water.get_sites(site_uuid=sites, county=[*names, "Weber"], geometry=False)
    whole, _ = water.get_sites(county="Weber", geometry=False)
    assert_frame_equal(found, whole)


def test_a_retrieval_resumes_after_an_interruption_between_parts(sites, proxy, service):
    whole, _ = water.get_sites(site_uuid=sites[:250], url=service.url)
    asked = itertools.count()
    proxy.fault = lambda path: Reply(503) if "Sites" in path and next(asked) == 1 else None
    with pytest.raises(water.ServiceBusy) as error:
        water.get_sites(site_uuid=sites[:250], patience=0)
    assert 0 < len(error.value.partial) < len(whole)
    proxy.fault = lambda _path: None
    found, metadata = error.value.resume()
    assert_frame_equal(found, whole)
    assert metadata.total == len(whole)


@pytest.mark.parametrize(
    "call",
    [
        lambda many: water.get_totals("allocations", site_uuid=many),
        lambda many: water.get_facets("allocations", "county", site_uuid=many),
        lambda many: water.find("bear", state=many),
    ],
)
def test_a_sentence_refuses_long_lists_where_parts_cannot_be_joined(proxy, call):
    with pytest.raises(water.BadArgument, match="at most 100 values"):
        call([f"S{number}" for number in range(101)])
    assert proxy.seen == []


def test_terms_and_changes_accept_long_lists():
    organizations = [f"X{number}" for number in range(150)]
    whole, metadata = water.get_terms()
    own = list(whole["OrganizationUUID"].unique())
    found, _ = water.get_terms(organization_uuid=[*organizations, *own])
    assert sorted(found["Value"]) == sorted(whole["Value"])
    changed, _ = water.get_changes("allocations", metadata.data_version, organization_uuid=[*organizations, *own])
    assert len(changed) == 0
