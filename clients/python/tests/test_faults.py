"""Broken connections, limits, redirects, and a publish during a retrieval: no record is lost, and no key leaks."""

import json
import math
import re
import shutil
import threading
from pathlib import Path

import pyarrow.parquet
import pytest
from pandas.testing import assert_frame_equal
from service import SAMPLES, Proxy, Reply, Service

import waterdataquery as water
from waterdataquery import records, retrieval


@pytest.fixture
def small_pages(monkeypatch):
    monkeypatch.setattr(retrieval, "FIRST_PAGE", 20)
    monkeypatch.setattr(retrieval, "PAGE", 20)


def first(times, reply, only="StartIndex"):
    """A fault that replies to the first `times` matching requests."""
    left = [times]
    lock = threading.Lock()

    def fault(path):
        with lock:
            if only not in path or left[0] == 0:
                return None
            left[0] -= 1
            return reply

    return fault


def test_pages_are_complete_after_ten_broken_connections(proxy, small_pages, service):
    whole, _ = water.get_allocations(url=service.url)
    cuts = set()

    def once_each(path):
        if "StartIndex" not in path or path in cuts:
            return None
        cuts.add(path)
        return Reply(cut_after=500)

    proxy.fault = once_each
    cut, _ = water.get_allocations()
    assert len(cuts) >= 10
    assert_frame_equal(cut, whole)


def test_a_file_download_resumes_after_ten_broken_connections(proxy, service):
    proxy.fault = first(10, Reply(cut_after=1500), only="records.parquet")
    file, metadata = water.download("allocations", metadata_organization())
    ranges = [headers.get("Range") for path, headers in proxy.seen if path.endswith("records.parquet")]
    assert ranges[:3] == ["bytes=0-", "bytes=1500-", "bytes=3000-"]
    assert len(ranges) == 11
    assert file.stat().st_size > 15_000
    assert metadata.total == 240


def metadata_organization():
    terms, _ = water.get_terms("allocations", state="CO")
    return str(terms["OrganizationUUID"].iloc[0])


@pytest.mark.parametrize("status", [429, 503])
def test_waits_for_a_busy_service(proxy, status):
    proxy.fault = first(2, Reply(status, {"Retry-After": "0"}))
    frame, _ = water.get_allocations(limit=5)
    assert len(frame) == 5


@pytest.mark.parametrize("patience", [0, 1])
def test_patience_limits_the_wait(proxy, patience):
    proxy.fault = lambda _path: Reply(429, {"Retry-After": "60"})
    with pytest.raises(water.TooManyRequests) as found:
        water.get_allocations(limit=5, patience=patience)
    assert (found.value.status, found.value.retry_after, found.value.retryable) == (429, 60, True)
    assert len(found.value.partial) == 0


@pytest.mark.parametrize("function", [water.get_allocations, water.get_aggregated_amounts, water.get_sites])
def test_an_interruption_keeps_fetched_records_and_can_be_resumed(proxy, small_pages, service, function):
    whole, _ = function(url=service.url)
    proxy.fault = lambda path: Reply(503, {"Retry-After": "60"}) if "StartIndex=60&" in path else None
    with pytest.raises(water.WaterDataError) as found:
        function(patience=0.1)
    assert 0 < len(found.value.partial) < len(whole)
    assert list(found.value.partial) == list(whole)
    asked = len(proxy.seen)
    proxy.fault = lambda _path: None
    frame, metadata = found.value.resume()
    assert_frame_equal(frame, whole)
    again = [path for path, _ in proxy.seen[asked:] if "StartIndex=0&" in path]
    assert all("/v1/ReportingUnits" in path for path in again)
    assert metadata.total == len(whole)


def test_an_interruption_also_keeps_rows_without_an_export(proxy, service):
    whole, _ = water.find("s", limit=250, url=service.url)
    proxy.fault = lambda path: Reply(503) if "StartIndex=100&" in path else None
    with pytest.raises(water.ServiceBusy) as found:
        water.find("s", limit=250, patience=0)
    assert_frame_equal(found.value.partial, whole[:100])
    proxy.fault = lambda _path: None
    assert_frame_equal(found.value.resume()[0], whole)
    assert sum("StartIndex=0&" in path for path, _ in proxy.seen) == 1


