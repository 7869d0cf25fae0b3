"""The functions that an analyst calls. What they take is in `tables.json`, from where their help is written, too."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pandas

from . import files, frames, tables
from .arguments import Query, arguments_of, query_of, service_name, unknown_name
from .connection import PATIENCE, Connection
from .errors import BadArgument
from .geometry import is_wanted, of_features, with_geometry
from .metadata import Metadata
from .records import Records
from .retrieval import Answer, Listing, Retrieval, Rows, all_of, licences_of, metadata_of, pinned, rows_in
from .tables import Column

F = TypeVar("F", bound=Callable[..., Any])

COLLECTIONS = {
    "sites": "Sites",
    "reporting-units": "ReportingUnits",
    "allocations": "WaterAllocations",
    "site-amounts": "SiteVariableAmounts",
    "aggregated-amounts": "AggregatedAmounts",
}

COUNTED = ("SiteVariableAmounts", "AggregatedAmounts", "SiteAllocationAmounts")
FOUND = ("Kind", "OrganizationUUID", "Identifier", "Name", "State", "County", *COUNTED)

#: What every function takes beside the parameters of the service.
CONNECTION_ARGUMENTS = {
    "url": "Address of the service; else the environment variable WATER_DATA_URL.",
    "key": "Access key; else WATER_DATA_KEY, or the file `key` in the configuration folder.",
    "patience": f"Most seconds to wait after 429, 503 and cuts, {PATIENCE:.0f} when not given.",
    "progress": "True or False shows or hides the line of progress; None shows it where somebody looks.",
}


def documented(operation: str) -> Callable[[F], F]:
    """Adds the parameters of an operation to the help and to the signature that editors and notebooks show."""

    def add(function: F) -> F:
        parameters = tables.parameters(operation)
        described = [f"    {name}: {parameter['description']}" for name, parameter in parameters.items()]
        described += [f"    {name}: {text}" for name, text in CONNECTION_ARGUMENTS.items()]
        function.__doc__ = "\n".join([inspect.cleandoc(function.__doc__ or ""), "", "Arguments:", *described])
        own = [one for one in inspect.signature(function).parameters.values() if one.kind is not one.VAR_KEYWORD]
        taken = {one.name for one in own}
        named = [name for name in (*parameters, *CONNECTION_ARGUMENTS) if name not in taken]
        keywords = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in named]
        function.__signature__ = inspect.Signature([*own, *keywords])  # type: ignore[attr-defined]
        return function

    return add


@documented("SiteVariableAmounts")
def get_site_amounts(
    *, limit: int | None = None, lookups: bool = False, geometry: bool | None = None, **arguments: Any
) -> Answer:
    """Time series at sites: gages, reservoirs, and public supply with its points of diversion and places of use.

    Returns a data frame with a row for each record and what its site, variable, method and source say, and Metadata.
    `limit` takes the first so many records; `lookups=True` leaves sites and so on out of the rows, and gives them as
    `metadata.lookups`; `geometry` adds points or leaves them out, and is True where geopandas is installed.
    """
    return _records("SiteVariableAmounts", arguments, limit, lookups, geometry)


@documented("AggregatedAmounts")
def get_aggregated_amounts(
    *, limit: int | None = None, lookups: bool = False, geometry: bool | None = None, **arguments: Any
) -> Answer:
    """Amounts of reporting units, such as counties and watersheds; returns and options as `get_site_amounts`."""
    return _records("AggregatedAmounts", arguments, limit, lookups, geometry)


@documented("SiteAllocationAmounts")
def get_allocations(
    *, limit: int | None = None, lookups: bool = False, geometry: bool | None = None, **arguments: Any
) -> Answer:
    """Water rights. One has many sites, so that what sites say are lists, and its geometry has a point for each.

    Returns and options as `get_site_amounts`.
    """
    return _records("SiteAllocationAmounts", arguments, limit, lookups, geometry)


@documented("Sites")
def get_sites(*, limit: int | None = None, geometry: bool | None = None, **arguments: Any) -> Answer:
    """Sites, with the variables that each has amounts of, for how long, and how many rights name it."""
    return _records("Sites", arguments, limit, False, geometry)


@documented("ReportingUnits")
def get_reporting_units(*, limit: int | None = None, geometry: bool | None = None, **arguments: Any) -> Answer:
    """Reporting units, with the variables that each has amounts of, and for how long."""
    return _records("ReportingUnits", arguments, limit, False, geometry)


def get_totals(kind: str, by: str | Sequence[str] = (), **arguments: Any) -> Answer:
    """Counts and sums of what filters find, in groups: `get_totals("allocations", by="priority_decade")`.

    `kind` is "site_amounts", "aggregated_amounts" or "allocations"; filters are those of the function for these.
    Amounts of different units or statistics are never added up, and have rows of their own. Where
    `metadata.groups_overlap` a record is in several groups, and rows do not add up to the whole.
    """
    operation = f"{_operation(kind)}/Totals"
    groups = [service_name(name, operation, "group_by") for name in _names(by)]
    columns = tables.totals_columns(_operation(kind), groups)

    overlap: list[bool] = []

    def read(answer: httpx.Response) -> tuple[Rows, int]:
        page = answer.json()
        overlap.append(page["GroupsOverlap"])
        return page["Totals"], page["TotalGroupsCount"]

    def finish(pages: list[Rows], metadata: Metadata | None) -> pandas.DataFrame:
        if metadata is not None:
            metadata.groups_overlap = overlap[0]
        return frames.frame(columns, all_of(pages))

    connection, query = _opened(operation, arguments)
    query += [("GroupBy", group) for group in groups]
    return Retrieval(connection, Listing(f"/v1/{operation}", query, read, finish)).run()


def get_facets(kind: str, facets: str | Sequence[str], **arguments: Any) -> Answer:
    """What each value of a filter would find, with all other filters as they are: columns Facet, Value, Count.

    At most 1,000 values of a facet are listed; `metadata.hint` says of how many others there are.
    """
    operation = f"{_operation(kind)}/Facets"
    chosen = [service_name(name, operation, "facet") for name in _names(facets)]
    connection, query = _opened(operation, arguments)
    query += [("Facet", name) for name in chosen]
    started = time.monotonic()
    response = connection.get(f"/v1/{operation}", query)
    answer = response.json()
    rows = [{"Facet": facet["Name"], **value} for facet in answer["Facets"] for value in facet["Values"]]
    address = connection.address(f"/v1/{operation}", query)
    metadata = metadata_of(address, response.headers, started, answer["TotalCount"])
    more = [
        f"{facet['Name']} has {facet['MoreValues']} more values" for facet in answer["Facets"] if facet["MoreValues"]
    ]
    metadata.hint = "; ".join(more) or metadata.hint
    return _table(rows, ("Facet", "Value", "Count")), metadata


def get_terms(kind: str | None = None, parameter: str | None = None, **arguments: Any) -> Answer:
    """The values that filters know, with how many records of a data set have each.

    `kind` and `parameter` ("beneficial_use_cv") narrow the list, and `state` and `organization_uuid` as ever.
    """
    data_set = None if kind is None else tables.kind_of(_operation(kind))
    connection, query = _opened("Inventory", arguments)
    started = time.monotonic()
    response = connection.get("/v1/Inventory", query)
    rows = [
        {"OrganizationUUID": organization["OrganizationUUID"], "DataSet": own["DataSet"], "Parameter": name, **term}
        for organization in response.json()["Organizations"]
        for own in organization["DataSets"]
        for name, terms in own["Vocabulary"].items()
        for term in terms
        if data_set in (None, own["DataSet"]) and _is_same(parameter, name)
    ]
    if parameter is not None and not rows:
        known = {name for operation in tables.OPERATIONS.values() for name in tables.parameters(operation)}
        if not any(_is_same(parameter, name) for name in known):
            raise BadArgument(unknown_name(parameter, sorted(known), "get_terms"))
    metadata = metadata_of(connection.address("/v1/Inventory", query), response.headers, started, len(rows))
    return _table(rows, ("OrganizationUUID", "DataSet", "Parameter", "Value", "Records")), metadata


def get_changes(
    kind: str,
    since: str,
    *,
    organization_uuid: str | Sequence[str] | None = None,
    geometry: bool | None = None,
    **arguments: Any,
) -> Answer:
    """The records that were added or changed since a data version, such as the `data_version` of former Metadata.

    `metadata.removed` has the keys of the records that are gone: drop them, and those with the keys of changed
    records, then add what changed. A version that is not held any more raises VersionGone: take the whole again.
    """
    operation = _operation(kind)
    own = {**arguments, "organization_uuid": organization_uuid, "changed_since": since}
    changed, metadata = _records(operation, own, None, False, geometry)
    connection, query = _opened(
        f"{operation}/Removed", {**_only_connection(arguments), "since": since, "organization_uuid": organization_uuid}
    )
    removed = pinned(query, metadata.data_version)
    metadata.removed = files.removed_keys(connection, f"/v1/{operation}", removed)
    return changed, metadata


def download(kind: str, organization: str, format: str = "parquet", **arguments: Any) -> tuple[Path, Metadata]:
    """The file of a whole data set, kept in the cache folder and brought up to date; returns its path and Metadata.

    `format` is "parquet" (records with types), "csv.gz" or "places" (sites or units as GeoParquet). Records in
    Parquet come whole once; later only what changed is transferred. Names of places, methods and variables in
    rows that stayed are then the former ones: `whole=True` takes everything anew.
    """
    whole = arguments.pop("whole", False)
    connection, _ = _opened("Downloads", arguments)
    names = {"parquet": files.RECORDS, "csv.gz": "records.csv.gz", "places": files.PLACES}
    if format not in names:
        raise BadArgument(unknown_name(format, names, "download(format=...)"))
    started = time.monotonic()
    kept = files.Files(connection)
    data_set = tables.kind_of(_operation(kind))
    listed, response = connection.patiently(lambda: kept.find(data_set, organization))
    version = response.headers["Data-Version"]
    file = kept.current(listed, version, anew=whole) if format == "parquet" else kept.whole(listed, names[format])
    connection.progress.end()
    address = connection.address("/v1/Downloads", [])
    metadata = metadata_of(address, response.headers, started, listed["Records"])
    metadata.source = "files"
    metadata.licences = licences_of(connection, data_set, [listed["OrganizationUUID"]], version)
    return file, metadata


def query(collection: str, cql2: str, *, geometry: bool | None = None, **arguments: Any) -> Answer:
    """What a filter in CQL2 finds in a collection of OGC API - Features, such as `"Amount > 100 AND State = 'UT'"`.

    Collections are sites, reporting-units, allocations, site-amounts and aggregated-amounts.
    """
    if collection not in COLLECTIONS:
        raise BadArgument(unknown_name(collection, COLLECTIONS, "query(collection=...)"))
    kind = COLLECTIONS[collection]
    connection, _ = _opened("Downloads", arguments)
    wanted = is_wanted(geometry)

    def finish(pages: list[Rows], _metadata: Metadata | None) -> pandas.DataFrame:
        features = all_of(pages)
        table = frames.from_features(kind, features)
        return with_geometry(table, of_features(features)) if wanted else table

    asked: Query = [("filter", cql2), ("filter-lang", "cql2-text"), ("f", "json")]
    path = f"/ogc/collections/{collection}/items"
    listing = Listing(path, asked, rows_in("features", "numberMatched"), finish, kind, start="offset", count="limit")
    return Retrieval(connection, listing).run()


@documented("Find")
def find(text: str, *, limit: int = 20, **arguments: Any) -> Answer:
    """Sites, units, rights, owners, areas and terms by the beginnings of words of their names and identifiers.

    Returns the best `limit` of them with how many records each has. `Arguments` has what finds these records:
    `get_allocations(**found["Arguments"][0])`.
    """
    connection, query = _opened("Find", arguments)

    def finish(pages: list[Rows], _metadata: Metadata | None) -> pandas.DataFrame:
        rows = all_of(pages)
        made = _table([{**row, **row["RecordsCounts"]} for row in rows], FOUND)
        made["Arguments"] = pandas.Series([arguments_of(row["Filter"]) for row in rows], dtype=object)
        return made

    listing = Listing(
        "/v1/Find",
        [*query, ("Query", text)],
        rows_in("Found", "TotalFoundCount"),
        finish,
        limit=_checked(limit),
        largest_page=100,
    )
    return Retrieval(connection, listing).run()


def _records(
    operation: str, arguments: dict[str, Any], limit: int | None, lookups: bool, geometry: bool | None
) -> Answer:
    wanted = is_wanted(geometry)
    connection, asked = _opened(operation, arguments)
    return Records(connection, operation, asked, _checked(limit), lookups, wanted).take()


def _checked(limit: int | None) -> int | None:
    if limit is not None and limit < 1:
        raise BadArgument("limit is 1 or more; leave it out for all records.")
    return limit


def _only_connection(arguments: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in arguments.items() if name in CONNECTION_ARGUMENTS}


def _opened(operation: str, arguments: dict[str, Any]) -> tuple[Connection, Query]:
    """What all functions begin with; wrong arguments are refused before anything is sent."""
    own = _only_connection(arguments)
    asked = query_of(operation, {name: value for name, value in arguments.items() if name not in own})
    return Connection(**own), asked


def _operation(kind: str) -> str:
    found = tables.OPERATIONS.get(kind)
    if found is None or found in ("Sites", "ReportingUnits"):
        raise BadArgument(f"{kind} is no kind of records: there are site_amounts, aggregated_amounts and allocations.")
    return found


def _names(names: str | Sequence[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _is_same(asked: str | None, name: str) -> bool:
    return asked is None or asked.replace("_", "").lower() == name.replace("_", "").lower()


def _table(rows: list[dict[str, Any]], names: Sequence[str]) -> pandas.DataFrame:
    counts = ("Count", "Records", *COUNTED)
    made = [Column(name, "integer" if name in counts else "text", False, name) for name in names]
    return frames.frame(made, rows)
