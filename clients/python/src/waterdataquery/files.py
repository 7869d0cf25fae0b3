"""Whole data sets as files in the cache folder, updated with the changes of later versions."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pyarrow
import pyarrow.parquet

from .changes import laid_over, removed_keys
from .connection import Connection, cache_folder
from .errors import BadArgument, NotOffered, ServiceBusy, VersionGone, WaterDataError
from .retrieval import PAGE, Metadata, Retrieval, add_licences, metadata_of
from .tables import keys, kind_of

#: The service's names of the files.
FILES = {"parquet": "records.parquet", "csv.gz": "records.csv.gz", "places": "places.parquet"}
RECORDS = FILES["parquet"]

Listed = Mapping[str, Any]


def file_of(listing: Retrieval, organization: str, name: str, whole: bool) -> tuple[Path, Metadata]:
    """The path and Metadata of the cached file of a whole data set."""
    connection = listing.connection

    def find() -> tuple[Path, Listed, httpx.Response]:
        listed, answer = list_files(connection, listing.operation, [organization])
        if not listed:
            raise NotOffered(f"{organization} has no such records at this service; get_terms() lists those it has.")
        connection.data_version = answer.headers["Data-Version"]
        file = current_file(listing, listed[0], name, whole)
        if file is None:
            raise ServiceBusy("The files of this release are being made, which takes a minute.")
        return file, listed[0], answer

    file, listed, answer = connection.patiently(find)
    metadata = metadata_of(str(answer.url), answer.headers)
    metadata.source, metadata.total = "files", listed["Records"]
    add_licences(connection, listed["DataSet"], [listed["OrganizationUUID"]], metadata)
    metadata.query_time = metadata.retrieved_at - connection.opened_at
    connection.say("")
    return file, metadata


def list_files(
    connection: Connection, operation: str, organizations: Sequence[str]
) -> tuple[list[Listed], httpx.Response]:
    """The files that the service offers for these organizations, with the answer that lists them."""
    answer = connection.get("/v1/Downloads", None)
    own = [one for one in answer.json()["Downloads"] if one["DataSet"] == kind_of(operation)]
    chosen = {one.lower() for one in organizations}
    return [one for one in own if one["OrganizationUUID"].lower() in chosen], answer


def current_file(listing: Retrieval, listed: Listed, name: str = RECORDS, whole: bool = False) -> Path | None:
    """Returns the cached file if it belongs to this release. Otherwise updates it, or downloads the whole file.

    None if the file must be downloaded and the service is still making it.
    """
    connection, release = listing.connection, listed["Release"]
    service = hashlib.sha256(connection.url.encode()).hexdigest()[:16]
    # Identifiers of organizations may contain characters that are invalid in file names.
    folder = cache_folder() / service / f"{quote(listed['OrganizationUUID'], safe='')}-{listed['DataSet']}"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    kept = {} if whole else _read_note(file)
    if kept.get("Release") == release:
        return file
    if not (kept and name == RECORDS and _update(listing, file, kept["DataVersion"], listed)):
        if listed["Pending"]:
            return None
        files = {one["Name"]: one for one in listed["Files"]}
        if name not in files:
            raise WaterDataError(f"The service lists no {name} of {listed['OrganizationUUID']}.")
        connection.save_file(files[name], file)
    _write_note(file, release, str(connection.data_version))
    return file


def _note_of(file: Path) -> Path:
    return file.with_name(f"{file.name}.json")


def _read_note(file: Path) -> Mapping[str, Any]:
    """The release and data version of a cached file; empty if that is uncertain."""
    try:
        note = json.loads(_note_of(file).read_text("utf-8"))
        is_sure = note["Bytes"] == file.stat().st_size and {"Release", "DataVersion"} <= note.keys()
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return note if is_sure else {}


def _write_note(file: Path, release: str, data_version: str) -> None:
    note = {"Release": release, "DataVersion": data_version, "Bytes": file.stat().st_size}
    _note_of(file).write_text(json.dumps(note), "utf-8")


def _update(listing: Retrieval, file: Path, since: str, listed: Listed) -> bool:
    """Tries to update a file of an earlier release. False if the whole file must be downloaded."""
    connection = listing.connection
    query = [("OrganizationUUID", listed["OrganizationUUID"]), ("ChangedSince", since)]
    changes = Retrieval(connection, listing.operation, query)
    try:
        count = int(connection.get(changes.path, [*query, ("RecordCount", "1")]).headers["X-Total-Count"])
        # If the changes do not fit on one page, downloading the whole file is faster.
        if count > PAGE:
            return False
        # Only the export in Parquet has all columns of the file.
        answer = connection.get(f"{changes.path}/Export", [*query, ("format", "parquet")])
        removed = removed_keys(changes)
    except (VersionGone, BadArgument, NotOffered, ServiceBusy):
        return False
    old = pyarrow.parquet.read_table(file)
    changed = pyarrow.parquet.read_table(io.BytesIO(answer.content))
    if changed.column_names != old.column_names:
        return False
    new = laid_over([one.name for one in keys(listed["DataSet"])], old, changed.cast(old.schema), removed)
    if len(new) != listed["Records"]:
        return False
    part = file.with_suffix(".new")
    pyarrow.parquet.write_table(new, part, compression="zstd")
    # The note of the old file is deleted first, so that an interruption never leaves it next to the new file.
    _note_of(file).unlink(missing_ok=True)
    part.replace(file)
    return True