def test_an_answer_without_a_member_is_an_error_that_names_the_versions(proxy):
    answer = {"Organizations": [{"OrganizationUUID": "A", "Sites": [{"SiteUUID": "S1"}]}]}
    header = {"Data-Version": "0" * 32, "X-Total-Count": "1"}
    proxy.fault = lambda _path: Reply(200, header, body=json.dumps(answer).encode())
    with pytest.raises(water.WaterDataError, match=f"tested with version {water.TESTED_WITH}"):
        water.get_sites()


def test_a_wrong_key_has_its_own_error_and_is_not_retried(proxy):
    with pytest.raises(water.KeyRefused) as found:
        water.get_sites(key="wdk_wrong")
    assert found.value.status == 401
    assert found.value.problem["type"].endswith("key-unknown")
    assert "wdk_wrong" not in str(found.value)
    assert len(proxy.seen) == 1


def test_the_key_is_in_no_address_and_is_sent_to_no_other_host(proxy, service):
    other = Proxy(service)
    proxy.fault = lambda _path: Reply(302, {"Location": f"{other.url}/v1/Sites?RecordCount=1"})
    with pytest.raises(water.KeyRefused):
        water.get_sites()
    other.stop()
    assert [headers.get("X-API-Key") for _, headers in proxy.seen] == [service.key]
    assert [headers.get("X-API-Key") for _, headers in other.seen] == [None]
    assert not any(service.key in path for path, _ in proxy.seen + other.seen)


def circle(positions):
    angles = [2 * math.pi * number / (positions - 1) for number in range(positions - 1)]
    ring = [f"{-110 + 8 * math.cos(angle):.12f} {39 + 8 * math.sin(angle):.12f}" for angle in angles]
    return f"POLYGON(({', '.join([*ring, ring[0]])}))"


def test_a_long_query_is_sent_in_the_body_page_by_page(proxy, small_pages, service):
    shape = circle(5000)
    found, metadata = water.get_allocations(boundary=shape)
    expected, _ = water.get_allocations(boundary=circle(60), url=service.url)
    assert_frame_equal(found, expected)
    assert len(found) > 40
    assert len(proxy.posted) > 2
    assert [
        (path, body[:60]) for path, body in proxy.posted if "?" in path or "SearchGeometry=POLYGON" not in body
    ] == []
    assert not any("SearchGeometry" in path for path, _ in proxy.seen)
    assert not any(service.key in body for _, body in proxy.posted)
    assert len({re.search("DataVersion=([0-9a-f]*)", body)[0] for _, body in proxy.posted[1:]}) == 1
    assert metadata.total == len(found)


def test_queries_of_up_to_4000_bytes_are_sent_in_addresses(proxy):
    names = [f"NAME-{number:04}" for number in range(80)]
    for length in (60, 61, 62, 63, 64, 65, 66, 80):
        water.get_allocations(allocation_native_id=["x" * length, *names[:45]], limit=1)
    addresses = [len(f"{proxy.url}{path}") for path, _ in proxy.seen]
    assert max(addresses) <= 4000


def test_the_key_can_be_read_from_a_file(monkeypatch, tmp_path, service):
    monkeypatch.delenv("WATER_DATA_KEY")
    with pytest.raises(water.KeyRefused, match="waterdataquery"):
        water.get_sites(limit=1)
    folder = tmp_path / "configuration" / "waterdataquery"
    folder.mkdir(parents=True)
    (folder / "key").write_text(service.key + "\n")
    assert len(water.get_sites(limit=1)[0]) == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"sate": "UT"}, "did you mean state?"),
        ({"SiteTypeCV": "Well"}, "did you mean site_type_cv?"),
        ({"start_date": ["2001", "2002"]}, "one value"),
        ({"county": []}, "empty list"),
        ({"url": "http://example.org"}, "clear text"),
        ({"url": "https://example.org?key=1"}, "set the key separately"),
        ({"limit": 0}, "limit"),
    ],
)
def test_invalid_arguments_are_refused_before_any_request(proxy, arguments, sentence):
    with pytest.raises(water.BadArgument, match=sentence.replace("?", r"\?")):
        water.get_site_amounts(**arguments)
    assert proxy.seen == []


