"""Checks and sends a submission: a folder of CSV files, a ZIP file, or a workbook."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx

from .connection import Connection
from .errors import BadArgument

#: A check takes up to 200 seconds. Sending takes as long as the upload needs.
ANSWER_SECONDS = 300.0

#: The media types of submissions that are a single file.
PACKAGE_TYPES = {
    ".zip": "application/zip",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".xlsm": "application/vnd.ms-excel.sheet.macroenabled.12",
}


def check_submission(folder: str | Path, *, url: str | None = None, key: str | None = None) -> dict[str, Any]:
    """Checks a submission without sending it, and gives the report of a dry run.

    `report["verdict"]` is "would-publish", "would-be-held", "unchanged" or "refused"; `report["sentence"]` says why,
    and `report["findings"]` lists the findings with their file, line and column. Nothing is stored.

    `folder` is a folder of CSV files, a ZIP file, or a workbook (.xlsx) with a sheet for each file.
    """
    return _send("/v1/Submissions/Checks", folder, url, key)


def submit(folder: str | Path, *, url: str | None = None, key: str | None = None) -> dict[str, Any]:
    """Sends a submission, and returns the service's answer: its Id, Status and Links.

    The key must have the right to submit. The submission is loaded minutes later: `submission()` returns its result.
    """
    return _send("/v1/Submissions", folder, url, key)


def submission(id: str, *, url: str | None = None, key: str | None = None) -> dict[str, Any]:
    """Returns the result of a submission: its Status is Waiting, Working, Published, Held or Refused."""
    if not isinstance(id, str) or not id or "/" in id:
        raise BadArgument("id must be the Id of a submission, as text.")
    connection = Connection(url, key)
    connection.begin()
    found: dict[str, Any] = connection.patiently(lambda: connection.exchange("GET", f"/v1/Submissions/{id}")).json()
    return found


def _send(path: str, folder: str | Path, url: str | None, key: str | None) -> dict[str, Any]:
    files = _files_of(folder)
    connection = Connection(url, key)
    connection.begin()

    def ask() -> httpx.Response:
        with _body_of(files) as body:
            return connection.exchange("POST", path, seconds=ANSWER_SECONDS, **body)

    # A submission whose answer was lost may have arrived, so only checks are retried.
    answer = connection.patiently(ask) if path.endswith("/Checks") else ask()
    report: dict[str, Any] = answer.json()
    return report


def _files_of(folder: str | Path) -> list[Path]:
    path = Path(folder)
    if path.is_file():
        if path.suffix.lower() not in PACKAGE_TYPES:
            raise BadArgument(f"{path} is not a folder, a ZIP file or a workbook (.xlsx).")
        return [path]
    if not path.is_dir():
        raise BadArgument(f"There is no folder {path}.")
    files = sorted(file for file in path.iterdir() if file.is_file() and not file.name.startswith("."))
    if not files:
        raise BadArgument(f"The folder {path} has no files.")
    return files


@contextlib.contextmanager
def _body_of(files: list[Path]) -> Iterator[dict[str, Any]]:
    """The request body: an archive or workbook unchanged, other files as a form. Files are streamed."""
    with contextlib.ExitStack() as stack:
        opened = [(file.name, stack.enter_context(file.open("rb"))) for file in files]
        kind = PACKAGE_TYPES.get(files[0].suffix.lower())
        if len(files) == 1 and kind is not None:
            length = str(files[0].stat().st_size)
            yield {"content": opened[0][1], "headers": {"Content-Type": kind, "Content-Length": length}}
        else:
            yield {"files": [("files", one) for one in opened], "headers": {}}
