"""Checking and sending submissions."""

import shutil
import time
from pathlib import Path

import pytest
from service import SAMPLES, Service

import waterdataquery as water

UTAH = SAMPLES / "utah-site-amounts"


@pytest.fixture(scope="module")
def intake(tmp_path_factory: pytest.TempPathFactory):
    inbox = tmp_path_factory.mktemp("inbox")
    settings = {
        "SUBMISSIONS_INBOX": str(inbox),
        "SUBMISSIONS_HTTP": "submit",
        "LOADER_QUIET_SECONDS": "0",
        "LOADER_SCHEDULE": "* * * * * *",
    }
    started = Service(tmp_path_factory.mktemp("intake"), samples=False, settings=settings)
    yield started
    started.stop()


def test_a_folder_and_an_archive_get_the_same_report(tmp_path):
    archive = Path(shutil.make_archive(str(tmp_path / "utah"), "zip", UTAH))
    reports = [water.check_submission(one) for one in (UTAH, str(UTAH), archive)]
    for report in reports:
        assert report.pop("milliseconds") >= 0
    assert reports[0]["verdict"] == "unchanged" or reports[0]["verdict"] == "would-publish"
    assert reports[0] == reports[1] == reports[2]


def test_a_submission_that_would_be_refused_gets_a_report(tmp_path):
    folder = shutil.copytree(UTAH, tmp_path / "utah")
    (folder / "sites.csv").rename(folder / "site.csv")
    report = water.check_submission(folder)
    assert report["verdict"] == "refused"
    assert "site.csv seems to be meant as sites.csv" in report["sentence"]


def test_something_that_is_no_submission_is_an_error(tmp_path):
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04")
    with pytest.raises(water.WaterDataError, match=r"HTTP 422: .*damaged or incomplete"):
        water.check_submission(tmp_path / "broken.zip")
    (tmp_path / "letter.txt").write_text("x")
    with pytest.raises(water.BadArgument, match="not a folder, a ZIP file"):
        water.check_submission(tmp_path / "letter.txt")
    with pytest.raises(water.BadArgument, match="There is no folder"):
        water.check_submission(tmp_path / "absent")
    (tmp_path / "empty").mkdir()
    with pytest.raises(water.BadArgument, match="has no files"):
        water.check_submission(tmp_path / "empty")


def test_sending_needs_an_intake_and_a_key_with_that_right(intake):
    with pytest.raises(water.NotOffered):
        water.submit(UTAH)
    with pytest.raises(water.KeyRefused, match="may not submit"):
        water.submit(UTAH, url=intake.url, key=intake.key)


def test_a_submission_is_sent_and_published(intake):
    key = intake.issue_key("SAMPLE_UT")
    sent = water.submit(UTAH, url=intake.url, key=key)
    assert sent["Status"] == "Waiting"
    last = time.monotonic() + 60
    while (found := water.submission(sent["Id"], url=intake.url, key=key))["Finished"] is None:
        assert time.monotonic() < last
        time.sleep(0.5)
    assert found["Status"] == "Published"
    assert found["Outcome"].startswith("Published 2,265 records")
    with pytest.raises(water.BadArgument):
        water.submission("../keys", url=intake.url, key=key)
