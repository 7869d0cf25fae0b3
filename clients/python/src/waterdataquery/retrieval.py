"""Fetches all records that a question finds: in pages side by side, as an export, or as files kept from before."""

from __future__ import annotations

import datetime
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas

from . import files, frames, geometry, tables
from .arguments import Query
from .connection import Connection
from .errors import BadArgument, ConnectionFailed, Interrupted, ServiceBusy, WaterDataError
from .metadata import Metadata

#: Most questions are answered by the first page.
FIRST_PAGE = 1_000
PAGE = 5_000
PAGES_AT_ONCE = 4
#: More records than that come as an export.
PAGES_HOLD = 20_000
#: An export that is cut off has to begin again; after so many times its records are fetched in pages.
EXPORT_TRIES = 3

Answer = tuple[pandas.DataFrame, Metadata]


@dataclass
class Question:
    """What is asked for, and in which shape."""

    operation: str
    query: Query
    limit: int | None = None
    lookups: bool = False
    geometry: bool = False

    @property
    def kind(self) -> str:
        return tables.kind_of(self.operation)

    @property
    def path(self) -> str:
        return f"/v1/{self.operation}"

    @property
    def has_export(self) -> bool:
        return self.kind not in ("Sites", "ReportingUnits") and not self.lookups

    @property
    def may_be_whole(self) -> bool:
        """What changed is never the whole, and files have the order of the service."""
        return frames.HAS_PYARROW and not any(name in ("OrderBy", "ChangedSince") for name, _ in self.query)


@dataclass
class Retrieval:
    """Keeps what came, so that it can go on after an interruption."""

    connection: Connection
    question: Question
    started: float = field(default_factory=time.monotonic)
    pages: dict[int, Mapping[str, Any]] = field(default_factory=dict)
    header: Mapping[str, str] = field(default_factory=dict)
    #: Why no export is asked for (any more).
    without_export: bool = False

    @property
    def total(self) -> int:
        return int(self.header["X-Total-Count"])

    @property
    def version(self) -> str:
        return self.header["Data-Version"]

    @property
    def wanted(self) -> int:
        limit = self.question.limit
        return self.total if limit is None else min(limit, self.total)

    def run(self) -> Answer:
        with keeps_what_came(self.connection, self.run, self._partial):
            if not self.pages:
                self._take_page(0, min(FIRST_PAGE, self.question.limit or FIRST_PAGE), first=True)
            found, source = self._rest()
            return found, self._metadata(found, source)

    def _rest(self) -> tuple[pandas.DataFrame, str]:
        if self.wanted > PAGES_HOLD and self.question.has_export and self.question.limit is None:
            if self.question.may_be_whole and (found := self._from_files()) is not None:
                return self._shaped(found), "files"
            if not self.without_export and (found := self._from_export()) is not None:
                return self._shaped(found), "export"
        self._take_pages()
        return self._from_pages(), "pages"

    # In pages

    def _take_pages(self) -> None:
        first = len_of(self.pages[0], self.question.kind)
        starts = [start for start in range(first, self.wanted, PAGE) if start not in self.pages]
        pool = ThreadPoolExecutor(PAGES_AT_ONCE)
        try:
            made = [pool.submit(self._take_page, start, min(PAGE, self.wanted - start)) for start in starts]
            done, _ = wait(made, return_when=FIRST_EXCEPTION)
            for future in done:
                future.result()
        except BaseException:
            self.connection.stop()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _take_page(self, start: int, count: int, *, first: bool = False) -> None:
        query = [*self.question.query, ("StartIndex", str(start)), ("RecordCount", str(count))]
        if not first:
            query = pinned(query, self.version)
        answer = self.connection.get(self.question.path, query)
        page = answer.json()
        if first:
            self.header = answer.headers
        elif (came := len_of(page, self.question.kind)) != count:
            raise ConnectionFailed(f"A page has {came} records where {count} were asked for.")
        self.pages[start] = page
        came = sum(len_of(one, self.question.kind) for one in list(self.pages.values()))
        self.connection.progress.say(f"{came:,} of {self.wanted:,} records")

    def _from_pages(self) -> pandas.DataFrame:
        values: frames.Values = {}
        kind = self.question.kind
        for _, page in sorted(self.pages.items()):
            frames.join_page(kind, page, values)
        columns = tables.columns(kind)
        if self.question.lookups:
            columns = tuple(one for one in columns if one.source in (None, "Organization"))
        return self._shaped(frames.frame(columns, values))

    def _partial(self) -> pandas.DataFrame:
        """The records that came without a gap between them."""
        return self._from_pages()

    # At once

    def _from_export(self) -> pandas.DataFrame | None:
        """None where no export can be had: its records are fetched in pages then."""
        form = "parquet" if frames.HAS_PYARROW else "csv.gz"
        query = pinned([*self.question.query, ("format", form)], self.version)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / f"export.{form}"

            def say(came: int) -> None:
                self.connection.progress.say(f"{self.total:,} records, {came / 1e6:,.1f} MB")

            for _ in range(EXPORT_TRIES):
                try:
                    self.connection.save(f"{self.question.path}/Export", query, file, say)
                    found = files.read(self.question.kind, file)
                    if len(found) == self.total:
                        return found
                except (ConnectionFailed, EOFError):
                    continue
                except (BadArgument, ServiceBusy):
                    # Too many records for one export, or too many exports at this moment.
                    break
        self.without_export = True
        return None

    def _from_files(self) -> pandas.DataFrame | None:
        """Where all is found of some organizations; their files are kept, and quicker than an export."""
        query = pinned([*self.question.query, ("Facet", "OrganizationUUID")], self.version)
        facet = self.connection.get(f"{self.question.path}/Facets", query).json()["Facets"][0]
        organizations = [one["Value"] for one in facet["Values"]]
        chosen = files.Files(self.connection).of(self.question.kind, organizations, self.version, self.total)
        if chosen is None:
            return None
        found = frames.from_arrow(self.question.kind, files.concatenated(chosen))
        return found if len(found) == self.total else None

    # The answer

    def _shaped(self, found: pandas.DataFrame) -> pandas.DataFrame:
        if not self.question.geometry:
            return found
        kind = self.question.kind
        if kind == "AggregatedAmounts":
            return geometry.with_geometry(found, self._units_of(found))
        if kind in ("Sites", "ReportingUnits"):
            items = [record for _, page in sorted(self.pages.items()) for record in records_of(page, kind)]
            return geometry.with_geometry(found, geometry.of_items(items) if items else [])
        made = geometry.multipoints(found) if kind == "WaterAllocations" else geometry.points(found)
        return geometry.with_geometry(found, made)

    def _units_of(self, found: pandas.DataFrame) -> Any:
        """The areas of the units that the records name, each once."""
        items = [unit for page in self.pages.values() for unit in lookups_of(page, "ReportingUnits")]
        known = {item["ReportingUnitUUID"] for item in items}
        if not set(found["ReportingUnitUUID"].unique()) <= known:
            own = [(name, value) for name, value in self.question.query if name == "OrganizationUUID"]
            units = Retrieval(self.connection, Question("ReportingUnits", pinned(own, self.version)))
            units.run()
            items += [record for page in units.pages.values() for record in records_of(page, "ReportingUnits")]
        by_unit = dict(zip([item["ReportingUnitUUID"] for item in items], geometry.of_items(items), strict=True))
        return [by_unit.get(unit) for unit in found["ReportingUnitUUID"]]

    def _metadata(self, found: pandas.DataFrame, source: str) -> Metadata:
        first = [*self.question.query, ("RecordCount", str(FIRST_PAGE))]
        made = metadata_of(self.connection.address(self.question.path, pinned(first, self.version)), self.header, self)
        made.source = source
        made.total = self.total
        if len(found):
            organizations = [str(one) for one in found["OrganizationUUID"].unique()]
            made.licences = licences_of(self.connection, self.question.kind, organizations, self.version)
        if self.question.lookups:
            rows: dict[str, dict[tuple[str, str], Any]] = {}
            for _, page in sorted(self.pages.items()):
                frames.lookup_rows(self.question.kind, page, rows)
            made.lookups = {name: pandas.DataFrame(list(own.values())) for name, own in rows.items()}
        self.connection.progress.end()
        return made


