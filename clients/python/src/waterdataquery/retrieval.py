"""Fetches all rows of a query in parallel pages, and records their origin."""

from __future__ import annotations

import dataclasses
import datetime
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pandas
import pyarrow

from . import frames
from .arguments import Query
from .connection import LONGEST_ADDRESS, Connection
from .errors import ConnectionFailed, Interrupted, NothingFound, WaterDataError
from .frames import Rows, Table
from .parts import parts_of
from .tables import PLACES, TESTED_WITH, Column, named

#: Rows of the first page. It has all results of most queries, and its total is enough to decide whether to use files.
FIRST_PAGE = 1_000
PAGE = 10_000
PAGES_AT_ONCE = 4

#: Parameters of records and totals that are not filters.
NO_FILTERS = ("GroupBy", "Facet", "OrderBy", "format")

LICENCES = named("OrganizationUUID OrganizationName DataSet Release PublishedAt License Citation TermsOfUse Contact")


@dataclass
class Metadata:
    """Facts about a result other than its records; `cite()` gives their origin in sentences."""

    #: The address of the first records, always without the key.
    url: str
    #: The data version of all records; a later call of `get_changes` takes it.
    data_version: str
    #: The number of records that match the filters, even if fewer were requested.
    total: int
    #: The headers of the first answer.
    header: Mapping[str, str] = field(repr=False)
    #: The query's terms that are not in the data, with the nearest terms that are.
    hint: str | None
    query_time: datetime.timedelta = datetime.timedelta()
    retrieved_at: datetime.datetime = field(default_factory=lambda: datetime.datetime.now(datetime.timezone.utc))
    #: If the query was split into parts, the address of each part; `url` is the first.
    urls: Sequence[str] = field(default=(), repr=False)
    #: How the records were fetched: `pages` or `files`.
    source: str = "pages"
    #: A row for each organization: release, license, citation, terms of use; None if nothing was found.
    licences: pandas.DataFrame | None = field(default=None, repr=False)
    #: With `lookups=True`: sites, methods, variables and so on, by name.
    lookups: Mapping[str, pandas.DataFrame] = field(default_factory=dict, repr=False)
    #: For changes since a version: the keys of the removed records.
    removed: pandas.DataFrame | None = field(default=None, repr=False)
    #: For `get_totals`: whether a record can be in several groups, so that rows do not add up to the total.
    groups_overlap: bool | None = None

    def cite(self) -> list[str]:
        """Returns a citation for each organization."""
        sentences = []
        more = f" and {len(self.urls) - 1} more addresses (metadata.urls)" if len(self.urls) > 1 else ""
        operation = self.url.partition("?")[0]
        is_long = len(self.url) > LONGEST_ADDRESS
        address = f"{operation} by POST with the parameters in metadata.url" if is_long else self.url
        for row in [] if self.licences is None else self.licences.fillna("").to_dict("records"):
            name = row["Citation"] or f"{row['OrganizationName']}, {row['DataSet']}"
            licence = f", {row['License']}" if row["License"] else ""
            day = self.retrieved_at.date().isoformat()
            sentences.append(f"{name}{licence}. Release {row['Release']}, retrieved {day} from {address}{more}")
        return sentences

    @property
    def licenses(self) -> pandas.DataFrame | None:
        """The same as `licences`."""
        return self.licences


Answer = tuple[pandas.DataFrame, Metadata]


