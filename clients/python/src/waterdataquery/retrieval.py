"""Fetches all rows that a question finds, in pages side by side, and says where they are from."""

from __future__ import annotations

import datetime
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import httpx
import pandas
import pyarrow

from . import frames
from .arguments import Query
from .connection import Connection
from .errors import BadArgument, ConnectionFailed, Interrupted, WaterDataError
from .frames import Table
from .tables import PLACES, TABLES, Column

#: Most questions are answered by the first page.
FIRST_PAGE = 1_000
PAGE = 10_000
PAGES_AT_ONCE = 4

LICENCE_NAMES = "OrganizationUUID OrganizationName DataSet Release PublishedAt License Citation TermsOfUse Contact"
LICENCES = [Column(name) for name in LICENCE_NAMES.split()]


@dataclass
class Metadata:
    """What is known of an answer beside its records; `cite()` says in sentences where they are from."""

    #: The address that gives the first records; it never has the key.
    url: str
    #: The state of the data that all records are from; `get_changes` takes it later.
    data_version: str
    #: How many records the service found, also where fewer were asked for.
    total: int
    #: The headers of the first answer.
    header: Mapping[str, str] = field(repr=False)
    #: Terms that are not in the data, with the nearest that are.
    hint: str | None
    query_time: datetime.timedelta = datetime.timedelta()
    retrieved_at: datetime.datetime = field(default_factory=lambda: datetime.datetime.now(datetime.UTC))
    #: How the records came: `pages` or `files`.
    source: str = "pages"
    #: A row for each organization: release, licence, citation, terms of use; None until something was found.
    licences: pandas.DataFrame | None = field(default=None, repr=False)
    #: With `lookups=True`: sites, methods, variables and so on, by name.
    lookups: Mapping[str, pandas.DataFrame] = field(default_factory=dict, repr=False)
    #: Of `get_changes`: the keys of the records that are gone.
    removed: pandas.DataFrame | None = field(default=None, repr=False)
    #: Of `get_totals`: whether a record can be in several groups, so that rows do not add up to the whole.
    groups_overlap: bool | None = None

    def cite(self) -> list[str]:
        """A sentence for each organization."""
        sentences = []
        for row in [] if self.licences is None else self.licences.fillna("").to_dict("records"):
            name = row["Citation"] or f"{row['OrganizationName']}, {row['DataSet']}"
            licence = f", {row['License']}" if row["License"] else ""
            day = self.retrieved_at.date().isoformat()
            sentences.append(f"{name}{licence}. Release {row['Release']}, retrieved {day} from {self.url}")
        return sentences


Answer = tuple[pandas.DataFrame, Metadata]
#: Changes a frame; without Metadata where it has what came before an interruption.
Finish = Callable[[pandas.DataFrame, Metadata | None], pandas.DataFrame]


