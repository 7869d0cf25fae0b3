"""The functions that an analyst calls. What they take is in `tables.json`, from where their help is written, too."""

from __future__ import annotations

import datetime
import inspect
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pandas

from . import frames
from .arguments import Query, arguments_of, plain, query_of, service_name, unknown_name
from .connection import PATIENCE, Connection
from .errors import BadArgument
from .files import RECORDS, Files, removed_keys
from .frames import Table
from .records import features, records
from .retrieval import Answer, Metadata, Retrieval, add_licences, metadata_of, pinned
from .tables import OPERATIONS, PARAMETERS, TABLES, Column, kind_of

F = TypeVar("F", bound=Callable[..., Any])

COUNTED = ("SiteVariableAmounts", "AggregatedAmounts", "SiteAllocationAmounts")

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
        parameters = PARAMETERS[operation]
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
    groups = _service_names(by, operation, "group_by")
    totals = TABLES["totals"][_operation(kind)]
    types = {**{group: totals["groups"][group] for group in groups}, **totals["members"]}
    columns = [Column(name, type) for name, type in types.items()]
    overlap: list[bool] = []

    def read(answer: httpx.Response) -> Table:
        overlap.append(answer.json()["GroupsOverlap"])
        return frames.from_rows(columns, answer.json()["Totals"])

    def finish(found: pandas.DataFrame, metadata: Metadata | None) -> pandas.DataFrame:
        if metadata is not None:
            metadata.groups_overlap = overlap[0]
        return found

    connection, query = _opened(operation, arguments)
    query += [("GroupBy", group) for group in groups]
    return Retrieval(connection, f"/v1/{operation}", query, columns, read, finish).run()


def get_facets(kind: str, facets: str | Sequence[str], **arguments: Any) -> Answer:
    """What each value of a filter would find, with all other filters as they are: columns Facet, Value, Count.

    At most 1,000 values of a facet are listed; `metadata.hint` says of how many others there are.
    """
    operation = f"{_operation(kind)}/Facets"
    chosen = _service_names(facets, operation, "facet")
    connection, query = _opened(operation, arguments)
    answer, metadata = _one(connection, f"/v1/{operation}", [*query, *(("Facet", name) for name in chosen)])
    rows = [{"Facet": facet["Name"], **value} for facet in answer["Facets"] for value in facet["Values"]]
    more = [f"{one['Name']} has {one['MoreValues']} more values" for one in answer["Facets"] if one["MoreValues"]]
    metadata.hint = "; ".join(more) or metadata.hint
    return _frame(rows, ["Facet", "Value"], "Count"), metadata


def get_terms(kind: str | None = None, parameter: str | None = None, **arguments: Any) -> Answer:
    """The values that filters know, with how many records of a data set have each.

    `kind` and `parameter` ("beneficial_use_cv") narrow the list, and `state` and `organization_uuid` as ever.
    """
    data_set = None if kind is None else kind_of(_operation(kind))
    if parameter is not None:
        known = {name: None for operation in OPERATIONS.values() for name in PARAMETERS[operation]}
        parameter = service_name(parameter, known, "get_terms")
    connection, query = _opened("Inventory", arguments)
    answer, metadata = _one(connection, "/v1/Inventory", query)
    rows = [
        {"OrganizationUUID": organization["OrganizationUUID"], "DataSet": own["DataSet"], "Parameter": name, **term}
        for organization in answer["Organizations"]
        for own in organization["DataSets"]
        for name, terms in own["Vocabulary"].items()
        for term in terms
        if data_set in (None, own["DataSet"]) and (parameter is None or plain(parameter) == plain(name))
    ]
    metadata.total = len(rows)
    return _frame(rows, ["OrganizationUUID", "DataSet", "Parameter", "Value"], "Records"), metadata


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
    own = {"organization_uuid": organization_uuid}
    connection, query = _opened(operation, {**arguments, **own, "changed_since": since})
    changed, metadata = records(connection, operation, query, geometry=geometry)
    removed = query_of(f"{operation}/Removed", {**own, "since": since})
    metadata.removed = removed_keys(connection, operation, pinned(removed, metadata.data_version))
    return changed, metadata


