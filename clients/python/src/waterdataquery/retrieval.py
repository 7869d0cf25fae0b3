"""Fetches all rows that a question finds, in pages side by side, and says where they are from."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

import pandas
import pyarrow

from . import frames, tables
from .arguments import Query
from .connection import Connection
from .errors import ConnectionFailed, Interrupted, WaterDataError
from .frames import Table
from .tables import Column

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
    query_time: datetime.timedelta
    retrieved_at: datetime.datetime
    #: The headers of the first answer.
    header: Mapping[str, str] = field(repr=False)
    #: Terms that are not in the data, with the nearest that are.
    hint: str | None
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
    columns: Sequence[Column]
    #: The rows of an answer in JSON.
    read: Callable[[Any], Table]
    finish: Finish = lambda frame, _metadata: frame
    #: Of records and places, whose licences are then asked for.
    kind: str | None = None
    limit: int | None = None
    largest_page: int = 10_000
    #: The parameters for the first row of a page, and for how many it has.
    names: tuple[str, str] = ("StartIndex", "RecordCount")
    #: May have all rows without pages: as files.
    whole: Callable[[Metadata], Table | None] = lambda _metadata: None
    started: float = field(default_factory=time.monotonic)
    header: Mapping[str, str] = field(default_factory=dict)
    pages: dict[int, Table] = field(default_factory=dict)

    def run(self) -> Answer:
        self.connection.stopped.clear()
        try:
            return self._run()
        except (WaterDataError, KeyboardInterrupt) as cause:
            error = cause if isinstance(cause, WaterDataError) else Interrupted("Interrupted: error.resume() goes on.")
            error.partial = self.finish(self._frame(self._without_gaps()), None)
            error._go_on = self.run
            raise error from (cause if error is not cause else error.__cause__)
        except KeyError as cause:
            tested = f"this client is tested with version {tables.service_version()}"
            raise WaterDataError(f"An answer has no {cause}: the service is of another version; {tested}.") from cause

    def _run(self) -> Answer:
        if not self.pages:
            self._take_page(0, min(FIRST_PAGE, self.largest_page, self.limit or FIRST_PAGE))
        query = pinned(self.query, self.header["Data-Version"])
        metadata = metadata_of(self.connection, self.path, query, self.header, self.started)
        whole = self.whole(metadata)
        if whole is None:
            self._take_pages()
            frame = self._frame(self._without_gaps())
        else:
            metadata.source = "files"
            frame = frames.to_pandas(self.columns, whole)
        if self.kind and len(frame):
            metadata.licences = licences_of(
                self.connection, self.kind, frame["OrganizationUUID"].unique(), metadata.data_version
            )
        frame = self.finish(frame, metadata)
        metadata.query_time = datetime.timedelta(seconds=time.monotonic() - self.started)
        self.connection.say("")
        return frame, metadata

    def _frame(self, pages: Iterator[Table]) -> pandas.DataFrame:
        return frames.to_pandas(self.columns, pyarrow.concat_tables([frames.from_rows(self.columns, []), *pages]))

    @property
    def _wanted(self) -> int:
        total = int(self.header["X-Total-Count"])
        return min(self.limit or total, total)

    def _take_pages(self) -> None:
        size = min(PAGE, self.largest_page)
        starts = [one for one in range(len(self.pages[0]), self._wanted, size) if one not in self.pages]
        pool = ThreadPoolExecutor(PAGES_AT_ONCE)
        try:
            made = [pool.submit(self._take_page, start, min(size, self._wanted - start)) for start in starts]
            for future in wait(made, return_when=FIRST_EXCEPTION).done:
                future.result()
        except BaseException:
            self.connection.stopped.set()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _take_page(self, start: int, count: int) -> None:
        query = [*self.query, *zip(self.names, (str(start), str(count)), strict=True)]
        answer = self.connection.get(self.path, pinned(query, self.header["Data-Version"]) if self.header else query)
        rows = self.read(answer.json())
        self.header = self.header or answer.headers
        if len(rows) != min(count, self._wanted - start):
            raise ConnectionFailed(f"A page has {len(rows)} records where {count} were asked for.")
        self.pages[start] = rows
        came = sum(len(page) for page in list(self.pages.values()))
        self.connection.say(f"{came:,} of {self._wanted:,} records")

    def _without_gaps(self) -> Iterator[Table]:
        came = 0
        while came in self.pages and len(self.pages[came]):
            yield self.pages[came]
            came += len(self.pages[came])


def rows_in(member: str, columns: Sequence[Column]) -> Callable[[Any], Table]:
    """Reads the rows that an answer in JSON has under this name."""
    return lambda answer: frames.from_rows(columns, answer[member])


def pinned(query: Query, version: str) -> Query:
    """All answers are of one version of the data, also when something is published meanwhile."""
    return query if any(name == "DataVersion" for name, _ in query) else [*query, ("DataVersion", version)]


def metadata_of(connection: Connection, path: str, query: Query, header: Mapping[str, str], started: float) -> Metadata:
    return Metadata(
        url=connection.address(path, query),
        data_version=header["Data-Version"],
        total=int(header.get("X-Total-Count", 0)),
        query_time=datetime.timedelta(seconds=time.monotonic() - started),
        retrieved_at=datetime.datetime.now(datetime.timezone.utc),
        header=dict(header),
        hint=header.get("Query-Hint"),
    )


def licences_of(connection: Connection, kind: str, organizations: Iterable[str], version: str) -> pandas.DataFrame:
    """Under which terms each organization gave the records."""
    chosen = {str(one) for one in organizations}
    # A parameter may be given a hundred times; of more organizations all are asked for.
    some = [("OrganizationUUID", one) for one in sorted(chosen)] if len(chosen) <= 100 else []
    inventory = connection.get("/v1/Inventory", pinned(some, version)).json()
    rows = [
        {**organization, **data_set, **data_set["Submission"]}
        for organization in inventory["Organizations"]
        if organization["OrganizationUUID"] in chosen
        for data_set in organization["DataSets"]
        if tables.is_place(kind) or kind == data_set["DataSet"]
    ]
    return frames.to_pandas(LICENCES, frames.from_rows(LICENCES, rows))
