"""Fetches all rows that a question finds: in pages side by side, or as files kept from before."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

import httpx
import pandas

from . import frames, tables
from .arguments import Query
from .connection import Connection
from .errors import ConnectionFailed, Interrupted, WaterDataError
from .metadata import Metadata

#: Most questions are answered by the first page.
FIRST_PAGE = 1_000
PAGE = 10_000
PAGES_AT_ONCE = 4

Answer = tuple[pandas.DataFrame, Metadata]
#: The rows of a page: a list of members of JSON, or a table of pyarrow.
Rows = Any


@dataclass
class Listing:
    """An operation whose rows come page after page, how they are read, and how they become a frame."""

    path: str
    query: Query
    #: The rows of an answer, and how many the service found.
    read: Callable[[httpx.Response], tuple[Rows, int]]
    #: Without Metadata for what came before an interruption.
    finish: Callable[[list[Rows], Metadata | None], pandas.DataFrame]
    #: Of records and places, whose licences are then asked for.
    kind: str | None = None
    limit: int | None = None
    largest_page: int = 10_000
    start: str = "StartIndex"
    count: str = "RecordCount"
    #: May have all rows without pages: as files.
    whole: Callable[[Metadata], Rows | None] | None = None


@dataclass
class Retrieval:
    """Keeps what came, so that it can go on after an interruption."""

    connection: Connection
    listing: Listing
    started: float = field(default_factory=time.monotonic)
    pages: dict[int, Rows] = field(default_factory=dict)
    header: Mapping[str, str] = field(default_factory=dict)
    total: int = 0

    def run(self) -> Answer:
        self.connection.go_on()
        try:
            return self._run()
        except (WaterDataError, KeyboardInterrupt) as cause:
            error = cause if isinstance(cause, WaterDataError) else Interrupted("Interrupted: error.resume() goes on.")
            error.partial = self.listing.finish(list(self._without_gaps()), None)
            error._go_on = self.run
            raise error from (cause if error is not cause else error.__cause__)
        except KeyError as cause:
            tested = f"this client is tested with version {tables.service_version()}"
            raise WaterDataError(f"An answer has no {cause}: the service is of another version; {tested}.") from cause

    def _run(self) -> Answer:
        listing = self.listing
        if not self.pages:
            self._take_page(0, min(FIRST_PAGE, listing.largest_page, listing.limit or FIRST_PAGE))
        query = pinned(listing.query, self.header["Data-Version"])
        metadata = metadata_of(self.connection.address(listing.path, query), self.header, self.started, self.total)
        whole = listing.whole(metadata) if listing.whole else None
        if whole is None:
            self._take_pages()
        rows = [page for _, page in sorted(self.pages.items())] if whole is None else [whole]
        found = listing.finish(rows, metadata)
        if listing.kind and len(found):
            organizations = [str(one) for one in found["OrganizationUUID"].unique()]
            metadata.licences = licences_of(self.connection, listing.kind, organizations, metadata.data_version)
        metadata.source = "pages" if whole is None else "files"
        metadata.query_time = datetime.timedelta(seconds=time.monotonic() - self.started)
        self.connection.progress.end()
        return found, metadata

    @property
    def _wanted(self) -> int:
        return min(self.listing.limit or self.total, self.total)

    def _take_pages(self) -> None:
        size = min(PAGE, self.listing.largest_page)
        starts = [one for one in range(len(self.pages[0]), self._wanted, size) if one not in self.pages]
        pool = ThreadPoolExecutor(PAGES_AT_ONCE)
        try:
            made = [pool.submit(self._take_page, start, min(size, self._wanted - start)) for start in starts]
            for future in wait(made, return_when=FIRST_EXCEPTION).done:
                future.result()
        except BaseException:
            self.connection.stop()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _take_page(self, start: int, count: int) -> None:
        listing = self.listing
        query = [*listing.query, (listing.start, str(start)), (listing.count, str(count))]
        if self.header:
            query = pinned(query, self.header["Data-Version"])
        answer = self.connection.get(listing.path, query)
        rows, total = listing.read(answer)
        if not self.header:
            self.header, self.total = answer.headers, total
        elif len(rows) != count:
            raise ConnectionFailed(f"A page has {len(rows)} records where {count} were asked for.")
        self.pages[start] = rows
        came = sum(len(page) for page in list(self.pages.values()))
        self.connection.progress.say(f"{came:,} of {self._wanted:,} records")

    def _without_gaps(self) -> Iterator[Rows]:
        came = 0
        while came in self.pages and len(self.pages[came]):
            yield self.pages[came]
            came += len(self.pages[came])


def rows_in(rows: str, total: str) -> Callable[[httpx.Response], tuple[Rows, int]]:
    """Reads the members of an answer in JSON that have these names."""

    def read(answer: httpx.Response) -> tuple[Rows, int]:
        page = answer.json()
        return page[rows], page[total]

    return read


def all_of(pages: list[Rows]) -> list[Any]:
    return [row for page in pages for row in page]


def metadata_of(url: str, header: Mapping[str, str], started: float, total: int) -> Metadata:
    return Metadata(
        url=url,
        data_version=header["Data-Version"],
        total=total,
        source="pages",
        query_time=datetime.timedelta(seconds=time.monotonic() - started),
        retrieved_at=datetime.datetime.now(datetime.timezone.utc),
        header=dict(header),
        hint=header.get("Query-Hint"),
    )


LICENCE_COLUMNS = ("OrganizationUUID", "OrganizationName", "DataSet", "Release", "PublishedAt")
SUBMISSION_COLUMNS = ("License", "Citation", "TermsOfUse", "Contact")


def licences_of(connection: Connection, kind: str, organizations: list[str], version: str) -> pandas.DataFrame | None:
    """Under which terms each organization gave the records."""
    # A parameter may be given a hundred times; of more organizations all are asked for.
    some = [("OrganizationUUID", one) for one in organizations] if len(organizations) <= 100 else []
    inventory = connection.get("/v1/Inventory", pinned(some, version)).json()
    rows = [
        {
            **{name: {**organization, **data_set}[name] for name in LICENCE_COLUMNS},
            **{name: data_set["Submission"][name] for name in SUBMISSION_COLUMNS},
        }
        for organization in inventory["Organizations"]
        if organization["OrganizationUUID"] in organizations
        for data_set in organization["DataSets"]
        if kind in (data_set["DataSet"], "Sites", "ReportingUnits")
    ]
    return pandas.DataFrame(rows, columns=[*LICENCE_COLUMNS, *SUBMISSION_COLUMNS], dtype=frames.text_type())


def pinned(query: Query, version: str) -> Query:
    """All answers are of one version of the data, also when something is published meanwhile."""
    return query if any(name == "DataVersion" for name, _ in query) else [*query, ("DataVersion", version)]