@dataclass
class Retrieval:
    """An operation whose rows come page after page. It keeps what came, so that it can go on after an interruption."""

    connection: Connection
    path: str
    query: Query
    columns: Sequence[Column] = ()
    #: The rows of an answer.
    read: Callable[[httpx.Response], Table] = lambda answer: answer
    finish: Finish = lambda frame, _metadata: frame
    #: May have all rows without pages: as files.
    whole: Callable[[Metadata], Table | None] = lambda _metadata: None
    limit: int | None = None
    largest_page: int = 10_000
    #: The parameters for the first row of a page, and for how many it has.
    names: tuple[str, str] = ("StartIndex", "RecordCount")
    started: float = field(default_factory=time.monotonic)
    header: Mapping[str, str] = field(default_factory=dict)
    #: As the first answer has it.
    total: int = sys.maxsize
    pages: dict[int, Table] = field(default_factory=dict)

    def run(self) -> Answer:
        if self.limit is not None and self.limit < 1:
            raise BadArgument("limit is 1 or more; leave it out for all records.")
        self.connection.stopped.clear()
        try:
            return self._run()
        except (WaterDataError, KeyboardInterrupt) as cause:
            error = cause if isinstance(cause, WaterDataError) else Interrupted("Interrupted: error.resume() goes on.")
            error.partial = self.finish(self._frame(), None)
            error._go_on = self.run
            raise error from (cause if error is not cause else error.__cause__)
        except KeyError as cause:
            tested = f"this client is tested with version {TABLES['serviceVersion']}"
            raise WaterDataError(f"An answer has no {cause}: the service is of another version; {tested}.") from cause

    def _run(self) -> Answer:
        if not self.pages:
            self._take_page(0, FIRST_PAGE)
        address = self.connection.address(self.path, pinned(self.query, self.header["Data-Version"]))
        metadata = metadata_of(address, self.header)
        whole = self.whole(metadata)
        if whole is None:
            self._take_pages()
        else:
            metadata.source = "files"
        found = self.finish(self._frame(whole), metadata)
        metadata.query_time = datetime.timedelta(seconds=time.monotonic() - self.started)
        self.connection.say("")
        return found, metadata

    def _take_pages(self) -> None:
        size = min(PAGE, self.largest_page)
        wanted = min(self.total, self.limit or self.total)
        starts = [one for one in range(len(self.pages[0]), wanted, size) if one not in self.pages]
        with ThreadPoolExecutor(PAGES_AT_ONCE) as pool:
            try:
                for _ in pool.map(self._take_page, starts, [size] * len(starts)):
                    pass
            except BaseException:
                self.connection.stopped.set()
                raise

    def _take_page(self, start: int, size: int) -> None:
        count = min(size, self.largest_page, self.total - start, (self.limit or self.total) - start)
        query = [*self.query, *zip(self.names, (str(start), str(count)), strict=True)]
        answer = self.connection.get(self.path, pinned(query, self.header["Data-Version"]) if self.header else query)
        rows = self.read(answer)
        self.header = self.header or answer.headers
        self.total = int(self.header["X-Total-Count"])
        if len(rows) != min(count, self.total):
            raise ConnectionFailed(f"A page has {len(rows)} records where {count} were asked for.")
        self.pages[start] = rows
        came = sum(len(page) for page in list(self.pages.values()))
        self.connection.say(f"{came:,} of {min(self.total, self.limit or self.total):,} records")

    def _frame(self, whole: Table | None = None) -> pandas.DataFrame:
        """All rows, or those that came before a gap."""
        pages = [frames.from_rows(self.columns, [])] if whole is None else [whole]
        came = 0
        while whole is None and came in self.pages and len(self.pages[came]):
            pages.append(self.pages[came])
            came += len(self.pages[came])
        return frames.to_pandas(self.columns, pyarrow.concat_tables(pages))


def pinned(query: Query, version: str) -> Query:
    """All answers are of one version of the data, also when something is published meanwhile."""
    return query if any(name == "DataVersion" for name, _ in query) else [*query, ("DataVersion", version)]


def metadata_of(url: str, header: Mapping[str, str]) -> Metadata:
    version, total = header["Data-Version"], int(header.get("X-Total-Count", 0))
    return Metadata(url, version, total, header, header.get("Query-Hint"))


def add_licences(connection: Connection, kind: str, organizations: Sequence[str], metadata: Metadata) -> None:
    """Under which terms each organization gave the records."""
    if not len(organizations):
        return
    # A parameter may be given a hundred times; of more organizations all are asked for.
    some = [("OrganizationUUID", str(one)) for one in organizations] if len(organizations) <= 100 else []
    inventory = connection.get("/v1/Inventory", pinned(some, metadata.data_version)).json()
    rows = [
        {**organization, **data_set, **data_set["Submission"]}
        for organization in inventory["Organizations"]
        if organization["OrganizationUUID"] in organizations
        for data_set in organization["DataSets"]
        if kind in PLACES or kind == data_set["DataSet"]
    ]
    metadata.licences = frames.to_pandas(LICENCES, frames.from_rows(LICENCES, rows))
