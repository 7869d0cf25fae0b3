"""The public functions. `tables.json` declares their parameters; their help is also built from it."""

import numbers
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import pandas

from .arguments import arguments_of, one_of, plain, query_of, require_switch, require_text, require_texts, service_name
from .connection import Connection
from .errors import BadArgument
from .files import FILES, file_of
from .frames import Rows
from .helptext import CONNECTION_ARGUMENTS, documented, documented_facets, documented_groups
from .parts import distinct, require_one_part
from .records import features, records
from .retrieval import Answer, Metadata, Retrieval, add_licences, organizations_found
from .tables import NAMES, OPERATIONS, RECORDS, TABLES, Column, kind_of, named


@documented("SiteVariableAmounts")
def get_site_amounts(
    *,
    limit: int | None = None,
    columns: str | Sequence[str] | None = None,
    lookups: bool = False,
    geometry: bool | None = None,
    **arguments: Any,
) -> Answer:
    """Time series at sites: gages, reservoirs, and public supply with its points of diversion and places of use.

    Returns a data frame with a row for each record, with its site, variable, method and source, and Metadata.

        amounts, metadata = water.get_site_amounts(state="UT", start_date="2010-01-01", county=["Cache", "Weber"])
        amounts, _ = water.get_site_amounts(state="UT", columns=["SiteUUID", "TimeframeStart", "Amount"], limit=100)
        amounts, _ = water.get_site_amounts(boundary="county.geojson", order_by="-Amount")
    """
    asked = _asked("get_site_amounts", "SiteVariableAmounts", arguments, limit=limit)
    return records(asked, lookups, geometry, columns)


@documented("AggregatedAmounts")
def get_aggregated_amounts(
    *,
    limit: int | None = None,
    columns: str | Sequence[str] | None = None,
    lookups: bool = False,
    geometry: bool | None = None,
    **arguments: Any,
) -> Answer:
    """Amounts of reporting units, such as counties and watersheds.

    Returns a data frame with a row for each record, with its unit, variable, method and source, and Metadata.

        supply, metadata = water.get_aggregated_amounts(state="NM", beneficial_use_cv="Public Water Supply")
        year, _ = water.get_aggregated_amounts(state="NM", start_date="2015-01-01", end_date="2015-12-31")
    """
    asked = _asked("get_aggregated_amounts", "AggregatedAmounts", arguments, limit=limit)
    return records(asked, lookups, geometry, columns)


@documented("SiteAllocationAmounts")
def get_allocations(
    *,
    limit: int | None = None,
    columns: str | Sequence[str] | None = None,
    lookups: bool = False,
    geometry: bool | None = None,
    **arguments: Any,
) -> Answer:
    """Water rights. A right can have several sites: columns about sites contain lists, and the geometry their points.

    Returns a data frame with a row for each right, and Metadata.

        rights, metadata = water.get_allocations(state="OK", county="Caddo")
        oldest, _ = water.get_allocations(state="OK", order_by="AllocationPriorityDate", limit=10)
        by_site = rights.explode("SiteUUID")
    """
    asked = _asked("get_allocations", "SiteAllocationAmounts", arguments, limit=limit)
    return records(asked, lookups, geometry, columns)


@documented("Sites")
def get_sites(
    *,
    limit: int | None = None,
    columns: str | Sequence[str] | None = None,
    geometry: bool | None = None,
    **arguments: Any,
) -> Answer:
    """Sites, with the variables and the period of their amounts, and the number of rights that refer to each site.

    sites, metadata = water.get_sites(state="UT", minimum_years=40)
    sites.explore()
    near, _ = water.get_sites(boundary=[-112, 40, -111, 41])
    """
    return features(_asked("get_sites", "Sites", arguments, limit=limit), geometry, columns)


@documented("ReportingUnits")
def get_reporting_units(
    *,
    limit: int | None = None,
    columns: str | Sequence[str] | None = None,
    geometry: bool | None = None,
    **arguments: Any,
) -> Answer:
    """Reporting units, with the variables and the period of their amounts.

    counties, metadata = water.get_reporting_units(state="NM", reporting_unit_type_cv="County")
    """
    return features(_asked("get_reporting_units", "ReportingUnits", arguments, limit=limit), geometry, columns)