def test_what_the_service_refuses_is_said_with_its_sentences():
    with pytest.raises(water.BadArgument, match="EndDate is not a date"):
        water.get_site_amounts(end_date="31/12/2010")


def test_the_error_for_a_missing_operation_says_so(proxy):
    proxy.fault = lambda _path: Reply(404)
    with pytest.raises(water.NotOffered, match="404"):
        water.find("bear river")


def test_a_publish_during_a_retrieval_mixes_no_versions_and_the_next_call_takes_only_changes(
    tmp_path, monkeypatch, small_pages
):
    service = Service(tmp_path / "data", samples=False)
    proxy = Proxy(service)
    try:
        monkeypatch.setenv("WATER_DATA_URL", proxy.url)
        monkeypatch.setenv("WATER_DATA_KEY", service.key)
        submission = tmp_path / "submission"
        shutil.copytree(SAMPLES / "colorado-allocations", submission)
        service.load(submission)
        service.make_files()
        before, old = water.get_allocations()
        organization = before["OrganizationUUID"].iloc[0]
        first_file, _ = water.download("allocations", organization)
        kept = pyarrow.parquet.read_table(first_file)
        change(submission / "waterallocations.csv")
        published = threading.Event()

        def publish(path):
            if "StartIndex=40&" in path and not published.is_set():
                published.set()
                service.load(submission)

        proxy.fault = publish
        during, metadata = water.get_allocations()
        assert published.is_set()
        assert metadata.data_version == old.data_version
        assert_frame_equal(during, before)

        after, now = water.get_allocations()
        assert now.data_version != old.data_version
        changed, metadata = water.get_changes("allocations", old.data_version)
        assert (len(changed), len(metadata.removed), len(after)) == (1, 2, len(before) - 2)
        assert_frame_equal(water.get_allocations(changed_since=old.data_version)[1].removed, metadata.removed)
        keys = ["OrganizationUUID", "AllocationUUID", "AllocationNativeID"]
        gone = before.merge(after[keys], how="left", on=keys, indicator=True).query("_merge == 'left_only'")
        assert_frame_equal(metadata.removed, gone[keys].reset_index(drop=True), check_like=True)

        with monkeypatch.context() as full:
            full.setattr(pyarrow.parquet, "write_table", write_half)
            with pytest.raises(OSError, match="full"):
                water.download("allocations", organization)
        for file in (tmp_path / "cache").rglob("records.parquet"):
            assert pyarrow.parquet.read_table(file).equals(kept)
        proxy.seen.clear()
        file, _ = water.download("allocations", organization)
        assert file == first_file
        assert not any(path.endswith("records.parquet") for path, _ in proxy.seen)
        assert any("ChangedSince" in path for path, _ in proxy.seen)
        changed_file = pyarrow.parquet.read_table(file)
        assert changed_file.schema.equals(kept.schema)
        monkeypatch.setattr(records, "PAGES_HOLD", 10)
        updated, metadata = water.get_allocations()
        assert metadata.source == "files"
        assert_frame_equal(updated, after)
        service.make_files()
        whole_file, _ = water.download("allocations", organization, whole=True)
        assert proxy.seen[-2][0].endswith("records.parquet")
        assert pyarrow.parquet.read_table(whole_file).equals(changed_file)
        assert water.download("allocations", organization)[0] == whole_file == first_file
    finally:
        proxy.stop()
        service.stop()


def write_half(_table, file, **_options):
    """Leaves a file as a full disk would."""
    Path(file).write_bytes(b"PAR1")
    raise OSError("The disk is full.")


def change(file):
    """Changes one amount and removes two rights."""
    lines = file.read_text("utf-8").splitlines()
    header = lines[0].split(",")
    at = header.index("AllocationVolume_AF")
    row = next(index for index, line in enumerate(lines[1:], 1) if line.split(",")[at].strip())
    cells = lines[row].split(",")
    cells[at] = "12345.5"
    lines[row] = ",".join(cells)
    file.write_text("\n".join(lines[:-2]) + "\n", "utf-8")