@contextmanager
def keeps_what_came(
    connection: Connection, go_on: Callable[[], Answer], partial: Callable[[], pandas.DataFrame]
) -> Iterator[None]:
    """Gives an error that ends a retrieval what came before it, and the way to go on."""
    connection.go_on()
    try:
        yield
    except (WaterDataError, KeyboardInterrupt) as cause:
        error = cause if isinstance(cause, WaterDataError) else Interrupted("Interrupted: error.resume() goes on.")
        error.partial = partial()
        error._go_on = go_on
        raise error from (cause if error is not cause else error.__cause__)
    except KeyError as cause:
        tested = f"this client is tested with version {tables.service_version()}"
        raise WaterDataError(f"An answer has no {cause}: the service is of another version; {tested}.") from cause


Rows = list[Any]


@dataclass(frozen=True)
class Listing:
    """An operation without exports, whose rows come page after page, and what it calls them."""

    path: str
    query: Query
    rows: str
    total: str
    page: int = 10_000
    limit: int | None = None
    start: str = "StartIndex"
    count: str = "RecordCount"


def take_rows(
    connection: Connection,
    listing: Listing,
    finish: Callable[[Rows, Any, Metadata | None], pandas.DataFrame],
) -> Answer:
    """All rows in one version; `finish` makes the frame, without Metadata of what came before an interruption."""
    rows: Rows = []
    query, wanted, answer = listing.query, listing.limit or listing.page, None
    header: Mapping[str, str] = {}
    started = time.monotonic()

    def run() -> Answer:
        nonlocal query, wanted, answer, header
        with keeps_what_came(connection, run, lambda: finish(rows, None, None)):
            while answer is None or (answer[listing.rows] and len(rows) < wanted):
                part = [(listing.start, str(len(rows))), (listing.count, str(min(listing.page, wanted - len(rows))))]
                response = connection.get(listing.path, [*query, *part])
                answer, header = response.json(), response.headers
                query = pinned(query, header["Data-Version"])
                rows.extend(answer[listing.rows])
                wanted = min(listing.limit or answer[listing.total], answer[listing.total])
                connection.progress.say(f"{len(rows):,} of {wanted:,}")
            connection.progress.end()
            metadata = metadata_of(connection.address(listing.path, query), header, started)
            metadata.total = answer[listing.total]
            return finish(rows, answer, metadata), metadata

    return run()


def metadata_of(url: str, header: Mapping[str, str], began: Retrieval | float) -> Metadata:
    started = began if isinstance(began, float) else began.started
    return Metadata(
        url=url,
        data_version=header["Data-Version"],
        total=0,
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


def records_of(page: Mapping[str, Any], kind: str) -> list[Mapping[str, Any]]:
    return [record for organization in page["Organizations"] for record in organization[kind]]


def lookups_of(page: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    return [item for organization in page["Organizations"] for item in organization.get(name, ())]


def len_of(page: Mapping[str, Any], kind: str) -> int:
    return sum(len(organization[kind]) for organization in page["Organizations"])