@documented_groups
def get_totals(kind: str, by: str | Sequence[str] = (), **arguments: Any) -> Answer:
    """Counts and sums of the matching records, in groups.

    `kind` is "site_amounts", "aggregated_amounts" or "allocations". Filters are the same as for its records.
    Amounts with different units or statistics are never added up; they have separate rows. If
    `metadata.groups_overlap` is true, a record can be in several groups, and the rows add up to more than the total.

        totals, metadata = water.get_totals("allocations", by="priority_decade", county="Caddo", state="OK")
        years, _ = water.get_totals("site_amounts", by=["water_year", "county"], state="UT")
        print(metadata.cite())
    """
    operation = one_of("kind", kind, RECORDS)
    require_texts("by", by)

    def read(answer: httpx.Response, metadata: Metadata) -> Any:
        said = answer.json()
        metadata.groups_overlap = said["GroupsOverlap"]
        return said["Totals"]

    listing = _asked("get_totals", f"{operation}/Totals", {"group_by": by or None, **arguments}, read=read)
    totals = TABLES["totals"][operation]
    groups = {value: totals["groups"][value] for name, value in listing.query if name == "GroupBy"}
    listing.columns = [Column(name, type) for name, type in {**groups, **totals["members"]}.items()]
    listing.finish = _with_licences_of(listing, operation)
    return listing.run()


@documented_facets
def get_facets(kind: str, facets: str | Sequence[str], **arguments: Any) -> Answer:
    """Counts the records that each value of a filter would match if all other filters stay the same.

    The columns are Facet, Value and Count.

    `kind` is "site_amounts", "aggregated_amounts" or "allocations". Filters are the same as for its records. At
    most 1,000 values of a facet are listed; `metadata.hint` says how many more there are.

        uses, metadata = water.get_facets("allocations", "beneficial_use_cv", state="OK")
        both, _ = water.get_facets("site_amounts", ["county", "site_type_cv"], state="UT")
    """
    require_texts("facets", facets)
    operation = one_of("kind", kind, RECORDS)

    def read(answer: httpx.Response, metadata: Metadata) -> Rows:
        said = answer.json()["Facets"]
        more = [f"{facet['Name']} has {facet['MoreValues']} more values" for facet in said if facet["MoreValues"]]
        metadata.hint = "; ".join(more) or metadata.hint
        return [{"Facet": facet["Name"], **value} for facet in said for value in facet["Values"]]

    columns = named("Facet Value", "Count")
    asked = {"facet": facets, **arguments}
    listing = _asked("get_facets", f"{operation}/Facets", asked, columns=columns, read=read, names=())
    listing.finish = _with_licences_of(listing, operation)
    return listing.run()


@documented("Inventory")
def get_terms(kind: str | None = None, parameter: str | None = None, **arguments: Any) -> Answer:
    """The values that filters accept, with the number of records of a data set that have each value.

    `kind` ("site_amounts", "aggregated_amounts" or "allocations") and `parameter` narrow the list.

        terms, _ = water.get_terms("allocations", "beneficial_use_cv", state="OK")
    """
    if parameter is not None:
        require_text("parameter", parameter)
    data_set = None if kind is None else kind_of(one_of("kind", kind, RECORDS))
    refusal = f'parameter="{parameter}" is not a filter'
    wanted = None if parameter is None else plain(service_name(parameter, NAMES, refusal))

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
    listing = _asked("get_terms", "Inventory", arguments, columns=columns, read=read, names=())
    listing.join = lambda tables: distinct(tables)

    def finish(found: pandas.DataFrame, metadata: Metadata | None) -> pandas.DataFrame:
        if metadata and len(found):
            add_licences(listing.connection, data_set or "", [*found["OrganizationUUID"].unique()], metadata)
        return found

    listing.finish = finish
    return listing.run()


def get_changes(
    kind: str,
    since: str,
    *,
    columns: str | Sequence[str] | None = None,
    geometry: bool | None = None,
    **arguments: Any,
) -> Answer:
    """The records that were added or changed since a data version, such as the `data_version` of earlier Metadata.

    `metadata.removed` has the keys of removed records. To update a copy, delete the removed records and those with the
    keys of changed records, then add the changed records. If the version is no longer available, VersionGone is raised:
    get everything again.

        changed, metadata = water.get_changes("site_amounts", since=metadata.data_version)
    """
    operation = one_of("kind", kind, RECORDS)
    require_text("since", since)
    asked = _asked("get_changes", operation, {**arguments, "changed_since": since})
    return records(asked, geometry=geometry, chosen=columns)


