"""The functions that an analyst calls. What they take is in `tables.json`, from where their help is written, too."""

import inspect
import numbers
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pandas

from .arguments import arguments_of, chosen, plain, query_of, require_switch, require_text, require_texts, service_name
from .connection import PATIENCE, Connection
from .errors import BadArgument
from .frames import Rows
from .parts import distinct, require_one_part
from .records import FILES, features, file_of, records
from .retrieval import Answer, Metadata, Retrieval
from .tables import NAMES, OPERATIONS, PARAMETERS, RECORDS, TABLES, Column, kind_of, named

F = TypeVar("F", bound=Callable[..., Any])

#: What every function takes beside the parameters of the service.
CONNECTION_ARGUMENTS = {
    "url": "Address of the service; else the environment variable WATER_DATA_URL.",
    "key": "Access key; else WATER_DATA_KEY, or the file `key` in the configuration folder.",
    "patience": f"Most seconds to wait after 429, 503 and cuts, {PATIENCE:.0f} when not given.",
    "progress": "True or False shows or hides the line of progress; None shows it where somebody looks.",
}


def documented(operation: str) -> Callable[[F], F]:
    """Adds the parameters of an operation to the help and to the signature that editors and notebooks show."""
    described = {name: own["description"] for name, own in PARAMETERS[operation].items()} | CONNECTION_ARGUMENTS

    def add(function: F) -> F:
        lines = [f"    {name}: {text}" for name, text in described.items()]
        function.__doc__ = "\n".join([inspect.cleandoc(function.__doc__ or ""), "", "Arguments:", *lines])
        own = {name: one for name, one in inspect.signature(function).parameters.items() if name != "arguments"}
        named = [name for name in described if name not in own]
        keywords = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in named]
        function.__signature__ = inspect.Signature([*own.values(), *keywords])  # type: ignore[attr-defined]
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
    return records(_asked("SiteVariableAmounts", arguments, limit=limit), lookups, geometry)


@documented("AggregatedAmounts")
def get_aggregated_amounts(
    *, limit: int | None = None, lookups: bool = False, geometry: bool | None = None, **arguments: Any
) -> Answer:
    """Amounts of reporting units, such as counties and watersheds; returns and options as `get_site_amounts`."""
    return records(_asked("AggregatedAmounts", arguments, limit=limit), lookups, geometry)


@documented("SiteAllocationAmounts")
def get_allocations(
    *, limit: int | None = None, lookups: bool = False, geometry: bool | None = None, **arguments: Any
) -> Answer:
    """Water rights. One has many sites, so that what sites say are lists, and its geometry has a point for each.

    Returns and options as `get_site_amounts`.
    """
    return records(_asked("SiteAllocationAmounts", arguments, limit=limit), lookups, geometry)


@documented("Sites")
def get_sites(*, limit: int | None = None, geometry: bool | None = None, **arguments: Any) -> Answer:
    """Sites, with the variables that each has amounts of, for how long, and how many rights name it."""
    return features(_asked("Sites", arguments, limit=limit), geometry)


@documented("ReportingUnits")
def get_reporting_units(*, limit: int | None = None, geometry: bool | None = None, **arguments: Any) -> Answer:
    """Reporting units, with the variables that each has amounts of, and for how long."""
    return features(_asked("ReportingUnits", arguments, limit=limit), geometry)


def get_totals(kind: str, by: str | Sequence[str] = (), **arguments: Any) -> Answer:
    """Counts and sums of what filters find, in groups: `get_totals("allocations", by="priority_decade")`.

    `kind` is "site_amounts", "aggregated_amounts" or "allocations"; filters are those of the function for these.
    Amounts of different units or statistics are never added up, and have rows of their own. Where
    `metadata.groups_overlap` a record is in several groups, and rows do not add up to the whole.
    """
    operation = chosen(kind, RECORDS, "get_totals(kind=...)")
    require_texts("by", by)

    def read(answer: httpx.Response, metadata: Metadata) -> Any:
        said = answer.json()
        metadata.groups_overlap = said["GroupsOverlap"]
        return said["Totals"]

    listing = _asked(f"{operation}/Totals", {"group_by": by or None, **arguments}, read=read)
    totals = TABLES["totals"][operation]
    groups = {value: totals["groups"][value] for name, value in listing.query if name == "GroupBy"}
    listing.columns = [Column(name, type) for name, type in {**groups, **totals["members"]}.items()]
    return listing.run()


def get_facets(kind: str, facets: str | Sequence[str], **arguments: Any) -> Answer:
    """What each value of a filter would find, with all other filters as they are: columns Facet, Value, Count.

    At most 1,000 values of a facet are listed; `metadata.hint` says of how many others there are.
    """
    require_texts("facets", facets)
    operation = f"{chosen(kind, RECORDS, 'get_facets(kind=...)')}/Facets"

    def read(answer: httpx.Response, metadata: Metadata) -> Rows:
        said = answer.json()["Facets"]
        more = [f"{facet['Name']} has {facet['MoreValues']} more values" for facet in said if facet["MoreValues"]]
        metadata.hint = "; ".join(more) or metadata.hint
        return [{"Facet": facet["Name"], **value} for facet in said for value in facet["Values"]]

    columns = named("Facet Value", "Count")
    return _asked(operation, {"facet": facets, **arguments}, columns=columns, read=read, names=()).run()