def download(
    kind: str, organization: str, format: str = "parquet", *, whole: bool = False, **arguments: Any
) -> tuple[Path, Metadata]:
    """The file of a whole data set, kept in the cache folder and brought up to date; returns its path and Metadata.

    `format` is "parquet" (records with types), "csv.gz" or "places" (sites or units as GeoParquet). Records in
    Parquet come whole once; later only what changed is transferred. Names of places, methods and variables in
    rows that stayed are then the former ones: `whole=True` takes everything anew.
    """
    names = {"parquet": RECORDS, "csv.gz": "records.csv.gz", "places": "places.parquet"}
    if format not in names:
        raise BadArgument(unknown_name(format, names, "download(format=...)"))
    connection, _ = _opened("Downloads", arguments)
    started = time.monotonic()
    files = Files(connection, _operation(kind))
    listed, response = connection.patiently(lambda: files.find(organization))
    version = response.headers["Data-Version"]
    file = files.current(listed, version, names[format], anew=whole)
    connection.say("")
    metadata = metadata_of(str(response.url), response.headers)
    metadata.query_time = datetime.timedelta(seconds=time.monotonic() - started)
    metadata.source, metadata.total = "files", listed["Records"]
    add_licences(connection, listed["DataSet"], [listed["OrganizationUUID"]], metadata)
    return file, metadata


def query(
    collection: str, cql2: str, *, limit: int | None = None, geometry: bool | None = None, **arguments: Any
) -> Answer:
    """What a filter in CQL2 finds in a collection of OGC API - Features, such as `"Amount > 100 AND State = 'UT'"`.

    Collections are sites, reporting-units, allocations, site-amounts and aggregated-amounts.
    """
    collections = {name.replace("_", "-"): operation for name, operation in OPERATIONS.items()}
    if collection not in collections:
        raise BadArgument(unknown_name(collection, collections, "query(collection=...)"))
    connection, _ = _opened("Downloads", arguments)
    asked = [("filter", cql2), ("filter-lang", "cql2-text"), ("f", "json")]
    path = f"/ogc/collections/{collection}/items"
    listing = Retrieval(connection, path, asked, names=("offset", "limit"), limit=limit)
    return features(listing, kind_of(collections[collection]), geometry)


@documented("Find")
def find(text: str, *, limit: int = 20, **arguments: Any) -> Answer:
    """Sites, units, rights, owners, areas and terms by the beginnings of words of their names and identifiers.

    Returns the best `limit` of them with how many records each has. `Arguments` has what finds these records:
    `get_allocations(**found["Arguments"][0])`.
    """
    texts = ("Kind", "OrganizationUUID", "Identifier", "Name", "State", "County")
    columns = [*map(Column, texts), *(Column(name, "integer") for name in COUNTED), Column("Filter")]

    def read(answer: httpx.Response) -> Table:
        return frames.from_rows(columns, [{**row, **row["RecordsCounts"]} for row in answer.json()["Found"]])

    def finish(found: pandas.DataFrame, _metadata: Metadata | None) -> pandas.DataFrame:
        found["Arguments"] = pandas.Series([arguments_of(one) for one in found.pop("Filter")], dtype=object)
        return found

    connection, asked = _opened("Find", arguments)
    asked += [("Query", text)]
    return Retrieval(connection, "/v1/Find", asked, columns, read, finish, limit=limit, largest_page=100).run()


def _records(
    operation: str, arguments: dict[str, Any], limit: int | None, lookups: bool, geometry: bool | None
) -> Answer:
    connection, asked = _opened(operation, arguments)
    return records(connection, operation, asked, limit, lookups, geometry)


def _opened(operation: str, arguments: dict[str, Any]) -> tuple[Connection, Query]:
    """What all functions begin with; wrong arguments are refused before anything is sent."""
    own = {name: value for name, value in arguments.items() if name in CONNECTION_ARGUMENTS}
    asked = query_of(operation, {name: value for name, value in arguments.items() if name not in own})
    return Connection(**own), asked


def _one(connection: Connection, path: str, query: Query) -> tuple[Any, Metadata]:
    """An answer that has no pages."""
    response = connection.get(path, query)
    metadata = metadata_of(str(response.url), response.headers)
    metadata.query_time = response.elapsed
    return response.json(), metadata


def _operation(kind: str) -> str:
    found = OPERATIONS.get(kind)
    if found is None or found not in COUNTED:
        raise BadArgument(f"{kind} is no kind of records: there are site_amounts, aggregated_amounts and allocations.")
    return found


def _service_names(names: str | Sequence[str], operation: str, parameter: str) -> list[str]:
    values = PARAMETERS[operation][parameter]["values"]
    return [service_name(name, values, operation) for name in ([names] if isinstance(names, str) else names)]


def _frame(rows: list[dict[str, Any]], texts: list[str], count: str) -> pandas.DataFrame:
    columns = [*map(Column, texts), Column(count, "integer")]
    return frames.to_pandas(columns, frames.from_rows(columns, rows))