def download(
    kind: str, organization: str, format: str = "parquet", *, whole: bool = False, **arguments: Any
) -> tuple[Path, Metadata]:
    """Downloads a whole data set as a file in the cache folder, or updates it; returns its path and Metadata.

    `format` is "parquet" (records with types), "csv.gz" or "places" (sites or units as GeoParquet). The path stays the
    same. Records in Parquet are downloaded once; later only the changes are transferred. Unchanged rows keep the old
    site, method and variable names; `whole=True` downloads everything again.

        file, metadata = water.download("site_amounts", "UTss_O1")
        amounts = pandas.read_parquet(file)
    """
    require_text("organization", organization)
    require_switch("whole", whole)
    name = one_of("format", format, FILES)
    operation = one_of("kind", kind, RECORDS)
    asked = _asked("download", "Downloads", arguments)
    return file_of(Retrieval(asked.connection, operation, []), organization, name, whole)


def query(
    collection: str,
    cql2: str,
    *,
    limit: int | None = None,
    columns: str | Sequence[str] | None = None,
    geometry: bool | None = None,
    **arguments: Any,
) -> Answer:
    """The features of an OGC API - Features collection that match a CQL2 filter.

    Collections are sites, reporting-units, allocations, site-amounts and aggregated-amounts.

        large, metadata = water.query("allocations", "AllocationFlow_CFS > 10 AND County = 'Caddo'")
    """
    collections = {name.replace("_", "-"): operation for name, operation in OPERATIONS.items()}
    operation = one_of("collection", collection, collections)
    require_text("cql2", cql2)
    path = f"/ogc/collections/{collection}/items"
    listing = _asked("query", operation, arguments, limit, path=path, names=("offset", "limit"))
    listing.query += [("filter", cql2), ("filter-lang", "cql2-text"), ("f", "json")]
    return features(listing, geometry, columns)


@documented("Find")
def find(text: str, *, limit: int = 20, **arguments: Any) -> Answer:
    """Finds sites, units, rights, owners, areas and terms whose names or identifiers have words that begin with `text`.

    Returns the best `limit` results with their record counts. `Arguments` has the arguments that fetch these records.

        found, _ = water.find("caddo", kind="County")
        rights, _ = water.get_allocations(**found["Arguments"][0])
    """
    require_text("text", text)
    columns = named("Kind OrganizationUUID Identifier Name State County", " ".join(RECORDS.values())) + named("Filter")

    def read(answer: httpx.Response, _metadata: Metadata) -> Rows:
        return [{**row, **row["RecordsCounts"]} for row in answer.json()["Found"]]

    def finish(found: pandas.DataFrame, _metadata: Metadata | None) -> pandas.DataFrame:
        found["Arguments"] = pandas.Series([arguments_of(one) for one in found.pop("Filter")], dtype=object)
        return found

    asked = _asked("find", "Find", arguments, columns=columns, read=read, finish=finish, limit=limit, largest_page=100)
    asked.query += [("Query", text)]
    return asked.run()


def _with_licences_of(listing: Retrieval, operation: str) -> Any:
    """Adds the terms of use of the organizations whose records were counted, so that counts and sums can be cited."""

    def finish(found: pandas.DataFrame, metadata: Metadata | None) -> pandas.DataFrame:
        if metadata and len(found):
            organizations = organizations_found(listing.connection, operation, listing.query)
            add_licences(listing.connection, kind_of(operation), organizations, metadata)
        return found

    return finish


def _asked(
    function: str, operation: str, arguments: dict[str, Any], limit: int | None = None, **options: Any
) -> Retrieval:
    """The common first step of all functions. It refuses wrong arguments before any request is sent."""
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, numbers.Integral) or limit < 1):
        raise BadArgument(f"limit must be a whole number of 1 or more, not {limit!r}; leave it out for all records.")
    own = {name: value for name, value in arguments.items() if name in CONNECTION_ARGUMENTS and value is not None}
    filters = {name: value for name, value in arguments.items() if name not in CONNECTION_ARGUMENTS}
    asked = query_of(operation, filters, function)
    if operation not in (*OPERATIONS.values(), "Inventory"):
        require_one_part(asked, function)
    return Retrieval(Connection(**own), operation, asked, int(limit or sys.maxsize), is_asked=True, **options)