@dataclass
class Retrieval:
    """The pages of one operation. Pages that were fetched are kept, so that the retrieval can resume."""

    connection: Connection
    operation: str
    query: Query
    #: The number of rows to fetch: all, or as many as requested.
    wanted: int = sys.maxsize
    largest_page: int = PAGE
    #: The path of the requests, if it differs from that of the operation.
    path: str = ""
    #: The names of the parameters for the first row and the size of a page; empty if one answer has all rows.
    names: tuple[str, ...] = ("StartIndex", "RecordCount")
    columns: Sequence[Column] = ()
    #: Reads the rows of an answer, as dictionaries or as a table; may add to Metadata.
    read: Callable[[httpx.Response, Metadata], Rows | Table] = lambda _answer, _metadata: ()
    #: Changes the frame. Metadata is None if an interruption ended the retrieval early.
    finish: Callable[[pandas.DataFrame, Metadata | None], pandas.DataFrame] = lambda frame, _metadata: frame
    #: Returns all rows from files instead of pages, or None.
    whole: Callable[[Metadata], Table | None] = lambda _metadata: None
    #: Joins the tables of several parts; None if the operation's lists are never long.
    join: Callable[[Sequence[Table]], Table] | None = None
    #: One retrieval for each part of a query whose list is too long for one request.
    parts: list[Retrieval] = field(default_factory=list)
    #: Whether the user sent this query. The user is then warned if nothing is found.
    is_asked: bool = False
    #: The metadata of the first answer, with the number of rows to fetch.
    metadata: Metadata | None = None
    #: The fetched pages, by the number of their first row.
    pages: dict[int, Table] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.path = self.path or f"/v1/{self.operation}"

    def run(self) -> Answer:
        self.connection.begin()
        try:
            metadata = self._take_parts() if self._is_split() else self._take_all()
            found = self.finish(self._frame(), metadata)
        except (WaterDataError, KeyboardInterrupt) as cause:
            error = cause if isinstance(cause, WaterDataError) else Interrupted("Interrupted: error.resume() goes on.")
            error.partial = self.finish(self._frame(), None)
            error.resume = self.run  # type: ignore[method-assign]
            raise error from (cause if error is not cause else error.__cause__)
        except KeyError as cause:
            tested = f"this client is tested with version {TESTED_WITH}"
            raise WaterDataError(f"An answer has no {cause}: the service has a different version; {tested}.") from cause
        metadata.query_time = datetime.datetime.now(datetime.timezone.utc) - self.connection.opened_at
        self.connection.say("")
        self._warn_of_nothing(found, metadata)
        return found, metadata

    def _warn_of_nothing(self, found: pandas.DataFrame, metadata: Metadata) -> None:
        """Warns if nothing was found, except for changes."""
        if self.is_asked and len(found) == 0 and not any(name == "ChangedSince" for name, _ in self.query):
            warnings.warn(nothing_sentence(metadata), NothingFound, stacklevel=_frames_of_package())

    def _is_split(self) -> bool:
        if self.join and not self.parts:
            queries = parts_of(self.query)
            if len(queries) > 1:
                changes: dict[str, Any] = {"parts": [], "join": None, "whole": lambda _metadata: None}
                self.parts = [dataclasses.replace(self, query=one, pages={}, **changes) for one in queries]
        return bool(self.parts)

    def _take_parts(self) -> Metadata:
        """Fetches all parts in one data version. The number of rows without duplicates is known only afterwards."""
        for part in self.parts:
            part.columns, part.wanted = self.columns, part.wanted if part.metadata else sys.maxsize
            part._take_all()
        metadatas = [part.metadata for part in self.parts if part.metadata]
        hints = dict.fromkeys(one.hint for one in metadatas if one.hint)
        total = len(self._joined())
        urls = [one.url for one in metadatas]
        return dataclasses.replace(metadatas[0], total=total, hint="; ".join(hints) or None, urls=urls)

    def _joined(self) -> Table:
        tables = [table for part in self.parts if len(table := part._table())]
        return self.join(tables) if self.join and tables else frames.from_rows(self.columns, [])

    def _take_all(self) -> Metadata:
        metadata = self.metadata or self._take_page(0)
        whole = self.whole(metadata)
        if whole is not None:
            metadata.source, self.pages = "files", {0: whole}
        self._take_pages()
        return metadata

    def _take_pages(self) -> None:
        starts = range(len(self.pages[0]), self.wanted, min(PAGE, self.largest_page)) if self.names else ()
        missing = [start for start in starts if start not in self.pages]
        with ThreadPoolExecutor(PAGES_AT_ONCE) as pool:
            try:
                for _ in pool.map(self._take_page, missing):
                    pass
            except BaseException:
                self.connection.stopped.set()
                raise

    def _take_page(self, start: int) -> Metadata:
        count = min(PAGE if start else FIRST_PAGE, self.largest_page, self.wanted - start)
        query = [*self.query, *zip(self.names, (str(start), str(count)), strict=False)]
        answer = self.connection.get(self.path, query)
        metadata = self.metadata or metadata_of(self.connection.address(self.path, self.query), answer.headers)
        page = self._page(answer, metadata)
        if self.names and len(page) != min(count, metadata.total):
            raise ConnectionFailed(f"A page has {len(page)} records instead of {count}.")
        self.metadata, self.pages[start], self.wanted = metadata, page, min(self.wanted, metadata.total)
        came = sum(len(page) for page in list(self.pages.values()))
        self.connection.say(f"{came:,} of {self.wanted:,} records")
        return metadata

    def _page(self, answer: httpx.Response, metadata: Metadata) -> Table:
        try:
            rows = self.read(answer, metadata)
            return rows if isinstance(rows, pyarrow.Table) else frames.from_rows(self.columns, rows)
        except KeyError as cause:
            tested = f"this client is tested with version {TESTED_WITH}"
            raise WaterDataError(f"An answer has no {cause}: the service has a different version; {tested}.") from cause
        except (ValueError, TypeError, AttributeError, pyarrow.ArrowException) as cause:
            host = answer.url.netloc.decode("ascii")
            raise WaterDataError(f"{host} sent an answer that cannot be read: {cause}. Try again.") from cause

    def _frame(self) -> pandas.DataFrame:
        table = self._joined()[: self.wanted] if self.parts else self._table()
        return frames.to_pandas(self.columns, table)

    def _table(self) -> Table:
        """All rows, or those before the first missing page."""
        came: list[Table] = []
        while page := self.pages.get(sum(map(len, came))):
            came.append(page)
        return pyarrow.concat_tables(came or [frames.from_rows(self.columns, [])])