def get_terms(kind: str | None = None, parameter: str | None = None, **arguments: Any) -> Answer:
    """The values that filters know, with how many records of a data set have each.

    `kind` and `parameter` ("beneficial_use_cv") narrow the list, and `state` and `organization_uuid` as ever.
    """
    if parameter is not None:
        require_text("parameter", parameter)
    data_set = kind and kind_of(chosen(kind, RECORDS, "get_terms(kind=...)"))
    wanted = parameter and plain(service_name(parameter, NAMES.values(), "get_terms"))

    def read(answer: httpx.Response, metadata: Metadata) -> Rows:
        rows = [
            {"OrganizationUUID": organization["OrganizationUUID"], "DataSet": own["DataSet"], "Parameter": name, **term}
            for organization in answer.json()["Organizations"]
            for own in organization["DataSets"]
            for name, terms in own["Vocabulary"].items()
            for term in terms
            if data_set in (None, own["DataSet"]) and wanted in (None, plain(name))
        ]
        metadata.total = len(rows)
        return rows

    columns = named("OrganizationUUID DataSet Parameter Value", "Records")
    listing = _asked("Inventory", arguments, columns=columns, read=read, names=())
    listing.join = lambda tables: distinct(tables)
    return listing.run()


def get_changes(kind: str, since: str, *, geometry: bool | None = None, **arguments: Any) -> Answer:
    """The records that were added or changed since a data version, such as the `data_version` of former Metadata.

    `metadata.removed` has the keys of the records that are gone: drop them, and those with the keys of changed
    records, then add what changed. A version that is not held any more raises VersionGone: take the whole again.
    """
    operation = chosen(kind, RECORDS, "get_changes(kind=...)")
    require_text("since", since)
    return records(_asked(operation, {**arguments, "changed_since": since}), geometry=geometry)


def download(
    kind: str, organization: str, format: str = "parquet", *, whole: bool = False, **arguments: Any
) -> tuple[Path, Metadata]:
    """The file of a whole data set, kept in the cache folder and brought up to date; returns its path and Metadata.

    `format` is "parquet" (records with types), "csv.gz" or "places" (sites or units as GeoParquet). Records in
    Parquet come whole once; later only what changed is transferred. Names of places, methods and variables in
    rows that stayed are then the former ones: `whole=True` takes everything anew.
    """
    require_text("organization", organization)
    require_switch("whole", whole)
    name = chosen(format, FILES, "download(format=...)")
    operation = chosen(kind, RECORDS, "download(kind=...)")
    return file_of(Retrieval(_asked("Downloads", arguments).connection, operation, []), organization, name, whole)


def query(
    collection: str, cql2: str, *, limit: int | None = None, geometry: bool | None = None, **arguments: Any
) -> Answer:
    """What a filter in CQL2 finds in a collection of OGC API - Features, such as `"Amount > 100 AND State = 'UT'"`.

    Collections are sites, reporting-units, allocations, site-amounts and aggregated-amounts.
    """
    collections = {name.replace("_", "-"): operation for name, operation in OPERATIONS.items()}
    operation = chosen(collection, collections, "query(collection=...)")
    require_text("cql2", cql2)
    path = f"/ogc/collections/{collection}/items"
    listing = _asked(operation, arguments, limit, path=path, names=("offset", "limit"))
    listing.query += [("filter", cql2), ("filter-lang", "cql2-text"), ("f", "json")]
    return features(listing, geometry)


@documented("Find")
def find(text: str, *, limit: int = 20, **arguments: Any) -> Answer:
    """Sites, units, rights, owners, areas and terms by the beginnings of words of their names and identifiers.

    Returns the best `limit` of them with how many records each has. `Arguments` has what finds these records:
    `get_allocations(**found["Arguments"][0])`.
    """
    require_text("text", text)
    columns = named("Kind OrganizationUUID Identifier Name State County", " ".join(RECORDS.values())) + named("Filter")

    def read(answer: httpx.Response, _metadata: Metadata) -> Rows:
        return [{**row, **row["RecordsCounts"]} for row in answer.json()["Found"]]

    def finish(found: pandas.DataFrame, _metadata: Metadata | None) -> pandas.DataFrame:
        found["Arguments"] = pandas.Series([arguments_of(one) for one in found.pop("Filter")], dtype=object)
        return found

    listing = _asked("Find", arguments, columns=columns, read=read, finish=finish, limit=limit, largest_page=100)
    listing.query += [("Query", text)]
    return listing.run()


def _asked(operation: str, arguments: dict[str, Any], limit: int | None = None, **options: Any) -> Retrieval:
    """What all functions begin with; wrong arguments are refused before anything is sent."""
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, numbers.Integral) or limit < 1):
        raise BadArgument(f"limit is a whole number of 1 or more, and not {limit!r}; leave it out for all records.")
    own = {name: value for name, value in arguments.items() if name in CONNECTION_ARGUMENTS and value is not None}
    asked = query_of(operation, {name: value for name, value in arguments.items() if name not in CONNECTION_ARGUMENTS})
    if operation not in (*OPERATIONS.values(), "Inventory"):
        require_one_part(asked, operation)
    return Retrieval(Connection(**own), operation, asked, int(limit or sys.maxsize), **options)