def nothing_sentence(metadata: Metadata) -> str:
    hint = metadata.hint
    return f"No records match. {hint}{'' if hint.endswith('.') else '.'}" if hint else "No records match."


def _frames_of_package() -> int:
    """The number of calls between warnings.warn() and the caller of this package."""
    package = str(Path(__file__).parent)
    depth = 1
    caller = sys._getframe(1)
    while caller.f_back is not None and caller.f_code.co_filename.startswith(package):
        caller = caller.f_back
        depth += 1
    return depth


def organizations_found(connection: Connection, operation: str, query: Query) -> list[str]:
    """The organizations whose records match a query."""
    filters = [pair for pair in query if pair[0] not in NO_FILTERS]
    # A facet is counted without its own filter.
    own = {text.lower() for name, text in query if name == "OrganizationUUID"}
    facets = connection.get(f"/v1/{operation}/Facets", [*filters, ("Facet", "OrganizationUUID")]).json()["Facets"]
    found = [str(one["Value"]) for one in facets[0]["Values"] if one["Count"]]
    return [one for one in found if not own or one.lower() in own]


def metadata_of(url: str, header: Mapping[str, str]) -> Metadata:
    version, total = header["Data-Version"], int(header.get("X-Total-Count", 0))
    return Metadata(url, version, total, header, header.get("Query-Hint"))


def add_licences(connection: Connection, kind: str, organizations: Sequence[str], metadata: Metadata) -> None:
    """Adds the terms of use of each organization; without `kind`, of all data sets."""
    # A parameter may be repeated a hundred times; for more organizations than that, all are fetched.
    some = [("OrganizationUUID", str(one)) for one in organizations] if len(organizations) <= 100 else []
    inventory = connection.get("/v1/Inventory", some).json()
    rows = [
        {**organization, **data_set, **data_set["Submission"]}
        for organization in inventory["Organizations"]
        if organization["OrganizationUUID"] in organizations
        for data_set in organization["DataSets"]
        if kind in ("", *PLACES.values()) or kind == data_set["DataSet"]
    ]
    metadata.licences = frames.to_pandas(LICENCES, frames.from_rows(LICENCES, rows))
